package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// atWork is a run in its first task, of two, with an audit in the second.
func atWork(phase machine.Phase, findings ...machine.Recorded) machine.View {
	v := inTask(findings...)
	v.Phase, v.Worktree, v.RunRoot, v.FixRound = phase, "/w", "/w/.git-sdd/x", 1
	v.Tasks = []machine.InitTask{{Number: 1, Title: "One"}, {Number: 2, Title: "Two", Audit: true}}
	return v
}

func TestPromptContext(t *testing.T) {
	open, gateOpen := recorded("T1:F-1", "open"), recorded("T1:GATE-test-1", "open")
	h := Handed{Base: "b", Head: "h", Brief: "/brief", Report: "/report", Package: "/package", Context: "/context", Answers: "/answers", Rulings: []string{"ruled"}}
	for _, c := range []struct {
		role  tier.Role
		v     machine.View
		given func(*Handed)
		want  func(*prompt.Context)
	}{
		{tier.Implementer, atWork(machine.WorkspaceReady), func(h *Handed) { h.Package, h.Context = "", "" }, func(c *prompt.Context) { c.ReviewPackagePath, c.ContextPath = "", "/answers" }},
		{tier.Fixer, atWork(machine.RereviewRunning, open, gateOpen), func(h *Handed) { h.Package = "" }, func(c *prompt.Context) {
			c.ReviewPackagePath, c.ContextPath, c.Round, c.FindingIDs = "", "/context", 2, []string{"T1:F-1", "T1:GATE-test-1"}
		}},
		{tier.Fixer, atWork(machine.RereviewRunning, gateOpen), func(h *Handed) { h.Package = "" }, func(c *prompt.Context) {
			c.ReviewPackagePath, c.ContextPath, c.Round, c.FindingIDs = "", "/context", 2, []string{"T1:GATE-test-1"}
			c.Decisions = append(c.Decisions, "nothing but findings of the controller is open: DONE without a commit is allowed")
		}},
		{tier.ReReviewer, atWork(machine.FixRunning, open, gateOpen), nil, func(c *prompt.Context) {
			c.ContextPath, c.FindingPackagePath, c.Round, c.FindingIDs, c.NextFinding = "/answers", "/context", 1, []string{"T1:F-1"}, "F-2"
		}},
		{tier.TaskReviewer, atWork(machine.ImplementResult), func(h *Handed) { h.Context = "" }, func(c *prompt.Context) { c.ContextPath, c.NextFinding = "/answers", "F-1" }},
		{tier.Final, atWork(machine.TaskComplete, open), nil, func(c *prompt.Context) {
			c.FindingPackagePath, c.FindingIDs, c.NextFinding = "/context", []string{"T1:F-1"}, "F-1"
		}},
	} {
		given := h
		given.Role = c.role
		if c.given != nil {
			c.given(&given)
		}
		want := prompt.Context{
			Worktree: "/w", RunRoot: "/w/.git-sdd/x", Task: 1, BaseSHA: "b", HeadSHA: "h", BriefPath: "/brief", ReportPath: "/report",
			ReviewPackagePath: "/package", Decisions: []string{"ruled"},
		}
		c.want(&want)
		if diff := cmp.Diff(want, PromptContext(c.v, given)); diff != "" {
			t.Errorf("%s in %s (-want +got)\n%s", c.role, c.v.Phase, diff)
		}
	}
	audit := atWork(machine.WorkspaceReady)
	audit.CurrentTask = 2
	if got := PromptContext(audit, Handed{Role: tier.Implementer, Channel: []string{OnOutput}}).Decisions; !slices.Equal(got, []string{"audit: this task may end DONE without a commit", OnOutput}) {
		t.Errorf("an audit is told %q", got)
	}
}

