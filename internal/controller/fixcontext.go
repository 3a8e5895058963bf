package controller

import (
	"context"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// addFixContext stores what a fixer must know: the open findings with their
// evidence, every correction that was tried and why it failed, questions and
// answers (contract: the fix package).
func (r *run) addFixContext(ctx context.Context, d *dispatch) error {
	in := prompt.FixContextInput{Task: d.task, Round: d.round, Base: d.base.Commit, Head: d.head.Commit}
	reviews, err := r.reviewsInScope(ctx)
	if err != nil {
		return err
	}
	in.Findings = r.openFindings(d, reviews)
	if in.Prior, err = r.priorAttempts(reviews); err != nil {
		return err
	}
	if in.Exchanges, err = r.allExchanges(d.role); err != nil {
		return err
	}
	in.Rulings = d.rulings
	r.addReport(&in, d.role)
	d.context = d.step.with(d.stem+".context.md", prompt.FixContext(in))
	return nil
}

// allExchanges are the questions and answers of a fix: those of the task, and
// those of its earlier fixers.
func (r *run) allExchanges(role tier.Role) ([]prompt.Exchange, error) {
	if role.IsFinal() {
		return nil, nil
	}
	asked, err := r.exchanges()
	if err != nil {
		return nil, err
	}
	fixers, err := r.fixExchanges(role)
	return append(asked, fixers...), err
}

// addReport adds what the implementer said of its own work and which tests it
// named.
func (r *run) addReport(in *prompt.FixContextInput, role tier.Role) {
	if role.IsFinal() {
		return
	}
	path := machine.ArtifactStem(r.view.CurrentTask, tier.Implementer, r.attemptsOf(tier.Implementer, 0), 0) + ".report.md"
	if data, err := r.file(path); err == nil {
		in.Report = string(data)
	}
	if work, defects := r.rawWork(path); len(defects) == 0 {
		in.Tests = work.Tests
	}
}

// A pastReview is one review of the scope with what the machine recorded of it
// and, where its stored report still parses, the full findings.
type pastReview struct {
	evidence machine.ReviewEvidence
	recorded machine.Review
	findings map[string]report.Finding // by run id
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
		recorded := reviewOf(doc.Event)
		past := pastReview{evidence: rev, recorded: recorded}
		if facts, ok := doc.Facts.(machine.FinishedFacts); ok && facts.Report != nil {
			past.findings = r.fullFindings(ctx, rev.Role, rev.Revision, facts.Report.Path)
		}
		all = append(all, past)
	}
	return all, nil
}

// fullFindings reads impact and correction back from a stored review. They are
// not part of the state; a report that cannot be read again costs these two
// lines and nothing else.
func (r *run) fullFindings(ctx context.Context, roleName string, revision int, path string) map[string]report.Finding {
	role, err := tier.ParseRole(roleName)
	if err != nil {
		return nil
	}
	data, err := r.file(path)
	if err != nil {
		return nil
	}
	before, err := r.stateAt(ctx, revision-1)
	if err != nil {
		return nil
	}
	anything := func(string) bool { return true }
	c := judge.Context(before, role)
	c.FileExists, c.InRange = anything, anything
	review, defects := report.ParseReview(data, c)
	if len(defects) > 0 {
		return nil
	}
	byID := map[string]report.Finding{}
	for _, f := range review.Findings {
		byID[f.ID] = f
	}
	return byID
}

// reviewOf returns what a *-finished event of a reviewer recorded.
func reviewOf(ev machine.Event) machine.Review {
	switch e := ev.(type) {
	case machine.TaskReviewFinished:
		return e.Review
	case machine.RereviewFinished:
		return e.Review
	case machine.FinalReviewFinished:
		return e.Review
	case machine.FinalRereviewFinished:
		return e.Review
	}
	return machine.Review{}
}

// openFindings are those that the fixer is to repair.
func (r *run) openFindings(d *dispatch, reviews []pastReview) []prompt.OpenFinding {
	var all []prompt.OpenFinding
	for _, f := range r.findingsOf(d) {
		o := prompt.OpenFinding{
			ID: f.ID, Severity: f.Severity, Location: string(f.Location), Summary: f.Summary,
			Verdict: string(f.Verdict), VerdictEvidence: string(f.Evidence),
		}
		for _, past := range reviews {
			if full, ok := past.findings[f.ID]; ok {
				o.Impact, o.Correction = full.Impact, full.Correction
			}
		}
		all = append(all, o)
	}
	return all
}

// priorAttempts tells, round by round, what a fixer changed and what the
// re-review after it said of each finding.
func (r *run) priorAttempts(reviews []pastReview) ([]prompt.PriorAttempt, error) {
	var all []prompt.PriorAttempt
	for round := 1; round <= r.view.FixRound && !inFinalLoop(r.view); round++ {
		path := machine.ArtifactStem(r.view.CurrentTask, tier.Fixer, r.attemptsOf(tier.Fixer, round), round) + ".report.md"
		a := prompt.PriorAttempt{Round: round}
		if work, defects := r.rawWork(path); len(defects) == 0 {
			a.Commit, a.Changes = work.Commit, work.Changes
		}
		for _, past := range reviews {
			if past.evidence.Round == nil || *past.evidence.Round != round {
				continue
			}
			for _, v := range past.recorded.Verdicts {
				a.Outcome = append(a.Outcome, fmt.Sprintf("%s %s: %s", v.ID, v.Verdict, v.Evidence))
			}
			for _, f := range past.recorded.Findings {
				a.Outcome = append(a.Outcome, fmt.Sprintf("%s is new (%s): %s", f.ID, f.Severity, f.Summary))
			}
		}
		all = append(all, a)
	}
	return all, nil
}

// findingPackage holds every finding that a re-review or a final review has to
// judge or to reconcile.
func (r *run) findingPackage(role tier.Role) (in prompt.FindingPackageInput, err error) {
	for _, f := range r.view.Findings {
		if !role.IsFinal() && f.Task != r.view.CurrentTask {
			continue
		}
		if f.Disposition == dispositionOpen {
			in.Open = append(in.Open, prompt.OpenFinding{
				ID: f.ID, Severity: f.Severity, Location: string(f.Location), Summary: f.Summary,
				Verdict: string(f.Verdict), VerdictEvidence: string(f.Evidence),
			})
			continue
		}
		in.Adjudicated = append(in.Adjudicated, prompt.Adjudicated{
			ID: f.ID, Severity: f.Severity, Location: string(f.Location), Summary: f.Summary,
			Disposition: f.Disposition, Evidence: string(f.Evidence),
		})
	}
	if role != tier.Final {
		in.Exchanges, err = r.fixExchanges(role)
	}
	return in, err
}
