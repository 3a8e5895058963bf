package machine

import (
	"errors"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// checkAttempts holds every name under which attempts are counted against those
// that can be composed.
func (v *View) checkAttempts() error {
	counted := 0
	for task := 1; task <= v.CurrentTask; task++ {
		for _, role := range tier.Roles() {
			rounds := []int{0}
			if role.HasRounds() {
				rounds = []int{1, 2, 3, 4, 5}
			}
			for _, round := range rounds {
				if n, ok := v.Attempts[attemptsKey(task, role, round)]; ok {
					counted++
					if err := checkRange("attempts of a "+role.String(), n, 1, maxInteger); err != nil {
						return err
					}
				}
			}
		}
	}
	if counted != len(v.Attempts) {
		return errors.New("attempts counts what no dispatch is named after")
	}
	return nil
}

func (v *View) checkFindings() error {
	if err := checkRange("the number of findings", len(v.Findings), 0, MaxFindings); err != nil {
		return err
	}
	seen := make(map[string]bool, len(v.Findings))
	for i := range v.Findings {
		f := &v.Findings[i]
		if seen[f.ID] {
			return fmt.Errorf("finding %q stands twice", clip(f.ID))
		}
		seen[f.ID] = true
		if err := first(v.checkRecorded(f), checkRange("task of "+f.ID, f.Task, finalScope, v.CurrentTask)); err != nil {
			return err
		}
	}
	return nil
}

func (v *View) checkRecorded(f *Recorded) error {
	err := first(
		checkFinding(Finding{ID: f.ID, Severity: f.Severity, Summary: f.Summary, Location: f.Location}),
		ifPresent(verdicts.check, "verdict", f.Verdict),
		ifPresent(CheckText, "evidence of "+f.ID, f.Evidence),
	)
	if err == nil && f.Disposition != Open {
		err = checkResolution(f, Resolution{ID: f.ID, Disposition: f.Disposition, Evidence: string(f.Evidence)})
	}
	switch {
	case err != nil:
		return err
	case f.LoadBearing != (f.Severity != Minor):
		return fmt.Errorf("loadBearing of %q does not follow from %s", f.ID, f.Severity)
	case f.Disposition == Open && (f.Verdict == "") != (f.Evidence == ""):
		return fmt.Errorf("the verdict on %q comes with evidence and not alone", f.ID)
	case f.Task == finalScope && v.scope() != finalScope:
		return fmt.Errorf("finding %q of the final loop before the final loop", f.ID)
	}
	return nil
}

// checkOutcome holds the review outcome against the phase: it stands from a
// review's result until it is cleared, and is pinned until a wave works on it.
func (v *View) checkOutcome() error {
	o := v.ReviewOutcome
	reviewed := v.Dispatch != nil && v.Dispatch.Report != nil && isReviewer(v.Dispatch.Role)
	wave := v.Dispatch != nil && v.Dispatch.Role == tier.FinalFixer.String()
	switch {
	case o == nil && (reviewed || wave):
		return fmt.Errorf("no reviewOutcome in %s", v.Phase)
	case o == nil:
		return nil
	case !reviewed && !wave, o.Pinned == wave:
		return fmt.Errorf("a reviewOutcome with pinned %t in %s", o.Pinned, v.Phase)
	}
	return first(
		specTokens.check("specStatus", o.SpecStatus), qualities.check("qualityStatus", o.QualityStatus),
		checkBeneath("reportPath", o.ReportPath, v.RunRoot), checkRange("revision of the outcome", o.Revision, 1, v.Revision),
	)
}

func isReviewer(name string) bool {
	role, err := tier.ParseRole(name)
	return err == nil && !role.Works()
}

func (v *View) checkRulings() error {
	if err := checkRange("the number of rulings", len(v.Rulings), 0, MaxRulings); err != nil {
		return err
	}
	last := 0
	for i := range v.Rulings {
		if err := v.checkStoredRuling(&v.Rulings[i], last); err != nil {
			return err
		}
		last = v.Rulings[i].Revision
	}
	return nil
}

func (v *View) checkStoredRuling(r *StoredRuling, last int) error {
	needs, err := needsOf(r.Decision)
	if err != nil {
		return err
	}
	needs.artifact = may // the state does not keep it
	return first(
		needs.check(Ruling{DispatchKey: r.DispatchKey, Finding: r.Finding, Paths: r.Paths, Blob: r.Blob}),
		checkRange("revision of a ruling", r.Revision, last+1, v.Revision),
		ifPresent(checkKey, "dispatchKey of a ruling", r.DispatchKey), v.checkFindingKnown(r.Finding),
		checkRulingForms(r.Decision, r.Finding, r.Paths, r.Blob),
	)
}

func checkKey(name, s string) error { return checkID(name, s, MaxKey) }

func (v *View) checkFindingKnown(id Opt) error {
	if id != "" && v.finding(string(id)) == nil {
		return fmt.Errorf("the run has no finding %q", clip(string(id)))
	}
	return nil
}

func (v *View) checkEvidence() error {
	last := 0
	for i := range v.Evidence.Tasks {
		e := &v.Evidence.Tasks[i]
		if err := first(checkRange("task of the evidence", e.Task, last+1, v.CurrentTask), v.checkWork(&e.WorkEvidence)); err != nil {
			return err
		}
		last = e.Task
	}
	if v.Evidence.Final == nil {
		return nil
	}
	return v.checkWork(v.Evidence.Final)
}

func (v *View) checkWork(w *WorkEvidence) error {
	err := first(
		checkCommit("base", w.Base), checkCommit("head", w.Head), ifPresent(checkObject, "patchId", w.PatchID),
		ifPresent(CheckText, "implementerSession", w.ImplementerSession),
	)
	last := 0
	for i := range w.Reviews {
		err = first(err, v.checkReview(&w.Reviews[i], last))
		last = w.Reviews[i].Revision
	}
	return err
}

func (v *View) checkReview(r *ReviewEvidence, last int) error {
	round := 1
	if r.Round != nil {
		round = *r.Round
	}
	if !isReviewer(r.Role) || (r.Round != nil) != (r.Role == tier.ReReviewer.String()) {
		return fmt.Errorf("a review of role %q with its round", clip(r.Role))
	}
	return first(
		checkRange("revision of a review", r.Revision, last+1, v.Revision), checkRange("round of a review", round, 1, tier.MaxRounds),
		checkCommit("base", r.Base), checkCommit("head", r.Head), ifPresent(checkObject, "patchId", r.PatchID),
		specTokens.check("spec", r.Spec), qualities.check("quality", r.Quality),
	)
}
