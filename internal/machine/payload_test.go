package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// badTexts holds what no recorded human string may be.
var badTexts = []struct{ text, reason string }{
	{"", "is missing"},
	{"two\nlines", "U+000A"},
	{"two\rlines", "U+000D"},
	{"a\ttab", "U+0009"},
	{"nul\x00", "U+0000"},
	{"escape \x1b[31m", "U+001B"},
	{"del\x7f", "U+007F"},
	{"next line\u0085", "U+0085"},
	{"c1 \u009f", "U+009F"},
	{"line separator\u2028", "U+2028"},
	{"paragraph separator\u2029", "U+2029"},
	{"\xff\xfe", "is not UTF-8"},
	{"Sdd-Run: 1", "begins with \"Sdd-\""},
	{"Sdd-", "begins with \"Sdd-\""},
	{"---", "begins with \"---\""},
	{"--- a/file", "begins with \"---\""},
	{"so <!-- sdd-transition: 7 -->", "contains \"<!-- sdd-transition:\""},
}

var goodTexts = []string{"x", " ", "-- not yet", "sdd-run: 1", "see Sdd-Run", "a --- b", "<!-- sdd -->", "ünïcödé \u00a0\u2027\u202a", "\U0010ffff"}

func TestTexts(t *testing.T) {
	for _, row := range badTexts {
		if err := CheckText("note", row.text); err == nil || !strings.Contains(err.Error(), row.reason) {
			t.Errorf("%q: %v, want %q", row.text, err, row.reason)
		}
	}
	for _, text := range goodTexts {
		if err := CheckText("note", text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// textFields names every recorded string of every payload, by what builds an
// event around it.
func textFields(t *testing.T) map[string]func(string) (*run, Event) {
	runs := everyPhase(t)
	runs[PlanValidate].do(PlanValid{digestA})
	at := func(p Phase) *run { c := *runs[p]; return &c }
	intent := func(s string) (*run, Event) {
		r := at(WorkspaceReady)
		in := r.intent(tier.Implementer)
		in.ExpectedOutcome = s
		return r, ImplementDispatchIntended{in}
	}
	finding := func(s string) (*run, Event) {
		r := at(TaskReviewRunning)
		return r, TaskReviewFinished{r.review(Finding{ID: "T1:F-1", Severity: Minor, Summary: s})}
	}
	verdict := func(s string) (*run, Event) {
		r := at(RereviewRunning)
		return r, RereviewFinished{Review{r.report(), SpecPass, QualityApproved, []Verdict{{"T1:F-1", Resolved, "a.go:1", s}}, nil}}
	}
	pinned := at(RereviewRunning)
	pinned.do(RereviewFinished{pinned.review(found("T1:F-2 Minor")...).judging(Resolved, "T1:F-1")})
	final := at(FinalRereviewRunning)
	final.do(FinalRereviewFinished{final.review(found("FINAL:F-2 Minor")...).judging("STILL_PRESENT", "FINAL:F-1")})
	resolution := func(s string) (*run, Event) {
		return pinned, TaskParkRulingRecorded{"it may stay", []Resolution{{"T1:F-2", "parked", s}}}
	}
	key := at(FixRunning).key()
	fixed := at(FixRunning)
	concern := Concern{"scope", "wide"}
	fields := map[string]func(string) (*run, Event){
		"expectedOutcome": intent, "summary": finding, "verdict evidence": verdict, "resolution evidence": resolution,
		"note": func(s string) (*run, Event) {
			return at(ImplementResult), ImplementerStatusRecorded{Work{Status: StatusDoneWithConcerns, Concerns: []Concern{concern, {"scope", s}}}}
		},
		"status reason": func(s string) (*run, Event) {
			return at(ImplementResult), ImplementerStatusRecorded{Work{Status: StatusBlocked, Reason: Opt(s)}}
		},
		"fixer reason": func(s string) (*run, Event) {
			return fixed, FixerFinished{fixed.report(), Work{Status: StatusNeedsContext, Reason: Opt(s)}}
		},
		"sessionId": func(s string) (*run, Event) { return at(FixDispatchIntent), DispatchStarted{s} },
		"adopted sessionId": func(s string) (*run, Event) {
			return at(DispatchAmbiguous), DispatchRulingRecorded{"adopt", "found", Opt(s)}
		},
		"recovery receipt":   func(s string) (*run, Event) { return at(FixRunning), RecoveryRulingRecorded{"a note", s} },
		"relocation receipt": func(s string) (*run, Event) { return at(FixRunning), RunRelocated{"/v", "/v", "/v/r", "moved", s} },
		"loss receipt":       func(s string) (*run, Event) { return at(FixRunning), ChildLost{"gone", s} },
	}
	reasons := map[Phase][]func(string) Event{
		CapabilityCheck: {func(s string) Event { return CapabilityMissing{s} }},
		PlanValidate:    {func(s string) Event { return PlanInvalidated{s} }, func(s string) Event { return PreflightConflict{s} }},
		PreflightDecisionRequired: {
			func(s string) Event { return PreflightApproved{s} }, func(s string) Event { return PreflightRejected{s} },
		},
		FixDispatchIntent: {
			func(s string) Event { return DispatchMismatch{s} }, func(s string) Event { return DispatchWindowCrossed{s} },
		},
		DispatchAmbiguous: {func(s string) Event { return DispatchRulingRecorded{"reissue", s, ""} }},
		ConcernDecisionRequired: {
			func(s string) Event { return ConcernRulingRecorded{"proceed", s} }, func(s string) Event { return ConcernRulingRecorded{"block", s} },
		},
		TaskReviewDecision: {func(s string) Event { return ReviewBlocked{s} }},
		FixRunning: {
			func(s string) Event { return FixerBlocked{s} }, func(s string) Event { return ChildLost{s, "a receipt"} },
			func(s string) Event { return ChildInadmissible{s} }, func(s string) Event { return RunAbandoned{s} },
			func(s string) Event { return RecoveryRulingRecorded{s, "a receipt"} },
			func(s string) Event { return RunRelocated{"/v", "/v", "/v/r", s, "mv"} },
			func(s string) Event {
				return RulingRecorded{Ruling{Decision: "fix-proceed", Reason: s, DispatchKey: key}}
			},
		},
		FinalFixRunning: {func(s string) Event { return FinalFixerBlocked{s} }},
	}
	for p, list := range reasons {
		for i, event := range list {
			fields[fmt.Sprintf("%s reason %d", event("x").Kind(), i)] = func(s string) (*run, Event) { return at(p), event(s) }
		}
	}
	for _, pair := range []struct {
		r     *run
		event func(string) Event
	}{
		{pinned, func(s string) Event { return RereviewBlocked{s} }},
		{pinned, func(s string) Event { return TaskParkRulingRecorded{s, resolved("T1:F-2 parked")} }},
		{final, func(s string) Event { return FinalWorkBlocked{s} }},
		{final, func(s string) Event { return FinalParkRulingRecorded{s, resolved("FINAL:F-2 parked")} }},
	} {
		fields[pair.event("x").Kind().String()+" reason"] = func(s string) (*run, Event) { return pair.r, pair.event(s) }
	}
	return fields
}

// Every recorded string keeps the same rule.
func TestEveryRecordedStringKeepsTheRule(t *testing.T) {
	for name, build := range textFields(t) {
		for _, row := range append(badTexts, struct{ text, reason string }{strings.Repeat("x", MaxText+1), "at most 256"}) {
			r, e := build(row.text)
			err := (&run{t: t, s: r.s, at: r.at}).try(e, nil)
			// An absent optional string has a reason of its own.
			if err == nil || row.text != "" && !strings.Contains(err.Error(), row.reason) {
				t.Errorf("%s: %q gives %v, not a refusal for %q", name, row.text, err, row.reason)
			}
		}
		for _, text := range goodTexts {
			r, e := build(text)
			if err := (&run{t: t, s: r.s, at: r.at}).try(e, nil); err != nil {
				t.Errorf("%s: %q: %v", name, text, err)
			}
		}
	}
}

func TestIntents(t *testing.T) {
	r := begin(t, "fast").ready()
	for _, row := range []struct {
		change func(*Intent)
		reason string // "" where it is taken
	}{
		{func(in *Intent) {}, ""},
		{func(in *Intent) { in.Tier = "standard" }, "the formula of the implementer gives fast"},
		{func(in *Intent) { in.Tier = "Fast" }, "gives fast"},
		{func(in *Intent) { in.DispatchKey += ":round-1" }, "not the composed"},
		{func(in *Intent) { in.DispatchKey = "" }, "not the composed"},
		{func(in *Intent) { in.PromptPath = "" }, "promptPath is missing"},
		{func(in *Intent) { in.PromptPath = "p.md" }, "promptPath \"p.md\" is not absolute"},
		{func(in *Intent) { in.ReportPath = "/w/.git-sdd/run" }, "does not lie beneath"},
		{func(in *Intent) { in.ReportPath = "/w/.git-sdd/runs/r.md" }, "does not lie beneath"},
		{func(in *Intent) { in.BriefPath = "/w/.git-sdd/run/../b.md" }, "not normalized"},
		{func(in *Intent) { in.BriefPath = "/w/.git-sdd/run/b/" }, "not normalized"},
		{func(in *Intent) { in.BriefPath = "/w/.git-sdd/run//b" }, "not normalized"},
		{func(in *Intent) { in.BriefPath = "/w/.git-sdd/run/./b" }, "not normalized"},
		{func(in *Intent) { in.BriefPath = "/w/.git-sdd/run/b\n" }, "U+000A"},
		{func(in *Intent) { in.RenderedPrompt = "" }, "renderedPrompt is empty"},
		{func(in *Intent) { in.RenderedPrompt = "p" }, ""},
		{func(in *Intent) { in.RenderedPrompt = "Model tier: fast" }, ""},
		{func(in *Intent) { in.RenderedPrompt = "Model tier: fast\r\nwork" }, ""},
		{func(in *Intent) { in.RenderedPrompt = "Model tier: Fast\nwork" }, "its tier is fast"},
		{func(in *Intent) { in.RenderedPrompt = "Model tier: faster\nwork" }, "its tier is fast"},
		{func(in *Intent) { in.RenderedPrompt = "Model tier: fast \nwork" }, "its tier is fast"},
		{func(in *Intent) { in.RenderedPrompt = "Model tier:fast\nwork" }, "its tier is fast"},
		{func(in *Intent) { in.RenderedPrompt = "Model tier:" }, "its tier is fast"},
		{func(in *Intent) { in.RenderedPrompt = "\nModel tier: frontier" }, ""},
		{func(in *Intent) { in.Bootstrap = "" }, ""},
	} {
		branch := *r
		in := branch.intent(tier.Implementer)
		row.change(&in)
		if row.reason == "" {
			branch.do(ImplementDispatchIntended{in})
		} else {
			branch.refuse(ImplementDispatchIntended{in}, row.reason)
		}
	}
}

// Each role's intent is held against its own formula.
func TestTheTierOfEveryRole(t *testing.T) {
	want := map[Phase]tier.Tier{
		ImplementDispatchIntent: tier.Standard, TaskReviewDispatchIntent: tier.Advanced, FixDispatchIntent: tier.Standard,
		RereviewDispatchIntent: tier.Advanced, FinalReviewDispatchIntent: tier.Frontier, FinalFixDispatchIntent: tier.Frontier, FinalRereviewDispatchIntent: tier.Frontier,
	}
	for p, r := range everyPhase(t) {
		role, ok := IntentRole(p)
		if !ok {
			continue
		}
		d := r.s.view.Dispatch
		if d.Tier != want[p].String() || d.Role != role.String() || (d.Round != nil) != (role == tier.Fixer) {
			t.Errorf("the dispatch in %s is %+v", p, d)
		}
	}
}

func TestPaths(t *testing.T) {
	for path, good := range map[string]bool{
		"/": true, "/w": true, "C:/w": true, "z:/w": true, "/w/ü ü": true, "/w/a\\b": true,
		"": false, "w": false, "C:w": false, "C:\\w": false, "1:/w": false, "//w": false, "/w/..": false, "C:/w/../v": false, "/w\x00": false, "/w\xff": false, ".": false,
	} {
		if err := checkPath("path", path); (err == nil) != good {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestGatesRefuse(t *testing.T) {
	r := begin(t, "fast")
	for _, mode := range []string{"", "Exact", "tiered ", "none"} {
		r.refuse(CapabilityConfirmed{mode}, "mode")
	}
	r.do(CapabilityConfirmed{"exact"})
	r.refuse(PreflightClean{}, "not validated").refuse(PreflightConflict{"uncommitted changes"}, "not validated")
	r.refuse(PlanValid{digestB}, "is not the pinned").refuse(PlanValid{}, "is not the pinned")
	r.refuse(PlanConflict{digestA}, "is the pinned one").refuse(PlanConflict{"b"}, "not a SHA-256").refuse(PlanConflict{strings.ToUpper(digestB)}, "not a SHA-256")
	conflict := *r
	conflict.do(PlanConflict{digestB}).in(PlanInvalid)
	r.do(PlanValid{digestA}, PlanValid{digestA}, PreflightClean{}).in(WorkspaceReady)
}

func TestInits(t *testing.T) {
	for _, row := range []struct {
		change func(*Init)
		reason string // "" where it is taken
	}{
		{func(in *Init) {}, ""},
		{func(in *Init) { in.MergeBase = digestA }, ""},
		{func(in *Init) { in.Tool, in.Settings = &Tool{"1.0.0", digestA}, Opt(digestB) }, ""},
		{func(in *Init) { in.Tasks[0].Title, in.Tasks[0].Audit = "--- Sdd-Run: a title is not a trailer", true }, ""},
		{func(in *Init) { in.PlanPath = "plan.md" }, "planPath"},
		{func(in *Init) { in.PlanDigest = "A" + digestA[1:] }, "planDigest"},
		{func(in *Init) { in.RepoRoot = "" }, "repoRoot"},
		{func(in *Init) { in.Worktree = "/w/" }, "worktree"},
		{func(in *Init) { in.RunRoot = "run" }, "runRoot"},
		{func(in *Init) { in.Branch = "" }, "branch"},
		{func(in *Init) { in.BaseRef = "Sdd-Run" }, "baseRef"},
		{func(in *Init) { in.MergeBase = objectA + "a" }, "mergeBase"},
		{func(in *Init) { in.MergeBase = "" }, "mergeBase"},
		{func(in *Init) { in.MergeBase = "A" + objectA[1:] }, "mergeBase"},
		{func(in *Init) { in.MergeBase = objectA[1:] + "g" }, "mergeBase"},
		{func(in *Init) { in.Settings = "x" }, "settings"},
		{func(in *Init) { in.Tool = &Tool{} }, "tool version"},
		{func(in *Init) { in.Tool = &Tool{Version: "1"} }, "tool contracts"},
		{func(in *Init) { in.Tasks = nil }, "needs a task"},
		{func(in *Init) { in.Tasks[0].Number = 0 }, "numbered 0"},
		{func(in *Init) { in.Tasks[0].Number = 2 }, "numbered 2"},
		{func(in *Init) { in.Tasks[0].ImplementerTier = "Fast" }, "not a tier"},
		{func(in *Init) { in.Tasks[0].Title = "two\nlines" }, "U+000A"},
	} {
		in := initOf("fast")
		row.change(&in)
		err := tryInit(in)
		if row.reason == "" && err != nil || row.reason != "" && (err == nil || !strings.Contains(err.Error(), row.reason)) {
			t.Errorf("%v, want %q", err, row.reason)
		}
	}
}

func TestInstants(t *testing.T) {
	for text, good := range map[string]bool{
		"2026-09-01T00:00:00.000Z": true, "2024-02-29T23:59:59.999Z": true, "2000-02-29T00:00:00.000Z": true, "0000-01-01T00:00:00.000Z": true, "9999-12-31T23:59:59.999Z": true,
		"": false, "2026-09-01T00:00:00Z": false, "2026-09-01T00:00:00.000": false, "2026-09-01T00:00:00.000+00:00": false, "2026-09-01 00:00:00.000Z": false,
		"2026-00-01T00:00:00.000Z": false, "2026-13-01T00:00:00.000Z": false, "2026-09-00T00:00:00.000Z": false, "2026-09-31T00:00:00.000Z": false,
		"2026-02-29T00:00:00.000Z": false, "1900-02-29T00:00:00.000Z": false, "2026-09-01T24:00:00.000Z": false, "2026-09-01T00:60:00.000Z": false,
		"2026-09-01T00:00:60.000Z": false, "2026-09-01t00:00:00.000z": false, "+026-09-01T00:00:00.000Z": false, "2026-09-01T00:00:00.0000Z": false,
	} {
		if _, err := ParseInstant(text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestTimeNeverGoesBack(t *testing.T) {
	s := begin(t, "fast").s
	for _, row := range []struct {
		at Instant
		ok bool
	}{{"2026-08-31T23:59:59.999Z", false}, {"2026-09-01T00:00:00.000Z", true}, {"2026-09-01T00:00:00.001Z", true}, {"", false}, {"now", false}} {
		next, err := Apply(s, Input{At: row.at, Event: CapabilityConfirmed{"exact"}})
		if (err == nil) != row.ok || row.ok && next.view.UpdatedAt != row.at {
			t.Errorf("at %q: %v", row.at, err)
		}
	}
}

func TestWhatIsNoEvent(t *testing.T) {
	s := begin(t, "fast").s
	pointer := &PlanValid{PlanDigest: digestA}
	for _, in := range []Input{
		{At: instant(1)},
		{At: instant(1), Event: pointer},
		{At: instant(1), Event: initOf("fast")},
		{At: instant(1), Event: CapabilityConfirmed{"exact"}, Facts: StartedFacts{}},
		{At: instant(1), Event: CapabilityMissing{"economy"}, Facts: CapabilityFacts{}},
	} {
		if next, err := Apply(s, in); err == nil || next.Revision() != 0 {
			t.Errorf("%T with %T is taken", in.Event, in.Facts)
		}
	}
	if _, err := Apply(State{}, Input{At: instant(1), Event: initOf("fast")}); err == nil || !strings.Contains(err.Error(), "no state") {
		t.Errorf("no state: %v", err)
	}
}

func TestWorkAndItsReasons(t *testing.T) {
	concern := []Concern{{"observational", "odd"}}
	for _, row := range []struct {
		work   Work
		reason string // "" where it is taken
		phase  Phase
	}{
		{Work{Status: StatusDone}, "", ImplementResult},
		{Work{Status: StatusDone, Reason: "it went well"}, "", ImplementResult},
		{Work{Status: StatusDone, Concerns: concern}, "only DONE_WITH_CONCERNS does", 0},
		{Work{Status: StatusDoneWithConcerns, Concerns: concern}, "", ImplementResult},
		{Work{Status: StatusDoneWithConcerns}, "names no concern", 0},
		{Work{Status: StatusNeedsContext}, "gives no reason", 0},
		{Work{Status: StatusNeedsContext, Reason: "what"}, "", ContextRequired},
		{Work{Status: StatusNeedsContext, Reason: "what", Concerns: concern}, "only DONE_WITH_CONCERNS does", 0},
		{Work{Status: StatusBlocked}, "gives no reason", 0},
		{Work{Status: StatusBlocked, Reason: "cannot"}, "", TaskBlocked},
		{Work{Status: "done"}, "status", 0},
		{Work{}, "status", 0},
	} {
		r := begin(t, "fast").ready().implemented()
		if row.reason != "" {
			r.refuse(ImplementerStatusRecorded{row.work}, row.reason)
			continue
		}
		r.do(ImplementerStatusRecorded{row.work}).in(row.phase)
		if got := r.s.view.StatusPinned; string(got) != row.work.Status {
			t.Errorf("%s is pinned as %q", row.work.Status, got)
		}
	}
}

// A status may be corrected until the review is dispatched, and a review needs
// one.
func TestStatusMayRepeat(t *testing.T) {
	r := begin(t, "fast").ready().implemented()
	r.refuse(TaskReviewDispatchIntended{r.intent(tier.TaskReviewer)}, "not recorded yet")
	r.do(ImplementerStatusRecorded{Work{Status: StatusDone}})
	r.do(ImplementerStatusRecorded{Work{Status: StatusDoneWithConcerns, Concerns: []Concern{{"scope", "wide"}}}}).in(ConcernDecisionRequired)
	r.refuse(ConcernRulingRecorded{"park", "fine"}, "decision")
	r.do(ConcernRulingRecorded{"proceed", "fine"}).in(ImplementResult)
	r.do(ImplementerStatusRecorded{Work{Status: StatusNeedsContext, Reason: "what"}}).in(ContextRequired)
	r.do(ContextDispatchIntended{r.intent(tier.Implementer)})
	if v := r.s.View(); v.StatusPinned != "" || v.ContextAttempts != 1 || v.FixRound != 0 {
		t.Errorf("pinned %q after %d context attempts in round %d", v.StatusPinned, v.ContextAttempts, v.FixRound)
	}
	r.start().do(ImplementerFinished{r.report()}).refuse(TaskReviewDispatchIntended{r.intent(tier.TaskReviewer)}, "not recorded yet")
	r.do(ImplementerStatusRecorded{Work{Status: StatusDoneWithConcerns, Concerns: []Concern{{"correctness", "odd"}}}})
	r.do(ConcernRulingRecorded{"block", "it is wrong"}).in(TaskBlocked)
}

func TestNextTaskBeginsAnew(t *testing.T) {
	r := begin(t, "standard", "fast").ready().reviewed("T1:F-1 Critical")
	r.rereviewing().do(RereviewFinished{r.review().judging(Resolved, "T1:F-1")}, RereviewApproved{resolved("T1:F-1 fixed")})
	r.refuse(FinalReviewDispatchIntended{r.intent(tier.Final)}, "task 1 of 2 is not the last one")
	r.do(NextTaskReady{}).in(WorkspaceReady)
	v := r.s.View()
	if v.CurrentTask != 2 || v.CurrentImplementerTier != "fast" || v.FixRound != 0 || v.ContextAttempts != 0 || v.StatusPinned != "" || v.ReviewOutcome != nil || v.Dispatch != nil {
		t.Errorf("task 2 begins with %+v", v)
	}
	r.completed().refuse(NextTaskReady{}, "is the last one")
}

func TestReviewsAreWhole(t *testing.T) {
	for _, row := range []struct {
		change func(*Review)
		reason string
	}{
		{func(r *Review) { r.SpecStatus = "" }, "specStatus"},
		{func(r *Review) { r.SpecStatus = "pass" }, "specStatus"},
		{func(r *Review) { r.QualityStatus = "" }, "qualityStatus"},
		{func(r *Review) { r.QualityStatus = "REJECTED" }, "qualityStatus"},
		{func(r *Review) { r.ReportPath = "" }, "reportPath"},
		{func(r *Review) { r.ReportPath = "/elsewhere/r.md" }, "reportPath"},
		{func(r *Review) { r.Findings = found("T1:F-1 minor") }, "severity"},
		{func(r *Review) { r.Findings = found("T1/F-1 Minor") }, "outside A-Z"},
		{func(r *Review) { r.Findings = found(" Minor") }, "1 to 64"},
		{func(r *Review) { r.Findings = found("T1:F-1 Minor"); r.Findings[0].Location = "a\nb" }, "U+000A"},
		{func(r *Review) { *r = r.judging(Resolved, "T1:F-1") }, "no finding"},
	} {
		r := begin(t, "fast").ready().reviewing()
		rev := r.review()
		row.change(&rev)
		r.refuse(TaskReviewFinished{rev}, row.reason)
	}
	r := begin(t, "fast").ready().reviewed("T1:F-1 Minor").rereviewing()
	for _, change := range []func(*Verdict){
		func(v *Verdict) { v.Verdict = "FIXED" }, func(v *Verdict) { v.Verdict = "" },
		func(v *Verdict) { v.Location = "" }, func(v *Verdict) { v.Evidence = "" },
	} {
		rev := r.review().judging(Resolved, "T1:F-1")
		change(&rev.Verdicts[0])
		if err := r.try(RereviewFinished{rev}, nil); err == nil {
			t.Errorf("%+v is taken", rev.Verdicts[0])
		}
	}
}

// A task review has no verdicts, also where an earlier task left a finding.
func TestTaskReviewHasNoVerdicts(t *testing.T) {
	r := begin(t, "fast", "fast").ready().reviewing()
	r.do(TaskReviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-1 Minor")}}, ReviewApproved{}, NextTaskReady{}).reviewing()
	r.refuse(TaskReviewFinished{r.review().judging(Resolved, "T1:F-1")}, "belongs to task 1")
}

func TestResolutionsAreWhole(t *testing.T) {
	r := begin(t, "fast").ready().reviewed("T1:F-1 Minor").rereviewing()
	r.refuse(TaskParkRulingRecorded{"early", resolved("T1:F-1 parked")}, "not pinned yet")
	r.do(RereviewFinished{r.review().judging("STILL_PRESENT", "T1:F-1")})
	r.refuse(TaskParkRulingRecorded{Reason: "nothing"}, "findingResolutions is empty")
	r.refuse(TaskParkRulingRecorded{"it may stay", resolved("T1:F-9 parked")}, "no finding")
	r.refuse(TaskParkRulingRecorded{"it may stay", resolved("T1:F-1 open")}, "disposition")
	r.refuse(TaskParkRulingRecorded{"it may stay", resolved("T1:F-1 wontfix")}, "disposition")
	r.refuse(TaskParkRulingRecorded{"it may stay", resolved("T1:F-1 parked", "T1:F-1 parked")}, "never changes again")
	r.do(TaskParkRulingRecorded{"it may stay", resolved("T1:F-1 out-of-scope")})
	if f := r.s.view.Findings[0]; f.Disposition != "out-of-scope" || f.Evidence != "seen" || f.Verdict != "STILL_PRESENT" {
		t.Errorf("the finding is %+v", f)
	}
}
