package controller

import (
	"fmt"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// The actions of next (interfaces: the loop).
const (
	actDispatch = "dispatch"
	actSpawn    = "spawn"
	actAwait    = "await"
	actAdvance  = "advance"
	actDecide   = "decide"
	actDone     = "done"
	actBlocked  = "blocked"
)

// A want is what a phase needs next, decided from the state and, where the state
// alone does not say, from the stored report.
type want struct {
	action  string
	role    tier.Role     // of a dispatch, a spawn or an await
	event   machine.Event // of an advance: the one event that the facts determine
	why     string
	context bool // the dispatch needs an answer
}

// wants is what each phase needs: one line a phase, a function where it depends
// on more than the phase.
var wants = map[machine.Phase]func(*run) (want, error){
	machine.CapabilityCheck:           wantGate,
	machine.PlanValidate:              wantGate,
	machine.PreflightDecisionRequired: wantDecision("the work tree or the branch is not as a run wants it: go on as it is, or not"),
	machine.WorkspaceReady:            wantImplementer,

	machine.ImplementDispatchIntent: wantSpawn,
	machine.ImplementRunning:        wantReport,
	machine.ImplementResult:         wantAfterImplementer,
	machine.ContextRequired:         wantContext,
	machine.ConcernDecisionRequired: wantConcern,

	machine.TaskReviewDispatchIntent: wantSpawn,
	machine.TaskReviewRunning:        wantReport,
	machine.TaskReviewDecision:       wantAfterReview,

	machine.FixDispatchIntent:      wantSpawn,
	machine.FixRunning:             wantAfterFixer,
	machine.RereviewDispatchIntent: wantSpawn,
	machine.RereviewRunning:        wantAfterReview,
	machine.TaskComplete:           wantNextTask,

	machine.FinalReviewDispatchIntent:   wantSpawn,
	machine.FinalReviewRunning:          wantAfterFinal,
	machine.FinalFixDispatchIntent:      wantSpawn,
	machine.FinalFixRunning:             wantAfterFixer,
	machine.FinalRereviewDispatchIntent: wantSpawn,
	machine.FinalRereviewRunning:        wantAfterFinal,

	machine.DispatchAmbiguous: wantDecision("whether a child runs for this dispatch is not known"), // whyAmbiguous says more

	machine.CapabilityBlocked:       wantNothing,
	machine.PlanInvalid:             wantNothing,
	machine.TaskBlocked:             wantNothing,
	machine.DispatchMismatchBlocked: wantNothing,
	machine.FinalBlocked:            wantNothing,
	machine.Complete:                wantNothing,
}

// want returns what the run needs now.
func (r *run) want() (want, error) { return wants[r.view.Phase](r) }

func wantDecision(why string) func(*run) (want, error) {
	return func(*run) (want, error) { return want{action: actDecide, why: why}, nil }
}

func wantNothing(r *run) (want, error) {
	if r.view.Phase == machine.Complete {
		return want{action: actDone, why: "every task and the whole branch are reviewed"}, nil
	}
	return want{action: actBlocked, why: "the run has ended: " + string(r.view.BlockedReason)}, nil
}

func wantGate(r *run) (want, error) {
	return want{action: actAdvance, why: "the run is still in its gates"}, nil
}

func wantImplementer(r *run) (want, error) {
	return want{action: actDispatch, role: tier.Implementer, why: fmt.Sprintf("task %d is ready for its implementer", r.view.CurrentTask)}, nil
}

func wantSpawn(r *run) (want, error) {
	role := r.role()
	return want{action: actSpawn, role: role, why: fmt.Sprintf("the dispatch of the %s is recorded, no child is known yet", spoken(role))}, nil
}

func wantReport(r *run) (want, error) {
	role := r.role()
	return want{action: actAwait, role: role, why: fmt.Sprintf("the %s works; its report is taken when it ends", spoken(role))}, nil
}

// role returns the role of the current dispatch.
func (r *run) role() tier.Role {
	role, err := tier.ParseRole(r.view.Dispatch.Role)
	if err != nil {
		panic(err) // a decoded state holds only roles
	}
	return role
}

// wantAfterImplementer: the status follows from the stored report, but for
// BLOCKED, which no program may make terminal by itself.
func wantAfterImplementer(r *run) (want, error) {
	if r.view.StatusPinned != "" {
		return want{action: actDispatch, role: tier.TaskReviewer, why: fmt.Sprintf("task %d is implemented and waits for its review", r.view.CurrentTask)}, nil
	}
	work, err := r.storedWork()
	if err != nil {
		return want{}, err
	}
	if work.Status == statusBlocked {
		return want{action: actDecide, why: "the implementer says it is blocked: " + string(work.Reason)}, nil
	}
	return want{action: actAdvance, event: machine.ImplementerStatusRecorded{Work: work}, why: "the implementer's status is to be recorded"}, nil
}

func wantContext(r *run) (want, error) {
	if r.view.ContextAttempts >= maxContextAttempts {
		return want{action: actDecide, why: "the implementer asks a third time, and a human rules: " + r.askedFor()}, nil
	}
	return want{action: actDispatch, role: tier.Implementer, context: true, why: "the implementer asks, and the same tier goes on with the answer: " + r.askedFor()}, nil
}

// wantAfterReview decides a task review and a pinned re-review alike: approved,
// another round, or no round left.
func wantAfterReview(r *run) (want, error) {
	if r.running() {
		return wantReport(r)
	}
	fixed := resolvedFixes(r.view)
	switch {
	case approvable(r.view):
		return want{action: actAdvance, event: approval(r.view.Phase, fixed), why: "both axes are good and nothing load-bearing is open"}, nil
	case r.view.FixRound < tier.MaxRounds:
		return want{action: actDispatch, role: tier.Fixer, why: fmt.Sprintf("task %d needs work: %s; fix round %d of %d", r.view.CurrentTask, r.needs(), r.view.FixRound+1, tier.MaxRounds)}, nil
	}
	return want{action: actDecide, why: fmt.Sprintf("task %d still needs work after round %d: %s", r.view.CurrentTask, tier.MaxRounds, r.needs())}, nil
}

func approval(p machine.Phase, fixed []machine.Resolution) machine.Event {
	if p == machine.TaskReviewDecision {
		return machine.ReviewApproved{FindingResolutions: fixed}
	}
	return machine.RereviewApproved{FindingResolutions: fixed}
}

// needs says in a few words why the scope needs work.
func (r *run) needs() string {
	o := r.view.ReviewOutcome
	loadBearing, minors := countOpen(r.view)
	open := counted(loadBearing, "load-bearing finding") + " and " + counted(minors, "Minor")
	switch {
	case loadBearing+minors == 0:
		open = "no finding"
	case loadBearing == 0:
		open = counted(minors, "Minor")
	case minors == 0:
		open = counted(loadBearing, "load-bearing finding")
	}
	return fmt.Sprintf("spec %s, quality %s, %s open", o.SpecStatus, o.QualityStatus, open)
}

func countOpen(v machine.View) (loadBearing, minors int) {
	for _, f := range machine.OpenInScope(v) {
		switch {
		case f.Verdict == verdictResolved:
		case f.LoadBearing:
			loadBearing++
		default:
			minors++
		}
	}
	return loadBearing, minors
}

// wantAfterFixer: a fixer's DONE goes to the re-review; what it says otherwise
// waits for a ruling on this very dispatch.
func wantAfterFixer(r *run) (want, error) {
	report := r.view.Dispatch.Report
	if report == nil {
		return wantReport(r)
	}
	role := tier.ReReviewer
	if inFinalLoop(r.view) {
		role = tier.FinalReReviewer
	}
	why, err := r.fixerWaits(string(report.Status))
	if err != nil {
		return want{}, err
	}
	if why != "" && !r.ruled(rulingFixProceed) {
		return want{action: actDecide, why: why}, nil
	}
	return want{action: actDispatch, role: role, why: "the fixer is done; every open finding is to be judged again"}, nil
}

// fixerWaits says what of a fixer's report waits for a human, or "".
func (r *run) fixerWaits(status string) (string, error) {
	if status == statusDone {
		return "", nil
	}
	work, err := r.storedWork()
	if err != nil {
		return "", err
	}
	if status != statusConcerns {
		return fmt.Sprintf("the fixer says %s: %s", status, work.Reason), nil
	}
	if named := hardConcerns(work); named != "" {
		return "the fixer names a concern about " + named, nil
	}
	return "", nil
}

// wantConcern: what an implementer said about correctness or scope is a human's
// to judge.
func wantConcern(r *run) (want, error) {
	work, err := r.storedWork()
	return want{action: actDecide, why: "the implementer names a concern about " + hardConcerns(work)}, err
}

func hardConcerns(work machine.Work) string { return judge.HardConcerns(work) }

func (r *run) ruled(decision string) bool { return judge.Ruled(r.view, decision) }

func wantNextTask(r *run) (want, error) {
	if r.view.CurrentTask < len(r.view.Tasks) {
		return want{action: actAdvance, event: machine.NextTaskReady{}, why: fmt.Sprintf("task %d is complete", r.view.CurrentTask)}, nil
	}
	return want{action: actDispatch, role: tier.Final, why: "every task is complete; the whole branch waits for its final review"}, nil
}

// wantAfterFinal: complete, the one wave of fixes, or a human.
func wantAfterFinal(r *run) (want, error) {
	if r.running() {
		return wantReport(r)
	}
	fixed := resolvedFixes(r.view)
	loadBearing, minors := countOpen(r.view)
	good := machine.AxesGood(r.view)
	switch {
	case good && loadBearing+minors == 0:
		return want{action: actAdvance, event: machine.FinalComplete{FindingResolutions: fixed}, why: "both axes are good and no finding is open"}, nil
	case good && loadBearing == 0:
		s, err := r.c.settings()
		if err != nil {
			return want{}, err
		}
		if s.Run().Minors == config.MinorsPark {
			return want{action: actAdvance, event: machine.FinalComplete{FindingResolutions: r.parkedBySetting(fixed)}, why: "only Minors are open, and the setting minors = park parks them"}, nil
		}
		return want{action: actDecide, why: "the branch is good but for " + counted(minors, "Minor") + ": adjudicate each"}, nil
	case !r.view.FinalFixUsed:
		return want{action: actDispatch, role: tier.FinalFixer, why: "the branch needs work: " + r.needs() + "; one wave of fixes"}, nil
	}
	return want{action: actDecide, why: "the branch still needs work after the one wave of fixes: " + r.needs()}, nil
}

// parkedBySetting parks every open Minor, as the user's settings say.
func (r *run) parkedBySetting(fixed []machine.Resolution) []machine.Resolution {
	for _, f := range r.openMinors() {
		fixed = append(fixed, machine.Resolution{ID: f.ID, Disposition: "parked", Evidence: "minors = park"})
	}
	return fixed
}
