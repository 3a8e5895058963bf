package machine

import "fmt"

// A Kind says which event an [Event] is. The zero value is no kind.
type Kind uint8

// The kinds, in the order of the table of transitions. They are named after
// the struct of their event, run-initialized alone after its own name.
const (
	noKind Kind = iota

	KindRunInitialized
	KindRecoveryRulingRecorded
	KindRulingRecorded
	KindRunRelocated
	KindRunAbandoned
	KindChildLost
	KindChildInadmissible
	KindCapabilityConfirmed
	KindCapabilityMissing
	KindPlanValid
	KindPlanInvalidated
	KindPlanConflict
	KindPreflightClean
	KindPreflightConflict
	KindPreflightApproved
	KindPreflightRejected
	KindImplementDispatchIntended
	KindDispatchStarted
	KindDispatchMismatch
	KindDispatchWindowCrossed
	KindDispatchRulingRecorded
	KindImplementerFinished
	KindImplementerStatusRecorded
	KindContextDispatchIntended
	KindContextLimitReached
	KindConcernRulingRecorded
	KindTaskReviewDispatchIntended
	KindTaskReviewFinished
	KindReviewApproved
	KindReviewBlocked
	KindFixDispatchIntended
	KindFixerFinished
	KindFixerBlocked
	KindRereviewDispatchIntended
	KindRereviewFinished
	KindRereviewApproved
	KindTaskParkRulingRecorded
	KindNextFixDispatchIntended
	KindRereviewBlocked
	KindNextTaskReady
	KindFinalReviewDispatchIntended
	KindFinalReviewFinished
	KindFinalComplete
	KindFinalFixDispatchIntended
	KindFinalWorkBlocked
	KindFinalFixerFinished
	KindFinalRereviewDispatchIntended
	KindFinalFixerBlocked
	KindFinalRereviewFinished
	KindFinalParkRulingRecorded

	numKinds
)

// A kindRow is what belongs to one kind of event.
type kindRow struct {
	name  string // on the wire; never changes its meaning
	event eventForm
	facts factsForm
	guard string // the payload and the guard, for the printed table
}

