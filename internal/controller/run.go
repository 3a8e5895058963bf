package controller

import (
	"context"
	"errors"
	"os"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/workspace"
)

// A run is one run as a command loaded it: the tip and the state come from the
// same read, and without them nothing can be written.
type run struct {
	c     *Controller
	id    ledger.RunID
	tip   ledger.Tip // the last revision as it was read
	state machine.State
	view  machine.View
	site  *git.Repo // the repository as seen from the pinned worktree; nil when that is gone
	done  []Transition
	notes []string // warnings for the answer

	hasLeftovers bool                // as noticeLeftovers saw it
	guards       []judge.GuardChange // as noticeGuards saw them
}

func (c *Controller) load(ctx context.Context, id ledger.RunID) (*run, error) {
	stored, err := ledger.Load(ctx, c.repo, id)
	if err != nil {
		return nil, faultOfLedger(err)
	}
	state, err := machine.DecodeState(stored.State)
	if err != nil {
		return nil, faultOfState(id, err)
	}
	r := &run{c: c, id: id, tip: stored.Tip, state: state, view: state.View()}
	c.begun = r.trackedAtStart
	r.site, err = r.openSite()
	return r, err
}

func faultOfState(id ledger.RunID, err error) error {
	if errors.Is(err, machine.ErrNewer) {
		return fault.New(fault.Unknown, "install a newer git-sdd", "run %s was written by a newer git-sdd: %w", id.Prefix12(), err)
	}
	return fault.New(fault.Identity, "git sdd log --run "+id.Prefix12(), "run %s holds a state that git-sdd did not write: %w", id.Prefix12(), err)
}

// openSite returns the repository as the pinned worktree sees it, or nil when
// that worktree is gone.
func (r *run) openSite() (*git.Repo, error) {
	if r.view.Worktree == r.c.repo.WorkTree() {
		return r.c.repo, nil
	}
	if info, err := os.Stat(r.view.Worktree); err != nil || !info.IsDir() {
		return nil, nil
	}
	site, err := r.c.repo.At(r.view.Worktree)
	if err != nil {
		return nil, nil // a folder that is no worktree of ours any more: as good as gone
	}
	if site.CommonDir() != r.c.repo.CommonDir() {
		site.Close()
		return nil, nil
	}
	return site, nil
}

// workspace returns the run's folder in the pinned worktree, with its .gitignore
// in place.
func (r *run) workspace() (*workspace.Workspace, error) {
	w, err := workspace.At(r.view.Worktree, r.view.RunRoot)
	if err != nil {
		return nil, fault.New(fault.Internal, "git sdd status", "%w", err)
	}
	if err := w.Ensure(); err != nil {
		return nil, fault.New(fault.Invalid, "make room for .git-sdd/ in "+r.view.Worktree, "the workspace cannot be made: %w", err)
	}
	return w, nil
}

// restore puts artifacts of the ledger back into the workspace.
func (r *run) restore(artifacts ...string) error {
	w, err := r.workspace()
	if err != nil {
		return err
	}
	for _, a := range artifacts {
		data, err := r.file(a)
		if err != nil {
			return faultOfLedger(err)
		}
		if err := w.Restore(a, data); err != nil {
			return fault.New(fault.Invalid, "git sdd next", "%w", err)
		}
	}
	return nil
}

// file reads one file of the last revision.
func (r *run) file(path string) ([]byte, error) {
	return ledger.ReadFile(r.c.repo, r.tip.Commit(), path)
}

// plan returns the pinned plan's bytes.
func (r *run) plan() ([]byte, error) {
	data, err := r.file(planFile)
	return data, faultOfLedger(err)
}

// document reads one revision's event with its facts.
func (r *run) document(ctx context.Context, revision int) (machine.Document, error) {
	commit, err := ledger.At(ctx, r.c.repo, r.tip, revision)
	if err != nil {
		return machine.Document{}, faultOfLedger(err)
	}
	data, err := ledger.ReadFile(r.c.repo, commit, eventFile)
	if err != nil {
		return machine.Document{}, faultOfLedger(err)
	}
	doc, err := machine.DecodeEvent(data, func(ref machine.BlobRef) ([]byte, error) {
		return ledger.ReadFile(r.c.repo, commit, ref.Path)
	})
	if err != nil {
		return machine.Document{}, faultOfState(r.id, err)
	}
	return doc, nil
}

// intentFacts returns what was observed when the current dispatch was recorded.
func (r *run) intentFacts(ctx context.Context) (machine.IntentFacts, error) {
	doc, err := r.document(ctx, r.view.Dispatch.IntentRevision)
	if err != nil {
		return machine.IntentFacts{}, err
	}
	facts, ok := doc.Facts.(machine.IntentFacts)
	if !ok {
		return machine.IntentFacts{}, fault.New(fault.Identity, "git sdd log", "revision %d of run %s holds no facts of a dispatch", r.view.Dispatch.IntentRevision, r.id.Prefix12())
	}
	return facts, nil
}

// Names in the tree of every revision (architecture: the ledger).
const (
	planFile     = "plan.md"
	eventFile    = "event.json"
	stateFile    = "state.json"
	settingsFile = "artifacts/settings.json"
)
