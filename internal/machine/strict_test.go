package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// The places where this machine is stricter than others (contract: state
// machine, where this machine is stricter). The number of each test is the
// rule's.

func TestStrict1FixedNeedsTheVerdictOfAReviewer(t *testing.T) {
	r := begin(t, "standard").ready().reviewed("T1:F-1 Critical", "T1:F-2 Minor")
	r.refuse(FixDispatchIntended{r.intent(tier.Fixer), resolved("T1:F-1 fixed")}, "no verdict RESOLVED")
	r.refuse(ReviewApproved{resolved("T1:F-2 fixed")}, "no verdict RESOLVED")

	r.rereviewing().do(RereviewFinished{r.review().judging("STILL_PRESENT", "T1:F-1").judging(Resolved, "T1:F-2")})
	r.refuse(NextFixDispatchIntended{r.intent(tier.Fixer), resolved("T1:F-1 fixed")}, "no verdict RESOLVED")
	r.refuse(TaskParkRulingRecorded{"good enough", resolved("T1:F-1 fixed")}, "no verdict RESOLVED")
	r.do(NextFixDispatchIntended{r.intent(tier.Fixer), resolved("T1:F-2 fixed")})
	if got, want := r.dispositions(), "T1:F-1=open T1:F-2=fixed"; got != want {
		t.Errorf("findings are %s, not %s", got, want)
	}
}

