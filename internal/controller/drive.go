package controller

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// DriveOptions is how far a run is carried, and who watches.
type DriveOptions struct {
	Until   Until
	DryRun  bool
	Context []byte           // the answer to the questions that the run waits with; nil for none
	Wave    bool             // where only Minors are left, the wave of fixes rather than a ruling
	Watch   func(Progress)   // is told what happens, while it happens; nil for nobody
	Signals <-chan os.Signal // what a human presses beside the context's end; nil for nothing
}

// A driver carries one run. It holds nothing that the ledger and the records of
// sessions do not: killed at any moment, the next one goes on from there.
type driver struct {
	base          Options
	opt           DriveOptions
	c             *Controller // opened anew after each child, which may have changed anything
	r             *run        // as loaded by c, with what was recorded since; nil once a child ran
	stale         *run        // the one before that, still in use by whoever waits for the child
	id            ledger.RunID
	known         bool // id is known
	held          held
	tally         tally
	done          []Transition
	notes         []string
	probed, begun map[string]bool // commands that answered, and sessions that this drive started
	equipped      bool
}

// errReached ends a drive where it was asked to end, or where nothing is left.
var errReached = errors.New("reached")

// Drive carries the run from wherever it stands to the end, to the next decision
// of a human, or to where it was asked to stop. What a human must rule and what
// an agent failed at end the drive with an answer that says so; what is wrong
// with the place is an error.
func (c *Controller) Drive(ctx context.Context, o DriveOptions) (*Driven, error) {
	if err := c.refuseChild(); err != nil {
		return nil, err
	}
	if o.Watch == nil {
		o.Watch = func(Progress) {}
	}
	d := &driver{base: c.opt, opt: o, probed: map[string]bool{}, begun: map[string]bool{}}
	d.base.Via = ViaRun
	defer d.close()
	var err error
	for err == nil {
		if ctx.Err() != nil {
			err = interrupted()
			break
		}
		err = d.turn(ctx)
	}
	return d.conclude(context.WithoutCancel(ctx), d.explained(context.WithoutCancel(ctx), err))
}

// explained says why a step could not be recorded where the reason is that the
// refs of the run were changed behind the drive's back: a child begins before
// its start is recorded.
func (d *driver) explained(ctx context.Context, err error) error {
	if k := fault.Of(err).Kind(); errors.Is(err, errReached) || !d.known || k != fault.Contended && k != fault.Unknown && k != fault.Internal {
		return err
	}
	_, changed := d.load(ctx)
	if changed == nil {
		return err
	}
	if fault.Of(changed).Kind() == fault.Identity {
		return changed
	}
	return err
}

func interrupted() error {
	return fault.New(fault.Interrupted, "git sdd run", "stopped by a signal; git sdd run goes on from here")
}

// turn does what the run needs next. Everything but the wait for a child is
// carried through: a signal ends the drive between two steps, never within one.
func (d *driver) turn(ctx context.Context) error {
	work := context.WithoutCancel(ctx)
	r, err := d.current(work)
	if err != nil {
		return err
	}
	if err := d.opt.Until.check(r); err != nil {
		return err
	}
	if err := d.sweep(r); err != nil {
		return err
	}
	w, err := r.wantOrRuling(work)
	if err != nil {
		return err
	}
	w = d.opt.instead(r, w)
	if d.opt.Context != nil && !(w.action == actDispatch && w.context) {
		return fault.New(fault.Invalid, "git sdd run", "--context answers what an implementer asks, and none does: %s", w.why)
	}
	if d.opt.Until.reached(r, w) {
		return errReached
	}
	if err := d.equip(ctx, r, w); err != nil {
		return err
	}
	if d.opt.DryRun {
		return errReached
	}
	return turns[w.action](d, ctx, r, w)
}

// instead is what the run wants where a drive was told to prefer the wave.
func (o DriveOptions) instead(r *run, w want) want {
	if o.Wave && w.action == actDecide && r.waveInstead() {
		return want{action: actDispatch, role: tier.FinalFixer, why: w.why}
	}
	return w
}

// turns is what a drive does by the action that the run wants.
var turns map[string]func(*driver, context.Context, *run, want) error

func init() {
	turns = map[string]func(*driver, context.Context, *run, want) error{
		actDispatch: (*driver).dispatch,
		actSpawn:    (*driver).resumeIntent,
		actAwait:    (*driver).resumeChild,
		actAdvance:  (*driver).advance,
		actDecide:   (*driver).wait,
		actDone:     func(*driver, context.Context, *run, want) error { return errReached },
		actBlocked:  func(*driver, context.Context, *run, want) error { return errReached },
	}
}

