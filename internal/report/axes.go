package report

// checkAxes compares SPEC and QUALITY with what the report says in detail
// (contract: reports that children write). Where a finding or verdict has a
// defect of its own, only what is certain is reported.
func (r *reviewReader) checkAxes() {
	spec, quality := r.review.Spec, r.review.Quality
	if spec == "" || quality == "" {
		return
	}
	good := spec == "PASS" && quality == "APPROVED"
	switch {
	case good && len(r.heavy) > 0:
		r.add(r.lineOf(labelSpec), "axes-good", "write FAIL or CHANGES_REQUESTED, or correct the severity or verdict",
			"SPEC: PASS and QUALITY: APPROVED stand beside %s", r.heavy[0])
	case good || r.uncertain:
	case r.rereview() && len(r.heavy) == 0:
		r.add(r.badAxis(), "axes-bad", "write SPEC: PASS and QUALITY: APPROVED; a Minor alone asks for no changes",
			"%s asks for changes, and no load-bearing finding is new or unresolved", r.badAxisText())
	case r.newFindings == 0 && r.unresolved == 0:
		r.add(r.badAxis(), "axes-bad", "list under FINDINGS what is wrong, or write SPEC: PASS and QUALITY: APPROVED",
			"%s stands beside no finding and no unresolved verdict", r.badAxisText())
	}
}

// badAxis returns the line of the first axis that is not good.
func (r *reviewReader) badAxis() int {
	if r.review.Spec == "FAIL" {
		return r.lineOf(labelSpec)
	}
	return r.lineOf(labelQuality)
}

func (r *reviewReader) badAxisText() string {
	if r.review.Spec == "FAIL" {
		return "SPEC: FAIL"
	}
	return "QUALITY: " + r.review.Quality
}
