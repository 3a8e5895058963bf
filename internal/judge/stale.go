package judge

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// Staleness judges an open STALE finding, and makes one when commits came to the
// branch during this review. The facts are those of its dispatch.
func Staleness(v machine.View, role tier.Role, facts machine.IntentFacts, moved []string) Decided {
	var out Decided
	scope := Scope(v, role)
	for _, f := range machine.OpenInScope(v) {
		if !strings.HasPrefix(f.ID, scope+":STALE-") || role == tier.TaskReviewer {
			continue
		}
		verdict := machine.Verdict{ID: f.ID, Verdict: resolved, Location: nowhere,
			Evidence: "the judged range " + short(facts.Base.Commit) + ".." + short(facts.Head.Commit) + " holds the commits"}
		if len(moved) > 0 {
			verdict.Verdict, verdict.Evidence = stillPresent, staleText(facts.Head.Commit, moved)
		}
		out.Verdicts = append(out.Verdicts, verdict)
	}
	if len(moved) > 0 && len(out.Verdicts) == 0 {
		out.Findings = append(out.Findings, machine.Finding{
			ID:       scope + ":STALE-" + strconv.Itoa(NextNumber(v, scope, "STALE")),
			Severity: important, Summary: staleText(facts.Head.Commit, moved), Location: nowhere,
		})
	}
	return out
}

func staleText(judged string, moved []string) string {
	var ids []string
	for _, id := range moved {
		ids = append(ids, short(id))
	}
	commits := "1 commit"
	if len(moved) != 1 {
		commits = strconv.Itoa(len(moved)) + " commits"
	}
	return Abbreviate(fmt.Sprintf("%s came to the branch after the judged head %s: %s", commits, short(judged), strings.Join(ids, ", ")))
}

// IsStale reports whether a finding is about commits that came during a review.
func IsStale(id string) bool {
	_, local, _ := strings.Cut(id, ":")
	return strings.HasPrefix(local, "STALE-")
}

// TellsOf reports whether a text says of commits that they came after this
// judged head, in the words of [Staleness].
func TellsOf(text, judged string) bool {
	_, after, ok := strings.Cut(text, " came to the branch after the judged head ")
	return ok && strings.HasPrefix(after, short(judged)+": ")
}

// short is an object name as texts have it.
func short(id string) string { return id[:min(len(id), 10)] }
