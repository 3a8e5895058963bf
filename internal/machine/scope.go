package machine

import (
	"fmt"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// finalScope is the number under which the final loop counts as a task of its
// own.
const finalScope = 0

// scope returns the task whose findings are reported now, [finalScope] in the
// final loop. The dispatch decides, so that the answer also holds where the
// phase does not say it: ambiguous, or ended.
func (v *View) scope() int {
	if v.Dispatch != nil {
		if r, err := tier.ParseRole(v.Dispatch.Role); err == nil && r.IsFinal() {
			return finalScope
		}
	}
	return v.CurrentTask
}

// inScope reports whether a finding counts now: those of the current task, and
// in the final loop those of the run (contract: stricter rule 4).
func (v *View) inScope(f *Recorded) bool {
	scope := v.scope()
	return scope == finalScope || f.Task == scope
}

// ScopeOf returns the label that the ids of new findings begin with: "T2" for
// task 2, "FINAL" in the final loop.
func ScopeOf(v View) string {
	if scope := v.scope(); scope != finalScope {
		return fmt.Sprintf("T%d", scope)
	}
	return "FINAL"
}

func scopeName(task int) string {
	if task == finalScope {
		return "the final loop"
	}
	return fmt.Sprintf("task %d", task)
}

// OpenInScope returns the findings in scope that are open, in the order in
// which they were reported: those of the current task, in the final loop those
// of the run.
func OpenInScope(v View) []Recorded {
	var open []Recorded
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Disposition == Open && v.inScope(f) {
			open = append(open, *f)
		}
	}
	return open
}

// AxesGood reports whether there is a review outcome and both its axes are
// good.
func AxesGood(v View) bool {
	return v.ReviewOutcome != nil && axesGood(v.ReviewOutcome.SpecStatus, v.ReviewOutcome.QualityStatus)
}

func axesGood(spec, quality string) bool { return spec == SpecPass && quality == QualityApproved }

// NeedsWork reports whether an axis of the last review is bad or a finding in
// scope is open, Minor included (contract: stricter rule 4).
func NeedsWork(v View) bool { return !AxesGood(v) || len(OpenInScope(v)) > 0 }

// RoundsLeft returns how many more times a fixer may be dispatched: fix rounds
// of the current task, or the wave of the final loop.
func RoundsLeft(v View) int {
	switch {
	case v.scope() != finalScope:
		return tier.MaxRounds - v.FixRound
	case v.FinalFixUsed:
		return 0
	}
	return 1
}

// ContractsInForce returns the SHA-256 of the role contracts that new prompts
// use: those of the last ruling on them, else those of the start. It is "" in
// a walk that names none.
func ContractsInForce(v View) string {
	for i := len(v.Rulings) - 1; i >= 0; i-- {
		if v.Rulings[i].Decision == DecisionContracts {
			return string(v.Rulings[i].Blob)
		}
	}
	if v.Tool == nil {
		return ""
	}
	return v.Tool.Contracts
}
