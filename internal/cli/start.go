package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func startCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "start",
		Category:  groupLoop,
		Usage:     "begin a run: pin the plan, the branch and the base",
		ArgsUsage: "PLAN",
		Description: `Checks the plan, pins its bytes, this worktree, its branch and the merge base
with the base ref, and records the gates of the contract, each as a commit on
refs/sdd/<run>. Nothing is recorded when the plan is refused or no run can
begin here. Called again while the same run is still in its gates, it goes on
with that run.

Exit status 5: the run is recorded and waits for a human.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "base", Usage: "what the branch is compared with: a `REF`; without it the remote's default branch, else main or master"},
			&cli.StringFlag{Name: "audit", Usage: "tasks that may end without a commit, as `N,...`"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			return runStart(c.Context, con, startOptions{plan: c.Args().First(), base: c.String("base"), audit: c.String("audit")})
		},
	}
}

type startOptions struct {
	plan  string
	base  string
	audit string // numbers parted by commas
}

func runStart(ctx context.Context, con *console, o startOptions) error {
	audit, err := numbers("--audit", o.audit)
	if err != nil {
		return err
	}
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Start(ctx, controller.StartOptions{Plan: o.plan, Base: o.base, Audit: audit})
	if err != nil {
		return err
	}
	if err := con.answer(a, func() { con.sayAnswer(a) }); err != nil {
		return err
	}
	if a.Action == "decide" {
		return errWaiting
	}
	return nil
}

// numbers reads a list such as "1,4".
func numbers(flag, list string) ([]int, error) {
	var ns []int
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || strconv.Itoa(n) != word {
			return nil, misuse(flag+" 1,4", "flag %s takes task numbers parted by commas, %q is none", flag, word)
		}
		ns = append(ns, n)
	}
	if list != "" && len(ns) == 0 {
		return nil, misuse(flag+" 1,4", "flag %s names no task", flag)
	}
	return ns, nil
}
