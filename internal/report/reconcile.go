package report

// readReconciliation reads LEDGER RECONCILIATION: a final review names every
// finding that was adjudicated, as the ledger has it. Those that the controller
// judges may be named and need not be (contract: reports that children write).
func (r *reviewReader) readReconciliation() {
	seen := map[string]int{}
	for _, rec := range r.records(labelReconciliation) {
		id, line := r.runID(rec.word("id")), rec.get("id").line
		e := Reconciled{
			ID:                  id,
			RecordedDisposition: rec.word("recordedDisposition"),
			StillPresent:        rec.word("stillPresent") == "yes",
			Note:                r.recorded("note", rec.get("note")),
		}
		if first := seen[id]; first != 0 {
			r.add(line, "reconciliation-repeated", "keep one entry", "%s stands here and in line %d", quote(id), first)
		} else if id != "" {
			seen[id] = line
			r.checkReconciled(rec, e)
		}
		r.review.Reconciliation = append(r.review.Reconciliation, e)
	}
	if labels[labelReconciliation].in&kindOfRole(r.ctx.Role) == 0 {
		return
	}
	for _, k := range r.ctx.Known {
		if k.Disposition != "open" && seen[k.ID] == 0 && !r.controls(k.ID) {
			r.add(r.lineOf(labelReconciliation), "reconciliation-missing", "name it under LEDGER RECONCILIATION", "%s is %s and is not reconciled", k.ID, k.Disposition)
		}
	}
}

// checkReconciled compares one entry with the ledger.
func (r *reviewReader) checkReconciled(rec record, e Reconciled) {
	known, ok := r.known[e.ID]
	said := rec.get("recordedDisposition")
	switch {
	case !ok:
		r.add(rec.get("id").line, "reconciliation-unknown", "name the adjudicated findings of the prompt by their run ids", "%s is no recorded finding", quote(e.ID))
	case known.Disposition == "open":
		r.add(rec.get("id").line, "reconciliation-open", "judge it under VERDICTS", "%s is open and has nothing to reconcile", e.ID)
	case rec.whole && e.RecordedDisposition != known.Disposition:
		r.add(said.line, "reconciliation-disposition", "write recordedDisposition: "+known.Disposition, "%s is recorded as %s, not as %s", e.ID, known.Disposition, e.RecordedDisposition)
	case rec.whole && known.Disposition == "fixed" && e.StillPresent && !r.critical && !r.uncertain:
		r.add(rec.get("stillPresent").line, "reconciliation-critical", "add a Critical finding as "+r.nextFree+", or write stillPresent: no", "%s is recorded as fixed and still present, and no Critical finding says so", e.ID)
	}
}
