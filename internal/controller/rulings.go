package controller

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// rulings tells what humans ruled on the work in a role's scope, oldest first,
// one line each: a concern or a question goes into what the next child is given,
// and every later child of the scope is told the same (interfaces: the loop,
// decide).
func (r *run) rulings(ctx context.Context, role tier.Role) ([]string, error) {
	var all []string
	said := ""
	err := ledger.Walk(ctx, r.c.repo, r.tip, r.scopeBegin(role), func(rev ledger.Revision) error {
		if !telling[rev.Message.Event] {
			return nil
		}
		doc, err := machine.DecodeEvent(rev.Event, func(ref machine.BlobRef) ([]byte, error) {
			return ledger.ReadFile(r.c.repo, rev.Commit, ref.Path)
		})
		if err != nil {
			return faultOfState(r.id, err)
		}
		switch e := doc.Event.(type) {
		case machine.ImplementerStatusRecorded:
			said = saidBy("implementer", e.Work)
		case machine.FixerFinished:
			said = saidBy("fixer", e.Work)
		case machine.FinalFixerFinished:
			said = saidBy("fixer", e.Work)
		case machine.ConcernRulingRecorded:
			all = append(all, "proceed after "+said+": "+e.Reason)
		case machine.RulingRecorded:
			if text, ok := rulingTexts[e.Decision]; ok {
				all = append(all, text(e, said)+": "+e.Reason)
			}
		}
		return nil
	})
	return all, faultOfLedger(err)
}

// telling are the events that rulings reads; no other is decoded.
var telling = map[string]bool{
	machine.KindImplementerStatusRecorded.String(): true,
	machine.KindFixerFinished.String():             true,
	machine.KindFinalFixerFinished.String():        true,
	machine.KindConcernRulingRecorded.String():     true,
	machine.KindRulingRecorded.String():            true,
}

// rulingTexts tells the rulings that children must know of. The others concern
// one dispatch that is over, or no child at all.
var rulingTexts = map[string]func(e machine.RulingRecorded, said string) string{
	rulingFixProceed:    func(_ machine.RulingRecorded, said string) string { return "proceed after " + said },
	rulingLeftoversKeep: func(e machine.RulingRecorded, _ string) string { return "kept in the work tree, " + listed(e.Paths) },
	machine.DecisionGuardOK: func(e machine.RulingRecorded, _ string) string {
		return "accepted as it is now, " + guardName(e.Ruling)
	},
	machine.DecisionWiden: func(e machine.RulingRecorded, _ string) string {
		return "belongs to this work from now on, " + listed(e.Paths)
	},
}

// guardName is what a guard-ok accepts.
func guardName(r machine.Ruling) string {
	if r.Finding != "" {
		return "the change that " + string(r.Finding) + " is about"
	}
	return listed(r.Paths)
}

// saidBy quotes what of a worker's report waited for a human.
func saidBy(who string, w machine.Work) string {
	var parts []string
	if w.Reason != "" {
		parts = append(parts, fmt.Sprintf("%q", string(w.Reason)))
	}
	for _, c := range w.Concerns {
		parts = append(parts, fmt.Sprintf("%s %q", c.Kind, c.Note))
	}
	return "the " + who + "'s " + w.Status + " (" + strings.Join(parts, ", ") + ")"
}

// scopeBegin is a revision before which nothing belongs to the scope of a role:
// the last review of the task before, for the final loop of the last task.
func (r *run) scopeBegin(role tier.Role) int {
	before := r.view.CurrentTask - 1
	if role.IsFinal() {
		before = r.view.CurrentTask
	}
	for _, e := range r.view.Evidence.Tasks {
		if n := len(e.Reviews); e.Task == before && n > 0 {
			return e.Reviews[n-1].Revision
		}
	}
	return 0
}
