package machine

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// A run drives one run through the machine for a test. Every state that it
// passes is held against the invariants and read back from its stored form.
type run struct {
	t   testing.TB
	s   State
	at  int // seconds since the first transition
	log []tried
}

// A tried is an event that was applied, and what came of it.
type tried struct {
	at    Instant
	event Event
	err   error
	after State
}

var (
	digestA = strings.Repeat("a", 64)
	digestB = strings.Repeat("b", 64)
	objectA = strings.Repeat("a", 40)
	objectB = strings.Repeat("b", 40)
)

func initOf(tiers ...string) Init {
	in := Init{
		PlanPath: "/w/plan.md", PlanDigest: digestA, RepoRoot: "/w", Worktree: "/w", RunRoot: "/w/.git-sdd/run",
		Branch: "feat/x", BaseRef: "main", MergeBase: objectA,
	}
	for i, t := range tiers {
		in.Tasks = append(in.Tasks, InitTask{Number: i + 1, ImplementerTier: t})
	}
	return in
}

func instant(seconds int) Instant {
	return Instant(time.Date(2026, 9, 1, 0, 0, seconds, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"))
}

func begin(t testing.TB, tiers ...string) *run {
	t.Helper()
	s, err := New(initOf(tiers...), instant(0))
	if err != nil {
		t.Fatal(err)
	}
	return &run{t: t, s: s}
}

// try applies an event and returns what came of it, leaving the run as it was
// when the event is refused.
func (r *run) try(e Event, facts Facts) error {
	r.t.Helper()
	before := EncodeState(r.s)
	next, err := Apply(r.s, Input{At: instant(r.at + 1), Event: e, Facts: facts})
	// Copies of a run share what they have in common, and no more.
	r.log = append(slices.Clip(r.log), tried{instant(r.at + 1), e, err, next})
	if err != nil {
		var refused *RefusedError
		if !errors.As(err, &refused) || refused.Phase != r.s.Phase() || refused.Kind != e.Kind() || refused.Reason == "" {
			r.t.Fatalf("%T gives %#v", e, err)
		}
		if strings.ContainsAny(err.Error(), "\n\r") {
			r.t.Fatalf("an error of several lines: %q", err)
		}
		if after := EncodeState(next); string(after) != string(before) {
			r.t.Fatalf("%T was refused and changed the state", e)
		}
		return err
	}
	if string(EncodeState(r.s)) != string(before) {
		r.t.Fatalf("%T changed the state that it was applied to", e)
	}
	if err := checkStoredState(next); err != nil {
		r.t.Fatalf("after %T: %v", e, err)
	}
	r.s, r.at = next, r.at+1
	return nil
}

func checkStoredState(s State) error {
	data := EncodeState(s)
	if bound := s.view.sizeAtMost(); bound < len(data) {
		return fmt.Errorf("the state has %d bytes, estimated %d at most", len(data), bound)
	}
	back, err := DecodeState(data)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(s.view, back.view) {
		return fmt.Errorf("the state reads back differently: %s", cmp.Diff(s.view, back.view))
	}
	return nil
}

func (r *run) do(events ...Event) *run {
	r.t.Helper()
	for _, e := range events {
		if err := r.try(e, nil); err != nil {
			r.t.Fatal(err)
		}
	}
	return r
}

// in fails the test unless the run is in a phase.
func (r *run) in(p Phase) *run {
	r.t.Helper()
	if r.s.Phase() != p {
		r.t.Fatalf("the run is in %s, not in %s", r.s.Phase(), p)
	}
	return r
}

// refuse fails the test unless the event is refused for the given reason.
func (r *run) refuse(e Event, reason string) *run {
	r.t.Helper()
	if err := r.try(e, nil); err == nil || !strings.Contains(err.Error(), reason) {
		r.t.Errorf("%T gives %v, not a refusal for %q", e, err, reason)
	}
	return r
}

// intentFor returns the intent that the machine must take for a role. A fixer's
// is that of the next round, because the round counts first.
func intentFor(v View, role tier.Role) Intent {
	round := 0
	if role.HasRounds() {
		round = v.FixRound + 1
	}
	attempt := NextAttempt(v, role, v.CurrentTask, round)
	want, err := v.tierOf(role, min(round, tier.MaxRounds))
	if err != nil {
		panic(err)
	}
	stem := fmt.Sprintf("%s/t%d-%s-%d-r%d", v.RunRoot, v.CurrentTask, role, attempt, round)
	return Intent{
		Attempt: attempt, Tier: want.String(), DispatchKey: DispatchKey(v.RunID, v.CurrentTask, role, attempt, round),
		PromptPath: stem + ".prompt.md", ReportPath: stem + ".report.md", BriefPath: stem + ".brief.md",
		ExpectedOutcome: "a report", RenderedPrompt: Blob("Model tier: " + want.String() + "\n\n# Work\n"), Bootstrap: "read it\n",
	}
}

func (r *run) intent(role tier.Role) Intent { return intentFor(r.s.view, role) }

func (r *run) report() string { return r.s.view.Dispatch.ReportPath }

func (r *run) key() Opt { return Opt(r.s.view.Dispatch.DispatchKey) }

func (r *run) start() *run {
	r.t.Helper()
	return r.do(DispatchStarted{SessionID: fmt.Sprintf("s-%d", r.at)})
}

// ready takes a new run through its gates.
func (r *run) ready() *run {
	r.t.Helper()
	return r.do(CapabilityConfirmed{Mode: "tiered"}, PlanValid{PlanDigest: digestA}, PreflightClean{}).in(WorkspaceReady)
}

// implemented goes on until the implementer's report is pinned.
func (r *run) implemented() *run {
	r.t.Helper()
	r.do(ImplementDispatchIntended{r.intent(tier.Implementer)}).start()
	return r.do(ImplementerFinished{r.report()}).in(ImplementResult)
}

// reviewing goes on until the task's reviewer runs.
func (r *run) reviewing() *run {
	r.t.Helper()
	r.implemented().do(ImplementerStatusRecorded{Work{Status: StatusDone}})
	return r.do(TaskReviewDispatchIntended{r.intent(tier.TaskReviewer)}).start().in(TaskReviewRunning)
}

// review is a review of the current dispatch: good axes, or bad ones where it
// has findings.
func (r *run) review(findings ...Finding) Review {
	rev := Review{ReportPath: r.report(), SpecStatus: SpecPass, QualityStatus: QualityApproved, Findings: findings}
	if len(findings) > 0 {
		rev.QualityStatus = "CHANGES_REQUESTED"
	}
	return rev
}

func (rev Review) judging(verdict string, ids ...string) Review {
	for _, id := range ids {
		rev.Verdicts = append(rev.Verdicts, Verdict{ID: id, Verdict: verdict, Location: "a.go:1", Evidence: "read it"})
	}
	return rev
}

// found returns findings from "T1:F-1 Critical".
func found(specs ...string) []Finding {
	var list []Finding
	for _, spec := range specs {
		id, severity, _ := strings.Cut(spec, " ")
		list = append(list, Finding{ID: id, Severity: severity, Summary: "it is wrong", Location: "a.go:1"})
	}
	return list
}

// resolved returns resolutions from "T1:F-1 fixed".
func resolved(specs ...string) []Resolution {
	var list []Resolution
	for _, spec := range specs {
		id, disposition, _ := strings.Cut(spec, " ")
		list = append(list, Resolution{ID: id, Disposition: disposition, Evidence: "seen"})
	}
	return list
}

// reviewed goes on until the task's review has brought findings.
func (r *run) reviewed(specs ...string) *run {
	r.t.Helper()
	r.reviewing()
	return r.do(TaskReviewFinished{r.review(found(specs...)...)}).in(TaskReviewDecision)
}

// rereviewing goes on from a review until the re-reviewer runs.
func (r *run) rereviewing() *run {
	r.t.Helper()
	if r.s.Phase() == RereviewRunning {
		r.do(NextFixDispatchIntended{Intent: r.intent(tier.Fixer)})
	} else {
		r.do(FixDispatchIntended{Intent: r.intent(tier.Fixer)})
	}
	r.start().do(FixerFinished{r.report(), Work{Status: StatusDone}})
	return r.do(RereviewDispatchIntended{r.intent(tier.ReReviewer)}).start().in(RereviewRunning)
}

// completed takes the current task to its end without a finding.
func (r *run) completed() *run {
	r.t.Helper()
	return r.reviewed().do(ReviewApproved{}).in(TaskComplete)
}

// finalReviewing goes on from a complete last task until the final reviewer runs.
func (r *run) finalReviewing() *run {
	r.t.Helper()
	return r.do(FinalReviewDispatchIntended{r.intent(tier.Final)}).start().in(FinalReviewRunning)
}

// finalRereviewing goes on from a final review until the final re-reviewer runs.
func (r *run) finalRereviewing() *run {
	r.t.Helper()
	r.do(FinalFixDispatchIntended{Intent: r.intent(tier.FinalFixer)}).start()
	r.do(FinalFixerFinished{r.report(), Work{Status: StatusDone}})
	return r.do(FinalRereviewDispatchIntended{r.intent(tier.FinalReReviewer)}).start().in(FinalRereviewRunning)
}

// dispositions returns "id=disposition" of every finding.
func (r *run) dispositions() string {
	var list []string
	for _, f := range r.s.view.Findings {
		list = append(list, f.ID+"="+f.Disposition)
	}
	return strings.Join(list, " ")
}
