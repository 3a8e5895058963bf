package report

// Words are what a review says of one finding or in one verdict, as the child
// wrote it: each text on one line and not abbreviated.
type Words struct {
	Evidence           string
	Impact, Correction string // of a finding
}

// Full returns the words of a stored review by run id: of the findings that it
// lists, and of its verdicts. Local ids are those of the scope, such as "T1". What
// is recorded is abbreviated; the full text is the artifact (contract: reports
// that children write). The review was taken before, so its form is not judged.
func Full(data []byte, scope string) (findings, verdicts map[string]Words) {
	findings, verdicts = map[string]Words{}, map[string]Words{}
	doc, ok := readDocument(data, inReviews)
	if !ok {
		return findings, verdicts
	}
	ids := reviewReader{ctx: ReviewContext{Scope: scope}}
	for _, rec := range doc.records(labelFindings) {
		findings[ids.runID(rec.word("id"))] = Words{
			Evidence: rec.word("evidence"), Impact: rec.word("impact"), Correction: rec.word("correction"),
		}
	}
	for _, rec := range doc.records(labelVerdicts) {
		verdicts[ids.runID(rec.word("id"))] = Words{Evidence: rec.word("evidence")}
	}
	return findings, verdicts
}
