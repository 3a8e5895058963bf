package machine

import (
	"errors"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/tier"
)

func (t *turn) taskReviewIntended(e TaskReviewDispatchIntended) error {
	if t.view.StatusPinned == "" {
		return errors.New("the implementer's status is not recorded yet")
	}
	return t.intend(tier.TaskReviewer, e.Intent)
}

// finalReviewIntended opens the final loop.
func (t *turn) finalReviewIntended(e FinalReviewDispatchIntended) error {
	if t.view.CurrentTask != len(t.view.Tasks) {
		return fmt.Errorf("task %d of %d is not the last one", t.view.CurrentTask, len(t.view.Tasks))
	}
	t.view.ReviewOutcome = nil
	return t.intend(tier.Final, e.Intent)
}

func (t *turn) finalRereviewIntended(e FinalRereviewDispatchIntended) error {
	t.view.ReviewOutcome = nil
	return t.intend(tier.FinalReReviewer, e.Intent)
}

// A verdictRule says which of the findings that stand open a review's verdicts
// must name (contract: stricter rule 2).
type verdictRule func(open, named int) error

func noVerdicts(_, named int) error {
	if named > 0 {
		return errors.New("a task review has no verdicts, nothing was open before it")
	}
	return nil
}

func everyVerdict(open, named int) error {
	if named != open {
		return fmt.Errorf("the verdicts name %d findings, %d are open", named, open)
	}
	return nil
}

func someVerdicts(_, _ int) error { return nil }

// reviewFinished pins the result of a (re-)review. The verdicts are on what was
// open before it, so they are taken before its own findings are added.
func (t *turn) reviewFinished(r Review, rule verdictRule) error {
	err := first(
		t.unpinned(),
		specTokens.check("specStatus", r.SpecStatus),
		qualities.check("qualityStatus", r.QualityStatus),
		t.finish(r.ReportPath, ""),
		t.takeVerdicts(r.Verdicts, rule),
		t.takeFindings(r),
	)
	if err != nil {
		return err
	}
	t.view.ReviewOutcome = &ReviewOutcome{
		SpecStatus: r.SpecStatus, QualityStatus: r.QualityStatus,
		Pinned: true, ReportPath: r.ReportPath, Revision: t.view.Revision,
	}
	t.foldReview(r)
	return nil
}

func (t *turn) takeVerdicts(list []Verdict, rule verdictRule) error {
	seen := make(map[string]bool, len(list))
	for _, verdict := range list {
		f, err := t.view.openInScope(verdict.ID)
		if err != nil {
			return err
		}
		if seen[verdict.ID] {
			return fmt.Errorf("the verdicts name %q twice", verdict.ID)
		}
		seen[verdict.ID] = true
		err = first(
			verdicts.check("verdict", verdict.Verdict),
			checkLocation("location of the verdict on "+verdict.ID, verdict.Location),
			CheckText("evidence of the verdict on "+verdict.ID, verdict.Evidence),
		)
		if err != nil {
			return err
		}
		f.Verdict, f.Evidence = Opt(verdict.Verdict), Opt(verdict.Evidence)
	}
	return rule(len(OpenInScope(t.view)), len(list))
}

// takeFindings adds what a review reports. An id that this task recorded with
// the same severity is a mention of that finding and changes nothing.
func (t *turn) takeFindings(r Review) error {
	seen := make(map[string]bool, len(r.Findings))
	for _, f := range r.Findings {
		if err := checkFinding(f); err != nil {
			return err
		}
		if seen[f.ID] {
			return fmt.Errorf("the findings name %q twice", f.ID)
		}
		seen[f.ID] = true
		if known := t.view.finding(f.ID); known != nil {
			if err := t.view.checkMention(known, f, r); err != nil {
				return err
			}
			continue
		}
		if len(t.view.Findings) == MaxFindings {
			return fmt.Errorf("the run has %d findings, no more are recorded", MaxFindings)
		}
		t.view.Findings = append(t.view.Findings, Recorded{
			ID: f.ID, Task: t.view.scope(), Severity: f.Severity, LoadBearing: f.Severity != Minor,
			Summary: f.Summary, Location: f.Location, Disposition: Open,
		})
	}
	return nil
}

