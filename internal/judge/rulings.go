package judge

import (
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// Rulings tells what humans ruled on the work of a scope, oldest first, one line
// each: a concern or a question goes into what the next child is given, and every
// later child of the scope is told the same (interfaces: the loop, decide). The
// events are those of the scope for which [Telling] holds, oldest first.
func Rulings(events []machine.Event) []string {
	var all []string
	said := ""
	for _, ev := range events {
		switch e := ev.(type) {
		case machine.ImplementerStatusRecorded:
			said = saidBy("implementer", e.Work)
		case machine.FixerFinished:
			said = saidBy("fixer", e.Work)
		case machine.FinalFixerFinished:
			said = saidBy("fixer", e.Work)
		case machine.ConcernRulingRecorded:
			all = append(all, "proceed after "+said+": "+e.Reason)
		case machine.RulingRecorded:
			if text, ok := rulingTexts[e.Decision]; ok {
				all = append(all, text(e, said)+": "+e.Reason)
			}
		}
	}
	return all
}

// Telling reports whether [Rulings] reads an event of this name; no other needs
// to be decoded for it.
func Telling(event string) bool { return telling[event] }

var telling = map[string]bool{
	machine.KindImplementerStatusRecorded.String(): true,
	machine.KindFixerFinished.String():             true,
	machine.KindFinalFixerFinished.String():        true,
	machine.KindConcernRulingRecorded.String():     true,
	machine.KindRulingRecorded.String():            true,
}

// rulingTexts tells the rulings that children must know of. The others concern
// one dispatch that is over, or no child at all.
var rulingTexts = map[string]func(e machine.RulingRecorded, said string) string{
	machine.DecisionFixProceed: func(_ machine.RulingRecorded, said string) string { return "proceed after " + said },
	machine.DecisionLeftoversKeep: func(e machine.RulingRecorded, _ string) string {
		return "kept in the work tree, " + Listed(e.Paths)
	},
	machine.DecisionGuardOK: func(e machine.RulingRecorded, _ string) string {
		return "accepted as it is now, " + guardName(e.Ruling)
	},
	machine.DecisionWiden: func(e machine.RulingRecorded, _ string) string {
		return "belongs to this work from now on, " + Listed(e.Paths)
	},
}

// guardName is what a guard-ok accepts.
func guardName(r machine.Ruling) string {
	if r.Finding != "" {
		return "the change that " + string(r.Finding) + " is about"
	}
	return Listed(r.Paths)
}

// saidBy quotes what of a worker's report waited for a human.
func saidBy(who string, w machine.Work) string {
	var parts []string
	if w.Reason != "" {
		parts = append(parts, fmt.Sprintf("%q", string(w.Reason)))
	}
	for _, c := range w.Concerns {
		parts = append(parts, fmt.Sprintf("%s %q", c.Kind, c.Note))
	}
	return "the " + who + "'s " + w.Status + " (" + strings.Join(parts, ", ") + ")"
}

// ScopeBegin is a revision before which nothing belongs to the scope of a role:
// the last review of the task before, for the final loop of the last task.
func ScopeBegin(v machine.View, role tier.Role) int {
	before := v.CurrentTask - 1
	if role.IsFinal() {
		before = v.CurrentTask
	}
	for _, e := range v.Evidence.Tasks {
		if n := len(e.Reviews); e.Task == before && n > 0 {
			return e.Reviews[n-1].Revision
		}
	}
	return 0
}

// Listed quotes names for a sentence, the first eight of them.
func Listed(names []string) string {
	const most = 8
	var quoted []string
	for _, n := range names[:min(len(names), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", n))
	}
	text := strings.Join(quoted, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}
