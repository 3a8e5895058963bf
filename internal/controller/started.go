package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// StartedOptions says which child was started for the recorded intent.
type StartedOptions struct {
	Session  string // the child's session, as its harness names it
	Model    string // "<provider>/<model>", where known
	Thinking string
}

// Started correlates the recorded intent with the session that was started.
func (c *Controller) Started(ctx context.Context, o StartedOptions) (*Answer, error) {
	return c.writeAnswer(ctx, "started", false, func(r *run) error {
		if !r.intent() {
			w, err := r.want()
			if err != nil {
				return err
			}
			if w.action == actAwait {
				return fault.New(fault.Invalid, "git sdd next", "the child of this dispatch is recorded already: session %q", r.view.Dispatch.SessionID)
			}
			return r.nothingToDo("started", w)
		}
		if err := r.checkSession(ctx, o.Session, "start another session, then git sdd started --session <session>"); err != nil {
			return err
		}
		if err := r.checkModel(ctx, o); err != nil {
			return err
		}
		return r.record(ctx, step{
			event: machine.DispatchStarted{SessionID: o.Session},
			facts: machine.StartedFacts{Model: machine.Opt(o.Model), Thinking: machine.Opt(o.Thinking)},
		})
	})
}

// checkModel refuses a child that was seen on another model than the dispatch was
// recorded for. Nothing is started again: a human rules on the mismatch. The
// intent says which model that is; an earlier child of a reissued dispatch does
// not.
func (r *run) checkModel(ctx context.Context, o StartedOptions) error {
	d, err := r.intentFacts(ctx)
	if err != nil {
		return err
	}
	at := r.view.Dispatch.Tier
	repair := "git sdd decide mismatch --reason <reason>"
	if o.Model != "" && d.Model != "" && o.Model != string(d.Model) {
		return fault.New(fault.Identity, repair, "the child runs on %q, and the dispatch at tier %s is for %q", o.Model, at, d.Model)
	}
	if o.Thinking != "" && d.Thinking != "" && o.Thinking != string(d.Thinking) {
		return fault.New(fault.Identity, repair, "the child thinks at %q, and the dispatch at tier %s is for %q", o.Thinking, at, d.Thinking)
	}
	return nil
}

// checkAdopted holds an adopted session to the same rule as a started one.
func (r *run) checkAdopted(ctx context.Context, ev machine.Event) error {
	if e, ok := ev.(machine.DispatchRulingRecorded); ok && e.SessionID != "" {
		return r.checkSession(ctx, string(e.SessionID), "git sdd decide reissue --reason <reason>, then start another session")
	}
	return nil
}

// checkSession refuses a reviewer that is the session whose work it would judge.
func (r *run) checkSession(ctx context.Context, session, repair string) error {
	if r.role().Works() {
		return nil
	}
	workers, err := r.workers(ctx)
	if err != nil {
		return err
	}
	if what, ok := workers[session]; ok {
		return fault.New(fault.Invalid, repair,
			"session %q did the work of %s; a %s must be another session", session, what, r.role())
	}
	return nil
}

// workers are the sessions whose work the current dispatch judges: of the task's
// implementer and of the fixer before this dispatch, in the final loop of every
// task.
func (r *run) workers(ctx context.Context) (map[string]string, error) {
	sessions := map[string]string{}
	for _, e := range r.view.Evidence.Tasks {
		if e.ImplementerSession != "" && (inFinalLoop(r.view) || e.Task == r.view.CurrentTask) {
			sessions[string(e.ImplementerSession)] = "task " + itoa(e.Task)
		}
	}
	before, err := r.stateAt(ctx, r.view.Dispatch.IntentRevision-1)
	if err != nil {
		return nil, err
	}
	if d := before.Dispatch; d != nil && d.SessionID != "" && roleNamed(d.Role).Works() {
		sessions[string(d.SessionID)] = "the " + d.Role
	}
	return sessions, nil
}
