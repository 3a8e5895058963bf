package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// DispatchOptions is what a dispatch may be given.
type DispatchOptions struct {
	Context []byte // the answer to an implementer's questions; nil for none
	Park    []Park // Minors that are not worth the fix that follows
	DryRun  bool   // compose everything, record nothing
}

// Park is one Minor with the evidence for parking it.
type Park struct{ ID, Evidence string }

// Dispatch records the intent for the child that the phase calls for, with its
// brief, context and prompt, before any child is started. In an intent phase it
// hands out the recorded bytes again and changes nothing.
func (c *Controller) Dispatch(ctx context.Context, o DispatchOptions) (*Dispatched, error) {
	if err := c.refuseChild(); err != nil {
		return nil, err
	}
	r, err := c.find(ctx, writing)
	if err != nil {
		return nil, err
	}
	defer r.close()
	g, err := r.checkWrite()
	if err != nil {
		return nil, err
	}
	if r.intent() {
		if o.Context != nil || len(o.Park) > 0 {
			return nil, fault.New(fault.Invalid, "git sdd dispatch", "the dispatch is recorded already; --context and --park can add nothing to it")
		}
		return r.dispatched(ctx, nil)
	}
	d, err := r.prepare(ctx, g, o)
	if err != nil {
		return nil, err
	}
	if o.DryRun {
		return r.rehearsed(d)
	}
	if err := r.record(ctx, d.step); err != nil {
		return nil, err
	}
	return r.dispatched(ctx, d)
}

// A dispatch is a child's work as it is about to be recorded.
type dispatch struct {
	role    tier.Role
	tier    tier.Tier
	task    int
	round   int // the fix round of a fixer, else 0
	attempt int
	stem    string // name of its artifacts in the tree, without their ending

	base, head machine.CommitRef
	context    *machine.BlobRef // answers, a fix context or a finding package, by role
	pack       *machine.BlobRef // the review package of a reviewer
	observed   evidence.Observation
	gates      []evidence.GateResult // as they ran on the head, for a reviewer
	guards     []judge.GuardChange   // files that gates rely on, as the branch changed them
	touched    []string              // what changed in the repository while they ran
	rulings    []string              // of humans, in the role's scope
	resolved   []machine.Resolution  // what leaves open with this dispatch

	rendered  []byte
	bootstrap string
	intent    machine.Intent
	step      step
}

// prepare composes the dispatch that the phase wants. It records nothing and
// writes no file but the workspace's .gitignore.
func (r *run) prepare(ctx context.Context, g ground, o DispatchOptions) (*dispatch, error) {
	role, err := r.dispatchable(ctx, o)
	if err != nil {
		return nil, err
	}
	d := &dispatch{role: role, task: r.view.CurrentTask, round: r.roundOf(role)}
	if d.tier, err = r.tierOf(role); err != nil {
		return nil, err
	}
	d.attempt = machine.NextAttempt(r.view, role, d.task, d.round)
	d.stem = machine.ArtifactStem(d.task, role, d.attempt, d.round)
	if d.resolved, err = r.resolutions(o.Park); err != nil {
		return nil, err
	}
	if _, err := r.workspace(); err != nil {
		return nil, err
	}
	if err := r.gather(d, g); err != nil {
		return nil, err
	}
	if err := r.addGates(ctx, d, o); err != nil {
		return nil, err
	}
	if err := r.compose(ctx, d, o); err != nil {
		return nil, err
	}
	d.step.event = intents[r.view.Phase](d.intent, d.resolved)
	return d, nil
}

// dispatchable returns the role that may be dispatched now, or why none may.
func (r *run) dispatchable(ctx context.Context, o DispatchOptions) (tier.Role, error) {
	w, err := r.want()
	if err != nil {
		return 0, err
	}
	if w.action == actDecide && r.waveInstead() {
		w.action, w.role = actDispatch, tier.FinalFixer
	}
	switch {
	case w.action != actDispatch:
		return 0, r.nothingToDo("dispatch", w)
	case w.context && o.Context == nil:
		return 0, fault.New(fault.Waiting, "git sdd dispatch --context <context>", "the implementer asked; the next one needs the answer: %s", r.askedFor())
	case !w.context && o.Context != nil:
		return 0, fault.New(fault.Invalid, "git sdd dispatch", "nobody asked: --context answers an implementer's NEEDS_CONTEXT")
	case r.contractsDiffer():
		return 0, fault.New(fault.Waiting, "git sdd decide contracts --reason <reason>", "the role contracts of this git-sdd are not those that run %s was started with", r.id.Prefix12())
	case len(o.Park) > 0 && (!w.role.Works() || w.role == tier.Implementer):
		return 0, fault.New(fault.Invalid, "git sdd dispatch", "--park goes with the dispatch of a fixer, and the %s is next", spoken(w.role))
	}
	return w.role, r.leftoversRuled(ctx)
}

