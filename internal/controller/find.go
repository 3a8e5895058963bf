package controller

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// A purpose says what a command wants the run for.
type purpose int

const (
	reading purpose = iota // the live run here, else its newest finished one
	writing                // the live run here
)

// find returns the run that a command means (interfaces: choosing the run).
func (c *Controller) find(ctx context.Context, why purpose) (*run, error) {
	if why == writing {
		c.repo.Prefetch()
	}
	if c.opt.Run != "" {
		id, err := ledger.Resolve(ctx, c.repo, c.opt.Run)
		if errors.Is(err, ledger.ErrInvalid) {
			return nil, fault.New(fault.Invalid, "git sdd ls", "%q does not begin a run's id: at least 4 lowercase hex digits", c.opt.Run)
		}
		if err != nil {
			return nil, faultOfLedger(err)
		}
		return c.load(ctx, id)
	}
	if r, err := c.hinted(ctx); r != nil || err != nil {
		return r, err
	}
	return c.scan(ctx, why)
}

// hinted follows the hint that start left beside HEAD, when the state that it
// leads to is the run of this place. Any doubt leads to the scan.
func (c *Controller) hinted(ctx context.Context) (*run, error) {
	id, ok := ledger.ReadHint(c.repo)
	if !ok {
		return nil, nil
	}
	r, err := c.load(ctx, id)
	if err != nil {
		return nil, damaged(err)
	}
	if !c.isHere(r.view) || r.view.Phase.Terminal() {
		// After the end of a run a newer one may live here, whose start was
		// killed before it left its hint.
		r.close()
		return nil, nil
	}
	return r, nil
}

// damaged keeps the refusal of a run that is there and cannot be read: it must
// never pass for no run at all (architecture: writing, corrupt is never empty).
// A run that is gone is only a stale hint.
func damaged(err error) error {
	if errors.Is(err, ledger.ErrNoRun) {
		return nil
	}
	return err
}

func (c *Controller) isHere(v machine.View) bool {
	return v.Worktree == c.repo.WorkTree() && v.Branch == c.repo.Branch()
}

// A candidate is a run of this worktree, as the scan found it.
type candidate struct {
	id   ledger.RunID
	view machine.View
}

// scan looks at the tip of every run: what a missing or wrong hint costs.
func (c *Controller) scan(ctx context.Context, why purpose) (*run, error) {
	all, err := c.candidates(ctx, anyRun)
	if err != nil {
		return nil, err
	}
	var live, finished, elsewhere []candidate
	for _, k := range all {
		switch here := c.isHere(k.view); {
		case here && !k.view.Phase.Terminal():
			live = append(live, k)
		case here:
			finished = append(finished, k)
		case !k.view.Phase.Terminal():
			elsewhere = append(elsewhere, k)
		}
	}
	switch {
	case len(live) == 1:
		return c.adoptHint(ctx, live[0])
	case len(live) > 1:
		return nil, severalRuns(live)
	case why == reading && len(finished) > 0:
		return c.load(ctx, newest(finished).id)
	case len(elsewhere) > 0:
		return nil, c.wrongBranch(elsewhere)
	}
	return nil, c.noRun(finished)
}

func anyRun(ledger.Message) bool { return true }

// liveRun reports whether a run has not ended, from its last message alone.
func liveRun(last ledger.Message) bool {
	phase, err := machine.ParsePhase(last.Phase)
	return err != nil || !phase.Terminal()
}

// candidates returns the wanted runs that are pinned to this worktree. A run that
// cannot be read is nobody's here: ls and doctor show it.
func (c *Controller) candidates(ctx context.Context, wanted func(ledger.Message) bool) ([]candidate, error) {
	runs, _, err := ledger.LoadWhere(ctx, c.repo, wanted)
	if err != nil {
		return nil, faultOfLedger(err)
	}
	var found []candidate
	for _, stored := range runs {
		state, err := machine.DecodeState(stored.State)
		if err != nil {
			continue
		}
		if v := state.View(); v.Worktree == c.repo.WorkTree() {
			found = append(found, candidate{id: stored.Tip.Run(), view: v})
		}
	}
	return found, nil
}

func (c *Controller) adoptHint(ctx context.Context, k candidate) (*run, error) {
	// A hint that cannot be written costs the next command a scan, nothing else.
	_ = ledger.WriteHint(c.repo, k.id)
	return c.load(ctx, k.id)
}

func newest(all []candidate) candidate {
	sort.Slice(all, func(i, j int) bool { return all[i].view.UpdatedAt < all[j].view.UpdatedAt })
	return all[len(all)-1]
}

func severalRuns(live []candidate) error {
	var lines []string
	for _, k := range live {
		lines = append(lines, fmt.Sprintf("%s (%s, %s)", k.id.Prefix12(), k.view.PlanPath, k.view.Phase))
	}
	sort.Strings(lines)
	return fault.New(fault.Invalid, "git sdd status --run "+live[0].id.Prefix12(),
		"%d live runs are pinned to this worktree and branch: %s", len(live), strings.Join(lines, ", "))
}

func (c *Controller) wrongBranch(elsewhere []candidate) error {
	k := newest(elsewhere)
	here := "a detached HEAD"
	if b := c.repo.Branch(); b != "" {
		here = "branch " + fmt.Sprintf("%q", b)
	}
	return fault.New(fault.Identity, "git switch "+shellWord(k.view.Branch),
		"run %s of this worktree is pinned to branch %q, and this is %s", k.id.Prefix12(), k.view.Branch, here)
}

func (c *Controller) noRun(finished []candidate) error {
	if len(finished) > 0 {
		k := newest(finished)
		return fault.New(fault.Unknown, "git sdd start <plan>",
			"no live run here; the last one, %s, ended %s", k.id.Prefix12(), k.view.Phase)
	}
	return fault.New(fault.Unknown, "git sdd start <plan>",
		"no run is pinned to this worktree and branch")
}

// faultOfLedger adds the repair to what the store says.
func faultOfLedger(err error) error {
	var moved *ledger.Moved
	var ambiguous *ledger.Ambiguous
	var locked *git.StaleLockError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, git.ErrNotSigned):
		return notSigned(err)
	case errors.As(err, &locked):
		return fault.New(fault.Contended, locked.Repair(),
			"%w; nothing was changed; if no git runs here any more, one that was killed left the lock", locked)
	case errors.As(err, &moved):
		return fault.New(fault.Contended, "git sdd next",
			"another process recorded revision %d first; nothing was changed", moved.Revision)
	case errors.As(err, &ambiguous):
		return fault.New(fault.Invalid, "git sdd ls", "%w", err)
	case errors.Is(err, ledger.ErrNoRun):
		return fault.New(fault.Unknown, "git sdd ls", "%w", err)
	case errors.Is(err, ledger.ErrIncomplete):
		return fault.New(fault.Unknown, "git fetch --unshallow, or fetch the run again without a filter", "%w", err)
	case errors.Is(err, ledger.ErrCorrupt):
		return fault.New(fault.Identity, "git fsck --strict, then fetch the run again from where it was pushed", "%w", err)
	}
	return err
}
