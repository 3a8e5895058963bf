package judge

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// A Handed is what a dispatch gives its child beside what the state says.
type Handed struct {
	Role       tier.Role
	Base, Head string // the range, full object names

	Brief, Report string // absolute paths
	// Absolute paths of what carries over what a fresh child cannot remember, each
	// empty where there is none: the package of a reviewer, the context that comes
	// with this dispatch, and the newest questions and answers of the task.
	Package, Context, Answers string

	Rulings  []string             // see [Rulings]
	Resolved []machine.Resolution // what leaves open with the dispatch
	Channel  []string             // how the report comes back, where it is not a file
}

// PromptContext returns the dispatch context of a prompt, given the state in
// which the dispatch is made.
func PromptContext(v machine.View, h Handed) prompt.Context {
	c := prompt.Context{
		Worktree: v.Worktree, RunRoot: v.RunRoot, Task: v.CurrentTask, Round: shownRound(v, h.Role),
		BaseSHA: h.Base, HeadSHA: h.Head, BriefPath: h.Brief, ReportPath: h.Report, ReviewPackagePath: h.Package,
		Decisions: slices.Concat(h.Rulings, mayEndEmpty(v, h), h.Channel),
	}
	if !h.Role.IsFinal() {
		c.ContextPath = h.Answers
	}
	switch {
	case h.Context == "":
	case h.Role.Works():
		c.ContextPath = h.Context
	default:
		c.FindingPackagePath = h.Context
	}
	nameFindings(v, h, &c)
	return c
}

// shownRound is the fix round as the prompt names it: a fixer's own, and for a
// re-review the round that it judges.
func shownRound(v machine.View, role tier.Role) int {
	switch role {
	case tier.Fixer:
		return v.FixRound + 1
	case tier.ReReviewer:
		return v.FixRound
	}
	return 0
}

// nameFindings tells the child which findings are its business: a worker repairs
// those that facts made too, and no reviewer judges them.
func nameFindings(v machine.View, h Handed, c *prompt.Context) {
	if h.Role != tier.Implementer && h.Role != tier.TaskReviewer {
		for _, f := range FindingsOf(v, h.Role, h.Resolved) {
			if h.Role.Works() || !Controlled(f.ID) {
				c.FindingIDs = append(c.FindingIDs, f.ID)
			}
		}
	}
	if !h.Role.Works() {
		c.NextFinding = "F-" + strconv.Itoa(NextNumber(v, Scope(v, h.Role), "F"))
	}
}

// mayEndEmpty says why a child may end DONE without a commit, where it may.
func mayEndEmpty(v machine.View, h Handed) []string {
	var all []string
	if !h.Role.IsFinal() && v.Tasks[v.CurrentTask-1].Audit {
		all = append(all, "audit: this task may end DONE without a commit")
	}
	if h.Role.Works() && OnlyControlled(FindingsOf(v, h.Role, h.Resolved)) {
		all = append(all, "nothing but findings of the controller is open: DONE without a commit is allowed")
	}
	return all
}

// FindingsOf are the open findings that are a child's business: of the task, in
// the final loop of the run; for a worker those that do not leave open with its
// very dispatch.
func FindingsOf(v machine.View, role tier.Role, resolved []machine.Resolution) []machine.Recorded {
	if role == tier.Final { // the run is still in the scope of its last task
		return slices.DeleteFunc(slices.Clone(v.Findings), func(f machine.Recorded) bool { return f.Disposition != dispositionOpen })
	}
	if role.Works() {
		return StillOpen(v, resolved)
	}
	return machine.OpenInScope(v)
}

// StillOpen returns the findings in scope that the resolutions leave open.
func StillOpen(v machine.View, resolved []machine.Resolution) []machine.Recorded {
	return slices.DeleteFunc(slices.Clone(machine.OpenInScope(v)), func(f machine.Recorded) bool {
		return slices.ContainsFunc(resolved, func(r machine.Resolution) bool { return r.ID == f.ID })
	})
}

// dispositionOpen is that of a finding that nobody settled.
const dispositionOpen = "open"

// ResolvedFixes are the open findings in scope that the last review pinned
// RESOLVED: they become fixed with the next event that may carry resolutions.
func ResolvedFixes(v machine.View) []machine.Resolution {
	fixed := []machine.Resolution{}
	for _, f := range machine.OpenInScope(v) {
		if f.Verdict == resolved {
			fixed = append(fixed, machine.Resolution{ID: f.ID, Disposition: "fixed", Evidence: string(f.Evidence)})
		}
	}
	return fixed
}

// MisjudgedFix returns the first finding that is said to be fixed in other words
// than those of its verdict, or without one, and "" where there is none.
func MisjudgedFix(v machine.View, said []machine.Resolution) string {
	fixed := ResolvedFixes(v)
	for _, r := range said {
		if r.Disposition == "fixed" && !slices.Contains(fixed, r) {
			return r.ID
		}
	}
	return ""
}

// ExpectedOutcome says in one line what is expected of the child of a dispatch,
// given the state in which it is made.
func ExpectedOutcome(v machine.View, role tier.Role) string {
	return role.String() + " report for " + Where(v)
}

// Where is the place of a run in words: its task, or the final loop.
func Where(v machine.View) string {
	if InFinalLoop(v) {
		return "final"
	}
	return fmt.Sprintf("task %d", v.CurrentTask)
}

// OnOutput tells a child whose report is read from its standard output where
// that must stand. The lines are those that package agent looks for.
const OnOutput = "Give the report on standard output, between a line that is -----BEGIN SDD REPORT----- and a line that is -----END SDD REPORT-----, and write no file for it."