// intents is the event that records a dispatch, by the phase that it leaves.
var intents = map[machine.Phase]func(machine.Intent, []machine.Resolution) machine.Event{
	machine.WorkspaceReady: func(i machine.Intent, _ []machine.Resolution) machine.Event {
		return machine.ImplementDispatchIntended{Intent: i}
	},
	machine.ContextRequired: func(i machine.Intent, _ []machine.Resolution) machine.Event {
		return machine.ContextDispatchIntended{Intent: i}
	},
	machine.ImplementResult: func(i machine.Intent, _ []machine.Resolution) machine.Event {
		return machine.TaskReviewDispatchIntended{Intent: i}
	},
	machine.TaskReviewDecision: func(i machine.Intent, fixed []machine.Resolution) machine.Event {
		return machine.FixDispatchIntended{Intent: i, FindingResolutions: fixed}
	},
	machine.FixRunning: func(i machine.Intent, _ []machine.Resolution) machine.Event {
		return machine.RereviewDispatchIntended{Intent: i}
	},
	machine.RereviewRunning: func(i machine.Intent, fixed []machine.Resolution) machine.Event {
		return machine.NextFixDispatchIntended{Intent: i, FindingResolutions: fixed}
	},
	machine.TaskComplete: func(i machine.Intent, _ []machine.Resolution) machine.Event {
		return machine.FinalReviewDispatchIntended{Intent: i}
	},
	machine.FinalReviewRunning: func(i machine.Intent, fixed []machine.Resolution) machine.Event {
		return machine.FinalFixDispatchIntended{Intent: i, FindingResolutions: fixed}
	},
	machine.FinalFixRunning: func(i machine.Intent, _ []machine.Resolution) machine.Event {
		return machine.FinalRereviewDispatchIntended{Intent: i}
	},
}

// gather collects the facts of the intent: the range, and what the work tree and
// the other branches look like now.
func (r *run) gather(d *dispatch, g ground) error {
	var err error
	if d.base, err = r.commitRef(judge.Base(r.view, d.role, g.head)); err != nil {
		return err
	}
	if d.head, err = r.commitRef(g.head); err != nil {
		return err
	}
	if err := r.mustHold(d.base.Commit, g.head); err != nil {
		return err
	}
	if err := r.refuseEmpty(d); err != nil {
		return err
	}
	if err := r.noteStrangers(d.role, g.head); err != nil {
		return err
	}
	d.observed, err = evidence.Observe(r.site)
	return err
}

// compose makes brief, context, prompt and bootstrap, and the intent over them.
func (r *run) compose(ctx context.Context, d *dispatch, o DispatchOptions) error {
	brief, err := r.brief(d.role)
	if err != nil {
		return err
	}
	briefRef := d.step.with(machine.ArtifactDir(d.task, d.role)+"/brief.md", brief)
	observed := d.step.with(d.stem+".observed.txt", d.observed.Encode())
	if d.rulings, err = r.rulings(ctx, d.role); err != nil {
		return err
	}
	if err := r.addContext(ctx, d, o); err != nil {
		return err
	}
	if err := r.addPackage(ctx, d); err != nil {
		return err
	}
	if err := r.render(d); err != nil {
		return err
	}
	d.intent.Attempt, d.intent.Tier = d.attempt, d.tier.String()
	d.intent.DispatchKey = machine.DispatchKey(r.id.String(), d.task, d.role, d.attempt, d.round)
	d.intent.ExpectedOutcome = judge.ExpectedOutcome(r.view, d.role)
	d.intent.RenderedPrompt, d.intent.Bootstrap = machine.Blob(d.rendered), machine.Blob(d.bootstrap)
	model, thinking, err := r.c.modelOf(d.tier)
	if err != nil {
		return err
	}
	d.step.facts = machine.IntentFacts{
		Base: &d.base, Head: &d.head, Branch: r.view.Branch,
		Observed: observed, Brief: briefRef, Context: d.context, Package: d.pack, Gates: d.storeGates(), Model: model, Thinking: thinking,
	}
	d.step.attest = []string{d.base.Commit, d.head.Commit}
	return nil
}
