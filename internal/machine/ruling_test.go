package machine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// rulingRun is a run with a finding, whose fixer has reported.
func rulingRun(t *testing.T) *run {
	r := begin(t, "standard").ready().reviewed("T1:F-1 Critical")
	r.do(FixDispatchIntended{Intent: r.intent(tier.Fixer)}).start()
	return r.do(FixerFinished{r.report(), Work{Status: StatusBlocked, Reason: "cannot"}})
}

func TestRulingTakesWhatTheDecisionNeeds(t *testing.T) {
	r := rulingRun(t)
	key, blob := r.key(), Opt(objectB)
	paths, artifact := []string{"Makefile"}, Opt("artifacts/task-1/fixer-1-r1.leftovers.patch")
	for _, row := range []struct {
		ruling Ruling
		reason string // "" where it is taken
	}{
		{Ruling{Decision: "accept-empty", DispatchKey: key}, ""},
		{Ruling{Decision: "accept-empty"}, "needs dispatchKey"},
		{Ruling{Decision: "accept-empty", DispatchKey: key, Paths: paths}, "takes no paths"},
		{Ruling{Decision: "accept-empty", DispatchKey: key, Blob: blob}, "takes no blob"},
		{Ruling{Decision: "accept-empty", DispatchKey: key, Finding: "T1:F-1"}, "takes no finding"},
		{Ruling{Decision: "accept-empty", DispatchKey: key, Artifact: artifact}, "takes no artifact"},
		{Ruling{Decision: "accept-empty", DispatchKey: key + "0"}, "not that of the current dispatch"},
		{Ruling{Decision: "fix-proceed", DispatchKey: key}, ""},
		{Ruling{Decision: "fix-proceed", DispatchKey: key, Artifact: artifact}, ""},
		{Ruling{Decision: "fix-proceed"}, "needs dispatchKey"},
		{Ruling{Decision: "leftovers-keep", DispatchKey: key}, ""},
		{Ruling{Decision: "leftovers-keep", DispatchKey: key, Paths: []string{"a", "b/c"}}, ""},
		{Ruling{Decision: "leftovers-keep", DispatchKey: key, Artifact: artifact}, "takes no artifact"},
		{Ruling{Decision: "leftovers-shelve", DispatchKey: key, Artifact: artifact}, ""},
		{Ruling{Decision: "leftovers-shelve", DispatchKey: key, Artifact: artifact, Paths: paths, Blob: blob}, ""},
		{Ruling{Decision: "leftovers-shelve", DispatchKey: key}, "needs artifact"},
		{Ruling{Decision: "leftovers-shelve", DispatchKey: key, Artifact: "plan.md"}, "beneath artifacts/"},
		{Ruling{Decision: "leftovers-shelve", DispatchKey: key, Artifact: "artifacts/../plan.md"}, "not normalized"},
		{Ruling{Decision: "contracts", Blob: Opt(digestB)}, ""},
		{Ruling{Decision: "contracts"}, "needs blob"},
		{Ruling{Decision: "contracts", Blob: blob}, "not a SHA-256"},
		{Ruling{Decision: "contracts", Blob: Opt(digestB), DispatchKey: key}, "takes no dispatchKey"},
		{Ruling{Decision: "widen", DispatchKey: key, Paths: []string{"a.go", "b.go"}}, ""},
		{Ruling{Decision: "widen", DispatchKey: key}, "needs paths"},
		{Ruling{Decision: "widen", DispatchKey: key, Paths: []string{"../a.go"}}, "within the repository"},
		{Ruling{Decision: "widen", DispatchKey: key, Paths: []string{".."}}, "within the repository"},
		{Ruling{Decision: "widen", DispatchKey: key, Paths: []string{"."}}, "within the repository"},
		{Ruling{Decision: "widen", DispatchKey: key, Paths: []string{"/w/a.go"}}, "within the repository"},
		{Ruling{Decision: "widen", DispatchKey: key, Paths: []string{"a", ""}}, "path 2 is missing"},
		{Ruling{Decision: "guard-ok", DispatchKey: key, Paths: paths, Blob: blob}, ""},
		{Ruling{Decision: "guard-ok", DispatchKey: key, Finding: "T1:F-1"}, ""},
		{Ruling{Decision: "guard-ok", DispatchKey: key, Finding: "T1:F-9"}, "no finding"},
		{Ruling{Decision: "guard-ok", DispatchKey: key}, "names a path or a finding"},
		{Ruling{Decision: "guard-ok", DispatchKey: key, Paths: paths}, "names its content"},
		{Ruling{Decision: "guard-ok", DispatchKey: key, Paths: paths, Blob: blob, Finding: "T1:F-1"}, ""},
		{Ruling{Decision: "guard-ok", DispatchKey: key, Paths: []string{"a", "b"}, Blob: blob}, "takes one path"},
		{Ruling{Decision: "guard-ok", DispatchKey: key, Paths: paths, Blob: "HEAD"}, "not an object name"},
		{Ruling{Decision: "forget", DispatchKey: key}, "none of accept-empty"},
		{Ruling{DispatchKey: key}, "none of accept-empty"},
	} {
		row.ruling.Reason = "because"
		branch := *r
		if row.reason != "" {
			branch.refuse(RulingRecorded{row.ruling}, row.reason)
			continue
		}
		branch.do(RulingRecorded{row.ruling}).in(FixRunning)
		want := []StoredRuling{{
			Revision: branch.s.Revision(), Decision: row.ruling.Decision, DispatchKey: row.ruling.DispatchKey,
			Finding: row.ruling.Finding, Paths: append([]string{}, row.ruling.Paths...), Blob: row.ruling.Blob,
		}}
		if diff := cmp.Diff(want, branch.s.View().Rulings); diff != "" {
			t.Errorf("%s is stored otherwise: %s", row.ruling.Decision, diff)
		}
	}
	r.refuse(RulingRecorded{Ruling{Decision: "fix-proceed", DispatchKey: key}}, "reason is missing")
}