func TestResolutions(t *testing.T) {
	fixed, still := recorded("T1:F-1", "open"), recorded("T1:F-2", "open")
	fixed.Verdict, fixed.Evidence = "RESOLVED", "looked"
	v := atWork(machine.RereviewRunning, fixed, still, recorded("T1:F-3", "fixed"))
	want := []machine.Resolution{{ID: "T1:F-1", Disposition: "fixed", Evidence: "looked"}}
	if got := ResolvedFixes(v); !slices.Equal(got, want) {
		t.Errorf("ResolvedFixes = %v", got)
	}
	if left := StillOpen(v, want); len(left) != 1 || left[0].ID != "T1:F-2" {
		t.Errorf("StillOpen = %v", left)
	}
	for _, c := range []struct {
		said  []machine.Resolution
		wrong string
	}{
		{nil, ""}, {want, ""},
		{[]machine.Resolution{{ID: "T1:F-2", Disposition: "parked", Evidence: "taste"}, want[0]}, ""},
		{[]machine.Resolution{{ID: "T1:F-1", Disposition: "parked", Evidence: "taste"}}, ""},
		{[]machine.Resolution{{ID: "T1:F-1", Disposition: "fixed", Evidence: "believe me"}}, "T1:F-1"},
		{[]machine.Resolution{want[0], {ID: "T1:F-2", Disposition: "fixed", Evidence: "looked"}}, "T1:F-2"},
	} {
		if got := MisjudgedFix(v, c.said); got != c.wrong {
			t.Errorf("%v: %q, want %q", c.said, got, c.wrong)
		}
	}
}

