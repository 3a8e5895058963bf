package controller

import (
	"context"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/coverage"
)

// fillUncovered names the commits of a complete run's branch that no review stands
// for. Where the branch is still at the reviewed head there are none, and nothing
// has to be worked out; else this run is asked first, and the others only for what
// it leaves open.
func (r *run) fillUncovered(ctx context.Context, n *Next, tip string) error {
	uncovered := []string{}
	n.Uncovered = &uncovered
	if tip == r.lastJudged() {
		return nil
	}
	base, open, err := r.unreviewed(ctx, tip)
	if goneIsNo(err) != nil {
		return err
	}
	if err != nil {
		n.Warnings = append(n.Warnings, "commits of the branch are not all here: what is reviewed of it cannot be told")
		return nil
	}
	for _, row := range open {
		uncovered = append(uncovered, row.Commit)
	}
	if len(open) > 0 {
		n.Warnings = append(n.Warnings, fmt.Sprintf("no review stands for %s of branch %q, the first of them %s %q: git sdd verify --range %s..%s",
			counted(len(open), "commit"), r.view.Branch, short(open[0].Commit), open[0].Subject, short(base), short(tip)))
	}
	return nil
}

// unreviewed returns what the branch has beyond its base branch, as that is now,
// and no review stands for.
func (r *run) unreviewed(ctx context.Context, tip string) (base string, open []coverage.Row, err error) {
	base, err = r.c.repo.MergeBase(tip, r.view.BaseRef)
	if err != nil { // the base branch is not here, or is another history by now
		base = r.view.MergeBase
	}
	own := gathering{c: r.c, base: base, head: tip, plans: map[string]bool{}}
	open, err = own.open(func(g *gathering) error { return g.addRun(ctx, r.id, r.view) })
	if err == nil && len(open) > 0 {
		all := gathering{c: r.c, base: base, head: tip, plans: map[string]bool{}}
		open, err = all.open(func(g *gathering) error { return g.gatherRuns(ctx) })
	}
	return base, open, err
}

// open gathers the range and returns what no review stands for in it, oldest
// first.
func (g *gathering) open(runs func(*gathering) error) ([]coverage.Row, error) {
	var err error
	if g.commits, err = g.c.commitsBetween(g.base, g.head); err != nil {
		return nil, err
	}
	if err := runs(g); err != nil {
		return nil, err
	}
	if !g.allHeld() {
		if err := g.compare(); err != nil {
			return nil, err
		}
	}
	process, err := g.process()
	if err != nil {
		return nil, err
	}
	var open []coverage.Row
	for _, row := range coverage.Judge(g.commits, g.ranges, g.segments, process) {
		if row.State == coverage.Uncovered || row.State == coverage.Stale {
			open = append(open, row)
		}
	}
	return open, nil
}
