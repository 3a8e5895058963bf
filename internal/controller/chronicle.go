package controller

import (
	"context"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// A chronicle is what the ledger tells of the work that a review looks at: who
// was sent to work from which head to which, what they noticed and left alone,
// and what humans ruled.
type chronicle struct {
	r            *run
	stretches    []evidence.Stretch
	observations []prompt.Observed
	rulings      []string

	sent string // the head at the last worker's dispatch
}

// chronicle reads the scope of a role from the ledger: the current task, in the
// final loop the whole run.
func (r *run) chronicle(ctx context.Context, role tier.Role) (chronicle, error) {
	from := 0
	if !role.IsFinal() {
		from = judge.ScopeBegin(r.view, role)
	}
	c := chronicle{r: r}
	err := ledger.Walk(ctx, r.c.repo, r.tip, from, func(rev ledger.Revision) error {
		doc, err := machine.DecodeEvent(rev.Event, nil)
		if err != nil {
			return faultOfState(r.id, err)
		}
		return c.take(rev, doc)
	})
	return c, faultOfLedger(err)
}

// take adds one revision. A document is read without the bytes that it refers
// to: it is told, not applied.
func (c *chronicle) take(rev ledger.Revision, doc machine.Document) error {
	switch f := doc.Facts.(type) {
	case machine.IntentFacts:
		if f.Head != nil {
			c.sent = f.Head.Commit
		}
		return nil
	case machine.FinishedFacts:
		return c.finished(rev, doc.Event, f)
	case machine.ProofFacts:
		return nil // told with the gates: git-sdd saw it, and no human ruled
	}
	if line := judge.RulingLine(rev.Number, doc.By.Name, doc.Event); line != "" {
		c.rulings = append(c.rulings, line)
	}
	return nil
}

// finished tells a report that was taken.
func (c *chronicle) finished(rev ledger.Revision, ev machine.Event, f machine.FinishedFacts) error {
	state, err := machine.DecodeState(rev.State)
	if err != nil {
		return faultOfState(c.r.id, err)
	}
	d := state.View().Dispatch
	if d == nil || f.Report == nil {
		return nil
	}
	by := childName(d)
	if roleNamed(d.Role).Works() && f.Head != nil {
		c.stretches = append(c.stretches, evidence.Stretch{By: by, From: c.sent, To: f.Head.Commit})
	}
	data, err := c.r.file(f.Report.Path)
	if err != nil {
		return faultOfLedger(err)
	}
	for _, text := range report.Observations(data) {
		c.observations = append(c.observations, prompt.Observed{By: by, Text: text})
	}
	if !roleNamed(d.Role).Works() {
		return nil
	}
	if work, defects := c.r.rawWork(f.Report.Path); len(defects) == 0 {
		for _, concern := range work.Concerns {
			c.observations = append(c.observations, prompt.Observed{By: by, Text: "a concern, " + concern.Kind + ": " + concern.Note})
		}
	}
	return nil
}

// childName names a child as people do.
func childName(d *machine.Dispatch) string {
	name := d.Role
	if !roleNamed(d.Role).IsFinal() {
		name += fmt.Sprintf(" of task %d", d.Task)
	}
	if d.Round != nil {
		name += fmt.Sprintf(", round %d", *d.Round)
	}
	if d.Attempt > 1 {
		name += fmt.Sprintf(", attempt %d", d.Attempt)
	}
	return name
}
