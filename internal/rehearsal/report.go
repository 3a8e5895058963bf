package rehearsal

import (
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// Facts are what a child learns from its work before it writes its report.
type Facts struct {
	Commit   string     // of a worker: its last commit
	Changed  []string   // of a worker its files, of a reviewer those of the range
	Recorded []Recorded // findings in the files that the prompt names
}

// Report is the child's report in the grammar of its contract.
func (c Child) Report(a Answer, f Facts) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "PROMPT: %s\n", c.digest)
	if c.Role.Works() {
		c.work(&b, a, f)
	} else {
		c.review(&b, a, f)
	}
	return []byte(b.String())
}

// statuses are the words of a report by the answer.
var statuses = map[string]string{"done": "DONE", "concerns": "DONE_WITH_CONCERNS", "context": "NEEDS_CONTEXT", "blocked": "BLOCKED"}

func (c Child) work(b *strings.Builder, a Answer, f Facts) {
	fmt.Fprintf(b, "STATUS: %s\n", statuses[a.Word])
	switch a.Word {
	case "context":
		fmt.Fprintf(b, "MISSING:\n- what: %s\n  why: the work differs by the answer\n", a.line.text)
	case "blocked":
		fmt.Fprintf(b, "REASON: %s\n", a.line.text)
	case "concerns":
		fmt.Fprintf(b, "CONCERNS:\n- kind: %s\n  note: %s\n", a.line.words, a.line.text)
	}
	if !a.Commits() {
		return
	}
	b.WriteString("CHANGES:\n")
	for _, name := range f.Changed {
		fmt.Fprintf(b, "- %s: a line that says who rehearsed it%s\n", name, c.serves())
	}
	fmt.Fprintf(b, "TESTS:\n- none: a rehearsal runs nothing, 0 run\nCOMMIT: %s\n", f.Commit)
}

// serves names the findings that a fixer's change is for.
func (c Child) serves() string {
	if ids := c.Says("findingIds"); ids != "" {
		return ", for " + ids
	}
	return ""
}

func (c Child) review(b *strings.Builder, a Answer, f Facts) {
	unmet := a.Word == "finding" && loadBearing(a.line.words)
	severities := map[string]string{}
	for _, r := range f.Recorded {
		severities[r.ID] = r.Severity
	}
	asked := strings.FieldsFunc(c.Says("findingIds"), func(r rune) bool { return r == ',' || r == ' ' })
	var verdicts strings.Builder
	for _, id := range asked {
		verdict := "RESOLVED"
		if a.Word == "still" {
			verdict = "STILL_PRESENT"
			unmet = unmet || severities[id] != "Minor"
		}
		fmt.Fprintf(&verdicts, "- id: %s\n  verdict: %s\n  location: %s\n  evidence: rehearsed, nobody looked\n", id, verdict, location(f))
	}
	axes := "SPEC: PASS\nQUALITY: APPROVED\n"
	if unmet {
		axes = "SPEC: FAIL\nQUALITY: CHANGES_REQUESTED\n"
	}
	b.WriteString(axes)
	switch {
	case len(asked) > 0:
		b.WriteString("VERDICTS:\n" + verdicts.String())
	case c.Role == tier.ReReviewer || c.Role == tier.FinalReReviewer:
		b.WriteString("VERDICTS: none\n")
	}
	c.finding(b, a, f)
	if c.Role == tier.Final {
		reconcile(b, f.Recorded)
	}
}

func (c Child) finding(b *strings.Builder, a Answer, f Facts) {
	if a.Word != "finding" {
		b.WriteString("FINDINGS: none\n")
		return
	}
	carries := "no"
	if loadBearing(a.line.words) {
		carries = "yes"
	}
	fmt.Fprintf(b, "FINDINGS:\n- id: %s\n  severity: %s\n  loadBearing: %s\n  location: %s\n  evidence: %s\n  impact: rehearsed\n  correction: rehearsed\n",
		c.Says("nextFinding"), a.line.words, carries, location(f), a.line.text)
}

// location is a place that the judged range has.
func location(f Facts) string {
	if len(f.Changed) == 0 {
		return "none"
	}
	return f.Changed[0]
}

func loadBearing(severity string) bool { return severity != "Minor" }

// reconcile names every finding that was adjudicated, as recorded.
func reconcile(b *strings.Builder, recorded []Recorded) {
	var lines strings.Builder
	for _, r := range recorded {
		if r.Disposition != "" && r.Disposition != "open" {
			fmt.Fprintf(&lines, "- id: %s\n  recordedDisposition: %s\n  stillPresent: no\n  note: rehearsed, nobody looked\n", r.ID, r.Disposition)
		}
	}
	if lines.Len() == 0 {
		b.WriteString("LEDGER RECONCILIATION: none\n")
		return
	}
	b.WriteString("LEDGER RECONCILIATION:\n" + lines.String())
}
