package cli

import (
	"context"

	"github.com/urfave/cli/v2"
)

func nextCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "next",
		Category:  groupLoop,
		Usage:     "say the one next action and its exact command",
		ArgsUsage: "[RUN]",
		Description: `The same answer until the run, the plan file or the branch changes. Read-only.
The last line is the next command; a place such as "<session>" is to be
replaced before it is typed.`,
		Flags: readingFlags(),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, c.Args().First())
			if err != nil {
				return err
			}
			return runNext(c.Context, con, t)
		},
	}
}

func runNext(ctx context.Context, con *console, t target) error {
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	n, err := c.Next(ctx)
	if err != nil {
		return err
	}
	return con.answer(n, func() { con.sayNext(n) })
}