func checkFinding(f Finding) error {
	return first(
		checkID("finding id", f.ID, MaxID),
		severities.check("severity", f.Severity),
		CheckText("summary of "+f.ID, f.Summary),
		ifPresent(checkLocation, "location of "+f.ID, f.Location),
	)
}

// checkMention refuses an id that stands for something else already. A finding
// that was closed is never opened again, so a review that calls everything good
// and names a load-bearing one would otherwise complete the task beside it
// (contract: stricter rules 3 and 6).
func (v *View) checkMention(known *Recorded, f Finding, r Review) error {
	switch {
	case known.Task != v.scope():
		return fmt.Errorf("finding %q was recorded by %s", f.ID, scopeName(known.Task))
	case known.Severity != f.Severity:
		return fmt.Errorf("finding %q was recorded as %s, its severity never changes", f.ID, known.Severity)
	case known.LoadBearing && known.Disposition != Open && axesGood(r.SpecStatus, r.QualityStatus):
		return fmt.Errorf("finding %q is %s; what broke again needs an id of its own", f.ID, known.Disposition)
	}
	return nil
}

// approve completes the task.
func (t *turn) approve(resolutions []Resolution) error {
	if err := t.resolve(resolutions); err != nil {
		return err
	}
	if !AxesGood(t.view) {
		return errors.New("the review asks for changes")
	}
	for _, f := range OpenInScope(t.view) {
		if f.LoadBearing {
			return fmt.Errorf("finding %q is %s and open", f.ID, f.Severity)
		}
	}
	return nil
}

// complete ends the run well: nothing is left open anywhere.
func (t *turn) complete(resolutions []Resolution) error {
	if err := t.approve(resolutions); err != nil {
		return err
	}
	if open := OpenInScope(t.view); len(open) > 0 {
		return fmt.Errorf("finding %q is open", open[0].ID)
	}
	return nil
}

// park records what a human decided on findings while the result stands.
func (t *turn) park(reason string, resolutions []Resolution) error {
	if len(resolutions) == 0 {
		return errors.New("findingResolutions is empty")
	}
	return first(CheckText("reason", reason), t.resolve(resolutions))
}

// fixIntended opens the next fix round; the round counts before its tier is
// worked out.
func (t *turn) fixIntended(in Intent, resolutions []Resolution) error {
	if err := t.needsFix(resolutions); err != nil {
		return err
	}
	if RoundsLeft(t.view) == 0 {
		return fmt.Errorf("the task had its %d fix rounds", tier.MaxRounds)
	}
	t.view.FixRound++
	t.view.ReviewOutcome = nil
	return t.intend(tier.Fixer, in)
}

// finalFixIntended opens the only wave of the final loop. The outcome that
// asked for it stays, but nothing is to be decided on it any more.
func (t *turn) finalFixIntended(in Intent, resolutions []Resolution) error {
	if err := t.needsFix(resolutions); err != nil {
		return err
	}
	if RoundsLeft(t.view) == 0 {
		return errors.New("the final loop had its only fix wave")
	}
	t.view.FinalFixUsed = true
	t.view.ReviewOutcome.Pinned = false
	return t.intend(tier.FinalFixer, in)
}

func (t *turn) needsFix(resolutions []Resolution) error {
	if err := t.resolve(resolutions); err != nil {
		return err
	}
	if !NeedsWork(t.view) {
		return errors.New("nothing needs work")
	}
	return nil
}

// nextTask goes on to the following task, whose counters begin anew.
func (t *turn) nextTask(NextTaskReady) error {
	v := &t.view
	if v.CurrentTask == len(v.Tasks) {
		return fmt.Errorf("task %d is the last one", v.CurrentTask)
	}
	v.CurrentTask++
	v.CurrentImplementerTier = v.Tasks[v.CurrentTask-1].ImplementerTier
	v.ContextAttempts, v.FixRound = 0, 0
	v.StatusPinned, v.ReviewOutcome, v.Dispatch = "", nil, nil
	return nil
}