func TestRulings(t *testing.T) {
	ruling := func(decision string, change func(*machine.Ruling)) machine.Event {
		r := machine.Ruling{Decision: decision, Reason: "because", Paths: []string{"docs"}}
		if change != nil {
			change(&r)
		}
		return machine.RulingRecorded{Ruling: r}
	}
	events := []machine.Event{
		machine.ImplementerStatusRecorded{Work: machine.Work{Status: "DONE_WITH_CONCERNS", Concerns: []machine.Concern{{Kind: "scope", Note: "big"}}}},
		machine.ConcernRulingRecorded{Decision: "proceed", Reason: "fine"},
		ruling(machine.DecisionAcceptEmpty, nil),
		ruling(machine.DecisionLeftoversKeep, nil),
		ruling(machine.DecisionGuardOK, func(r *machine.Ruling) { r.Finding = "T1:GUARD-1" }),
		ruling(machine.DecisionWiden, func(r *machine.Ruling) { r.Paths = strings.Fields("a b c d e f g h i j") }),
		machine.FixerFinished{Work: machine.Work{Status: "NEEDS_CONTEXT", Reason: "which colour"}},
		ruling(machine.DecisionFixProceed, nil),
	}
	want := []string{
		`proceed after the implementer's DONE_WITH_CONCERNS (scope "big"): fine`,
		`kept in the work tree, "docs": because`,
		`accepted as it is now, the change that T1:GUARD-1 is about: because`,
		`belongs to this work from now on, "a", "b", "c", "d", "e", "f", "g", "h" and 2 more: because`,
		`proceed after the fixer's NEEDS_CONTEXT ("which colour"): because`,
	}
	if diff := cmp.Diff(want, Rulings(events)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, ev := range events {
		if name := ev.Kind().String(); !Telling(name) {
			t.Errorf("%s is not said to tell", name)
		}
		if line := RulingLine(7, "Ada", ev); (line != "") != IsRuling(ev.Kind().String()) || line != "" && !strings.HasPrefix(line, "r7, Ada: ") {
			t.Errorf("%s: %q", ev.Kind(), line)
		}
	}
}

// Where a ruling has a place, and where it has none.
func TestMayRule(t *testing.T) {
	doing := func(phase machine.Phase, role tier.Role, status string) machine.View {
		v := atWork(phase)
		v.Dispatch = &machine.Dispatch{Role: role.String(), DispatchKey: "k"}
		v.Tool = &machine.Tool{Contracts: "own"}
		if status != "" {
			v.Dispatch.Report = &machine.PinnedReport{Status: machine.Opt(status)}
		}
		return v
	}
	ruled := doing(machine.ImplementRunning, tier.Implementer, "")
	ruled.Rulings = []machine.StoredRuling{{Decision: machine.DecisionAcceptEmpty, DispatchKey: "k"}}
	hard := machine.Work{Concerns: []machine.Concern{{Kind: "scope", Note: "x"}}}
	soft := machine.Work{Concerns: []machine.Concern{{Kind: "observational", Note: "x"}}}
	for _, c := range []struct {
		decision string
		v        machine.View
		work     machine.Work
		want     bool
	}{
		{machine.DecisionAcceptEmpty, doing(machine.ImplementDispatchIntent, tier.Implementer, ""), machine.Work{}, true},
		{machine.DecisionAcceptEmpty, ruled, machine.Work{}, false},
		{machine.DecisionAcceptEmpty, doing(machine.TaskReviewRunning, tier.TaskReviewer, ""), machine.Work{}, false},
		{machine.DecisionAcceptEmpty, doing(machine.FixRunning, tier.Fixer, "DONE"), machine.Work{}, false},
		{machine.DecisionFixProceed, doing(machine.FixRunning, tier.Fixer, "BLOCKED"), machine.Work{}, true},
		{machine.DecisionFixProceed, doing(machine.FixRunning, tier.Fixer, "DONE"), machine.Work{}, false},
		{machine.DecisionFixProceed, doing(machine.FixRunning, tier.Fixer, "DONE_WITH_CONCERNS"), hard, true},
		{machine.DecisionFixProceed, doing(machine.FixRunning, tier.Fixer, "DONE_WITH_CONCERNS"), soft, false},
		{machine.DecisionFixProceed, doing(machine.ImplementRunning, tier.Implementer, ""), machine.Work{}, false},
		{machine.DecisionLeftoversKeep, doing(machine.ContextRequired, tier.Implementer, ""), machine.Work{}, true},
		{machine.DecisionLeftoversKeep, doing(machine.ImplementResult, tier.Implementer, ""), machine.Work{Status: "BLOCKED"}, true},
		{machine.DecisionLeftoversShelve, doing(machine.ImplementResult, tier.Implementer, ""), machine.Work{Status: "DONE"}, false},
		{machine.DecisionLeftoversShelve, doing(machine.DispatchAmbiguous, tier.TaskReviewer, ""), machine.Work{}, false},
		{machine.DecisionContracts, doing(machine.WorkspaceReady, tier.Implementer, ""), machine.Work{}, true},
		{machine.DecisionWiden, doing(machine.FixRunning, tier.Fixer, ""), machine.Work{}, true},
		{machine.DecisionWiden, doing(machine.ImplementRunning, tier.Implementer, ""), machine.Work{}, false},
		{machine.DecisionGuardOK, doing(machine.TaskReviewRunning, tier.TaskReviewer, ""), machine.Work{}, true},
		{machine.DecisionGuardOK, doing(machine.ImplementRunning, tier.Implementer, ""), machine.Work{}, false},
		{"unheard-of", doing(machine.FixRunning, tier.Fixer, ""), machine.Work{}, false},
	} {
		if got := MayRule(c.v, machine.Ruling{Decision: c.decision, Blob: "new"}, c.work); got != c.want {
			t.Errorf("%s in %s after %+v: %v", c.decision, c.v.Phase, c.work, got)
		}
	}
	if v := doing(machine.WorkspaceReady, tier.Implementer, ""); MayRule(v, machine.Ruling{Decision: machine.DecisionContracts, Blob: "own"}, machine.Work{}) {
		t.Error("contracts that are in force already may be ruled")
	}
}

func TestStaleness(t *testing.T) {
	facts := machine.IntentFacts{Base: &machine.CommitRef{Commit: weak}, Head: &machine.CommitRef{Commit: weaker}}
	v := inTask()
	if got := Staleness(v, tier.TaskReviewer, facts, nil); len(got.Findings)+len(got.Verdicts) > 0 {
		t.Errorf("nothing came: %+v", got)
	}
	got := Staleness(v, tier.TaskReviewer, facts, []string{goneFile})
	if len(got.Findings) != 1 || got.Findings[0].ID != "T1:STALE-1" || !IsStale(got.Findings[0].ID) || !TellsOf(got.Findings[0].Summary, weaker) || TellsOf(got.Findings[0].Summary, weak) {
		t.Errorf("one came: %+v", got)
	}
	open := inTask(recorded("T1:STALE-1", "open"))
	if got := Staleness(open, tier.ReReviewer, facts, nil); len(got.Verdicts) != 1 || got.Verdicts[0].Verdict != resolved || len(got.Findings) > 0 {
		t.Errorf("judged again: %+v", got)
	}
	if got := Staleness(open, tier.ReReviewer, facts, []string{goneFile}); len(got.Verdicts) != 1 || got.Verdicts[0].Verdict != stillPresent || len(got.Findings) > 0 {
		t.Errorf("judged again while more came: %+v", got)
	}
}
