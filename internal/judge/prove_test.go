package judge

import (
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/machine"
)

// TestProve is the table of what a negative control shows: every pair of
// outcomes, and what did not run.
func TestProve(t *testing.T) {
	const base = "0123456789abcdef"
	of := func(outcome string) *machine.GateFact {
		if outcome == "" {
			return nil
		}
		g := gate("test", outcome)
		return &g
	}
	for _, c := range []struct {
		head, control string
		tests         int
		outcome, why  string
	}{
		{"passed", "failed", 3, "discriminates", "red on the merge base with 3 test files of c0"},
		{"passed", "failed", 1, "discriminates", "red on the merge base with 1 test file of c0"},
		{"passed", "failed", 0, "discriminates", "red on commit 0123456789"},
		{"passed", "passed", 2, "does not discriminate", "green on the merge base with 2 test files of c0"},
		{"passed", "passed", 0, "does not discriminate", "green on commit 0123456789"},
		{"passed", "flaky", 2, "cannot tell", "flaky on the merge base with 2 test files of c0"},
		{"passed", "error", 2, "cannot tell", "it could not run on the merge base with 2 test files of c0"},
		{"passed", "", 2, "cannot tell", "the control did not run"},
		{"failed", "", 2, "cannot tell", "red on the head itself"},
		{"failed", "failed", 2, "cannot tell", "red on the head itself"},
		{"failed", "passed", 2, "cannot tell", "red on the head itself"},
		{"flaky", "failed", 2, "cannot tell", "flaky on the head itself"},
		{"error", "failed", 2, "cannot tell", "it could not run on the head"},
		{"", "failed", 0, "cannot tell", "the gate did not run on the head"},
		{"", "", 0, "cannot tell", "no test file changed between the merge base and the head: the control would be the merge base itself"},
	} {
		outcome, why := Prove(of(c.head), of(c.control), base, c.tests)
		if outcome != c.outcome || why != c.why {
			t.Errorf("head %q, control %q: %s, %s; want %s, %s", c.head, c.control, outcome, why, c.outcome, c.why)
		}
		if err := machine.CheckText("why", why); err != nil {
			t.Error(err)
		}
	}
	if _, why := Prove(of("passed"), of("failed"), strings.Repeat("f", 64), 0); why != "red on commit ffffffffff" {
		t.Error(why)
	}
}
