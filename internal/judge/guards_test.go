package judge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

var (
	weak     = strings.Repeat("a", 40)
	weaker   = strings.Repeat("b", 40)
	goneFile = strings.Repeat("0", 40)
)

func change(path, content string) GuardChange {
	return GuardChange{Path: path, Was: path, Content: content, Gates: []string{"test"}}
}

func found(id, disposition string, c GuardChange) machine.Recorded {
	f := recorded(id, disposition)
	f.Summary, f.Location = c.summary(), machine.Opt(c.Location())
	return f
}

func ruledOn(v machine.View, rulings ...machine.StoredRuling) machine.View {
	for i := range rulings {
		rulings[i].Decision, rulings[i].Revision = machine.DecisionGuardOK, 7+i
	}
	v.Rulings = rulings
	return v
}

// TestGuards is the table of what changed guards make of a review.
func TestGuards(t *testing.T) {
	make1 := change("Makefile", weak)
	odd := change("odd\nname", weak)
	for _, c := range []struct {
		name     string
		role     tier.Role
		v        machine.View
		changes  []GuardChange
		verdicts []string
		findings []string
	}{
		{"nothing", tier.ReReviewer, inTask(), nil, nil, nil},
		{"two files", tier.TaskReviewer, inTask(), []GuardChange{make1, change("x.sh", goneFile)}, nil, []string{"T1:GUARD-1 Makefile", "T1:GUARD-2 x.sh"}},
		{"allowed before", tier.TaskReviewer, ruledOn(inTask(), machine.StoredRuling{Paths: []string{"Makefile"}, Blob: machine.Opt(weak)}), []GuardChange{make1}, nil, nil},
		{"allowed, and changed since", tier.TaskReviewer, ruledOn(inTask(), machine.StoredRuling{Paths: []string{"Makefile"}, Blob: machine.Opt(weaker)}), []GuardChange{make1}, nil, []string{"T1:GUARD-1 Makefile"}},
		{"still so: once", tier.ReReviewer, inTask(found("T1:GUARD-1", "open", make1)), []GuardChange{make1}, []string{"T1:GUARD-1 STILL_PRESENT"}, nil},
		{"changed again: still once", tier.ReReviewer, inTask(found("T1:GUARD-1", "open", make1)), []GuardChange{change("Makefile", weaker)}, []string{"T1:GUARD-1 STILL_PRESENT"}, nil},
		{"restored", tier.ReReviewer, inTask(found("T1:GUARD-1", "open", make1)), nil, []string{"T1:GUARD-1 RESOLVED"}, nil},
		{"accepted by the finding", tier.ReReviewer, ruledOn(inTask(found("T1:GUARD-1", "open", make1)), machine.StoredRuling{Finding: "T1:GUARD-1", Blob: machine.Opt(weak)}), []GuardChange{make1}, []string{"T1:GUARD-1 RESOLVED"}, nil},
		{"accepted by the finding alone", tier.ReReviewer, ruledOn(inTask(found("T1:GUARD-1", "open", make1)), machine.StoredRuling{Finding: "T1:GUARD-1"}), []GuardChange{make1}, []string{"T1:GUARD-1 RESOLVED"}, nil},
		{"accepted, and changed since", tier.ReReviewer, ruledOn(inTask(found("T1:GUARD-1", "open", make1)), machine.StoredRuling{Finding: "T1:GUARD-1", Blob: machine.Opt(weak)}), []GuardChange{change("Makefile", weaker)}, []string{"T1:GUARD-1 STILL_PRESENT"}, nil},
		{"fixed by a ruling: not found again", tier.TaskReviewer, ruledOn(inTask(found("T1:GUARD-1", "fixed", make1)), machine.StoredRuling{Finding: "T1:GUARD-1", Blob: machine.Opt(weak)}), []GuardChange{make1}, nil, nil},
		{"restored, and weakened again", tier.ReReviewer, inTask(found("T1:GUARD-1", "fixed", make1)), []GuardChange{make1}, nil, []string{"T1:GUARD-2 Makefile"}},
		{"a path that no finding can name", tier.ReReviewer, inTask(found("T1:GUARD-1", "open", odd)), []GuardChange{odd}, []string{"T1:GUARD-1 STILL_PRESENT"}, nil},
		{"in the final loop", tier.Final, inTask(), []GuardChange{make1}, nil, []string{"FINAL:GUARD-1 Makefile"}},
	} {
		got := Guards(c.v, c.role, c.changes)
		var verdicts, findings []string
		for _, v := range got.Verdicts {
			verdicts = append(verdicts, v.ID+" "+v.Verdict)
		}
		for _, f := range got.Findings {
			findings = append(findings, f.ID+" "+string(f.Location))
			if f.Severity != "Important" {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
		if d := cmp.Diff(c.verdicts, verdicts) + cmp.Diff(c.findings, findings); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}

func TestGuardSummaryFits(t *testing.T) {
	c := change("x", strings.Repeat("f", 64))
	c.Mode = "100755 -> 100644"
	for range 120 {
		c.Gates = append(c.Gates, "n")
		if text := c.summary(); len(text) > machine.MaxText || !strings.HasSuffix(text, ", mode 100755 -> 100644; content "+c.Content) {
			t.Errorf("%d bytes: %s", len(text), text)
		}
	}
}
