package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// Status shows where a run stands.
func (c *Controller) Status(ctx context.Context) (*Status, error) {
	r, err := c.find(ctx, reading)
	if err != nil {
		return nil, err
	}
	defer r.close()
	n, err := r.next(ctx)
	if err != nil {
		return nil, err
	}
	g, err := r.ground(false)
	if err != nil {
		return nil, err
	}
	v := r.view
	in, err := c.integrated([]*machine.View{&v})
	if err != nil {
		return nil, err
	}
	return &Status{
		Schema: "git-sdd/status/1", Run: r.id.String(), Revision: v.Revision, Phase: v.Phase.String(),
		Plan:   PlanStatus{Path: v.PlanPath, SHA256: v.PlanDigest, Drift: g.plan.String()},
		Branch: v.Branch, BaseRef: v.BaseRef, MergeBase: v.MergeBase, Worktree: v.Worktree,
		CreatedAt: string(v.CreatedAt), UpdatedAt: string(v.UpdatedAt),
		Tasks: r.taskStatus(), Findings: findingStatus(v), Dispatch: dispatchStatus(v),
		Drift: n.Drift, Next: n, Integrated: in[0],
	}, nil
}

func (r *run) taskStatus() []TaskStatus {
	var all []TaskStatus
	for _, t := range r.view.Tasks {
		row := TaskStatus{Number: t.Number, Title: string(t.Title), Tier: t.ImplementerTier, State: r.taskState(t.Number)}
		for _, e := range r.view.Evidence.Tasks {
			if e.Task == t.Number {
				row.Base, row.Head = commitOf(e.Base), commitOf(e.Head)
			}
		}
		for round := 1; round <= tier.MaxRounds; round++ {
			if machine.NextAttempt(r.view, tier.Fixer, t.Number, round) > 1 {
				row.FixRounds = round
			}
		}
		for _, f := range r.view.Findings {
			if f.Task == t.Number && f.Disposition == dispositionOpen {
				row.Open++
			}
		}
		all = append(all, row)
	}
	return all
}

// taskState says where one task stands.
func (r *run) taskState(number int) string {
	v := r.view
	switch {
	case number < v.CurrentTask, inFinalLoop(v), v.Phase == machine.TaskComplete && number == v.CurrentTask:
		return "complete"
	case number > v.CurrentTask, !v.PlanValidated:
		return "pending"
	case v.Phase.Terminal():
		return "blocked"
	case v.Phase <= machine.PreflightDecisionRequired:
		return "pending"
	}
	return "active"
}

func commitOf(c *machine.CommitRef) *string {
	if c == nil {
		return nil
	}
	return &c.Commit
}

func findingStatus(v machine.View) []FindingStatus {
	all := []FindingStatus{}
	for _, f := range v.Findings {
		all = append(all, FindingStatus{
			ID: f.ID, Task: f.Task, Severity: f.Severity, Summary: f.Summary,
			Disposition: f.Disposition, Location: optional(f.Location),
		})
	}
	return all
}

func optional(s machine.Opt) *string {
	if s == "" {
		return nil
	}
	t := string(s)
	return &t
}

func dispatchStatus(v machine.View) *DispatchStatus {
	d := v.Dispatch
	if d == nil {
		return nil
	}
	out := &DispatchStatus{
		Role: d.Role, Task: d.Task, Attempt: d.Attempt, Tier: d.Tier, DispatchKey: d.DispatchKey,
		Session: optional(d.SessionID), StartedAt: optional(d.StartedAt), Reissued: d.Reissued,
	}
	if d.Round != nil {
		out.Round = *d.Round
	}
	if d.Report != nil {
		status := string(d.Report.Status)
		out.Report = &status
	}
	return out
}
