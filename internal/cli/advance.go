package cli

import (
	"context"

	"github.com/urfave/cli/v2"
)

func advanceCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "advance",
		Category: groupLoop,
		Usage:    "go on after an interruption",
		Description: `Records every transition that the recorded facts determine, and stops where a
dispatch or a ruling is needed. Other commands do this by themselves; advance
is for a run whose last command was stopped halfway.`,
		Flags: writingFlags(),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runAdvance(c.Context, con, t)
		},
	}
}

func runAdvance(ctx context.Context, con *console, t target) error {
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Advance(ctx)
	if err != nil {
		return err
	}
	return con.answer(a, func() { con.sayAnswer(a) })
}
