package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func decideCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "decide",
		Category:  groupLoop,
		Usage:     "record a human's ruling",
		ArgsUsage: "DECISION [WHAT]",
		Description: `"git sdd next" lists every decision that is legal where the run stands, each with
its effect and its command. A decision that is not legal there is refused and
says which are. keep and shelve belong to the decision leftovers.`,
		Flags: writingFlags(
			reasonFlag(),
			&cli.StringSliceFlag{Name: "finding", Usage: "the finding `ID`; for adjudicate ID=park, ID=out-of-scope or ID=cannot-verify; may be repeated"},
			&cli.StringFlag{Name: "evidence", Usage: "what shows it, as `TEXT`"},
			&cli.StringFlag{Name: "session", Usage: "the session `ID` that was seen, for adopt"},
			&cli.StringFlag{Name: "receipt", Usage: "what shows that a child ended, or what a note rests on, as `TEXT`"},
			&cli.StringSliceFlag{Name: "path", Usage: "a `FILE` that the ruling is about; may be repeated"},
			&cli.StringFlag{Name: "context", Usage: "the answer to a child that lacked context: a `FILE`, or - for standard input"},
		),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runDecide(c.Context, con, t, c.String("context"), controller.DecideOptions{
				Decision: c.Args().Get(0), Argument: c.Args().Get(1), Reason: c.String("reason"),
				Findings: c.StringSlice("finding"), Evidence: c.String("evidence"), Session: c.String("session"),
				Receipt: c.String("receipt"), Paths: c.StringSlice("path"),
			})
		},
	}
}

func runDecide(ctx context.Context, con *console, t target, answer string, o controller.DecideOptions) error {
	if o.Reason == "" {
		return misuse("git sdd decide "+quote(o.Decision)+" --reason TEXT", "decide needs --reason")
	}
	if answer != "" {
		var err error
		if o.Context, err = con.bounded(ctx, answer, maxContext, "a context"); err != nil {
			return err
		}
	}
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Decide(ctx, o)
	if err != nil {
		return err
	}
	return con.answer(a, func() { con.sayAnswer(a) })
}
