package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/report"
)

// A pastReview is one review of the scope: what the machine recorded of it, and
// the full words of its stored report.
type pastReview struct {
	evidence           machine.ReviewEvidence
	recorded           machine.Review
	findings, verdicts map[string]report.Words // by run id
}

// reviewsInScope reads every review of the current task, or of the final loop,
// from the ledger.
func (r *run) reviewsInScope(ctx context.Context) ([]pastReview, error) {
	e := r.scopeEvidence()
	if e == nil {
		return nil, nil
	}
	var all []pastReview
	for _, rev := range e.Reviews {
		doc, err := r.document(ctx, rev.Revision)
		if err != nil {
			return nil, err
		}
		past := pastReview{evidence: rev}
		past.recorded, _ = judge.Recorded(doc.Event)
		facts, _ := doc.Facts.(machine.FinishedFacts)
		if facts.Report != nil {
			data, err := r.file(facts.Report.Path)
			if err != nil {
				return nil, faultOfLedger(err)
			}
			past.findings, past.verdicts = report.Full(data, judge.Scope(r.view, roleNamed(rev.Role)))
		}
		all = append(all, past)
	}
	return all, nil
}

// fuller is the text of a finding or verdict as its review had it, or as it was
// recorded where no review of a child holds it.
func fuller(words map[string]report.Words, id, recorded string) string {
	if full, ok := words[id]; ok && full.Evidence != "" {
		return full.Evidence
	}
	return recorded
}
