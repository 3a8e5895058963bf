package machine

import (
	"errors"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// An Input is one event with what the store adds to it: when it is recorded,
// and the facts that were gathered when it was decided.
type Input struct {
	At    Instant
	Event Event
	Facts Facts // nil in walks, and for the kinds that take none
}

// A RefusedError says why an event was refused. Nothing changed.
type RefusedError struct {
	Phase  Phase
	Kind   Kind
	Reason string // the fact in one line
}

// Error returns the event, where the run stands, and the reason.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s in %s: %s", e.Kind, e.Phase, e.Reason)
}

// A turn is one transition while it is worked out: the view that will stand
// after it, and what came in.
type turn struct {
	view  View
	from  Phase
	at    Instant
	facts Facts
}

// A handler holds the payload and the guard of one kind of event against the
// view, and changes the view to what stands afterwards. Of several targets it
// returns the one that is taken; noPhase stands for the only one.
type handler func(*turn, Event) (Phase, error)

// handle makes a handler of a function over the event's own type.
func handle[E Event](work func(*turn, E) (Phase, error)) handler {
	return func(t *turn, e Event) (Phase, error) { return work(t, e.(E)) }
}

// step is [handle] for an event with one target.
func step[E Event](work func(*turn, E) error) handler {
	return func(t *turn, e Event) (Phase, error) { return noPhase, work(t, e.(E)) }
}

// Apply returns the state after an event. It is pure: the same state and input
// give the same result for ever. An event that is refused changes nothing; the
// error is then a [*RefusedError], and the state comes back as it was.
func Apply(s State, in Input) (State, error) {
	kind := noKind
	next, err := func() (View, error) {
		if in.Event == nil {
			return View{}, errors.New("no event")
		}
		kind = in.Event.Kind()
		return apply(&s.view, kind, in)
	}()
	if err != nil {
		return s, &RefusedError{Phase: s.view.Phase, Kind: kind, Reason: err.Error()}
	}
	return State{next}, nil
}

func apply(now *View, kind Kind, in Input) (View, error) {
	targets := transition(now.Phase, kind)
	if now.Phase == noPhase || targets == 0 {
		return View{}, errIllegal(now.Phase)
	}
	if err := first(checkForms(kind, in), checkTime(now.UpdatedAt, in.At)); err != nil {
		return View{}, err
	}
	t := turn{view: now.clone(), from: now.Phase, at: in.At, facts: in.Facts}
	t.view.Revision++
	t.view.UpdatedAt = in.At
	target, err := handlers[kind](&t, in.Event)
	if err != nil {
		return View{}, err
	}
	if target == noPhase {
		target, _ = targets.one()
	}
	if !targets.has(target) {
		return View{}, fmt.Errorf("the table has no way to %s", target)
	}
	t.view.Phase = target
	return t.view, checkSize(kind, &t.view)
}

func errIllegal(p Phase) error {
	switch {
	case p == noPhase:
		return errors.New("there is no state")
	case p.Terminal():
		return errors.New("the run has ended")
	}
	return errors.New("the phase does not take this event")
}

// checkForms refuses an event or facts of another Go type than the kind's own,
// and facts that could not be stored.
func checkForms(kind Kind, in Input) error {
	row := &kinds[kind]
	switch {
	case !row.event.is(in.Event):
		return fmt.Errorf("the event is a %T", in.Event)
	case in.Facts != nil && !row.facts.is(in.Facts):
		return fmt.Errorf("the event does not go with %T", in.Facts)
	}
	return checkFacts(in.Facts)
}

func checkTime(last, at Instant) error {
	if _, err := ParseInstant(string(at)); err != nil {
		return err
	}
	if at < last {
		return fmt.Errorf("%s is earlier than the last transition at %s", at, last)
	}
	return nil
}

