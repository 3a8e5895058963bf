package controller

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// subject is the line that `git log --oneline` shows of a transition. It is for
// reading only: nothing is ever parsed from it.
func subject(v machine.View, ev machine.Event) string {
	text := story(v, ev)
	if scoped(v) {
		text = scope(v) + ": " + text
	}
	return text
}

// scoped reports whether a transition belongs to a task or the final loop, and
// not to the run's gates or its end.
func scoped(v machine.View) bool {
	return v.Phase != machine.Complete && (v.Dispatch != nil || v.CurrentTask > 1)
}

func scope(v machine.View) string { return judge.Where(v) }

// story tells one event in a few words, with the facts that make it readable.
func story(v machine.View, ev machine.Event) string {
	switch e := ev.(type) {
	case machine.Init:
		return fmt.Sprintf("run started, %s on %s", counted(len(e.Tasks), "task"), v.Branch)
	case machine.CapabilityConfirmed:
		return "capability confirmed, " + e.Mode
	case machine.ImplementerStatusRecorded:
		return "implementer says " + e.Status
	case machine.FixerFinished:
		return "fixer says " + e.Status
	case machine.FinalFixerFinished:
		return "fixer says " + e.Status
	case machine.DispatchStarted:
		return roleLabels[v.Dispatch.Role] + " started"
	case machine.TaskReviewFinished:
		return "review " + outcome(e.Review)
	case machine.RereviewFinished:
		return "re-review " + outcome(e.Review)
	case machine.FinalReviewFinished:
		return "review " + outcome(e.Review)
	case machine.FinalRereviewFinished:
		return "re-review " + outcome(e.Review)
	case machine.RulingRecorded:
		return "ruling " + e.Decision
	case machine.DispatchRulingRecorded:
		return "ruling " + e.Decision
	case machine.ConcernRulingRecorded:
		return "ruling " + e.Decision + " on the concern"
	}
	if text, ok := stories[ev.Kind()]; ok {
		return text
	}
	return dispatched(v) // what is left are the intents
}

func dispatched(v machine.View) string {
	d := v.Dispatch
	text := fmt.Sprintf("%s dispatched at %s", roleLabels[d.Role], d.Tier)
	if d.Round != nil {
		text += fmt.Sprintf(", round %d", *d.Round)
	}
	if d.Attempt > 1 {
		text += fmt.Sprintf(", attempt %d", d.Attempt)
	}
	return text
}

// roleLabels names the roles after the scope, which a subject begins with.
var roleLabels = map[string]string{
	tier.Implementer.String():     "implementer",
	tier.TaskReviewer.String():    "reviewer",
	tier.Fixer.String():           "fixer",
	tier.ReReviewer.String():      "re-reviewer",
	tier.Final.String():           "reviewer",
	tier.FinalFixer.String():      "fixer",
	tier.FinalReReviewer.String(): "re-reviewer",
}

func outcome(r machine.Review) string {
	text := fmt.Sprintf("says %s, %s", r.SpecStatus, r.QualityStatus)
	var parts []string
	if n := len(r.Verdicts); n > 0 {
		parts = append(parts, fmt.Sprintf("%d judged", n))
	}
	if n := len(r.Findings); n > 0 {
		parts = append(parts, fmt.Sprintf("%d found", n))
	}
	if len(parts) == 0 {
		return text
	}
	return text + " (" + strings.Join(parts, ", ") + ")"
}

// stories tells the events that carry nothing worth a word of their own.
var stories = map[machine.Kind]string{
	machine.KindRecoveryRulingRecorded:  "note recorded",
	machine.KindRunRelocated:            "run moved to another worktree",
	machine.KindRunAbandoned:            "run abandoned",
	machine.KindChildLost:               "child lost",
	machine.KindChildInadmissible:       "child inadmissible",
	machine.KindCapabilityMissing:       "capability missing",
	machine.KindPlanValid:               "plan valid",
	machine.KindPlanInvalidated:         "plan invalid",
	machine.KindPlanConflict:            "plan is not the pinned one",
	machine.KindPreflightClean:          "preflight clean",
	machine.KindPreflightConflict:       "preflight conflict",
	machine.KindPreflightApproved:       "preflight approved",
	machine.KindPreflightRejected:       "preflight rejected",
	machine.KindDispatchMismatch:        "dispatch does not match its intent",
	machine.KindDispatchWindowCrossed:   "dispatch ambiguous",
	machine.KindImplementerFinished:     "implementer reported",
	machine.KindContextLimitReached:     "no context round left",
	machine.KindReviewApproved:          "review approved",
	machine.KindReviewBlocked:           "review blocked",
	machine.KindFixerBlocked:            "fixer blocked",
	machine.KindRereviewApproved:        "re-review approved",
	machine.KindTaskParkRulingRecorded:  "ruling park",
	machine.KindRereviewBlocked:         "re-review blocked",
	machine.KindNextTaskReady:           "ready",
	machine.KindFinalComplete:           "run complete",
	machine.KindFinalWorkBlocked:        "blocked",
	machine.KindFinalFixerBlocked:       "fixer blocked",
	machine.KindFinalParkRulingRecorded: "ruling park",
}

// reasonOf returns the human reason that a stored event carries, for the message.
func reasonOf(event []byte) (string, error) {
	var doc struct {
		Event struct {
			Reason string `json:"reason"`
		} `json:"event"`
	}
	err := json.Unmarshal(event, &doc)
	return doc.Event.Reason, err
}
