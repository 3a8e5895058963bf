package controller

import (
	"context"
	"errors"
	"io/fs"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// resumeIntent goes on from an intent that an earlier process recorded. The
// session's files tell whether its child started; where there are none, nothing
// does, and a human rules.
func (d *driver) resumeIntent(ctx context.Context, r *run, _ want) error {
	work := context.WithoutCancel(ctx)
	if _, err := r.checkWrite(); err != nil {
		return err
	}
	h, err := r.history(work)
	if err != nil {
		return err
	}
	all := d.c.sessions()
	id := sessionName(r.view.Dispatch.DispatchKey, h.revision)
	spec, err := all.Announced(id)
	switch {
	case errors.Is(err, fs.ErrNotExist) && h.ruled && h.via != ViaRun:
		return d.handOut(ctx, r, h.revision)
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.Waiting, "git sdd decide lost --reason <reason>, then git sdd decide reissue --reason <reason> and git sdd run; or git sdd started --session <session>",
			"the dispatch of the %s was recorded, and nothing shows whether a child was started for it", spoken(r.role()))
	case err != nil:
		return sessionFault(err)
	}
	rec, err := all.Read(id)
	if errors.Is(err, fs.ErrNotExist) {
		rec, err = all.RuleOut(spec, "no keeper had begun it when a later git sdd run ruled it out")
	}
	if err != nil {
		return sessionFault(err)
	}
	switch standing, proof := rec.Stands(); standing {
	case agent.NeverStarted:
		return d.neverStarted(ctx, r, rec, proof)
	case agent.Unproven:
		return d.unproven(r, proof)
	}
	if err := d.started(work, r, rec); err != nil {
		return err
	}
	d.tally.dispatched(spec)
	return d.watchOver(ctx, r, spec, rec, nil)
}

// handOut starts the child that a human's ruling asks for. Its name belongs to
// the ruling: however many processes try, one child starts.
func (d *driver) handOut(ctx context.Context, r *run, revision int) error {
	l, err := r.launchOf(context.WithoutCancel(ctx), revision)
	if err != nil {
		return err
	}
	spec, err := d.announce(l)
	if err != nil {
		return err
	}
	return d.launch(ctx, r, spec)
}

// neverStarted goes on from an intent whose child is proven never to have
// started: by a human's ruling, or by the setting with the proof as its reason.
func (d *driver) neverStarted(ctx context.Context, r *run, rec agent.Record, proof string) error {
	mode, err := d.c.ambiguous()
	if err != nil {
		return err
	}
	if mode != config.AmbiguousProven {
		return fault.New(fault.Waiting, "git sdd decide lost --reason <reason>, then git sdd decide reissue --reason <reason> and git sdd run",
			"the %s of session %s never started: %s", spoken(r.role()), rec.Session, proof)
	}
	err = r.record(context.WithoutCancel(ctx), step{event: machine.DispatchWindowCrossed{Reason: receiptOf(rec, proof)}})
	d.sync(r)
	if err != nil {
		return err
	}
	return d.again(ctx, r, "session "+rec.Session+" never started: "+proof)
}

// resumeChild goes on with a child that an earlier process started: it still
// runs, or it ended.
func (d *driver) resumeChild(ctx context.Context, r *run, _ want) error {
	all := d.c.sessions()
	id := string(r.view.Dispatch.SessionID)
	rec, err := all.Read(id)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Waiting, "git sdd report, once it has ended; or git sdd decide lost --receipt <receipt> --reason <reason>",
			"the %s of session %q was not started by git sdd run, and nothing shows whether it has ended", spoken(r.role()), id)
	}
	if err != nil {
		return sessionFault(err)
	}
	if rec, err = d.lastCall(all, rec); err != nil {
		return err
	}
	standing, proof := rec.Stands()
	if standing == agent.Unproven {
		return d.unproven(r, proof)
	}
	if standing != agent.Running {
		return d.ended(ctx, rec.Session)
	}
	spec, err := all.Announced(rec.Session)
	if err != nil {
		return sessionFault(err)
	}
	return d.watchOver(ctx, r, spec, rec, nil)
}

// lastCall returns the record of the last repair call of a session, or its own
// where there was none. A repair call that was announced and never began is
// ruled out: it is made again under the next number.
func (d *driver) lastCall(all agent.Sessions, rec agent.Record) (agent.Record, error) {
	n, err := repairs(all, rec.Session)
	if err != nil || n == 0 {
		return rec, err
	}
	name := repairName(rec.Session, n)
	last, err := all.Read(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return last, err
	}
	spec, err := all.Announced(name)
	if err != nil {
		return rec, sessionFault(err)
	}
	return all.RuleOut(spec, "no keeper had begun it when a later git sdd run ruled it out")
}
