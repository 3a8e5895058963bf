package controller

import (
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// addControlled appends what only facts decide, whatever the reviewer says: of
// commits that came meanwhile, of the gates that ran at its dispatch, and of the
// files that these rely on (architecture: facts, findings that facts make).
func (r *run) addControlled(review *machine.Review, facts machine.IntentFacts, moved []string) error {
	guards, err := r.guardChanges(facts.Head.Commit)
	if err != nil {
		return err
	}
	for _, d := range []judge.Decided{
		judge.Staleness(r.view, r.role(), facts, moved),
		judge.Gates(r.view, r.role(), facts.Gates),
		judge.Guards(r.view, r.role(), guards),
	} {
		review.Verdicts = append(review.Verdicts, d.Verdicts...)
		review.Findings = append(review.Findings, d.Findings...)
	}
	return nil
}
