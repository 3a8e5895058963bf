package cli

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func runCoverage(ctx context.Context, con *console, o controller.CoverageOptions, runs bool) error {
	if runs || o.Range != "" && o.Branch != "" {
		return misuse("git sdd verify --range A..B", "verify looks at runs, at a range or at a branch, at one of them")
	}
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	v, err := c.Coverage(ctx, o)
	if err != nil {
		return err
	}
	if err := con.answer(v, func() { con.sayCoverage(v) }); err != nil {
		return err
	}
	if f := v.Fault(); f != nil {
		return ended(f.Kind())
	}
	return nil
}

// sayCoverage is a line a commit, oldest first, then the way on.
func (con *console) sayCoverage(v *controller.Coverage) {
	rows := [][]string{}
	for _, k := range v.Commits {
		run, task := "", ""
		if k.Run != nil {
			run, task = shortRun(*k.Run), taskOf(*k.Task)
		}
		rows = append(rows, []string{prefix(k.Commit, 12), k.State, run, task, safe(k.Subject), safe(k.Why)})
	}
	con.table(rows, nil)
	for _, n := range v.Notes {
		con.printf("note: %s\n", safe(n))
	}
	f := v.Fault()
	if f == nil {
		con.printf("%s, each accounted for\n", counted(len(v.Commits), "commit"))
		return
	}
	con.printf("%s\nnext: %s\n", f.Message(), f.Repair())
}
