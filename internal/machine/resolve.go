package machine

import "fmt"

// resolve moves findings out of open. Nothing else changes a disposition, and
// none changes twice (contract: payload rules, finding).
func (t *turn) resolve(list []Resolution) error {
	for _, r := range list {
		f, err := t.view.openInScope(r.ID)
		if err != nil {
			return err
		}
		if err := checkResolution(f, r); err != nil {
			return err
		}
		f.Disposition, f.Evidence = r.Disposition, Opt(r.Evidence)
	}
	return nil
}

// checkResolution is where a claim could become a fact: fixed needs the verdict
// of a reviewer, and what is load-bearing can only be fixed (contract: stricter
// rules 1 and 7).
func checkResolution(f *Recorded, r Resolution) error {
	if err := first(dispositions.check("disposition", r.Disposition), CheckText("evidence for "+r.ID, r.Evidence)); err != nil {
		return err
	}
	switch {
	case r.Disposition == Fixed && f.Verdict != Resolved:
		return fmt.Errorf("finding %q has no verdict RESOLVED and is not fixed", r.ID)
	case r.Disposition != Fixed && f.LoadBearing:
		return fmt.Errorf("finding %q is %s and can only be fixed, not %s", r.ID, f.Severity, r.Disposition)
	}
	return nil
}

// finding returns a finding of the run, or nil.
func (v *View) finding(id string) *Recorded {
	for i := range v.Findings {
		if v.Findings[i].ID == id {
			return &v.Findings[i]
		}
	}
	return nil
}

// openInScope returns a finding that is open and that what runs now may judge.
func (v *View) openInScope(id string) (*Recorded, error) {
	f := v.finding(id)
	switch {
	case f == nil:
		return nil, fmt.Errorf("the run has no finding %q", clip(id))
	case !v.inScope(f):
		return nil, fmt.Errorf("finding %q belongs to %s, not to %s", id, scopeName(f.Task), scopeName(v.scope()))
	case f.Disposition != Open:
		return nil, fmt.Errorf("finding %q is %s and never changes again", id, f.Disposition)
	}
	return f, nil
}
