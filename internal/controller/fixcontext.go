package controller

import (
	"context"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
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
	if in.Findings, err = r.openFindings(ctx, d, reviews); err != nil {
		return err
	}
	if in.Prior, err = r.priorAttempts(reviews); err != nil {
		return err
	}
	if in.Exchanges, err = r.allExchanges(d.role); err != nil {
		return err
	}
	in.Rulings = d.rulings
	if err := r.addReports(&in, d.role); err != nil {
		return err
	}
	if err := r.addScope(&in, d); err != nil {
		return err
	}
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

// addReports adds the report that led here, and which tests the workers before
// this one named: the implementer's report, in the final loop the review's.
func (r *run) addReports(in *prompt.FixContextInput, role tier.Role) error {
	path := machine.ArtifactStem(r.view.CurrentTask, tier.Implementer, r.attemptsOf(tier.Implementer, 0), 0) + ".report.md"
	if role.IsFinal() {
		path = r.view.Dispatch.Report.Path
	}
	data, err := r.file(path)
	if err != nil {
		return faultOfLedger(err)
	}
	in.Report = string(data)
	if role.IsFinal() {
		return nil
	}
	paths := []string{path}
	for round := 1; round <= r.view.FixRound; round++ {
		paths = append(paths, r.fixerReport(round))
	}
	for _, path := range paths {
		if work, defects := r.rawWork(path); len(defects) == 0 {
			in.Tests = append(in.Tests, work.Tests...)
		}
	}
	in.Tests = unique(in.Tests)
	return nil
}

// fixerReport names the report of a round's last fixer.
func (r *run) fixerReport(round int) string {
	return machine.ArtifactStem(r.view.CurrentTask, tier.Fixer, r.attemptsOf(tier.Fixer, round), round) + ".report.md"
}

// addScope adds the paths that belong to the fix and the diff within them: the
// files of the task, where findings stand, and what decide widen added. A task
// that names no files has those that it changed.
func (r *run) addScope(in *prompt.FixContextInput, d *dispatch) error {
	pin, err := r.pinnedSettings()
	if err != nil {
		return err
	}
	within, err := r.reachOf(d.role)
	if err != nil {
		return err
	}
	diff, err := evidence.Compare(r.site, d.base.Commit, d.head.Commit, evidence.DiffOptions{
		Limit: pin.MaxBytes(),
		Keep:  func(c git.Change) bool { return within.holds(c.New) || within.holds(c.Old) },
	})
	if err != nil {
		return err
	}
	for _, f := range diff.Files {
		if !within.named {
			within.add(f.New)
		}
		if f.LeftOut {
			in.LeftOut = append(in.LeftOut, f.New)
		}
	}
	in.Scope, in.Diff = within.paths, diff.Patch
	return nil
}

// openFindings are those that the fixer is to repair. A gate that failed comes
// with the end of its output.
func (r *run) openFindings(ctx context.Context, d *dispatch, reviews []pastReview) ([]prompt.OpenFinding, error) {
	facts, err := r.intentFacts(ctx) // of the review before this fix
	if err != nil {
		return nil, err
	}
	var all []prompt.OpenFinding
	for _, f := range r.findingsOf(d) {
		o := openFinding(f, reviews)
		for _, g := range facts.Gates {
			if judge.OfGate(f.ID, g.Name) && g.Output != nil {
				data, err := r.file(g.Output.Path)
				if err != nil {
					return nil, faultOfLedger(err)
				}
				o.Output = string(data)
			}
		}
		all = append(all, o)
	}
	return all, nil
}

// openFinding tells a finding in the words of the reviews, as far as they are
// known, and else in those of the record.
func openFinding(f machine.Recorded, reviews []pastReview) prompt.OpenFinding {
	o := prompt.OpenFinding{
		ID: f.ID, Severity: f.Severity, Location: string(f.Location), Summary: f.Summary,
		Verdict: string(f.Verdict), VerdictEvidence: string(f.Evidence),
	}
	for _, past := range reviews {
		if full, ok := past.findings[f.ID]; ok {
			o.Summary, o.Impact, o.Correction = fuller(past.findings, f.ID, o.Summary), full.Impact, full.Correction
		}
		o.VerdictEvidence = fuller(past.verdicts, f.ID, o.VerdictEvidence)
	}
	return o
}

// priorAttempts tells, round by round, what a fixer changed and what the
// re-review after it said of each finding.
func (r *run) priorAttempts(reviews []pastReview) ([]prompt.PriorAttempt, error) {
	var all []prompt.PriorAttempt
	for round := 1; round <= r.view.FixRound && !inFinalLoop(r.view); round++ {
		a := prompt.PriorAttempt{Round: round}
		if work, defects := r.rawWork(r.fixerReport(round)); len(defects) == 0 {
			a.Commit, a.Changes = work.Commit, work.Changes
			for _, c := range work.Concerns {
				a.Concerns = append(a.Concerns, c.Kind+": "+c.Note)
			}
		}
		for _, past := range reviews {
			if past.evidence.Round == nil || *past.evidence.Round != round {
				continue
			}
			for _, v := range past.recorded.Verdicts {
				a.Outcome = append(a.Outcome, fmt.Sprintf("%s %s: %s", v.ID, v.Verdict, fuller(past.verdicts, v.ID, v.Evidence)))
			}
			for _, f := range past.recorded.Findings {
				a.Outcome = append(a.Outcome, fmt.Sprintf("%s is new (%s): %s", f.ID, f.Severity, fuller(past.findings, f.ID, f.Summary)))
			}
		}
		all = append(all, a)
	}
	return all, nil
}

// findingPackage holds every finding that a re-review or a final review has to
// judge or to reconcile.
func (r *run) findingPackage(ctx context.Context, role tier.Role) (in prompt.FindingPackageInput, err error) {
	reviews, err := r.reviewsInScope(ctx)
	if err != nil {
		return in, err
	}
	for _, f := range r.view.Findings {
		if !role.IsFinal() && f.Task != r.view.CurrentTask {
			continue
		}
		if f.Disposition == dispositionOpen {
			in.Open = append(in.Open, openFinding(f, reviews))
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
