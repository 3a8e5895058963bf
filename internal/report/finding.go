package report

import "fmt"

// readFindings reads FINDINGS: what is new, numbered within the scope.
func (r *reviewReader) readFindings() {
	list := r.records(labelFindings)
	r.newFindings = len(list)
	if total := len(r.known) + len(list); total > MaxFindings {
		r.add(r.lineOf(labelFindings), "findings-many", "list the gravest, and the others under OBSERVATIONS", "the run would have %d findings, at most %d are recorded", total, MaxFindings)
	}
	r.findFree(list)
	lines := map[string]int{}
	for _, rec := range list {
		r.uncertain = r.uncertain || !rec.whole
		r.readFinding(rec, lines)
	}
}

// readFinding reads one finding; lines holds where the ids before it stand.
func (r *reviewReader) readFinding(rec record, lines map[string]int) {
	f := Finding{
		Severity:   rec.word("severity"),
		Summary:    r.recorded("evidence", rec.get("evidence")),
		Impact:     r.recorded("impact", rec.get("impact")),
		Correction: r.recorded("correction", rec.get("correction")),
		Line:       rec.line,
	}
	var file string
	f.Location, file = r.location(rec.get("location"))
	r.checkWeight(rec)
	if r.rereview() && f.Severity == "Minor" && file != "" && (r.ctx.InRange == nil || !r.ctx.InRange(file)) {
		r.add(rec.get("location").line, "minor-outside", "list it under OBSERVATIONS", "a new Minor is in %s, outside the judged range", quote(file))
	}
	if id := rec.word("id"); id != "" {
		f.ID = r.newID(rec.get("id").line, id, lines)
	}
	if loadBearing(f.Severity) {
		r.heavy = append(r.heavy, fmt.Sprintf("the %s finding in line %d", f.Severity, f.Line))
	}
	r.critical = r.critical || f.Severity == "Critical"
	r.review.Findings = append(r.review.Findings, f)
}

// checkWeight compares loadBearing with the severity it repeats.
func (r *reviewReader) checkWeight(rec record) {
	severity, said := rec.word("severity"), rec.get("loadBearing")
	want := "no"
	if loadBearing(severity) {
		want = "yes"
	}
	if rec.whole && said.text() != want {
		r.add(said.line, "load-bearing", "write loadBearing: "+want+", or correct the severity", "loadBearing is %s beside severity %s", said.text(), severity)
	}
}

// newID returns the run id of a new finding, and reports an id that is not new:
// recorded in the ledger, used above, or below the next free number.
func (r *reviewReader) newID(line int, id string, lines map[string]int) string {
	full := r.runID(id)
	known, recorded := r.known[full]
	n, local := localNumber(id)
	first := lines[full]
	if first == 0 {
		lines[full] = line
	}
	switch {
	case r.refuseControlled(line, id):
	case recorded:
		r.refuseRecorded(line, id, known)
	case !local:
		r.add(line, "finding-id", "write "+r.nextFree, "%s is no local id of a finding, such as F-1", quote(id))
	case first != 0:
		r.add(line, "finding-repeated", "write "+r.nextFree, "%s stands here and in line %d", id, first)
	case n < r.ctx.Next:
		r.add(line, "finding-number", "write "+r.nextFree, "%s is not free; the next free number is %s", id, r.nextFree)
	}
	return full
}

// refuseRecorded reports an id under FINDINGS that the ledger has.
func (r *reviewReader) refuseRecorded(line int, id string, known Known) {
	next := r.nextFree
	switch {
	case known.Disposition != "open":
		r.add(line, "finding-recorded", "list what broke again as "+next, "%s is recorded as %s, what broke again is a new finding; the next free number is %s", id, known.Disposition, next)
	case labels[labelVerdicts].in&kindOfRole(r.ctx.Role) != 0:
		r.add(line, "finding-recorded", "move it to VERDICTS, or write "+next, "%s is recorded, judge it under VERDICTS; the next free number is %s", id, next)
	default:
		r.add(line, "finding-recorded", "write "+next, "%s is recorded; the next free number is %s", id, next)
	}
}
