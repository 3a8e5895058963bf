package machine

import (
	"slices"
	"testing"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// everyPhase returns a run in each phase that is not terminal.
func everyPhase(t testing.TB) map[Phase]*run {
	runs := map[Phase]*run{}
	keep := func(r *run) *run {
		c := *r
		runs[c.s.Phase()] = &c
		return r
	}
	gates := keep(begin(t, "standard"))
	keep(gates.do(CapabilityConfirmed{"exact"})).do(PlanValid{digestA}, PreflightConflict{"uncommitted changes"})
	r := keep(keep(gates).do(PreflightApproved{"they are mine"}))
	intent := func(e Event) *run { return keep(keep(r.do(e)).start()) }

	intent(ImplementDispatchIntended{r.intent(tier.Implementer)}).do(ImplementerFinished{r.report()})
	keep(r)
	needy, wary, lost := *r, *r, *r
	keep(needy.do(ImplementerStatusRecorded{Work{Status: StatusNeedsContext, Reason: "what is it"}}))
	keep(wary.do(ImplementerStatusRecorded{Work{Status: StatusDoneWithConcerns, Concerns: []Concern{{"scope", "wide"}}}}))
	lost.do(ImplementerStatusRecorded{Work{Status: StatusDone}}, TaskReviewDispatchIntended{lost.intent(tier.TaskReviewer)}, DispatchWindowCrossed{"a crash"})
	keep(&lost)
	r.do(ImplementerStatusRecorded{Work{Status: StatusDone}})
	intent(TaskReviewDispatchIntended{r.intent(tier.TaskReviewer)}).do(TaskReviewFinished{r.review(found("T1:F-1 Critical")...)})
	keep(r)
	intent(FixDispatchIntended{Intent: r.intent(tier.Fixer)})
	intent(RereviewDispatchIntended{r.intent(tier.ReReviewer)}).do(RereviewFinished{r.review().judging(Resolved, "T1:F-1")})
	keep(r.do(RereviewApproved{resolved("T1:F-1 fixed")}))
	intent(FinalReviewDispatchIntended{r.intent(tier.Final)}).do(FinalReviewFinished{r.review(found("FINAL:F-1 Minor")...)})
	intent(FinalFixDispatchIntended{Intent: r.intent(tier.FinalFixer)})
	intent(FinalRereviewDispatchIntended{r.intent(tier.FinalReReviewer)})
	return runs
}

func TestEveryPhaseIsMet(t *testing.T) {
	runs := everyPhase(t)
	for _, p := range Phases() {
		if _, met := runs[p]; met == p.Terminal() {
			t.Errorf("%s: met %t", p, met)
		}
	}
}

// What the table does not list is refused in every phase, whatever the payload.
func TestWhatThePhaseDoesNotTakeIsRefused(t *testing.T) {
	for p, r := range everyPhase(t) {
		for _, k := range Kinds() {
			if slices.Contains(Legal(p), k) {
				continue
			}
			e, err := kinds[k].event.decode([]byte("{}"), strict)
			if err != nil {
				t.Fatal(err)
			}
			r.refuse(e, "does not take this event")
		}
	}
}

func TestRolesAndPhases(t *testing.T) {
	for _, p := range Phases() {
		intent, atIntent := IntentRole(p)
		runs, running := RunningRole(p)
		if atIntent && IntentPhase(intent) != p || running && RunningPhase(runs) != p || atIntent && running {
			t.Errorf("%s: intent of %s, running %s", p, intent, runs)
		}
		if atIntent != slices.Contains(Legal(p), KindDispatchStarted) || running != slices.Contains(Legal(p), KindChildLost) {
			t.Errorf("%s: intent %t, running %t", p, atIntent, running)
		}
		if (atIntent && intent.IsFinal() || running && runs.IsFinal()) != InFinalLoop(p) {
			t.Errorf("%s: in the final loop %t", p, InFinalLoop(p))
		}
	}
}

func TestScopes(t *testing.T) {
	for p, r := range everyPhase(t) {
		want := "T1"
		if InFinalLoop(p) {
			want = "FINAL"
		}
		if got := ScopeOf(r.s.View()); got != want {
			t.Errorf("the scope in %s is %s, not %s", p, got, want)
		}
	}
	r := begin(t, "fast").ready().completed()
	r.do(FinalReviewDispatchIntended{r.intent(tier.Final)}, DispatchWindowCrossed{"a crash"})
	if got := ScopeOf(r.s.View()); got != "FINAL" {
		t.Errorf("the scope of an ambiguous final review is %s", got)
	}
}

func TestRoundsLeft(t *testing.T) {
	runs := everyPhase(t)
	for p, want := range map[Phase]int{TaskReviewDecision: 5, FixRunning: 4, RereviewRunning: 4, FinalReviewRunning: 1, FinalFixDispatchIntent: 0, FinalRereviewRunning: 0} {
		if got := RoundsLeft(runs[p].s.View()); got != want {
			t.Errorf("%d rounds are left in %s, not %d", got, p, want)
		}
	}
}

// What a view shows is a copy.
func TestViewIsACopy(t *testing.T) {
	for p, r := range everyPhase(t) {
		before := string(EncodeState(r.s))
		v := r.s.View()
		v.Tasks[0].ImplementerTier = "frontier"
		v.Attempts["x"] = 1
		for i := range v.Findings {
			v.Findings[i].Disposition = Fixed
		}
		if v.Dispatch != nil {
			v.Dispatch.Attempt = 7
			if v.Dispatch.Round != nil {
				*v.Dispatch.Round = 7
			}
			if v.Dispatch.Bootstrap != nil {
				v.Dispatch.Bootstrap.Bytes = 7
			}
			if v.Dispatch.Report != nil {
				v.Dispatch.Report.Path = "x"
			}
		}
		if v.ReviewOutcome != nil {
			v.ReviewOutcome.Pinned = !v.ReviewOutcome.Pinned
		}
		for i := range v.Evidence.Tasks {
			v.Evidence.Tasks[i].ImplementerSession = "x"
			for j := range v.Evidence.Tasks[i].Reviews {
				v.Evidence.Tasks[i].Reviews[j].Spec = "x"
			}
		}
		if v.Evidence.Final != nil {
			v.Evidence.Final.ImplementerSession = "x"
		}
		if after := string(EncodeState(r.s)); after != before {
			t.Errorf("the state in %s changed with its view", p)
		}
	}
}
