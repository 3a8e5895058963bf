package judge

import (
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// RulingLine is how a review package tells what a human ruled, or "" for what is
// no ruling.
func RulingLine(revision int, by string, ev machine.Event) string {
	text := rulingLine(ev)
	if text == "" {
		return ""
	}
	return fmt.Sprintf("r%d, %s: %s", revision, by, text)
}

// IsRuling reports whether [RulingLine] tells an event of this name.
func IsRuling(event string) bool { return rulingEvents[event] }

var rulingEvents = map[string]bool{
	machine.KindPreflightApproved.String():       true,
	machine.KindConcernRulingRecorded.String():   true,
	machine.KindDispatchRulingRecorded.String():  true,
	machine.KindRecoveryRulingRecorded.String():  true,
	machine.KindRulingRecorded.String():          true,
	machine.KindTaskParkRulingRecorded.String():  true,
	machine.KindFinalParkRulingRecorded.String(): true,
}

func rulingLine(ev machine.Event) string {
	switch e := ev.(type) {
	case machine.PreflightApproved:
		return "go on as the work tree and branch are: " + e.Reason
	case machine.ConcernRulingRecorded:
		return e.Decision + " on the concern: " + e.Reason
	case machine.DispatchRulingRecorded:
		return e.Decision + " the dispatch: " + e.Reason
	case machine.RecoveryRulingRecorded:
		return "note: " + e.Reason + " (" + e.Receipt + ")"
	case machine.RulingRecorded:
		return decisionText(e.Ruling) + ": " + e.Reason
	case machine.TaskParkRulingRecorded:
		return parkedText(e.FindingResolutions) + ": " + e.Reason
	case machine.FinalParkRulingRecorded:
		return parkedText(e.FindingResolutions) + ": " + e.Reason
	}
	return ""
}

func decisionText(r machine.Ruling) string {
	words := []string{r.Decision}
	if r.Finding != "" {
		words = append(words, string(r.Finding))
	}
	if len(r.Paths) > 0 {
		words = append(words, Listed(r.Paths))
	}
	return strings.Join(words, " ")
}

func parkedText(all []machine.Resolution) string {
	var ids []string
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return "park " + strings.Join(ids, ", ")
}

// PackageTitle says what a reviewer reviews, given the state in which it is
// dispatched.
func PackageTitle(v machine.View, role tier.Role) string {
	switch role {
	case tier.Final:
		return "final review of the branch"
	case tier.FinalReReviewer:
		return "re-review of the final fixes"
	}
	title := fmt.Sprintf("task %d, %s", v.CurrentTask, v.Tasks[v.CurrentTask-1].Title)
	if role == tier.ReReviewer {
		title += fmt.Sprintf(", re-review of fix round %d", v.FixRound)
	}
	return title
}

// BaseWords says what the range of a review begins with (architecture: facts,
// ranges).
func BaseWords(v machine.View, role tier.Role) string {
	switch role {
	case tier.Final:
		return "the merge base with " + v.BaseRef + ", as the run pinned it"
	case tier.TaskReviewer:
		return "the head when the task was first handed out"
	}
	return "the head that the last review judged"
}

// LedgerLines is every finding of the run with where it stands.
func LedgerLines(v machine.View) []prompt.LedgerFinding {
	var all []prompt.LedgerFinding
	for _, f := range v.Findings {
		location := string(f.Location)
		if location == "" {
			location = nowhere
		}
		all = append(all, prompt.LedgerFinding{ID: f.ID, Severity: f.Severity, Disposition: f.Disposition, Location: location, Summary: f.Summary})
	}
	return all
}

// Questions are what a worker's report asks, or names as a concern, or gives as
// the reason why it is blocked.
func Questions(work *report.Work) []prompt.Question {
	var all []prompt.Question
	for _, m := range work.Missing {
		all = append(all, prompt.Question{What: m.What, Why: m.Why})
	}
	for _, c := range work.Concerns {
		all = append(all, prompt.Question{What: c.Note, Why: "a concern about " + c.Kind})
	}
	if len(all) == 0 && work.Reason != "" {
		all = append(all, prompt.Question{What: work.Reason})
	}
	return all
}
