package controller

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/coverage"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/verify"
)

// A gathering is what Git and the runs know of a range.
type gathering struct {
	c          *Controller
	base, head string
	how        VerifyOptions // the runs are verified

	commits  []coverage.Commit
	ranges   []coverage.Range
	segments []coverage.Segment
	plans    map[string]bool
	notes    []string
}

func (g *gathering) gather(ctx context.Context) error {
	var err error
	if g.commits, err = g.c.commitsBetween(g.base, g.head); err != nil {
		return err
	}
	g.plans = map[string]bool{}
	if err := g.gatherRuns(ctx); err != nil {
		return err
	}
	if g.allHeld() {
		return nil // by name; what a commit changes need not be worked out
	}
	return g.compare()
}

// compare works out what each commit changes.
func (g *gathering) compare() error {
	if err := g.c.addPaths(g.base, g.head, g.commits); err != nil {
		return err
	}
	if err := g.addClean(); err != nil {
		return err
	}
	return g.addPatches()
}

// commitsBetween returns the commits of a range by name, oldest first.
func (c *Controller) commitsBetween(base, head string) ([]coverage.Commit, error) {
	all, err := c.repo.Commits(base, head)
	if err != nil {
		return nil, err
	}
	commits := make([]coverage.Commit, 0, len(all))
	for _, k := range all {
		commits = append(commits, coverage.Commit{
			ID: k.ID, Parents: k.Parents, Subject: k.Subject,
			Identity: fmt.Sprintf("%s <%s> %d %s", k.AuthorName, k.AuthorEmail, k.AuthorTime.Unix(), k.Subject),
		})
	}
	return commits, nil
}

func (c *Controller) addPaths(base, head string, commits []coverage.Commit) error {
	touched, err := c.repo.Touched(base, head)
	if err != nil {
		return err
	}
	paths := map[string][]string{}
	for _, t := range touched {
		paths[t.ID] = t.Paths
	}
	for i := range commits {
		commits[i].Paths = paths[commits[i].ID]
	}
	return nil
}

// gatherRuns takes the reviewed ranges of every run that verifies.
func (g *gathering) gatherRuns(ctx context.Context) error {
	runs, err := ledger.List(ctx, g.c.repo)
	if err != nil {
		return faultOfLedger(err)
	}
	for _, s := range runs {
		res, err := g.c.verified(ctx, s.Run, g.how)
		if err != nil {
			return err
		}
		if res.Outcome != verify.Verified {
			g.notes = append(g.notes, fmt.Sprintf("run %s counts for nothing: %s", s.Run.Prefix12(), res.Outcome))
			continue
		}
		stored, err := ledger.Load(ctx, g.c.repo, s.Run)
		if err != nil {
			return faultOfLedger(err)
		}
		state, err := machine.DecodeState(stored.State)
		if err != nil {
			return faultOfState(s.Run, err)
		}
		if err := g.addRun(ctx, s.Run, state.View()); err != nil {
			return err
		}
	}
	return nil
}

func (g *gathering) addRun(ctx context.Context, id ledger.RunID, v machine.View) error {
	if rel, err := filepath.Rel(v.Worktree, v.PlanPath); err == nil && filepath.IsLocal(rel) && isProse(rel) {
		g.plans[filepath.ToSlash(rel)] = true
	}
	mapped, err := g.c.relinked(ctx, id)
	if err != nil {
		return err
	}
	for _, r := range reviewedRanges(v) {
		r.Run, r.Mapped = id.String(), mapped[r.Task]
		commits, err := g.c.commitsBetween(r.Base, r.Head)
		if err != nil && !errors.Is(err, git.ErrMissing) && !isCommandError(err) {
			return err
		}
		if r.Commits = commits; len(commits) > 0 {
			r.Loose = "" // the code is here; without it what was stored of it is left
		}
		if err := g.c.addRefused(&r); err != nil {
			return err
		}
		g.ranges = append(g.ranges, r)
	}
	return nil
}

// addRefused puts commit names in the place of the last head that was refused.
func (c *Controller) addRefused(r *coverage.Range) error {
	head := r.Refused
	r.Refused = nil
	if len(head) == 0 || len(r.Commits) == 0 {
		return nil
	}
	commits, err := c.commitsBetween(r.Base, head[0])
	if goneIsNo(err) != nil {
		return err
	}
	for _, k := range commits {
		r.Refused = append(r.Refused, k.ID)
	}
	return nil
}

// isProse reports whether a plan has the name of a text for people. Whoever begins
// a run names its plan: without this, any file of a program could be called one,
// and its changes be nothing that a review is about.
func isProse(path string) bool {
	return slices.Contains([]string{".md", ".markdown", ".txt"}, strings.ToLower(filepath.Ext(path)))
}

// isCommandError reports a git that did not find what it was to walk.
func isCommandError(err error) bool {
	var failed *git.CmdError
	return errors.As(err, &failed)
}

// reviewedRanges are what a run had reviewed: each task from its base to the last
// judged head, and the final loop from the merge base.
func reviewedRanges(v machine.View) []coverage.Range {
	var all []coverage.Range
	for _, e := range v.Evidence.Tasks {
		done := e.Task < v.CurrentTask || inFinalLoop(v) || v.Phase == machine.TaskComplete && e.Task == v.CurrentTask
		all = appendRange(all, e.Task, e.WorkEvidence, done)
	}
	if e := v.Evidence.Final; e != nil {
		all = appendRange(all, 0, *e, v.Phase == machine.Complete)
	}
	return all
}

func appendRange(all []coverage.Range, task int, e machine.WorkEvidence, done bool) []coverage.Range {
	if len(e.Reviews) == 0 || e.Base == nil {
		return all
	}
	last := e.Reviews[len(e.Reviews)-1]
	if last.Head == nil {
		return all
	}
	r := coverage.Range{
		Task: task, Verdict: last.Spec + "/" + last.Quality, Base: e.Base.Commit, Head: last.Head.Commit,
		Approved: done && last.Spec == "PASS" && last.Quality == "APPROVED",
	}
	switch {
	case e.Head != nil && e.Head.Commit == r.Head:
		r.Loose = string(e.PatchID)
	case len(e.Reviews) == 1:
		r.Loose = string(last.PatchID)
	}
	for _, k := range e.Reviews {
		if (k.Spec != "PASS" || k.Quality != "APPROVED") && k.Head != nil && k.Head.Commit != r.Head {
			r.Refused = []string{k.Head.Commit}
		}
	}
	return append(all, r)
}

// allHeld reports whether every commit is covered by its name.
func (g *gathering) allHeld() bool {
	rows := coverage.Judge(g.commits, g.ranges, nil, func(string) bool { return false })
	return !slices.ContainsFunc(rows, func(r coverage.Row) bool { return r.State != coverage.Covered })
}

// addClean looks which merges are just what git makes of their parents: whoever
// merged added nothing. A git that cannot say so leaves them to the reader.
func (g *gathering) addClean() error {
	for i, k := range g.commits {
		if len(k.Parents) != 2 {
			continue
		}
		tree, err := g.c.repo.TreeOf(k.ID)
		if err != nil {
			return err
		}
		out, err := g.c.repo.Output("merge-tree", "--write-tree", k.Parents[0], k.Parents[1])
		made, _, _ := strings.Cut(string(out), "\n")
		g.commits[i].Clean = err == nil && made == tree
	}
	return nil
}