func TestRulingNeedsADispatch(t *testing.T) {
	r := begin(t, "standard")
	r.refuse(RulingRecorded{Ruling{Decision: "accept-empty", Reason: "because", DispatchKey: "x"}}, "not that of the current dispatch")
	r.do(RulingRecorded{Ruling{Decision: "contracts", Reason: "because", Blob: Opt(digestB)}}).in(CapabilityCheck)
}

func TestContractsInForce(t *testing.T) {
	in := initOf("standard")
	in.Tool = &Tool{Version: "1.0.0", Contracts: digestA}
	s, err := New(in, instant(0))
	if err != nil {
		t.Fatal(err)
	}
	r := &run{t: t, s: s}
	if got := ContractsInForce(r.s.View()); got != digestA {
		t.Errorf("at the start %s is in force", got)
	}
	r.do(RulingRecorded{Ruling{Decision: "contracts", Reason: "newer", Blob: Opt(digestB)}}, RecoveryRulingRecorded{"a note", "a receipt"})
	if got := ContractsInForce(r.s.View()); got != digestB {
		t.Errorf("after the ruling %s is in force", got)
	}
	if got := ContractsInForce(begin(t, "fast").s.View()); got != "" {
		t.Errorf("a walk has %s in force", got)
	}
}

func TestRecoveryRulingsAreCounted(t *testing.T) {
	r := begin(t, "standard")
	r.refuse(RecoveryRulingRecorded{Reason: "a note"}, "receipt is missing").refuse(RecoveryRulingRecorded{Receipt: "a receipt"}, "reason is missing")
	r.do(RecoveryRulingRecorded{"a note", "a receipt"}, RecoveryRulingRecorded{"a note", "a receipt"}).in(CapabilityCheck)
	if v := r.s.View(); v.RecoveryRulings != 2 || v.Revision != 2 {
		t.Errorf("%d rulings at revision %d", v.RecoveryRulings, v.Revision)
	}
}

