package cli

import (
	"strconv"

	"github.com/urfave/cli/v2"
)

func planCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "plan",
		Category: groupPlan,
		Usage:    "write, check and convert plans, and look into them",
		Subcommands: []*cli.Command{
			planCheckCommand(con),
			planConvertCommand(con),
			planNewCommand(con),
			planBriefCommand(con),
			planDiffCommand(con),
		},
	}
}

// at is a line of a file, as a location.
func at(path string, line int) string { return path + ":" + strconv.Itoa(line) }

func itoa(n int) string { return strconv.Itoa(n) }
