package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/report"
)

// Advance goes on after an interruption: it records what the recorded facts
// determine, and gathers none anew.
func (c *Controller) Advance(ctx context.Context) (*Answer, error) {
	return c.writeAnswer(ctx, "advance", false, func(r *run) error {
		w, err := r.want()
		if err != nil {
			return err
		}
		if w.action != actAdvance {
			return r.nothingToDo("advance", w)
		}
		return r.settle(ctx)
	})
}

// settle records every transition that the recorded facts determine uniquely,
// one commit each, and stops where a dispatch or a ruling is needed. COMPLETE is
// the only terminal phase that it enters.
func (r *run) settle(ctx context.Context) error {
	for {
		w, err := r.want()
		if err != nil || w.action != actAdvance {
			return err
		}
		if w.event == nil {
			if err := r.passGate(ctx); err != nil {
				return err
			}
			continue
		}
		if err := r.record(ctx, step{event: w.event}); err != nil {
			return err
		}
	}
}

// nothingToDo refuses a command that the phase has no use for: 2, or 5 where a
// human must rule first.
func (r *run) nothingToDo(verb string, w want) error {
	if w.action == actDecide {
		return fault.New(fault.Waiting, "git sdd next", "%s can do nothing in %s, a human must rule: %s", verb, r.view.Phase, w.why)
	}
	return fault.New(fault.Invalid, "git sdd next", "nothing to do for %s in %s: %s", verb, r.view.Phase, w.why)
}

// storedWork reads the worker's report that the run has taken. It was parsed
// before it was recorded, so that a defect now is damage.
func (r *run) storedWork() (machine.Work, error) {
	data, err := r.file(r.view.Dispatch.Report.Path)
	if err != nil {
		return machine.Work{}, faultOfLedger(err)
	}
	work, defects := report.ParseWork(data, report.WorkContext{AllowEmpty: true})
	if len(defects) > 0 {
		return machine.Work{}, fault.New(fault.Identity, "git sdd log", "the stored report %s does not parse: %s", r.view.Dispatch.Report.Path, defects[0].Message)
	}
	return judge.Work(work), nil
}

// maxContextAttempts is how often an implementer may be given more context
// (contract: transitions, context-dispatch-intended).
const maxContextAttempts = 2

func resolvedFixes(v machine.View) []machine.Resolution { return judge.ResolvedFixes(v) }

// approvable reports whether a task's review approves it: both axes good, and
// nothing load-bearing left open. Minors stay open until the final review.
func approvable(v machine.View) bool {
	loadBearing, _ := countOpen(v)
	return machine.AxesGood(v) && loadBearing == 0
}
