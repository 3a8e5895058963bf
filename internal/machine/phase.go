package machine

import "fmt"

// A Phase is where a run stands. The zero value is no phase and never valid.
type Phase uint8

// The phases (contract: state machine, phases), in the order in which a run
// meets them.
const (
	noPhase Phase = iota

	CapabilityCheck
	PlanValidate
	PreflightDecisionRequired
	WorkspaceReady

	ImplementDispatchIntent
	ImplementRunning
	ImplementResult
	ContextRequired
	ConcernDecisionRequired

	TaskReviewDispatchIntent
	TaskReviewRunning
	TaskReviewDecision

	FixDispatchIntent
	FixRunning
	RereviewDispatchIntent
	RereviewRunning
	TaskComplete

	FinalReviewDispatchIntent
	FinalReviewRunning
	FinalFixDispatchIntent
	FinalFixRunning
	FinalRereviewDispatchIntent
	FinalRereviewRunning

	DispatchAmbiguous

	CapabilityBlocked
	PlanInvalid
	TaskBlocked
	DispatchMismatchBlocked
	FinalBlocked
	Complete

	numPhases
)

var phaseNames = [numPhases]string{
	CapabilityCheck:             "CAPABILITY_CHECK",
	PlanValidate:                "PLAN_VALIDATE",
	PreflightDecisionRequired:   "PREFLIGHT_DECISION_REQUIRED",
	WorkspaceReady:              "WORKSPACE_READY",
	ImplementDispatchIntent:     "IMPLEMENT_DISPATCH_INTENT",
	ImplementRunning:            "IMPLEMENT_RUNNING",
	ImplementResult:             "IMPLEMENT_RESULT",
	ContextRequired:             "CONTEXT_REQUIRED",
	ConcernDecisionRequired:     "CONCERN_DECISION_REQUIRED",
	TaskReviewDispatchIntent:    "TASK_REVIEW_DISPATCH_INTENT",
	TaskReviewRunning:           "TASK_REVIEW_RUNNING",
	TaskReviewDecision:          "TASK_REVIEW_DECISION",
	FixDispatchIntent:           "FIX_DISPATCH_INTENT",
	FixRunning:                  "FIX_RUNNING",
	RereviewDispatchIntent:      "REREVIEW_DISPATCH_INTENT",
	RereviewRunning:             "REREVIEW_RUNNING",
	TaskComplete:                "TASK_COMPLETE",
	FinalReviewDispatchIntent:   "FINAL_REVIEW_DISPATCH_INTENT",
	FinalReviewRunning:          "FINAL_REVIEW_RUNNING",
	FinalFixDispatchIntent:      "FINAL_FIX_DISPATCH_INTENT",
	FinalFixRunning:             "FINAL_FIX_RUNNING",
	FinalRereviewDispatchIntent: "FINAL_REREVIEW_DISPATCH_INTENT",
	FinalRereviewRunning:        "FINAL_REREVIEW_RUNNING",
	DispatchAmbiguous:           "DISPATCH_AMBIGUOUS",
	CapabilityBlocked:           "CAPABILITY_BLOCKED",
	PlanInvalid:                 "PLAN_INVALID",
	TaskBlocked:                 "TASK_BLOCKED",
	DispatchMismatchBlocked:     "DISPATCH_MISMATCH_BLOCKED",
	FinalBlocked:                "FINAL_BLOCKED",
	Complete:                    "COMPLETE",
}

// Phases returns every phase in the order in which a run meets them.
func Phases() []Phase {
	all := make([]Phase, 0, numPhases-1)
	for p := noPhase + 1; p < numPhases; p++ {
		all = append(all, p)
	}
	return all
}

// String returns the phase's stored name, such as "FIX_RUNNING".
func (p Phase) String() string {
	if p == noPhase || p >= numPhases {
		return fmt.Sprintf("phase(%d)", uint8(p))
	}
	return phaseNames[p]
}

// ParsePhase reads a phase's stored name. The match is exact.
func ParsePhase(s string) (Phase, error) {
	for _, p := range Phases() {
		if phaseNames[p] == s {
			return p, nil
		}
	}
	return noPhase, fmt.Errorf("%q is not a phase", s)
}

// Terminal reports whether a run in this phase accepts nothing any more.
func (p Phase) Terminal() bool { return p >= CapabilityBlocked && p < numPhases }

// MarshalText writes the stored name; what is no phase has none.
func (p Phase) MarshalText() ([]byte, error) {
	if p == noPhase || p >= numPhases {
		return nil, fmt.Errorf("%s has no stored name", p)
	}
	return []byte(phaseNames[p]), nil
}

// UnmarshalText reads the stored name, as [ParsePhase] does.
func (p *Phase) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePhase(string(text))
	return err
}