// handlers holds what each kind of event does. Run-initialized has none: it
// makes a state and changes none, see [New].
var handlers = [numKinds]handler{
	KindRecoveryRulingRecorded: step((*turn).recoveryRuling),
	KindRulingRecorded:         step((*turn).ruling),
	KindRunRelocated:           step((*turn).relocated),
	KindRunAbandoned:           ends(func(e RunAbandoned) string { return e.Reason }),
	KindChildLost:              step((*turn).childLost),
	KindChildInadmissible:      step((*turn).childInadmissible),

	KindCapabilityConfirmed: step((*turn).capabilityConfirmed),
	KindCapabilityMissing:   ends(func(e CapabilityMissing) string { return e.Reason }),
	KindPlanValid:           step((*turn).planValid),
	KindPlanInvalidated:     ends(func(e PlanInvalidated) string { return e.Reason }),
	KindPlanConflict:        step((*turn).planConflict),
	KindPreflightClean:      step((*turn).preflightClean),
	KindPreflightConflict:   step((*turn).preflightConflict),
	KindPreflightApproved:   step((*turn).preflightApproved),
	KindPreflightRejected:   ends(func(e PreflightRejected) string { return e.Reason }),

	KindImplementDispatchIntended: step(func(t *turn, e ImplementDispatchIntended) error { return t.intend(tier.Implementer, e.Intent) }),
	KindDispatchStarted:           step((*turn).started),
	KindDispatchMismatch:          ends(func(e DispatchMismatch) string { return e.Reason }),
	KindDispatchWindowCrossed:     step((*turn).windowCrossed),
	KindDispatchRulingRecorded:    handle((*turn).dispatchRuling),

	KindImplementerFinished:       step((*turn).implementerFinished),
	KindImplementerStatusRecorded: handle((*turn).implementerStatus),
	KindContextDispatchIntended:   step((*turn).contextIntended),
	KindContextLimitReached:       step((*turn).contextLimit),
	KindConcernRulingRecorded:     handle((*turn).concernRuling),

	KindTaskReviewDispatchIntended: step((*turn).taskReviewIntended),
	KindTaskReviewFinished:         step(func(t *turn, e TaskReviewFinished) error { return t.reviewFinished(e.Review, noVerdicts) }),
	KindReviewApproved:             step(func(t *turn, e ReviewApproved) error { return t.approve(e.FindingResolutions) }),
	KindReviewBlocked:              ends(func(e ReviewBlocked) string { return e.Reason }),

	KindFixDispatchIntended:      step(func(t *turn, e FixDispatchIntended) error { return t.fixIntended(e.Intent, e.FindingResolutions) }),
	KindFixerFinished:            step(func(t *turn, e FixerFinished) error { return t.fixerFinished(e.ReportPath, e.Work) }),
	KindFixerBlocked:             ends(func(e FixerBlocked) string { return e.Reason }),
	KindRereviewDispatchIntended: step(func(t *turn, e RereviewDispatchIntended) error { return t.intend(tier.ReReviewer, e.Intent) }),
	KindRereviewFinished:         step(func(t *turn, e RereviewFinished) error { return t.reviewFinished(e.Review, everyVerdict) }),
	KindRereviewApproved:         pinned(step(func(t *turn, e RereviewApproved) error { return t.approve(e.FindingResolutions) })),
	KindTaskParkRulingRecorded:   pinned(step(func(t *turn, e TaskParkRulingRecorded) error { return t.park(e.Reason, e.FindingResolutions) })),
	KindNextFixDispatchIntended:  pinned(step(func(t *turn, e NextFixDispatchIntended) error { return t.fixIntended(e.Intent, e.FindingResolutions) })),
	KindRereviewBlocked:          pinned(ends(func(e RereviewBlocked) string { return e.Reason })),
	KindNextTaskReady:            step((*turn).nextTask),

	KindFinalReviewDispatchIntended: step((*turn).finalReviewIntended),
	KindFinalReviewFinished:         step(func(t *turn, e FinalReviewFinished) error { return t.reviewFinished(e.Review, someVerdicts) }),
	KindFinalComplete:               pinned(step(func(t *turn, e FinalComplete) error { return t.complete(e.FindingResolutions) })),
	KindFinalFixDispatchIntended: pinned(step(func(t *turn, e FinalFixDispatchIntended) error {
		return t.finalFixIntended(e.Intent, e.FindingResolutions)
	})),
	KindFinalWorkBlocked:              pinned(ends(func(e FinalWorkBlocked) string { return e.Reason })),
	KindFinalFixerFinished:            step(func(t *turn, e FinalFixerFinished) error { return t.fixerFinished(e.ReportPath, e.Work) }),
	KindFinalRereviewDispatchIntended: step((*turn).finalRereviewIntended),
	KindFinalFixerBlocked:             ends(func(e FinalFixerBlocked) string { return e.Reason }),
	KindFinalRereviewFinished:         step(func(t *turn, e FinalRereviewFinished) error { return t.reviewFinished(e.Review, everyVerdict) }),
	KindFinalParkRulingRecorded:       pinned(step(func(t *turn, e FinalParkRulingRecorded) error { return t.park(e.Reason, e.FindingResolutions) })),
}

// ends makes the handler of an event that ends the run and does nothing else.
func ends[E Event](reason func(E) string) handler {
	return step(func(t *turn, e E) error { return t.end(reason(e)) })
}

// end records why the run cannot go on.
func (t *turn) end(reason string) error {
	t.view.BlockedReason = Opt(reason)
	t.view.AmbiguousIntentPhase = ""
	return CheckText("reason", reason)
}

// pinned adds the guard of a phase that must first have its result.
func pinned(h handler) handler {
	return func(t *turn, e Event) (Phase, error) {
		if t.view.Dispatch.Report == nil {
			return noPhase, errors.New("the result is not pinned yet")
		}
		return h(t, e)
	}
}
