package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// leftovers names what a worker that did not end DONE left in the work tree and
// nobody ruled on (architecture: facts, leftovers).
func (r *run) leftovers(ctx context.Context) ([]string, error) {
	if r.site == nil || !r.mayLeave() || r.ruled(rulingLeftoversKeep) || r.ruled(rulingLeftoversShelve) {
		return nil, nil
	}
	facts, err := r.intentFacts(ctx)
	if err != nil {
		return nil, err
	}
	now, then, err := r.observedAgainst(facts)
	if err != nil {
		return nil, err
	}
	return now.Changed(then), nil
}

// mayLeave reports whether the last child is a worker whose attempt did not end
// DONE.
func (r *run) mayLeave() bool {
	if r.view.Dispatch == nil || !r.role().Works() {
		return false
	}
	switch r.view.Phase {
	case machine.ContextRequired, machine.DispatchAmbiguous:
		return true
	case machine.ImplementResult:
		return r.implementerBlocked()
	case machine.FixRunning, machine.FinalFixRunning:
		report := r.view.Dispatch.Report
		return report != nil && (report.Status == statusContext || report.Status == statusBlocked)
	}
	return false
}

// noticeLeftovers looks once, so that the table of rules can ask.
func (r *run) noticeLeftovers(ctx context.Context) error {
	left, err := r.leftovers(ctx)
	r.hasLeftovers = len(left) > 0
	return err
}

// leftoversRuled is the place where a dispatch will wait for a ruling.
func (r *run) leftoversRuled(ctx context.Context) error {
	left, err := r.leftovers(ctx)
	if err != nil || len(left) == 0 {
		return err
	}
	r.notes = append(r.notes, leftoverNote(r.view.Dispatch.Role, left))
	return nil
}

func leftoverNote(role string, left []string) string {
	return "the last " + role + " left in the work tree: " + listed(left)
}

func leftoversEvent(r *run, o DecideOptions) (machine.Event, error) {
	switch o.Argument {
	case "keep":
		return r.ruling(rulingLeftoversKeep, o), nil
	case "shelve":
		return r.ruling(rulingLeftoversShelve, o), nil
	}
	return nil, fault.New(fault.Invalid, "git sdd decide leftovers keep --reason <reason>", "%q is neither keep nor shelve", o.Argument)
}
