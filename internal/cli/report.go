package cli

import (
	"context"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/report"
)

func reportCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Category:  groupLoop,
		Usage:     "take the child's report: check it against Git and record it",
		ArgsUsage: "[FILE|-]",
		Description: `Without FILE the report is read from the path that the prompt named. A report
that does not parse, or that Git contradicts, is refused with every defect and
its line; nothing is recorded then. Otherwise everything that the recorded
facts determine is recorded, one commit for each step.`,
		Flags: writingFlags(
			&cli.StringFlag{Name: "dispatch", Usage: "refuse unless the report answers the dispatch `KEY`"},
		),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runReport(c.Context, con, t, reportOptions{file: c.Args().First(), dispatch: c.String("dispatch")})
		},
	}
}

type reportOptions struct {
	file     string // a path, "-" for standard input, "" for the recorded path
	dispatch string
}

func runReport(ctx context.Context, con *console, t target, o reportOptions) error {
	taken := controller.ReportOptions{Dispatch: o.dispatch}
	var err error
	switch o.file {
	case "":
	case "-":
		taken.Data, err = con.input(ctx, report.MaxBytes)
	default:
		taken.Path, err = filepath.Abs(o.file)
	}
	if err != nil {
		return err
	}
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Report(ctx, taken)
	if err != nil {
		return err
	}
	return con.answer(a, func() { con.sayAnswer(a) })
}
