package cli

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func lsCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "ls",
		Category: groupLook,
		Usage:    "list the runs of this repository",
		Description: `One line a run, the one that moved last first: id, phase, revision, age, branch,
plan.`,
		Flags:  []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error { return runLs(c.Context, con) },
	}
}

func runLs(ctx context.Context, con *console) error {
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	runs, err := c.List(ctx)
	if err != nil {
		return err
	}
	return con.answer(runs, func() { con.sayRuns(runs.Runs) })
}

func (con *console) sayRuns(runs []controller.RunStatus) {
	if len(runs) == 0 {
		con.printf("no runs\nnext: git sdd start PLAN\n")
		return
	}
	rows := [][]string{{"RUN", "PHASE", "REV", "AGE", "BRANCH", "PLAN", "RESULT"}}
	for _, r := range runs {
		if r.Error != "" {
			rows = append(rows, []string{shortRun(r.Run), "unreadable", "", "", "", safe(r.Error)})
			continue
		}
		rows = append(rows, []string{
			shortRun(r.Run), safe(r.Phase), "r" + itoa(r.Revision), con.age(r.UpdatedAt), safe(r.Branch), safe(inside(r.Worktree, r.Plan)), intoText(r.Integrated),
		})
	}
	con.table(rows, nil)
}

// intoText says whether a complete run's result is where it belongs.
func intoText(in *controller.Integrated) string {
	switch {
	case in == nil:
		return ""
	case in.Into == nil:
		return "its base is not here"
	case in.State == "ancestry":
		return "in " + refName(*in.Into)
	case in.State == "content":
		return "in " + refName(*in.Into) + ", rewritten"
	case in.State == "reverted":
		return "reverted in " + refName(*in.Into)
	}
	return "not in " + refName(*in.Into)
}

// inside writes a path beneath a folder relative to it, and any other as it is.
func inside(folder, path string) string {
	rel, err := filepath.Rel(folder, path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return rel
}

// table prints rows in aligned columns. paint, where given, colours the cells of
// a row after their width was settled.
func (con *console) table(rows [][]string, paint func(row, column int, cell string) string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(cell))
		}
	}
	for n, row := range rows {
		last := len(row) - 1
		for last > 0 && row[last] == "" {
			last--
		}
		for i, cell := range slices.Clone(row[:last+1]) {
			shown := cell
			if paint != nil {
				shown = paint(n, i, cell)
			}
			con.printf("%s", shown)
			if i < last {
				con.printf("%*s", widths[i]-columns(cell)+2, "")
			}
		}
		con.printf("\n")
	}
}
