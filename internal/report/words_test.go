package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFull(t *testing.T) {
	long := strings.Repeat("word ", 100) + "end"
	text := "SPEC: PASS\nQUALITY: CHANGES_REQUESTED\nVERDICTS:\n- id: F-1\n  verdict: STILL_PRESENT\n  location: none\n  evidence: " + long + "\n" +
		"- id: T1:F-2\n  verdict: RESOLVED\n  location: a.go\n  evidence: gone\nFINDINGS:\n- id: F-3\n  severity: Important\n  loadBearing: yes\n  location: a.go:1\n  evidence: one\n    two\n  impact: i\n  correction: c\n"
	findings, verdicts := Full([]byte(text), "T1")
	if d := cmp.Diff(map[string]Words{"T1:F-3": {"one two", "i", "c"}}, findings); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]Words{"T1:F-1": {Evidence: long}, "T1:F-2": {Evidence: "gone"}}, verdicts); d != "" {
		t.Error(d)
	}
	if findings, verdicts := Full([]byte("\xff"), "T1"); len(findings)+len(verdicts) != 0 {
		t.Error("a text that is none says something")
	}
}