func TestRelocationMovesWhatLiesBeneath(t *testing.T) {
	r := begin(t, "standard").ready().reviewed("T1:F-1 Critical").rereviewing()
	r.do(RereviewFinished{r.review().judging(Resolved, "T1:F-1")})
	before := r.s.View()
	r.do(RunRelocated{Worktree: "/v/tree", RepoRoot: "/v/repo", RunRoot: "/v/tree/.git-sdd/run", Reason: "another disk", Receipt: "mv"}).in(RereviewRunning)

	want := before
	want.Revision, want.UpdatedAt = r.s.Revision(), r.s.View().UpdatedAt
	want.PlanPath, want.Worktree, want.RepoRoot, want.RunRoot = "/v/tree/plan.md", "/v/tree", "/v/repo", "/v/tree/.git-sdd/run"
	d := want.Dispatch
	for _, p := range []*string{&d.PromptPath, &d.ReportPath, &d.BriefPath, &want.ReviewOutcome.ReportPath} {
		*p = strings.Replace(*p, "/w/", "/v/tree/", 1)
	}
	if diff := cmp.Diff(want, r.s.View()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}

	// Later paths are held against the new place, and the id composes their keys.
	stale := r.intent(tier.Fixer)
	stale.PromptPath = "/w/.git-sdd/run/p"
	r.refuse(NextFixDispatchIntended{Intent: stale}, "beneath the run root")
	r.do(RereviewApproved{resolved("T1:F-1 fixed")}, FinalReviewDispatchIntended{r.intent(tier.Final)})
}

func TestRelocationLeavesAPlanElsewhere(t *testing.T) {
	in := initOf("standard")
	in.PlanPath = "/plans/plan.md"
	s, err := New(in, instant(0))
	if err != nil {
		t.Fatal(err)
	}
	r := &run{t: t, s: s}
	r.do(RunRelocated{Worktree: "/", RepoRoot: "/", RunRoot: "/.git-sdd", Reason: "to the top", Receipt: "mv"})
	if got := r.s.View().PlanPath; got != "/plans/plan.md" {
		t.Errorf("the plan is at %s", got)
	}
	r.do(RunRelocated{Worktree: "/v", RepoRoot: "/v", RunRoot: "/v/.git-sdd", Reason: "and down again", Receipt: "mv"})
	if got := r.s.View().PlanPath; got != "/v/plans/plan.md" {
		t.Errorf("the plan is at %s", got)
	}
}

func TestRelocationRefuses(t *testing.T) {
	good := RunRelocated{Worktree: "/v", RepoRoot: "/v", RunRoot: "/v/run", Reason: "moved", Receipt: "mv"}
	r := rulingRun(t)
	for _, row := range []struct {
		change func(*RunRelocated)
		reason string
	}{
		{func(e *RunRelocated) { e.Worktree = "v" }, "worktree \"v\" is not absolute"},
		{func(e *RunRelocated) { e.RepoRoot = "/v/" }, "repoRoot \"/v/\" is not normalized"},
		{func(e *RunRelocated) { e.RunRoot = "" }, "runRoot is missing"},
		{func(e *RunRelocated) { e.Reason = "" }, "reason is missing"},
		{func(e *RunRelocated) { e.Receipt = "" }, "receipt is missing"},
		{func(e *RunRelocated) { e.RunRoot = "/" + strings.Repeat("r", MaxPath-20) }, "new run root"},
		{func(e *RunRelocated) { e.Worktree = "/" + strings.Repeat("w", MaxPath-2) }, "planPath has"},
	} {
		e := good
		row.change(&e)
		r.refuse(e, row.reason)
	}
	r.do(good)
}

func TestARunCanBeAbandonedAnywhere(t *testing.T) {
	for _, r := range everyPhase(t) {
		p := r.s.Phase()
		r.refuse(RunAbandoned{}, "reason is missing")
		r.do(RunAbandoned{"enough"}).in(FinalBlocked)
		v := r.s.View()
		if v.BlockedReason != "enough" || v.AmbiguousIntentPhase != "" {
			t.Errorf("abandoned in %s: %q, %q", p, v.BlockedReason, v.AmbiguousIntentPhase)
		}
		r.refuse(RunAbandoned{"again"}, "the run has ended").refuse(RecoveryRulingRecorded{"a note", "a receipt"}, "the run has ended")
	}
}
