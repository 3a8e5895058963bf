package judge

import (
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// InFinalLoop reports whether the run is in its final loop, in an ambiguous
// dispatch and after its end too: the last child's role says so.
func InFinalLoop(v machine.View) bool {
	if v.Dispatch == nil {
		return false
	}
	role, err := tier.ParseRole(v.Dispatch.Role)
	return err == nil && role.IsFinal()
}

// Base is where the range of a role's work begins, with the branch's head at its
// dispatch (architecture: facts, ranges). A task's base is the head at its first
// implementer dispatch; a re-review begins at the last judged head; the final
// loop at the merge base.
func Base(v machine.View, role tier.Role, head string) string {
	switch {
	case role == tier.ReReviewer, role == tier.FinalReReviewer:
		return LastJudged(v)
	case role.IsFinal():
		return v.MergeBase
	}
	if e := TaskEvidence(v); e != nil && e.Base != nil {
		return e.Base.Commit
	}
	return head
}

// TaskEvidence returns what is known of the current task, or nil before its
// first dispatch.
func TaskEvidence(v machine.View) *machine.WorkEvidence {
	for i := range v.Evidence.Tasks {
		if v.Evidence.Tasks[i].Task == v.CurrentTask {
			return &v.Evidence.Tasks[i].WorkEvidence
		}
	}
	return nil
}

// ScopeEvidence returns what is known of the current task or, in the final loop,
// of the whole branch.
func ScopeEvidence(v machine.View) *machine.WorkEvidence {
	if InFinalLoop(v) {
		return v.Evidence.Final
	}
	return TaskEvidence(v)
}

// LastJudged is the head that the last review in scope judged: before the first
// one the task's base, in the final loop the merge base.
func LastJudged(v machine.View) string {
	e := ScopeEvidence(v)
	if e != nil && len(e.Reviews) > 0 {
		if last := e.Reviews[len(e.Reviews)-1]; last.Head != nil {
			return last.Head.Commit
		}
	}
	if e != nil && e.Base != nil {
		return e.Base.Commit
	}
	return v.MergeBase
}

// WorkBase is where the work of an implementer or fixer of this scope begins.
func WorkBase(v machine.View) string {
	if InFinalLoop(v) {
		return v.MergeBase
	}
	if e := TaskEvidence(v); e != nil && e.Base != nil {
		return e.Base.Commit
	}
	return v.MergeBase
}

// MayBeEmpty reports whether the current dispatch may end DONE without a commit:
// by a ruling, for an audit task, or because nothing but what facts made is open.
func MayBeEmpty(v machine.View) bool {
	for _, ruling := range v.Rulings {
		if ruling.Decision == AcceptEmpty && string(ruling.DispatchKey) == v.Dispatch.DispatchKey {
			return true
		}
	}
	if InFinalLoop(v) {
		return OnlyControlled(machine.OpenInScope(v))
	}
	return v.Tasks[v.CurrentTask-1].Audit || v.Phase == machine.FixRunning && OnlyControlled(machine.OpenInScope(v))
}

// AcceptEmpty is the ruling that a dispatch may end without a commit.
const AcceptEmpty = "accept-empty"

// OnlyControlled reports whether something is open, and all of it was made by
// facts.
func OnlyControlled(open []machine.Recorded) bool {
	for _, f := range open {
		if !Controlled(f.ID) {
			return false
		}
	}
	return len(open) > 0
}
