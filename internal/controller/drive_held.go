package controller

import (
	"context"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
)

// A held is where the refs of the run stood when this drive saw them last. A
// child can move or delete any ref; what it cannot do is make the drive forget.
type held struct {
	commit   string
	revision int
	pin      string
}

// hold remembers where the run stands. Pins only ever grow: one that does not hold
// what was held is the work of a child that was quicker than this drive, and is
// not believed; the next check finds it.
func (h *held) hold(r *run) {
	h.commit, h.revision = r.tip.Commit(), r.tip.Revision()
	pin, err := r.c.repo.Resolve(r.id.PinRef())
	if err != nil || pin == h.pin {
		return
	}
	if h.pin == "" || h.grown(r, pin) {
		h.pin = pin
	}
}

// grown reports whether a pin holds the one that was held. Each names the one
// before as its first parent, and few come at once.
func (h *held) grown(r *run, pin string) bool {
	const few = 8
	specs := make([]string, few)
	for i := range specs {
		specs[i] = fmt.Sprintf("%s~%d", pin, i+1)
	}
	found := false
	err := r.c.repo.Infos(specs, func(_ int, o git.Info, err error) error {
		found = found || err == nil && o.ID == h.pin
		return nil
	})
	if err != nil || !found {
		found, err = r.c.repo.IsAncestor(h.pin, pin)
	}
	return err == nil && found
}

// check refuses a run that is not the one that was held, or one that came after
// it. Nothing is put back: the repair is one command, and a human sees what was
// done.
func (h *held) check(ctx context.Context, r *run) error {
	if h.commit == "" {
		h.hold(r)
		return nil
	}
	if r.tip.Revision() < h.revision {
		return h.moved(r.id, fmt.Sprintf("it is at revision %d, and was at %d", r.tip.Revision(), h.revision))
	}
	was, err := ledger.At(ctx, r.c.repo, r.tip, h.revision)
	if err != nil {
		return faultOfLedger(err)
	}
	if was != h.commit {
		return h.moved(r.id, fmt.Sprintf("its revision %d is another one", h.revision))
	}
	pin, err := r.c.repo.Resolve(r.id.PinRef())
	if err != nil {
		return h.moved(r.id, "the ref that holds its work is gone")
	}
	if h.hold(r); pin != h.pin {
		return h.moved(r.id, "the ref that holds its work was moved")
	}
	return nil
}

// orGone explains why a run that was held cannot be loaded.
func (h *held) orGone(id ledger.RunID, err error) error {
	if fault.Of(err).Kind() != fault.Unknown || h.commit == "" {
		return err
	}
	return h.moved(id, "its ref is gone")
}

func (h *held) moved(id ledger.RunID, how string) error {
	repair := fmt.Sprintf("git update-ref %s %s && git update-ref %s %s, then git sdd run", id.Ref(), h.commit, id.PinRef(), h.pin)
	return fault.New(fault.Identity, repair, "somebody else changed the refs of run %s while it was driven: %s", id.Prefix12(), how)
}
