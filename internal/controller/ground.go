package controller

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/plan"
)

// What next and status call a run whose ground is not the pinned one, beside
// the plan's own drift.
const (
	driftNone     = "none"
	driftWorktree = "worktree"
	driftBranch   = "branch"
	driftHistory  = "history"
)

// A ground is how the place that a run is pinned to looks now: its worktree,
// branch, history and plan file (architecture: writing, identity).
type ground struct {
	drift  string       // the word for next and status
	fault  *fault.Error // why writing is refused; nil where it is not
	plan   plan.Drift
	notes  []string // what is worth a word and refuses nothing
	head   string   // the branch's head in the pinned worktree; "" when unknown
	branch string
}

// ground looks at worktree, branch and plan, in this order: the first that is
// wrong is the answer. History costs a process and is asked only of writers.
func (r *run) ground(history bool) (ground, error) {
	g := ground{drift: driftNone}
	planFault, err := r.lookAtPlan(&g)
	if err != nil {
		return g, err
	}
	if g.drift, g.fault = r.lookAtBranch(&g); g.fault != nil {
		return g, nil
	}
	if history {
		if g.drift, g.fault, err = r.lookAtHistory(g.head); err != nil || g.fault != nil {
			return g, err
		}
	}
	g.drift, g.fault = g.plan.String(), planFault
	return g, nil
}

func (r *run) lookAtBranch(g *ground) (string, *fault.Error) {
	if r.site == nil {
		g.notes = nil // a plan that went with the worktree is no news
		back := "git worktree add " + shellWord(r.view.Worktree) + " " + shellWord(r.view.Branch)
		return driftWorktree, fault.New(fault.Identity, back+", or give the run up: git sdd abandon --run "+r.id.Prefix12()+" --reason <reason>",
			"the worktree that run %s is pinned to is gone: %s", r.id.Prefix12(), r.view.Worktree)
	}
	g.branch = r.site.Branch()
	if g.branch != r.view.Branch {
		here := "HEAD is detached"
		if g.branch != "" {
			here = fmt.Sprintf("branch %q is checked out", g.branch)
		}
		return driftBranch, fault.New(fault.Identity, "git -C "+shellWord(r.view.Worktree)+" switch "+shellWord(r.view.Branch),
			"run %s is pinned to branch %q, and in its worktree %s", r.id.Prefix12(), r.view.Branch, here)
	}
	head, err := r.site.Resolve("HEAD^{commit}")
	if err != nil {
		return driftHistory, fault.New(fault.Identity, "git fsck", "branch %q has no commit any more: %w", r.view.Branch, err)
	}
	g.head = head
	return driftNone, nil
}

// lookAtHistory: the pinned merge base is never computed again, and must still
// be an ancestor of the branch.
func (r *run) lookAtHistory(head string) (string, *fault.Error, error) {
	if head == r.view.MergeBase {
		return driftNone, nil, nil
	}
	ok, err := r.site.IsAncestor(r.view.MergeBase, head)
	if err != nil && !errors.Is(err, git.ErrMissing) {
		return driftHistory, nil, err
	}
	if ok {
		return driftNone, nil, nil
	}
	return driftHistory, fault.New(fault.Identity, "git reflog "+shellWord(r.view.Branch)+", then git reset --keep <the head that the run knows>",
		"branch %q does not descend from the run's merge base %s any more", r.view.Branch, short(r.view.MergeBase)), nil
}

// lookAtPlan compares the plan file with the pinned bytes (contract: plan
// grammar, identity).
func (r *run) lookAtPlan(g *ground) (*fault.Error, error) {
	data, err := readBounded(r.view.PlanPath, plan.MaxBytes+1)
	if errors.Is(err, os.ErrNotExist) {
		g.plan = plan.Missing
		g.notes = append(g.notes, fmt.Sprintf("the plan file %s is missing; the pinned plan counts: %s", r.view.PlanPath, r.restorePlan()))
		return nil, nil
	}
	if err != nil { // what stands there is not the plan; who only reads goes on
		g.plan = plan.Edited
		return fault.New(fault.Identity, "make the plan file readable", "the plan file cannot be read: %w", err), nil
	}
	if plan.Digest(data) == r.view.PlanDigest {
		return nil, nil
	}
	pinned, err := r.plan()
	if err != nil {
		return nil, err
	}
	drift, detail := plan.Compare(pinned, data)
	g.plan = drift
	if drift == plan.LineEndings {
		g.notes = append(g.notes, fmt.Sprintf("only the line endings of %s differ from the pinned plan; the run goes on", r.view.PlanPath))
		return nil, nil
	}
	return fault.New(fault.Identity, r.restorePlan()+", or end this run: "+r.startAnew(),
		"the plan %s is not the pinned one: %s", r.view.PlanPath, detail), nil
}

// restorePlan brings the pinned bytes back: the first way out of an edited plan.
func (r *run) restorePlan() string {
	return fmt.Sprintf("git sdd show --run %s @:plan.md > %s", r.id.Prefix12(), shellWord(r.view.PlanPath))
}

// startAnew lets the edited plan count, in a run of its own: the second.
func (r *run) startAnew() string {
	return fmt.Sprintf("git sdd abandon --run %s --reason <reason>, then git sdd start %s", r.id.Prefix12(), shellWord(r.view.PlanPath))
}

// checkWrite refuses to write in a child, at a stale revision and on ground that
// is not the pinned one. It comes before the command looks at what it was given.
func (r *run) checkWrite() (ground, error) {
	if err := r.checkRevision(); err != nil {
		return ground{}, err
	}
	g, err := r.ground(true)
	if err != nil {
		return g, err
	}
	r.notes = append(r.notes, g.notes...)
	if g.fault != nil {
		return g, g.fault
	}
	return g, nil
}

// checkRevision holds what the caller read against what is stored.
func (r *run) checkRevision() error {
	if want := r.c.opt.ExpectedRevision; want != nil && *want != r.view.Revision {
		return fault.New(fault.Contended, "git sdd next", "the run stands at revision %d, not at %d; nothing was changed", r.view.Revision, *want)
	}
	return nil
}

// short is an object name as messages show it.
func short(id string) string { return id[:min(len(id), 10)] }

// shellWord quotes a word so that a printed command can be pasted.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