func TestStrict1AFinalReviewResolvesWhatWasOpenBeforeIt(t *testing.T) {
	r := begin(t, "standard").ready().reviewing()
	r.do(TaskReviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-1 Minor")}}, ReviewApproved{})
	r.finalReviewing().do(FinalReviewFinished{r.review(found("FINAL:F-1 Critical")...).judging(Resolved, "T1:F-1")})
	r.refuse(FinalFixDispatchIntended{r.intent(tier.FinalFixer), resolved("FINAL:F-1 fixed")}, "no verdict RESOLVED")
	r.do(FinalFixDispatchIntended{r.intent(tier.FinalFixer), resolved("T1:F-1 fixed")})

	fresh := begin(t, "standard").ready().completed().finalReviewing()
	fresh.refuse(FinalReviewFinished{fresh.review(found("FINAL:F-1 Minor")...).judging(Resolved, "FINAL:F-1")}, "no finding")
}

// A verdict of the last round does not outlive the next one.
func TestStrict1TheLastVerdictCounts(t *testing.T) {
	r := begin(t, "standard").ready().reviewed("T1:F-1 Critical", "T1:F-2 Critical")
	r.rereviewing().do(RereviewFinished{r.review().judging(Resolved, "T1:F-1").judging("STILL_PRESENT", "T1:F-2")})
	r.rereviewing().do(RereviewFinished{r.review().judging("REGRESSION", "T1:F-1").judging(Resolved, "T1:F-2")})
	r.refuse(NextFixDispatchIntended{r.intent(tier.Fixer), resolved("T1:F-1 fixed")}, "no verdict RESOLVED")
}

func TestStrict2VerdictsNameEveryOpenFindingOnce(t *testing.T) {
	rereview := begin(t, "standard", "fast").ready().reviewed("T1:F-1 Critical", "T1:F-2 Minor").rereviewing()
	final := begin(t, "standard", "fast").ready().reviewing()
	final.do(TaskReviewFinished{Review{final.report(), SpecPass, QualityApproved, nil, found("T1:F-1 Minor", "T1:F-2 Minor")}})
	final.do(ReviewApproved{}, NextTaskReady{}).completed().finalReviewing()
	last := *final
	last.do(FinalReviewFinished{last.review()}).finalRereviewing()

	for _, row := range []struct {
		ids                     string
		rereview, first, second string // reasons, "" where the list is taken
	}{
		{"", "name 0", "", "name 0"},
		{"T1:F-1", "name 1", "", "name 1"},
		{"T1:F-2 T1:F-1", "", "", ""},
		{"T1:F-1 T1:F-1", "twice", "twice", "twice"},
		{"T1:F-1 T1:F-2 T1:F-2", "twice", "twice", "twice"},
		{"T1:F-1 T1:F-2 T1:F-3", "no finding", "no finding", "no finding"},
	} {
		ids := strings.Fields(row.ids)
		for _, c := range []struct {
			run    *run
			event  func(Review) Event
			reason string
		}{
			{rereview, func(r Review) Event { return RereviewFinished{r} }, row.rereview},
			{final, func(r Review) Event { return FinalReviewFinished{r} }, row.first},
			{&last, func(r Review) Event { return FinalRereviewFinished{r} }, row.second},
		} {
			branch := *c.run
			e := c.event(branch.review().judging("STILL_PRESENT", ids...))
			if c.reason == "" {
				branch.do(e)
			} else {
				branch.refuse(e, c.reason)
			}
		}
	}
}

// A finding that was closed is not open, and one of another task is out of
// scope in a re-review and in scope in the final loop.
func TestStrict2TheScopeOfVerdicts(t *testing.T) {
	r := begin(t, "standard", "fast").ready().reviewing()
	r.do(TaskReviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-1 Minor")}}, ReviewApproved{}, NextTaskReady{})
	r.reviewed("T2:F-1 Critical", "T2:F-2 Minor")
	r.do(FixDispatchIntended{r.intent(tier.Fixer), resolved("T2:F-2 parked")}).start()
	r.do(RereviewDispatchIntended{r.intent(tier.ReReviewer)}).start()
	r.refuse(RereviewFinished{r.review().judging(Resolved, "T2:F-1", "T1:F-1")}, "belongs to task 1")
	r.refuse(RereviewFinished{r.review().judging(Resolved, "T2:F-1", "T2:F-2")}, "is parked")
	r.do(RereviewFinished{r.review().judging(Resolved, "T2:F-1")}, RereviewApproved{resolved("T2:F-1 fixed")})
	r.finalReviewing().do(FinalReviewFinished{r.review().judging("STILL_PRESENT", "T1:F-1")})
	r.finalRereviewing().refuse(FinalRereviewFinished{r.review()}, "1 are open")
	r.do(FinalRereviewFinished{r.review().judging(Resolved, "T1:F-1")}, FinalComplete{resolved("T1:F-1 fixed")}).in(Complete)
}

func TestStrict3FindingIDsAreUniqueInTheRun(t *testing.T) {
	r := begin(t, "standard", "fast").ready().reviewed("T1:F-1 Critical", "T1:F-2 Minor").rereviewing()
	rereview := func(specs ...string) Event {
		return RereviewFinished{r.review(found(specs...)...).judging(Resolved, "T1:F-1", "T1:F-2")}
	}
	r.refuse(rereview("T1:F-1 Minor"), "its severity never changes")
	r.refuse(rereview("T1:F-3 Minor", "T1:F-3 Minor"), "twice")

	mention := *r
	mention.do(rereview("T1:F-1 Critical"))
	if got, want := mention.dispositions(), "T1:F-1=open T1:F-2=open"; got != want {
		t.Errorf("a mention makes %s, not %s", got, want)
	}

	r.do(rereview(), RereviewApproved{resolved("T1:F-1 fixed", "T1:F-2 fixed")}, NextTaskReady{}).reviewing()
	r.refuse(TaskReviewFinished{r.review(found("T1:F-1 Critical")...)}, "was recorded by task 1")
	r.do(TaskReviewFinished{r.review()}, ReviewApproved{}).finalReviewing()
	r.refuse(FinalReviewFinished{r.review(found("T1:F-1 Critical")...)}, "was recorded by task 1")
	r.do(FinalReviewFinished{r.review(found("FINAL:F-1 Critical")...)})
	if f := r.s.view.Findings[2]; f.Task != finalScope {
		t.Errorf("a finding of the final loop has task %d", f.Task)
	}
	r.finalRereviewing()
	r.do(FinalRereviewFinished{r.review(found("FINAL:F-1 Critical")...).judging("STILL_PRESENT", "FINAL:F-1")})
}

func TestStrict4NeedsWork(t *testing.T) {
	fix := func(r *run, resolutions ...Resolution) Event {
		return FixDispatchIntended{r.intent(tier.Fixer), resolutions}
	}
	for _, row := range []struct {
		spec, quality string
		findings      []Finding
		parked        []Resolution
		needs         bool
	}{
		{spec: SpecPass, quality: QualityApproved},
		{spec: "FAIL", quality: QualityApproved, needs: true},
		{spec: SpecPass, quality: "CHANGES_REQUESTED", needs: true},
		{spec: SpecPass, quality: QualityApproved, findings: found("T1:F-1 Minor"), needs: true},
		{spec: SpecPass, quality: QualityApproved, findings: found("T1:F-1 Minor"), parked: resolved("T1:F-1 parked")},
		{spec: SpecPass, quality: QualityApproved, findings: found("T1:F-1 Minor", "T1:F-2 Minor"), parked: resolved("T1:F-2 parked"), needs: true},
	} {
		r := begin(t, "standard").ready().reviewing()
		r.do(TaskReviewFinished{Review{r.report(), row.spec, row.quality, nil, row.findings}})
		if row.needs {
			r.do(fix(r, row.parked...)).in(FixDispatchIntent)
		} else {
			r.refuse(fix(r, row.parked...), "nothing needs work")
		}
	}

	// A Minor that task 1 left open is no work for task 2, but it is for the run.
	r := begin(t, "standard", "fast").ready().reviewing()
	r.do(TaskReviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-1 Minor")}}, ReviewApproved{}, NextTaskReady{})
	r.reviewing().do(TaskReviewFinished{r.review()}).refuse(fix(r), "nothing needs work")
	r.do(ReviewApproved{}).finalReviewing().do(FinalReviewFinished{r.review()})
	r.refuse(FinalComplete{}, "is open")
	r.do(FinalFixDispatchIntended{Intent: r.intent(tier.FinalFixer)}).in(FinalFixDispatchIntent)
}

func TestStrict5NothingIsPinnedTwice(t *testing.T) {
	r := begin(t, "standard").ready().reviewed("T1:F-1 Minor")
	r.do(FixDispatchIntended{Intent: r.intent(tier.Fixer)}).start().do(FixerFinished{r.report(), Work{Status: StatusDone}})
	r.refuse(FixerFinished{r.report(), Work{Status: StatusDone}}, "pinned already")
	r.do(RereviewDispatchIntended{r.intent(tier.ReReviewer)}).start()
	r.do(RereviewFinished{r.review().judging(Resolved, "T1:F-1")})
	r.refuse(RereviewFinished{r.review().judging(Resolved, "T1:F-1")}, "pinned already")
	r.do(RereviewApproved{resolved("T1:F-1 fixed")}).finalReviewing()
	r.do(FinalReviewFinished{r.review(found("FINAL:F-1 Minor")...)})
	r.refuse(FinalReviewFinished{r.review()}, "pinned already")
	r.do(FinalFixDispatchIntended{Intent: r.intent(tier.FinalFixer)}).start().do(FinalFixerFinished{r.report(), Work{Status: StatusDone}})
	r.refuse(FinalFixerFinished{r.report(), Work{Status: StatusDone}}, "pinned already")
	r.do(FinalRereviewDispatchIntended{r.intent(tier.FinalReReviewer)}).start()
	r.do(FinalRereviewFinished{r.review().judging(Resolved, "FINAL:F-1")})
	r.refuse(FinalRereviewFinished{r.review().judging(Resolved, "FINAL:F-1")}, "pinned already")
}

func TestStrict5AWaveNeedsSomethingToFix(t *testing.T) {
	r := begin(t, "standard").ready().completed().finalReviewing().refuse(FinalFixDispatchIntended{}, "not pinned yet")
	r.do(FinalReviewFinished{r.review()})
	r.refuse(FinalFixDispatchIntended{Intent: r.intent(tier.FinalFixer)}, "nothing needs work")
}

func TestStrict5AttemptsCountByOne(t *testing.T) {
	r := begin(t, "standard").ready()
	for _, attempt := range []int{-1, 0, 2, 3} {
		in := r.intent(tier.Implementer)
		in.Attempt = attempt
		in.DispatchKey = DispatchKey(r.s.view.RunID, 1, tier.Implementer, attempt, 0)
		r.refuse(ImplementDispatchIntended{in}, "the next of this implementer is 1")
	}
	r.implemented().do(ImplementerStatusRecorded{Work{Status: StatusNeedsContext, Reason: "what is it"}})
	again := r.intent(tier.Implementer)
	again.Attempt, again.DispatchKey = 1, DispatchKey(r.s.view.RunID, 1, tier.Implementer, 1, 0)
	r.refuse(ContextDispatchIntended{again}, "the next of this implementer is 2")
	r.do(ContextDispatchIntended{r.intent(tier.Implementer)})
}

// A fixer's attempts begin anew in each round, a re-reviewer's do not.
func TestStrict5AttemptsOfAFixerAreThoseOfItsRound(t *testing.T) {
	r := begin(t, "standard").ready().reviewed("T1:F-1 Critical")
	for round := 1; round <= tier.MaxRounds; round++ {
		r.rereviewing()
		if d := r.s.view.Dispatch; d.Attempt != round {
			t.Errorf("the re-reviewer of round %d has attempt %d", round, d.Attempt)
		}
		if got := r.s.view.Attempts[fmt.Sprintf("task-1:fixer:round-%d", round)]; got != 1 {
			t.Errorf("the fixer of round %d has attempt %d", round, got)
		}
		r.do(RereviewFinished{r.review().judging("STILL_PRESENT", "T1:F-1")})
	}
	r.refuse(NextFixDispatchIntended{Intent: r.intent(tier.Fixer)}, "had its 5 fix rounds")
	r.do(RereviewBlocked{"five rounds did not do it"}).in(TaskBlocked)
}

func TestStrict5ConcernKinds(t *testing.T) {
	r := begin(t, "standard").ready().implemented()
	for _, kind := range []string{"", "Correctness", "style", "observational "} {
		r.refuse(ImplementerStatusRecorded{Work{Status: StatusDoneWithConcerns, Concerns: []Concern{{kind, "odd"}}}}, "concern kind")
	}
	for kind, phase := range map[string]Phase{"observational": ImplementResult, "correctness": ConcernDecisionRequired, "scope": ConcernDecisionRequired} {
		branch := *r
		branch.do(ImplementerStatusRecorded{Work{Status: StatusDoneWithConcerns, Concerns: []Concern{{"observational", "odd"}, {kind, "odd"}}}}).in(phase)
	}
}

func TestStrict6GoodAxesBesideALoadBearingFinding(t *testing.T) {
	for _, severity := range []string{"Critical", "Important"} {
		r := begin(t, "standard").ready().reviewing()
		r.do(TaskReviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-1 " + severity)}})
		r.refuse(ReviewApproved{}, severity+" and open")
		r.rereviewing().do(RereviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-2 " + severity)}.judging(Resolved, "T1:F-1")})
		r.refuse(RereviewApproved{resolved("T1:F-1 fixed")}, severity+" and open")
		r.do(NextFixDispatchIntended{r.intent(tier.Fixer), resolved("T1:F-1 fixed")}).start()
		r.do(RereviewDispatchIntended{r.intent(tier.ReReviewer)}).start()

		// Something fixed is named again: under its old id it would vanish.
		again := Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-1 " + severity)}.judging(Resolved, "T1:F-2")
		r.refuse(RereviewFinished{again}, "needs an id of its own")
		again.SpecStatus = "FAIL"
		r.do(RereviewFinished{again}).refuse(RereviewApproved{resolved("T1:F-2 fixed")}, "asks for changes")
	}
}

func TestStrict7LoadBearingFindingsAreOnlyFixed(t *testing.T) {
	for _, severity := range []string{"Critical", "Important", Minor} {
		for _, disposition := range []string{"parked", "out-of-scope", "cannot-verify"} {
			r := begin(t, "standard").ready().reviewed("T1:F-1 "+severity, "T1:F-2 Minor").rereviewing()
			r.do(RereviewFinished{r.review().judging("STILL_PRESENT", "T1:F-1", "T1:F-2")})
			park := TaskParkRulingRecorded{"it may stay", resolved("T1:F-1 " + disposition)}
			if severity == Minor {
				r.do(park).refuse(park, "never changes again")
			} else {
				r.refuse(park, "can only be fixed")
			}
		}
	}
}

// running returns a run in each of the running phases.
func runningRuns(t *testing.T) map[tier.Role]*run {
	runs := map[tier.Role]*run{}
	keep := func(role tier.Role, r *run) *run {
		c := *r
		c.in(RunningPhase(role))
		runs[role] = &c
		return r
	}
	r := begin(t, "standard").ready()
	keep(tier.Implementer, r.do(ImplementDispatchIntended{r.intent(tier.Implementer)}).start())
	r = keep(tier.TaskReviewer, begin(t, "standard").ready().reviewing())
	r.do(TaskReviewFinished{r.review(found("T1:F-1 Critical")...)}, FixDispatchIntended{Intent: r.intent(tier.Fixer)}).start()
	keep(tier.Fixer, r).do(RereviewDispatchIntended{r.intent(tier.ReReviewer)}).start()
	keep(tier.ReReviewer, r).do(RereviewFinished{r.review().judging(Resolved, "T1:F-1")}, RereviewApproved{resolved("T1:F-1 fixed")})
	keep(tier.Final, r.finalReviewing()).do(FinalReviewFinished{r.review(found("FINAL:F-1 Minor")...)})
	keep(tier.FinalFixer, r.do(FinalFixDispatchIntended{Intent: r.intent(tier.FinalFixer)}).start())
	keep(tier.FinalReReviewer, r.do(FinalRereviewDispatchIntended{r.intent(tier.FinalReReviewer)}).start())
	return runs
}

func TestStrict8ALostChildHasAWayOn(t *testing.T) {
	runs := runningRuns(t)
	for _, role := range tier.Roles() {
		r, ok := runs[role]
		if !ok {
			t.Fatalf("no run with a %s", role)
		}
		key := r.key()
		r.refuse(ChildLost{Reason: "gone"}, "receipt is missing")
		r.do(ChildLost{"gone", "no such process"}).in(DispatchAmbiguous)
		if got, want := string(r.s.view.AmbiguousIntentPhase), IntentPhase(role).String(); got != want {
			t.Errorf("the lost %s came from %s, not %s", role, got, want)
		}
		r.refuse(DispatchRulingRecorded{Decision: "adopt", Reason: "found"}, "names no sessionId")
		r.refuse(DispatchRulingRecorded{"reissue", "again", "s-1"}, "takes no sessionId")
		r.refuse(DispatchRulingRecorded{Decision: "forget", Reason: "again"}, "decision")

		adopted := *r
		adopted.do(DispatchRulingRecorded{"adopt", "found", "s-77"}).in(RunningPhase(role))
		if d := adopted.s.view.Dispatch; d.SessionID != "s-77" || d.Reissued || Opt(d.DispatchKey) != key {
			t.Errorf("the adopted %s is %+v", role, d)
		}

		r.do(DispatchRulingRecorded{Decision: "reissue", Reason: "again"}).in(IntentPhase(role))
		if d := r.s.view.Dispatch; d.SessionID != "" || d.StartedAt != "" || !d.Reissued || Opt(d.DispatchKey) != key {
			t.Errorf("the reissued %s is %+v", role, d)
		}
		r.start().in(RunningPhase(role)).do(ChildInadmissible{"of another tier"}).in(DispatchMismatchBlocked)
	}
}

func TestStrict8AResultThatIsPinnedIsNotLost(t *testing.T) {
	for role, r := range runningRuns(t) {
		finished := map[tier.Role]Event{
			tier.Implementer:     nil, // leaves the phase
			tier.TaskReviewer:    nil,
			tier.Fixer:           FixerFinished{r.report(), Work{Status: StatusDone}},
			tier.ReReviewer:      RereviewFinished{r.review().judging(Resolved, "T1:F-1")},
			tier.Final:           FinalReviewFinished{r.review()},
			tier.FinalFixer:      FinalFixerFinished{r.report(), Work{Status: StatusDone}},
			tier.FinalReReviewer: FinalRereviewFinished{r.review().judging(Resolved, "FINAL:F-1")},
		}[role]
		if finished == nil {
			continue
		}
		r.do(finished).in(RunningPhase(role))
		r.refuse(ChildLost{"gone", "no such process"}, "pinned already").refuse(ChildInadmissible{"of another tier"}, "pinned already")
	}
}

// A fixer's report can be recorded before anything is decided on it, whatever
// it says; the machine does not insist.
func TestStrict8AFixersReportIsRecorded(t *testing.T) {
	for _, w := range []Work{
		{Status: StatusDone},
		{Status: StatusDoneWithConcerns, Concerns: []Concern{{"scope", "too wide"}}},
		{Status: StatusNeedsContext, Reason: "what is it"},
		{Status: StatusBlocked, Reason: "cannot"},
	} {
		r := begin(t, "standard").ready().reviewed("T1:F-1 Critical")
		r.do(FixDispatchIntended{Intent: r.intent(tier.Fixer)}).start()
		without := *r
		without.do(RereviewDispatchIntended{without.intent(tier.ReReviewer)})
		r.do(FixerFinished{r.report(), w}).in(FixRunning)
		if got := r.s.view.Dispatch.Report.Status; string(got) != w.Status {
			t.Errorf("the report's status is %q, not %s", got, w.Status)
		}
		blocked := *r
		blocked.do(FixerBlocked{"it says so"}).in(TaskBlocked)
		r.do(RereviewDispatchIntended{r.intent(tier.ReReviewer)}).in(RereviewDispatchIntent)
	}
}
