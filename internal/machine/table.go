package machine

import (
	"math/bits"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// targets is the set of phases that one transition may lead to, a bit a phase.
// The empty set means that the transition does not exist.
type targets uint32

// on is one line of the table: what each event may lead to.
type on [numKinds]targets

func to(phases ...Phase) (set targets) {
	for _, p := range phases {
		set |= 1 << p
	}
	return set
}

// table says which event may lead where (contract: state machine, transitions).
// A pair that is not here is illegal. The line of no phase is the start; what
// every phase takes that is not terminal stands in always.
//
//go:generate go test -run ^TestPhasesDocument$ . -update
var table = [numPhases]on{
	noPhase: {KindRunInitialized: to(CapabilityCheck)},

	CapabilityCheck:           {KindCapabilityConfirmed: to(PlanValidate), KindCapabilityMissing: to(CapabilityBlocked)},
	PlanValidate:              {KindPlanValid: to(PlanValidate), KindPlanInvalidated: to(PlanInvalid), KindPlanConflict: to(PlanInvalid), KindPreflightClean: to(WorkspaceReady), KindPreflightConflict: to(PreflightDecisionRequired)},
	PreflightDecisionRequired: {KindPreflightApproved: to(WorkspaceReady), KindPreflightRejected: to(FinalBlocked)},
	WorkspaceReady:            {KindImplementDispatchIntended: to(ImplementDispatchIntent)},

	ImplementDispatchIntent: intent(ImplementRunning),
	ImplementRunning:        running(on{KindImplementerFinished: to(ImplementResult)}),
	ImplementResult:         {KindImplementerStatusRecorded: to(ImplementResult, ContextRequired, ConcernDecisionRequired, TaskBlocked), KindTaskReviewDispatchIntended: to(TaskReviewDispatchIntent)},
	ContextRequired:         {KindContextDispatchIntended: to(ImplementDispatchIntent), KindContextLimitReached: to(TaskBlocked)},
	ConcernDecisionRequired: {KindConcernRulingRecorded: to(ImplementResult, TaskBlocked)},

	TaskReviewDispatchIntent: intent(TaskReviewRunning),
	TaskReviewRunning:        running(on{KindTaskReviewFinished: to(TaskReviewDecision)}),
	TaskReviewDecision:       {KindReviewApproved: to(TaskComplete), KindFixDispatchIntended: to(FixDispatchIntent), KindReviewBlocked: to(TaskBlocked)},

	FixDispatchIntent:      intent(FixRunning),
	FixRunning:             running(on{KindFixerFinished: to(FixRunning), KindRereviewDispatchIntended: to(RereviewDispatchIntent), KindFixerBlocked: to(TaskBlocked)}),
	RereviewDispatchIntent: intent(RereviewRunning),
	RereviewRunning:        running(on{KindRereviewFinished: to(RereviewRunning), KindRereviewApproved: to(TaskComplete), KindTaskParkRulingRecorded: to(RereviewRunning), KindNextFixDispatchIntended: to(FixDispatchIntent), KindRereviewBlocked: to(TaskBlocked)}),
	TaskComplete:           {KindNextTaskReady: to(WorkspaceReady), KindFinalReviewDispatchIntended: to(FinalReviewDispatchIntent)},

	FinalReviewDispatchIntent:   intent(FinalReviewRunning),
	FinalReviewRunning:          running(on{KindFinalReviewFinished: to(FinalReviewRunning), KindFinalComplete: to(Complete), KindFinalFixDispatchIntended: to(FinalFixDispatchIntent), KindFinalWorkBlocked: to(FinalBlocked)}),
	FinalFixDispatchIntent:      intent(FinalFixRunning),
	FinalFixRunning:             running(on{KindFinalFixerFinished: to(FinalFixRunning), KindFinalRereviewDispatchIntended: to(FinalRereviewDispatchIntent), KindFinalFixerBlocked: to(FinalBlocked)}),
	FinalRereviewDispatchIntent: intent(FinalRereviewRunning),
	FinalRereviewRunning:        running(on{KindFinalRereviewFinished: to(FinalRereviewRunning), KindFinalComplete: to(Complete), KindFinalParkRulingRecorded: to(FinalRereviewRunning), KindFinalWorkBlocked: to(FinalBlocked)}),

	DispatchAmbiguous: {KindDispatchRulingRecorded: anyOf(IntentPhase) | anyOf(RunningPhase)},
}

// same stands for the phase that the run is in.
const same targets = 1 << noPhase

// always is what every phase takes that is not terminal.
var always = on{
	KindRecoveryRulingRecorded: same,
	KindRulingRecorded:         same,
	KindRunRelocated:           same,
	KindRunAbandoned:           to(FinalBlocked),
}

// intent is the line of a phase in which a dispatch is recorded and no child is
// known: it starts, turns out to be another than recorded, or nobody knows.
func intent(runs Phase) on {
	return on{KindDispatchStarted: to(runs), KindDispatchMismatch: to(DispatchMismatchBlocked), KindDispatchWindowCrossed: to(DispatchAmbiguous)}
}

// running is the line of a phase in which a child runs: it may be lost or turn
// out to be inadmissible, or do what the line adds.
func running(line on) on {
	line[KindChildLost] = to(DispatchAmbiguous)
	line[KindChildInadmissible] = to(DispatchMismatchBlocked)
	return line
}

// anyOf is where each role's dispatch may stand.
func anyOf(phaseOf func(tier.Role) Phase) (set targets) {
	for _, r := range tier.Roles() {
		set |= to(phaseOf(r))
	}
	return set
}

// transition returns where an event may lead from a phase, and nothing where
// the pair is illegal.
func transition(p Phase, k Kind) targets {
	if p >= numPhases || k >= numKinds || p.Terminal() {
		return 0
	}
	set := table[p][k]
	if p != noPhase {
		set |= always[k]
	}
	if set&same != 0 {
		set = set&^same | to(p)
	}
	return set
}

// Targets returns the phases that an event may lead to, in the order in which
// a run meets them, and none where the phase does not take the event.
func Targets(p Phase, k Kind) []Phase {
	set := transition(p, k)
	var list []Phase
	for _, q := range Phases() {
		if set.has(q) {
			list = append(list, q)
		}
	}
	return list
}

func (set targets) has(p Phase) bool { return set&to(p) != 0 }

// one returns the only member of a set that has just one.
func (set targets) one() (Phase, bool) {
	return Phase(bits.TrailingZeros32(uint32(set))), bits.OnesCount32(uint32(set)) == 1
}

// Legal returns the events that a phase takes, in the order of the table; none
// for a terminal phase.
func Legal(p Phase) []Kind {
	var list []Kind
	for _, k := range Kinds() {
		if transition(p, k) != 0 {
			list = append(list, k)
		}
	}
	return list
}
