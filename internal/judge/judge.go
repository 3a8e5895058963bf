// Package judge derives what a run records from what its plan and its reports
// say. It is pure, so that whoever checks a run later derives the same from the
// same stored bytes: what the controller records and what verification expects
// come from one place.
package judge

import (
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/plan"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// Work returns what the machine records of a worker's report. The reason of a
// NEEDS_CONTEXT is the first thing that is missing.
func Work(w *report.Work) machine.Work {
	out := machine.Work{Status: w.Status, Concerns: []machine.Concern{}, Reason: machine.Opt(w.Reason)}
	for _, c := range w.Concerns {
		out.Concerns = append(out.Concerns, machine.Concern{Kind: c.Kind, Note: c.Note})
	}
	if w.Status == machine.StatusNeedsContext && len(w.Missing) > 0 {
		out.Reason = machine.Opt(w.Missing[0].What)
	}
	return out
}

// Recorded returns what a *-finished event of a reviewer recorded; false for every
// other event.
func Recorded(ev machine.Event) (machine.Review, bool) {
	switch e := ev.(type) {
	case machine.TaskReviewFinished:
		return e.Review, true
	case machine.RereviewFinished:
		return e.Review, true
	case machine.FinalReviewFinished:
		return e.Review, true
	case machine.FinalRereviewFinished:
		return e.Review, true
	}
	return machine.Review{}, false
}

// Review returns what the machine records of a reviewer's report, without what
// only facts decide.
func Review(in *report.Review, path string) machine.Review {
	out := machine.Review{
		ReportPath: path, SpecStatus: in.Spec, QualityStatus: in.Quality,
		Verdicts: []machine.Verdict{}, Findings: []machine.Finding{},
	}
	for _, v := range in.Verdicts {
		out.Verdicts = append(out.Verdicts, machine.Verdict{ID: v.ID, Verdict: v.Verdict, Location: v.Location, Evidence: v.Evidence})
	}
	for _, f := range in.Findings {
		out.Findings = append(out.Findings, machine.Finding{ID: f.ID, Severity: f.Severity, Summary: f.Summary, Location: machine.Opt(f.Location)})
	}
	return out
}

// Context returns what a reviewer's report is read against, given the state in
// which it is taken: which findings there are, which it must judge, what number
// is free. What only Git knows is added by the caller.
func Context(v machine.View, role tier.Role) report.ReviewContext {
	c := report.ReviewContext{
		Role: role, Scope: Scope(v, role), Next: NextNumber(v, Scope(v, role), "F"),
		Prompt: v.Dispatch.Prompt.SHA256,
	}
	for _, f := range v.Findings {
		c.Known = append(c.Known, report.Known{ID: f.ID, Severity: f.Severity, Disposition: f.Disposition})
		if Controlled(f.ID) {
			c.Controlled = append(c.Controlled, f.ID)
		}
	}
	if role == tier.TaskReviewer {
		return c
	}
	for _, f := range machine.OpenInScope(v) {
		if !Controlled(f.ID) {
			c.Asked = append(c.Asked, f.ID)
		}
	}
	return c
}

// Scope is the prefix of the ids of findings that a role reports.
func Scope(v machine.View, role tier.Role) string {
	if role.IsFinal() {
		return "FINAL"
	}
	return "T" + strconv.Itoa(v.CurrentTask)
}

// NextNumber is the next free number of a finding of the scope: kind is "F" for
// those of reports, "STALE", "GUARD" or "GATE-<name>" for those of facts.
func NextNumber(v machine.View, scope, kind string) int {
	next := 1
	for _, f := range v.Findings {
		local, ok := strings.CutPrefix(f.ID, scope+":"+kind+"-")
		if n, err := strconv.Atoi(local); ok && err == nil && n >= next {
			next = n + 1
		}
	}
	return next
}

// Controlled reports whether a finding was made by facts: children neither list
// nor judge it (architecture: facts).
func Controlled(id string) bool {
	_, local, _ := strings.Cut(id, ":")
	for _, prefix := range []string{"GATE-", "GUARD-", "STALE-"} {
		if strings.HasPrefix(local, prefix) {
			return true
		}
	}
	return false
}

// Brief returns the brief of a role: the current task's, cut from the pinned
// plan, or for the final loop the constraints with every task's title and range.
func Brief(p *plan.Plan, v machine.View, role tier.Role) []byte {
	if !role.IsFinal() {
		return p.Brief(v.CurrentTask)
	}
	constraints, _ := p.Constraints()
	var heads []prompt.TaskHead
	for _, e := range v.Evidence.Tasks {
		h := prompt.TaskHead{Number: e.Task, Title: string(v.Tasks[e.Task-1].Title)}
		if e.Base != nil {
			h.Base = e.Base.Commit
		}
		if e.Head != nil {
			h.Head = e.Head.Commit
		}
		heads = append(heads, h)
	}
	return prompt.FinalBrief(constraints, heads)
}
