package controller

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
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
		r.staleness(facts, moved),
		judge.Gates(r.view, r.role(), facts.Gates),
		judge.Guards(r.view, r.role(), guards),
	} {
		review.Verdicts = append(review.Verdicts, d.Verdicts...)
		review.Findings = append(review.Findings, d.Findings...)
	}
	return nil
}

// staleness judges an open STALE finding, and makes one when the branch moved
// during this review.
func (r *run) staleness(facts machine.IntentFacts, moved []string) judge.Decided {
	var out judge.Decided
	scope := judge.Scope(r.view, r.role())
	for _, f := range machine.OpenInScope(r.view) {
		if !strings.HasPrefix(f.ID, scope+":STALE-") || r.role() == tier.TaskReviewer {
			continue
		}
		v := machine.Verdict{ID: f.ID, Verdict: verdictResolved, Location: "none",
			Evidence: "the judged range " + short(facts.Base.Commit) + ".." + short(facts.Head.Commit) + " holds the commits"}
		if len(moved) > 0 {
			v.Verdict, v.Evidence = verdictStillPresent, staleText(facts.Head.Commit, moved)
		}
		out.Verdicts = append(out.Verdicts, v)
	}
	if len(moved) > 0 && len(out.Verdicts) == 0 {
		out.Findings = append(out.Findings, machine.Finding{
			ID:       scope + ":STALE-" + strconv.Itoa(judge.NextNumber(r.view, scope, "STALE")),
			Severity: severityImportant, Summary: staleText(facts.Head.Commit, moved), Location: "none",
		})
	}
	return out
}

func staleText(judged string, moved []string) string {
	var ids []string
	for _, id := range moved {
		ids = append(ids, short(id))
	}
	return abbreviate(fmt.Sprintf("%s came to the branch after the judged head %s: %s", counted(len(moved), "commit"), short(judged), strings.Join(ids, ", ")))
}
