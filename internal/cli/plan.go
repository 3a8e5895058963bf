package cli

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/plan"
)

func planCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "plan",
		Category: groupPlan,
		Usage:    "check a plan, or cut the brief of one task from it",
		Subcommands: []*cli.Command{
			planCheckCommand(con),
			planBriefCommand(con),
		},
	}
}

// planFault is everything that is wrong with a plan, as one fault. The first
// defect gives it its code and its place.
func planFault(path string, found []plan.Defect) *fault.Error {
	defects := make([]fault.Defect, len(found))
	for i, d := range found {
		defects[i] = fault.Defect{Code: d.Code, Location: at(path, d.Line), Message: d.Message, Repair: d.Repair}
	}
	return fault.FromDefects(fault.Invalid, "correct the plan, then: git sdd plan check "+quote(path), defects)
}

// at is a line of a file, as a location.
func at(path string, line int) string { return path + ":" + strconv.Itoa(line) }

func itoa(n int) string { return strconv.Itoa(n) }
