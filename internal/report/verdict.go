package report

import (
	"maps"
	"slices"
)

// readVerdicts reads VERDICTS: in a re-review every finding asked for exactly
// once, in a final review each at most once, never another one (contract:
// reports that children write; state machine, stricter rule 2).
func (r *reviewReader) readVerdicts() {
	asked := map[string]bool{}
	for _, id := range r.ctx.Asked {
		asked[id] = !r.controls(id)
	}
	judged := map[string]int{}
	for _, rec := range r.records(labelVerdicts) {
		r.uncertain = r.uncertain || !rec.whole
		id := r.runID(rec.word("id"))
		v := Verdict{ID: id, Verdict: rec.word("verdict")}
		v.Location, _ = r.location(rec.get("location"))
		v.Evidence = r.recorded("evidence", rec.get("evidence"))
		if id == "" {
			continue
		}
		line := rec.get("id").line
		switch {
		case judged[id] != 0:
			r.add(line, "verdict-repeated", "keep one verdict", "%s is judged here and in line %d", quote(id), judged[id])
		case r.refuseControlled(line, id):
		case !asked[id]:
			r.refuseUnasked(line, id)
		case rec.whole:
			r.countVerdict(v)
		}
		if judged[id] == 0 {
			judged[id] = line
		}
		r.review.Verdicts = append(r.review.Verdicts, v)
	}
	r.checkJudged(asked, judged)
}

// countVerdict keeps what the axes are compared with. A finding that was asked
// for and whose severity nobody stated counts as load-bearing.
func (r *reviewReader) countVerdict(v Verdict) {
	if v.Verdict == "RESOLVED" {
		return
	}
	r.unresolved++
	if r.known[v.ID].Severity != "Minor" {
		r.heavy = append(r.heavy, "the "+v.Verdict+" of "+v.ID)
	}
}

// refuseUnasked says why a finding is not this review's to judge.
func (r *reviewReader) refuseUnasked(line int, id string) {
	k, known := r.known[id]
	switch {
	case !known:
		r.add(line, "verdict-unknown", "judge the findings of the prompt by their ids; list a new one under FINDINGS", "%s is no recorded finding", quote(id))
	case k.Disposition != "open":
		r.add(line, "verdict-unasked", "leave the verdict out; list what broke again as the new finding "+r.nextFree, "%s is already %s", id, k.Disposition)
	default:
		r.add(line, "verdict-unasked", "leave the verdict out", "%s is not among the findings of this review", id)
	}
}

// checkJudged reports the findings that a re-review leaves out: one that is
// dropped looks just like one that was waved through.
func (r *reviewReader) checkJudged(asked map[string]bool, judged map[string]int) {
	if !r.rereview() {
		return
	}
	if slices.Contains(slices.Collect(maps.Values(asked)), true) {
		r.need(labelVerdicts, 1, ": every open finding is to be judged")
	}
	for _, id := range r.ctx.Asked {
		if asked[id] && judged[id] == 0 {
			r.uncertain = true
			r.add(r.lineOf(labelVerdicts), "verdict-missing", "judge it under VERDICTS", "%s has no verdict", id)
		}
	}
}
