package report

import (
	"fmt"
	"strings"
)

// The writers here are the inverse of the readers: what they write of a parsed
// report must be read as the same report. They stand in for a child that
// follows the grammar to the letter.

func formatWork(w *Work) string {
	var b strings.Builder
	fmt.Fprintf(&b, "STATUS: %s\n", w.Status)
	if len(w.Changes) == 0 && strings.HasPrefix(w.Status, "DONE") {
		b.WriteString("CHANGES: none\n")
	}
	formatList(&b, "CHANGES", w.Changes)
	formatList(&b, "TESTS", w.Tests)
	if len(w.Concerns) > 0 {
		b.WriteString("CONCERNS:\n")
	}
	for _, c := range w.Concerns {
		fmt.Fprintf(&b, "- kind: %s\n  note: %s\n", c.Kind, c.Note)
	}
	if len(w.Missing) > 0 {
		b.WriteString("MISSING:\n")
	}
	for _, m := range w.Missing {
		fmt.Fprintf(&b, "- what: %s\n  why: %s\n", m.What, m.Why)
	}
	if w.Reason != "" {
		fmt.Fprintf(&b, "REASON: %s\n", w.Reason)
	}
	if w.Commit != "" {
		fmt.Fprintf(&b, "COMMIT: %s\n", w.Commit)
	}
	formatList(&b, "OBSERVATIONS", w.Observations)
	return b.String()
}

func formatList(b *strings.Builder, label string, items []string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", label)
	for _, it := range items {
		fmt.Fprintf(b, "- %s\n", it)
	}
}

func formatReview(r *Review, scope string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "SPEC: %s\nQUALITY: %s\n", r.Spec, r.Quality)
	if len(r.Verdicts) > 0 {
		b.WriteString("VERDICTS:\n")
	}
	for _, v := range r.Verdicts {
		fmt.Fprintf(&b, "- id: %s\n  verdict: %s\n  location: %s\n  evidence: %s\n", v.ID, v.Verdict, v.Location, v.Evidence)
	}
	b.WriteString("FINDINGS:")
	if len(r.Findings) == 0 {
		b.WriteString(" none")
	}
	b.WriteString("\n")
	for _, f := range r.Findings {
		weight := map[bool]string{true: "yes", false: "no"}[loadBearing(f.Severity)]
		fmt.Fprintf(&b, "- id: %s\n  severity: %s\n  loadBearing: %s\n  location: %s\n  evidence: %s\n  impact: %s\n  correction: %s\n",
			strings.TrimPrefix(f.ID, scope+":"), f.Severity, weight, f.Location, f.Summary, f.Impact, f.Correction)
	}
	if len(r.Reconciliation) > 0 {
		b.WriteString("LEDGER RECONCILIATION:\n")
	}
	for _, e := range r.Reconciliation {
		present := map[bool]string{true: "yes", false: "no"}[e.StillPresent]
		fmt.Fprintf(&b, "- id: %s\n  recordedDisposition: %s\n  stillPresent: %s\n  note: %s\n", e.ID, e.RecordedDisposition, present, e.Note)
	}
	formatList(&b, "OBSERVATIONS", r.Observations)
	formatList(&b, "STRENGTHS", r.Strengths)
	formatList(&b, "RECOMMENDATIONS", r.Recommendations)
	return b.String()
}
