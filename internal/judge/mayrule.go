package judge

import (
	"strings"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// MayRule reports whether a ruling has a place where the run stands: the machine
// takes one in every live phase, and what it would mean there is for the program
// to say. The work is what the report of the current dispatch says, where one of
// a worker is pinned.
func MayRule(v machine.View, r machine.Ruling, work machine.Work) bool {
	may, known := mayRule[r.Decision]
	return known && may(v, r, work)
}

var mayRule = map[string]func(machine.View, machine.Ruling, machine.Work) bool{
	machine.DecisionAcceptEmpty:     func(v machine.View, _ machine.Ruling, _ machine.Work) bool { return MayAcceptEmpty(v) },
	machine.DecisionFixProceed:      func(v machine.View, _ machine.Ruling, w machine.Work) bool { return FixerWaits(v, w) },
	machine.DecisionLeftoversKeep:   func(v machine.View, _ machine.Ruling, w machine.Work) bool { return MayLeave(v, w) },
	machine.DecisionLeftoversShelve: func(v machine.View, _ machine.Ruling, w machine.Work) bool { return MayLeave(v, w) },
	machine.DecisionContracts:       func(v machine.View, r machine.Ruling, _ machine.Work) bool { return ContractsNew(v, string(r.Blob)) },
	machine.DecisionWiden:           func(v machine.View, _ machine.Ruling, _ machine.Work) bool { return InFixLoop(v) },
	machine.DecisionGuardOK:         func(v machine.View, _ machine.Ruling, _ machine.Work) bool { return MayAllow(v) },
}

// Intent reports whether a dispatch is recorded and no child is known.
func Intent(v machine.View) bool {
	_, ok := machine.IntentRole(v.Phase)
	return ok
}

// Running reports whether a child works and no result is pinned yet.
func Running(v machine.View) bool {
	_, ok := machine.RunningRole(v.Phase)
	return ok && v.Dispatch.Report == nil
}

// Ruled reports whether a human ruled so on the current dispatch.
func Ruled(v machine.View, decision string) bool {
	for _, r := range v.Rulings {
		if r.Decision == decision && string(r.DispatchKey) == v.Dispatch.DispatchKey {
			return true
		}
	}
	return false
}

// RoleOf is the role of the current dispatch, whose name a state holds in its
// form.
func RoleOf(v machine.View) tier.Role {
	role, _ := tier.ParseRole(v.Dispatch.Role)
	return role
}

// MayAcceptEmpty: a worker is at work, or about to be, and nobody ruled so yet.
func MayAcceptEmpty(v machine.View) bool {
	return (Intent(v) || Running(v)) && RoleOf(v).Works() && !Ruled(v, AcceptEmpty)
}

// FixerWaits reports whether a fixer's report waits for a human: it says something
// else than that the work is done, or names a concern that is more than an
// observation.
func FixerWaits(v machine.View, work machine.Work) bool {
	if v.Phase != machine.FixRunning && v.Phase != machine.FinalFixRunning || v.Dispatch.Report == nil || Ruled(v, machine.DecisionFixProceed) {
		return false
	}
	switch string(v.Dispatch.Report.Status) {
	case machine.StatusDone:
		return false
	case machine.StatusDoneWithConcerns:
		return HardConcerns(work) != ""
	}
	return true
}

// HardConcerns names the concerns that a human must rule on.
func HardConcerns(work machine.Work) string {
	var named []string
	for _, c := range work.Concerns {
		if c.Kind != observational {
			named = append(named, c.Kind+": "+c.Note)
		}
	}
	return Abbreviate(strings.Join(named, "; "))
}

// observational is the kind of concern that waits for nobody.
const observational = "observational"

// MayLeave reports whether the last child is a worker whose attempt did not end
// DONE: what it left in the work tree waits for a human.
func MayLeave(v machine.View, work machine.Work) bool {
	if v.Dispatch == nil || !RoleOf(v).Works() {
		return false
	}
	switch v.Phase {
	case machine.ContextRequired, machine.DispatchAmbiguous:
		return true
	case machine.ImplementResult:
		return v.StatusPinned == "" && work.Status == machine.StatusBlocked
	case machine.FixRunning, machine.FinalFixRunning:
		r := v.Dispatch.Report
		return r != nil && (r.Status == machine.StatusNeedsContext || r.Status == machine.StatusBlocked)
	}
	return false
}

// ContractsNew reports whether role contracts are neither those of the start nor
// accepted by a ruling.
func ContractsNew(v machine.View, digest string) bool {
	if v.Tool == nil || v.Tool.Contracts == digest {
		return false
	}
	for _, r := range v.Rulings {
		if r.Decision == machine.DecisionContracts && string(r.Blob) == digest {
			return false
		}
	}
	return true
}

// InFixLoop reports whether a task is being fixed, or is about to be.
func InFixLoop(v machine.View) bool {
	switch v.Phase {
	case machine.TaskReviewDecision:
		return machine.NeedsWork(v)
	case machine.FixDispatchIntent, machine.FixRunning, machine.RereviewDispatchIntent:
		return true
	case machine.RereviewRunning:
		return Running(v) || machine.RoundsLeft(v) > 0
	}
	return false
}

// MayAllow reports whether a changed guard may be ruled on: from a worker's report
// until the report of the review after it, and for a finding about one until it is
// judged again.
func MayAllow(v machine.View) bool {
	if v.Phase == machine.ImplementResult {
		return v.StatusPinned != ""
	}
	return v.Phase >= machine.TaskReviewDispatchIntent && v.Phase <= machine.FinalRereviewRunning
}
