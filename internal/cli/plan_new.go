package cli

import (
	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/plan"
)

func planNewCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "new",
		Usage:     "write a plan to start from",
		ArgsUsage: "[FILE]",
		Description: `A plan of two tasks that is accepted as it is: replace what stands in angle
brackets. It says which task each tier is for. Without FILE it goes to standard
output. A file that exists is never overwritten.`,
		Flags:  []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error { return runPlanNew(con, c.Args().First()) },
	}
}

// A newAnswer is git-sdd/plan-new/1.
type newAnswer struct {
	Schema string  `json:"schema"`
	Path   *string `json:"path"` // null where it went nowhere but here
	SHA256 string  `json:"sha256"`
	Plan   string  `json:"plan"`
}

func runPlanNew(con *console, path string) error {
	skeleton := plan.Skeleton()
	if path != "" {
		if err := createFile(path, skeleton); err != nil {
			return err
		}
	}
	a := newAnswer{Schema: "git-sdd/plan-new/1", Path: optional(path), SHA256: plan.Digest(skeleton), Plan: string(skeleton)}
	return con.answer(a, func() {
		if path == "" {
			con.bytes(skeleton)
			return
		}
		con.printf("%s: a plan of 2 tasks; replace what stands in angle brackets\n", safe(path))
		con.printf("next: %s\n", pasteable([]string{"git", "sdd", "plan", "check", path}))
	})
}
