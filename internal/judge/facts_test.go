package judge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

func gate(name, outcome string) machine.GateFact {
	exit := map[string]int{"passed": 0, "flaky": 0, "failed": 2}[outcome]
	return machine.GateFact{Name: name, Outcome: outcome, Exit: &exit, Runs: 1, Commit: "c0", Tree: "7e"}
}

// inTask is a run whose first task is being re-reviewed, with findings.
func inTask(findings ...machine.Recorded) machine.View {
	return machine.View{
		Phase: machine.RereviewRunning, CurrentTask: 1, Findings: findings,
		Dispatch: &machine.Dispatch{Role: tier.ReReviewer.String(), Task: 1},
	}
}

func recorded(id, disposition string) machine.Recorded {
	return machine.Recorded{ID: id, Task: 1, Severity: critical, LoadBearing: true, Disposition: disposition}
}

// TestGates is the table of what a gate makes of a review.
func TestGates(t *testing.T) {
	for _, c := range []struct {
		name     string
		role     tier.Role
		v        machine.View
		gates    []machine.GateFact
		verdicts map[string]string
		findings []string
	}{
		{"none", tier.TaskReviewer, inTask(), nil, nil, nil},
		{"passed", tier.TaskReviewer, inTask(), []machine.GateFact{gate("test", "passed")}, nil, nil},
		{"flaky is told, not found", tier.TaskReviewer, inTask(), []machine.GateFact{gate("test", "flaky")}, nil, nil},
		{"failed", tier.TaskReviewer, inTask(), []machine.GateFact{gate("test", "failed"), gate("a-1", "failed")}, nil, []string{"T1:GATE-test-1", "T1:GATE-a-1-1"}},
		{"still fails", tier.ReReviewer, inTask(recorded("T1:GATE-test-1", "open")), []machine.GateFact{gate("test", "failed")}, map[string]string{"T1:GATE-test-1": "STILL_PRESENT"}, nil},
		{"passes now", tier.ReReviewer, inTask(recorded("T1:GATE-test-1", "open")), []machine.GateFact{gate("test", "passed")}, map[string]string{"T1:GATE-test-1": "RESOLVED"}, nil},
		{"a gate with a number in its name", tier.ReReviewer, inTask(recorded("T1:GATE-a-1-1", "open")), []machine.GateFact{gate("a", "failed"), gate("a-1", "passed")}, map[string]string{"T1:GATE-a-1-1": "RESOLVED"}, []string{"T1:GATE-a-1"}},
		{"fails again after it was fixed", tier.ReReviewer, inTask(recorded("T1:GATE-test-1", "fixed")), []machine.GateFact{gate("test", "failed")}, nil, []string{"T1:GATE-test-2"}},
		{"did not run", tier.ReReviewer, inTask(recorded("T1:GATE-test-1", "open")), nil, map[string]string{"T1:GATE-test-1": "STILL_PRESENT"}, nil},
		{"other findings are left alone", tier.ReReviewer, inTask(recorded("T1:F-1", "open"), recorded("T1:STALE-1", "open")), []machine.GateFact{gate("test", "passed")}, nil, nil},
		{"in the final loop", tier.Final, inTask(), []machine.GateFact{gate("test", "failed")}, nil, []string{"FINAL:GATE-test-1"}},
	} {
		got := Gates(c.v, c.role, c.gates)
		verdicts := map[string]string{}
		for _, v := range got.Verdicts {
			verdicts[v.ID] = v.Verdict
		}
		if c.verdicts == nil {
			c.verdicts = map[string]string{}
		}
		var findings []string
		for _, f := range got.Findings {
			findings = append(findings, f.ID)
			if f.Severity != "Critical" || f.Location != "none" || !strings.Contains(f.Summary, "exit 2") {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
		if d := cmp.Diff(c.verdicts, verdicts) + cmp.Diff(c.findings, findings); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}

// TestGateTextFits holds that the longest that can be said is recorded whole.
func TestGateTextFits(t *testing.T) {
	g := gate(strings.Repeat("n", 32), "failed")
	g.Commit, g.Tree, g.Runs = strings.Repeat("f", 64), strings.Repeat("f", 64), 2
	if text := gateText(g); len(text) > machine.MaxText {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}
