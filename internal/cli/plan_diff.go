package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func planDiffCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "show what changed in a plan since its run was started",
		ArgsUsage: "[RUN]",
		Description: `Compares the plan's file with the bytes that the run is pinned to: task by task,
then as a unified diff. Line ends do not count; where nothing else changed, that is
all it says. Exit status 0 whatever it finds: it only looks.`,
		Flags: readingFlags(),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, c.Args().First())
			if err != nil {
				return err
			}
			return runPlanDiff(c.Context, con, t)
		},
	}
}

func runPlanDiff(ctx context.Context, con *console, t target) error {
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	d, err := c.PlanDiff(ctx)
	if err != nil {
		return err
	}
	return con.answer(d, func() { con.sayPlanDiff(d) })
}

// diffWords say what the file is, against the pinned bytes.
var diffWords = map[string]string{
	"none":         "is the pinned plan, byte for byte",
	"line-endings": "differs from the pinned plan in its line ends and in nothing else; the run goes on",
	"missing":      "is missing; the pinned plan counts",
	"edited":       "is not the pinned plan",
}

func (con *console) sayPlanDiff(d *controller.PlanDiff) {
	con.printf("%s %s\n", safe(d.Plan.Path), diffWords[d.Plan.Drift])
	for _, c := range d.Changes {
		if c.Task == nil {
			con.printf("  %s\n", safe(c.What))
			continue
		}
		con.printf("  task %d: %s\n", *c.Task, safe(c.What))
	}
	if d.Diff != "" {
		con.printf("\n")
		con.bytes([]byte(d.Diff))
		con.printf("\n")
	}
	if d.Anew != nil {
		con.printf("or: %s\n", safe(*d.Anew))
	}
	if d.Restore != nil {
		con.printf("next: %s\n", safe(*d.Restore))
	}
}
