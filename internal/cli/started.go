package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func startedCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "started",
		Category: groupLoop,
		Usage:    "record which session the child runs in",
		Description: `Correlates the recorded intent with the child that was started for it. The
session id is whatever names the child where it runs; a reviewer's must differ
from the implementer's.`,
		Flags: writingFlags(
			&cli.StringFlag{Name: "session", Usage: "the child's session `ID`"},
			&cli.StringFlag{Name: "model", Usage: "the model that the child was seen to run on, as `PROVIDER/MODEL`"},
			&cli.StringFlag{Name: "thinking", Usage: "the thinking `LEVEL` that it was seen to run with"},
		),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runStarted(c.Context, con, t, controller.StartedOptions{
				Session: c.String("session"), Model: c.String("model"), Thinking: c.String("thinking"),
			})
		},
	}
}

func runStarted(ctx context.Context, con *console, t target, o controller.StartedOptions) error {
	if o.Session == "" {
		return misuse("git sdd started --session ID", "started needs --session")
	}
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Started(ctx, o)
	if err != nil {
		return err
	}
	return con.answer(a, func() { con.sayAnswer(a) })
}
