package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func doctorCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "doctor",
		Category: groupLook,
		Usage:    "look at everything that runs rest on, and name one repair for each problem",
		Description: `Settings, git, hooks, stale locks, hints, worktrees of our own, and every run:
whether it holds, whether its worktree is there, whether a fetched copy went
another way. Says nothing when all is well. --fix does what can be undone: it
forgets hints that lead nowhere and removes its own checkouts.
Exit 0 all is well, 8 when a problem is left.`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "fix", Usage: "repair what can be made again from the ledger"}, jsonFlag()},
		Action: func(c *cli.Context) error {
			return runDoctor(c.Context, con, c.Bool("fix"))
		},
	}
}

func runDoctor(ctx context.Context, con *console, fix bool) error {
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	h, err := c.Doctor(ctx, fix)
	if err != nil {
		return err
	}
	if err := con.answer(h, func() { con.sayHealth(h) }); err != nil {
		return err
	}
	if f := h.Fault(); f != nil {
		return ended(f.Kind())
	}
	return nil
}

func (con *console) sayHealth(h *controller.Health) {
	for _, a := range h.Fixed {
		con.printf("fixed: %s\n", safe(a.Message))
	}
	for _, a := range h.Problems {
		con.printf("%s: %s\nrepair: %s\n", a.Kind, safe(a.Message), safe(a.Repair))
	}
}