var kinds = [numKinds]kindRow{
	KindRunInitialized:                {"run-initialized", eventOf[Init](), noFacts, "pins the run: revision 0"},
	KindRecoveryRulingRecorded:        {"recovery-ruling-recorded", eventOf[RecoveryRulingRecorded](), factsOf[ProofFacts](), "`reason`, `receipt`; counted; with the facts of `gate prove`, or without"},
	KindRulingRecorded:                {"ruling-recorded", eventOf[RulingRecorded](), noFacts, "`decision`, `reason`, and what the decision needs; at most 256"},
	KindRunRelocated:                  {"run-relocated", eventOf[RunRelocated](), noFacts, "`worktree`, `repoRoot`, `runRoot`, `reason`, `receipt`; the run id stays"},
	KindRunAbandoned:                  {"run-abandoned", eventOf[RunAbandoned](), noFacts, "`reason`"},
	KindChildLost:                     {"child-lost", eventOf[ChildLost](), noFacts, "no report pinned; `reason`, `receipt`; remembers the intent"},
	KindChildInadmissible:             {"child-inadmissible", eventOf[ChildInadmissible](), noFacts, "no report pinned; `reason`"},
	KindCapabilityConfirmed:           {"capability-confirmed", eventOf[CapabilityConfirmed](), factsOf[CapabilityFacts](), "`mode` is `exact` or `tiered`"},
	KindCapabilityMissing:             {"capability-missing", eventOf[CapabilityMissing](), noFacts, "`reason`"},
	KindPlanValid:                     {"plan-valid", eventOf[PlanValid](), noFacts, "`planDigest` is the pinned one; may repeat"},
	KindPlanInvalidated:               {"plan-invalid", eventOf[PlanInvalidated](), noFacts, "`reason`"},
	KindPlanConflict:                  {"plan-conflict", eventOf[PlanConflict](), noFacts, "`planDigest` differs from the pinned one"},
	KindPreflightClean:                {"preflight-clean", eventOf[PreflightClean](), factsOf[PreflightFacts](), "plan validated"},
	KindPreflightConflict:             {"preflight-conflict", eventOf[PreflightConflict](), factsOf[PreflightFacts](), "plan validated; `reason`"},
	KindPreflightApproved:             {"preflight-approved", eventOf[PreflightApproved](), factsOf[PreflightFacts](), "`reason`"},
	KindPreflightRejected:             {"preflight-rejected", eventOf[PreflightRejected](), factsOf[PreflightFacts](), "`reason`"},
	KindImplementDispatchIntended:     {"implement-dispatch-intended", eventOf[ImplementDispatchIntended](), factsOf[IntentFacts](), "full intent"},
	KindDispatchStarted:               {"dispatch-started", eventOf[DispatchStarted](), factsOf[StartedFacts](), "`sessionId`"},
	KindDispatchMismatch:              {"dispatch-mismatch", eventOf[DispatchMismatch](), noFacts, "`reason`"},
	KindDispatchWindowCrossed:         {"dispatch-window-crossed", eventOf[DispatchWindowCrossed](), noFacts, "`reason`; remembers the intent"},
	KindDispatchRulingRecorded:        {"dispatch-ruling-recorded", eventOf[DispatchRulingRecorded](), noFacts, "`reason`; `adopt` with `sessionId` runs on, `reissue` without one goes back to the intent"},
	KindImplementerFinished:           {"implementer-finished", eventOf[ImplementerFinished](), factsOf[FinishedFacts](), "`reportPath`"},
	KindImplementerStatusRecorded:     {"implementer-status-recorded", eventOf[ImplementerStatusRecorded](), noFacts, "`status`, `concerns`, `reason`; may repeat until the review is dispatched"},
	KindContextDispatchIntended:       {"context-dispatch-intended", eventOf[ContextDispatchIntended](), factsOf[IntentFacts](), "full intent; at most 2 for a task"},
	KindContextLimitReached:           {"context-limit-reached", eventOf[ContextLimitReached](), noFacts, "after 2 context attempts; `reason`"},
	KindConcernRulingRecorded:         {"concern-ruling-recorded", eventOf[ConcernRulingRecorded](), noFacts, "`decision` is `proceed` or `block`; `reason`"},
	KindTaskReviewDispatchIntended:    {"task-review-dispatch-intended", eventOf[TaskReviewDispatchIntended](), factsOf[IntentFacts](), "full intent; status pinned"},
	KindTaskReviewFinished:            {"task-review-finished", eventOf[TaskReviewFinished](), factsOf[FinishedFacts](), "`reportPath`, both axes, `findings`"},
	KindReviewApproved:                {"review-approved", eventOf[ReviewApproved](), noFacts, "both axes good, no load-bearing finding of the task open after `findingResolutions`"},
	KindReviewBlocked:                 {"review-blocked", eventOf[ReviewBlocked](), noFacts, "`reason`"},
	KindFixDispatchIntended:           {"fix-dispatch-intended", eventOf[FixDispatchIntended](), factsOf[IntentFacts](), "full intent; something needs work after `findingResolutions`; fix round +1, at most 5"},
	KindFixerFinished:                 {"fixer-finished", eventOf[FixerFinished](), factsOf[FinishedFacts](), "once a dispatch; `reportPath`, `status`, `concerns`, `reason`"},
	KindFixerBlocked:                  {"fixer-blocked", eventOf[FixerBlocked](), noFacts, "`reason`"},
	KindRereviewDispatchIntended:      {"rereview-dispatch-intended", eventOf[RereviewDispatchIntended](), factsOf[IntentFacts](), "full intent"},
	KindRereviewFinished:              {"rereview-finished", eventOf[RereviewFinished](), factsOf[FinishedFacts](), "once a dispatch; both axes, `verdicts` on every open finding of the task, `findings`"},
	KindRereviewApproved:              {"rereview-approved", eventOf[RereviewApproved](), noFacts, "result pinned; as `review-approved`"},
	KindTaskParkRulingRecorded:        {"task-park-ruling-recorded", eventOf[TaskParkRulingRecorded](), noFacts, "result pinned; `reason`, `findingResolutions`"},
	KindNextFixDispatchIntended:       {"next-fix-dispatch-intended", eventOf[NextFixDispatchIntended](), factsOf[IntentFacts](), "result pinned; as `fix-dispatch-intended`"},
	KindRereviewBlocked:               {"rereview-blocked", eventOf[RereviewBlocked](), noFacts, "result pinned; `reason`"},
	KindNextTaskReady:                 {"next-task-ready", eventOf[NextTaskReady](), noFacts, "not on the last task"},
	KindFinalReviewDispatchIntended:   {"final-review-dispatch-intended", eventOf[FinalReviewDispatchIntended](), factsOf[IntentFacts](), "full intent; only on the last task"},
	KindFinalReviewFinished:           {"final-review-finished", eventOf[FinalReviewFinished](), factsOf[FinishedFacts](), "once a dispatch; both axes, `findings`, perhaps `verdicts` on open findings"},
	KindFinalComplete:                 {"final-complete", eventOf[FinalComplete](), noFacts, "result pinned; both axes good, no finding of the run open after `findingResolutions`"},
	KindFinalFixDispatchIntended:      {"final-fix-dispatch-intended", eventOf[FinalFixDispatchIntended](), factsOf[IntentFacts](), "result pinned; full intent; the only wave; something needs work after `findingResolutions`"},
	KindFinalWorkBlocked:              {"final-blocked", eventOf[FinalWorkBlocked](), noFacts, "result pinned; `reason`"},
	KindFinalFixerFinished:            {"final-fixer-finished", eventOf[FinalFixerFinished](), factsOf[FinishedFacts](), "as `fixer-finished`"},
	KindFinalRereviewDispatchIntended: {"final-rereview-dispatch-intended", eventOf[FinalRereviewDispatchIntended](), factsOf[IntentFacts](), "full intent"},
	KindFinalFixerBlocked:             {"final-fixer-blocked", eventOf[FinalFixerBlocked](), noFacts, "`reason`"},
	KindFinalRereviewFinished:         {"final-rereview-finished", eventOf[FinalRereviewFinished](), factsOf[FinishedFacts](), "once a dispatch; both axes, `verdicts` on every open finding of the run, `findings`"},
	KindFinalParkRulingRecorded:       {"final-park-ruling-recorded", eventOf[FinalParkRulingRecorded](), noFacts, "result pinned; `reason`, `findingResolutions`"},
}

var kindsByName = func() map[string]Kind {
	all := make(map[string]Kind, numKinds)
	for _, k := range Kinds() {
		all[kinds[k].name] = k
	}
	return all
}()

// Kinds returns every kind in the order of the table of transitions.
func Kinds() []Kind {
	all := make([]Kind, 0, numKinds-1)
	for k := noKind + 1; k < numKinds; k++ {
		all = append(all, k)
	}
	return all
}

// String returns the kind's name on the wire, such as "fixer-finished".
func (k Kind) String() string {
	if k == noKind || k >= numKinds {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kinds[k].name
}

// ParseKind reads a kind's name. The match is exact.
func ParseKind(s string) (Kind, error) {
	if k, ok := kindsByName[s]; ok {
		return k, nil
	}
	return noKind, fmt.Errorf("%q is not an event", clip(s))
}
