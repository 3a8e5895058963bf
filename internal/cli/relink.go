package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func relinkCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "relink",
		Category:  groupLook,
		Usage:     "find reviewed commits again after a rebase, a squash or a cherry-pick",
		ArgsUsage: "[RUN]",
		Description: `Compares content, never names: a commit is linked when it is the same change as
reviewed ones, alone or together with its neighbours. A reviewed commit whose
content changed is named and not linked. With --reason the mapping is recorded
beside the run, on refs/sdd-rulings/<run>, and serves when the old commits are
gone.`,
		Flags: readingFlags(
			&cli.StringFlag{Name: "range", Usage: "look at `A..B` instead of what HEAD has beyond the run's merge base"},
			&cli.StringFlag{Name: "reason", Usage: "record the mapping, for `REASON`"},
		),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, c.Args().First())
			if err != nil {
				return err
			}
			return runRelink(c.Context, con, t, controller.RelinkOptions{Range: c.String("range"), Reason: c.String("reason")})
		},
	}
}

func runRelink(ctx context.Context, con *console, t target, o controller.RelinkOptions) error {
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	r, err := c.Relink(ctx, o)
	if err != nil {
		return err
	}
	return con.answer(r, func() { con.sayRelinked(r) })
}

func (con *console) sayRelinked(r *controller.Relinked) {
	rows := [][]string{}
	for _, l := range r.Links {
		rows = append(rows, []string{prefix(l.Commit, 12), taskOf(l.Task), safe(l.Why)})
	}
	for _, l := range r.Stale {
		rows = append(rows, []string{prefix(l.Commit, 12), taskOf(l.Task), "stale: " + safe(l.Why)})
	}
	con.table(rows, nil)
	switch {
	case r.Recorded:
		con.printf("recorded %s beside run %s\n", counted(len(r.Links), "link"), shortRun(r.Run))
	case len(r.Links) == 0:
		con.printf("nothing here is a reviewed commit of run %s under another name\n", shortRun(r.Run))
	default:
		con.printf("next: git sdd relink --run %s --reason REASON\n", shortRun(r.Run))
	}
}

func taskOf(n int) string {
	if n == 0 {
		return "final"
	}
	return "task " + itoa(n)
}
