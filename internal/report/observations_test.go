package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObservations(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"of work", "STATUS: DONE\nOBSERVATIONS:\n- b.go is dead\n  code\n- c\nCOMMIT: none\n", []string{"b.go is dead code", "c"}},
		{"of a review", "SPEC: PASS\nQUALITY: APPROVED\nFINDINGS: none\nOBSERVATIONS:\n- x\n", []string{"x"}},
		{"none", "STATUS: DONE\nOBSERVATIONS: none\n", nil},
		{"no such section", "STATUS: DONE\n", nil},
		{"no report", "\xff", nil},
	} {
		if d := cmp.Diff(c.want, Observations([]byte(c.text))); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}
