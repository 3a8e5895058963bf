package cli

import (
	"context"

	"github.com/urfave/cli/v2"
)

func abandonCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "abandon",
		Category: groupLoop,
		Usage:    "give the run up",
		Description: `Ends the run in FINAL_BLOCKED. Its ledger and the work stay as they are. With
--run it needs neither the plan nor the worktree that the run was pinned to.`,
		Flags: writingFlags(reasonFlag()),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runAbandon(c.Context, con, t, c.String("reason"))
		},
	}
}

func runAbandon(ctx context.Context, con *console, t target, reason string) error {
	if reason == "" {
		return misuse("git sdd abandon --reason TEXT", "abandon needs --reason")
	}
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Abandon(ctx, reason)
	if err != nil {
		return err
	}
	return con.answer(a, func() { con.sayAnswer(a) })
}
