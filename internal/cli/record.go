package cli

import (
	"context"

	"github.com/urfave/cli/v2"
)

// maxRecord bounds the file given to record (contract: bounds).
const maxRecord = 64 << 10

func recordCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "record",
		Category:  groupPlumbing,
		Usage:     "record one event of the machine, given as JSON",
		ArgsUsage: "[FILE|-]",
		Description: `Takes what makes no claim about work: rulings, lost and inadmissible children,
and the events that block or abandon a run. Everything else is refused, naming
the command that gathers its facts. Without FILE the event is read from standard
input. It needs --expected-revision.

  echo '{"type":"run-abandoned","reason":"superseded"}' |
      git sdd record --expected-revision 7`,
		Flags: writingFlags(),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runRecord(c.Context, con, t, c.Args().First())
		},
	}
}

func runRecord(ctx context.Context, con *console, t target, file string) error {
	if t.revision == nil {
		return misuse("git sdd record --expected-revision N", "record needs --expected-revision")
	}
	if file == "" {
		file = "-"
	}
	data, err := con.bounded(ctx, file, maxRecord, "an event")
	if err != nil {
		return err
	}
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Record(ctx, data)
	if err != nil {
		return err
	}
	return con.answer(a, func() {
		con.printf("r%-3d %s  %s, now %s\n", a.Revision, shortCommit(a.Commit), safe(a.Event), safe(a.Phase))
		con.printf("next: git sdd next\n")
	})
}
