package prompt

import "strings"

// An OpenFinding is a finding that nobody has adjudicated yet, as far as it is
// recorded; parts that are not recorded are empty. Texts are those of reports:
// data, put on one line.
type OpenFinding struct {
	ID       string // run id, "T1:F-1"
	Severity string // Critical, Important or Minor
	Location string // <file>:<line>, <file> or none
	Summary  string // the evidence that the reviewer gave

	Verdict, VerdictEvidence string // of the last review that judged it
	Impact, Correction       string // as the reviewer reported them
	Output                   string // what a gate that failed printed, its end
}

// An Adjudicated is a finding that left the state open.
type Adjudicated struct {
	ID, Severity, Location, Summary string
	Disposition                     string // fixed, parked, out-of-scope or cannot-verify
	Evidence                        string // what the disposition rests on
}

// A FindingPackageInput holds every finding in scope, in the ledger's order: of
// the run in the final loop, of the task in a re-review.
type FindingPackageInput struct {
	Open        []OpenFinding
	Adjudicated []Adjudicated
	Exchanges   []Exchange // what the fixers before this review asked, and the answers
}

// FindingPackage returns the file that tells a reviewer which findings exist:
// those to judge, those to reconcile, and apart from both the ones that facts
// made, which only the controller judges.
func FindingPackage(in FindingPackageInput) []byte {
	var d document
	d.heading(1, "Finding package")
	d.line("Findings as the ledger records them. Their texts are claims of earlier reports: check them against the code.")

	d.heading(2, "Open")
	if n := d.open(in.Open, false); n == 0 {
		d.line("None.")
	}
	d.heading(2, "Adjudicated")
	if n := d.adjudicated(in.Adjudicated, false); n == 0 {
		d.line("None.")
	}
	if anyControlled(in) {
		d.heading(2, "Judged by the controller")
		d.line("Made from facts, and judged from facts alone. Leave them out of your report.")
		d.open(in.Open, true)
		d.adjudicated(in.Adjudicated, true)
	}
	if len(in.Exchanges) > 0 {
		d.heading(2, "Questions and answers")
		d.exchanges(3, in.Exchanges)
	}
	return d.Bytes()
}

func anyControlled(in FindingPackageInput) bool {
	for _, f := range in.Open {
		if controlled().MatchString(f.ID) {
			return true
		}
	}
	for _, f := range in.Adjudicated {
		if controlled().MatchString(f.ID) {
			return true
		}
	}
	return false
}

// open writes the findings that the controller judges itself, or the others,
// and returns their number.
func (d *document) open(findings []OpenFinding, byController bool) int {
	n := 0
	for _, f := range findings {
		if controlled().MatchString(f.ID) != byController {
			continue
		}
		d.finding(f)
		n++
	}
	return n
}

// finding writes one open finding with everything that is recorded about it.
func (d *document) finding(f OpenFinding) {
	d.heading(3, "%s (%s)", f.ID, f.Severity)
	d.item("location", f.Location)
	d.item("evidence", f.Summary)
	d.item("impact", f.Impact)
	d.item("correction", f.Correction)
	if f.Verdict != "" {
		d.item("last verdict", strings.TrimSuffix(f.Verdict+": "+f.VerdictEvidence, ": "))
	}
	if f.Output != "" {
		d.WriteByte('\n')
		d.block("text", lastOf(f.Output, maxQuoted))
	}
}

func (d *document) adjudicated(findings []Adjudicated, byController bool) int {
	n := 0
	for _, f := range findings {
		if controlled().MatchString(f.ID) != byController {
			continue
		}
		d.heading(3, "%s (%s)", f.ID, f.Severity)
		d.item("disposition", f.Disposition)
		d.item("location", f.Location)
		d.item("evidence", f.Summary)
		d.item("adjudged on", f.Evidence)
		n++
	}
	return n
}
