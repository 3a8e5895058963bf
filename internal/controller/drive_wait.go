package controller

import (
	"context"
	"io"
	"time"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// How often a drive looks at a child and tells about it, and how soon a second
// Ctrl-C is a new one: through `git sdd` one arrives twice.
const (
	lookEvery = 100 * time.Millisecond
	tellEvery = time.Second
	sameCtrlC = 500 * time.Millisecond
)

// watchOver waits until nothing of a session is left, then takes its result. The
// keeper is nil where another process started the session.
func (d *driver) watchOver(ctx context.Context, r *run, spec agent.Spec, rec agent.Record, k *agent.Keeper) error {
	d.childRuns()
	child := r.childProgress(spec)
	d.opt.Watch(Progress{Kind: ProgressStarted, Child: child})
	v := vigil{d: d, all: d.c.sessions(), spec: spec, rec: rec, child: child, began: startOf(rec)}
	if k != nil {
		v.gone = k.Done()
	}
	v.wait(ctx)
	child = v.child
	child.Elapsed, child.End = time.Since(v.began), "nobody saw how it ended"
	if v.rec.End != nil {
		child.End = howEnded(*v.rec.End)
	}
	d.opt.Watch(Progress{Kind: ProgressEnded, Child: child})
	crashPoint("drive: child ended, report not taken")
	return d.ended(ctx, spec.Session)
}

// childProgress is the child of the current dispatch as one who watches knows it.
func (r *run) childProgress(spec agent.Spec) ChildProgress {
	c := ChildProgress{Role: spoken(r.role()), Tier: spec.Tier, Session: spec.Session, Attempt: r.view.Dispatch.Attempt}
	if inFinalLoop(r.view) {
		return c
	}
	c.Task = spec.Task
	if r.role() == tier.Fixer || r.role() == tier.ReReviewer {
		c.Round = r.view.FixRound
	}
	if r.role() == tier.ReReviewer {
		c.Attempt = 1 // they are counted through the rounds
	}
	return c
}

func startOf(rec agent.Record) time.Time {
	if at, err := time.Parse(time.RFC3339, rec.StartedAt); err == nil {
		return at
	}
	return time.Now()
}

// A vigil is the wait for one session.
type vigil struct {
	d     *driver
	all   agent.Sessions
	spec  agent.Spec
	rec   agent.Record
	child ChildProgress
	began time.Time
	gone  <-chan struct{} // the keeper's end; nil where it is nobody's child here
	asked time.Time       // when the child was asked to end
}

func (v *vigil) wait(ctx context.Context) {
	done := ctx.Done()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	told := time.Now()
	for {
		select {
		case <-v.gone:
			v.gone = nil
			if v.over() {
				return
			}
		case <-done:
			done, v.asked = nil, time.Now()
			v.ask(agent.Interrupt)
		case <-v.d.opt.Signals:
			if !v.asked.IsZero() && time.Since(v.asked) > sameCtrlC {
				v.ask(agent.Kill)
			}
		case now := <-ticker.C:
			if v.gone == nil && v.over() {
				return
			}
			if now.Sub(told) >= tellEvery {
				told = now
				v.tell(now)
			}
		}
	}
}

// over reads the record again, and reports whether the session has ended. One
// whose keeper is gone has nobody but us to hold it to its time.
func (v *vigil) over() bool {
	if rec, err := v.all.Read(v.spec.Session); err == nil {
		v.rec = rec
	}
	standing, _ := v.rec.Stands()
	if standing == agent.Running && !v.rec.Kept() && time.Since(v.began) > time.Duration(v.spec.TimeoutMS)*time.Millisecond {
		v.rec.Stop()
	}
	return standing != agent.Running
}

// ask passes on what a human asks; a child without a keeper is ended.
func (v *vigil) ask(s agent.Signal) {
	if rec, err := v.all.Read(v.spec.Session); err == nil {
		v.rec = rec
	}
	if !v.rec.Kept() {
		v.rec.Stop()
		return
	}
	v.rec.Ask(s)
	kind := ProgressAsked
	if s == agent.Kill {
		kind = ProgressKilled
	}
	v.d.opt.Watch(Progress{Kind: kind, Child: v.child})
}

func (v *vigil) tell(now time.Time) {
	v.child.Elapsed = now.Sub(v.began)
	if path, err := v.all.LogPath(v.spec.Session); err == nil {
		v.child.Last = agent.LastLine(lastBytes(path, 4<<10))
	}
	v.d.opt.Watch(Progress{Kind: ProgressRunning, Child: v.child})
}

// lastBytes reads the end of a file; what cannot be read is empty.
func lastBytes(path string, n int64) []byte {
	f, err := agent.OpenRegular(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(io.NewSectionReader(f, max(info.Size()-n, 0), n))
	if err != nil {
		return nil
	}
	return data
}