func (d *driver) advance(ctx context.Context, r *run, _ want) error {
	if _, err := r.checkWrite(); err != nil {
		return err
	}
	err := r.settle(context.WithoutCancel(ctx))
	d.sync(r)
	return err
}

func (d *driver) wait(_ context.Context, r *run, w want) error {
	repair := "git sdd next"
	if r.waveInstead() {
		repair += ", or git sdd run --wave"
	}
	return fault.New(fault.Waiting, repair, "a human must rule: %s", w.why)
}

// current is the run as it stands: as it was recorded last where no child ran
// since, else loaded anew.
func (d *driver) current(ctx context.Context) (*run, error) {
	if d.r != nil {
		return d.r, nil
	}
	return d.load(ctx)
}

// childRuns says that whatever is known of the place may be wrong from now on.
func (d *driver) childRuns() {
	if d.r != nil {
		d.stale, d.r = d.r, nil
	}
}

// load opens the repository and the run anew.
func (d *driver) load(ctx context.Context) (*run, error) {
	d.close()
	c, err := Open(ctx, d.base)
	if err != nil {
		return nil, err
	}
	d.c = c
	var r *run
	if !d.known {
		r, err = c.find(ctx, writing)
		if err == nil {
			d.id, d.known = r.id, true
			if err = r.checkRevision(); err == nil {
				d.base.ExpectedRevision = nil
			}
		}
	} else if r, err = c.load(ctx, d.id); err != nil {
		err = d.held.orGone(d.id, err)
	}
	if err != nil {
		return nil, err
	}
	c.opt.ExpectedRevision = nil
	d.tally.begin(r.view.Phase.String(), time.Now())
	d.r = r
	return r, d.held.check(ctx, r)
}

func (d *driver) close() {
	for _, r := range []*run{d.r, d.stale} {
		if r != nil {
			r.close()
		}
	}
	d.r, d.stale = nil, nil
	if d.c != nil {
		_ = d.c.Close()
		d.c = nil
	}
}

// sync takes over what a run recorded since it was asked last, and tells it.
func (d *driver) sync(r *run) {
	for _, t := range r.done {
		d.done = append(d.done, t)
		d.tally.pass(t.Phase, time.Now())
		d.opt.Watch(Progress{Kind: ProgressTransition, Transition: t, Task: r.view.CurrentTask, Tasks: len(r.view.Tasks)})
	}
	r.done = nil
	for _, note := range r.notes {
		d.note(note)
	}
	r.notes = nil
	d.held.hold(r)
}

// note tells a fact once.
func (d *driver) note(text string) {
	for _, known := range d.notes {
		if known == text {
			return
		}
	}
	d.notes = append(d.notes, text)
	d.opt.Watch(Progress{Kind: ProgressNote, Text: text})
}

// conclude composes the answer. What waits for a human, an agent's failure and
// an interruption are part of it; every other error is one.
func (d *driver) conclude(ctx context.Context, err error) (*Driven, error) {
	out := &Driven{Transitions: d.done}
	if out.Transitions == nil {
		out.Transitions = []Transition{}
	}
	if !errors.Is(err, errReached) {
		f := fault.Of(err)
		switch f.Kind() {
		case fault.Waiting, fault.Agent, fault.Interrupted:
			out.Stop = &Stop{Kind: f.Kind().Row().Name, Exit: f.Kind().Row().Exit, Message: f.Message(), Repair: f.Repair()}
		default:
			return nil, err
		}
		if !d.known {
			return nil, err
		}
	}
	r, err := d.current(ctx)
	if err != nil {
		return nil, err
	}
	n, err := r.next(ctx)
	if err != nil {
		return nil, err
	}
	out.Next = *n
	out.Schema = "git-sdd/run/1"
	out.Warnings = unique(append(d.notes, n.Warnings...))
	out.Totals = d.tally.totals(r, time.Now())
	if d.opt.DryRun {
		if out.Would, err = d.would(ctx, r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// spec completes what every child's spec has in common.
func (d *driver) spec(l launch) (agent.Spec, error) {
	s, err := d.c.settings()
	if err != nil {
		return agent.Spec{}, err
	}
	a, ok := s.Agent(l.role)
	if !ok {
		return agent.Spec{}, noCommand(l.role)
	}
	return l.spec(a), nil
}
