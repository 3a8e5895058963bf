package controller

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// prepare composes the dispatch that is next. Before a review that runs the gates,
// which may take minutes in which no child says anything: it is told, and a signal
// ends it, for nothing is recorded yet.
func (d *driver) prepare(ctx context.Context, r *run, g ground, role tier.Role) (*dispatch, error) {
	pin, err := r.pinnedSettings()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, gate := range pin.Gates() {
		names = append(names, gate.Name)
	}
	done := func(*dispatch) {}
	if !role.Works() && len(names) > 0 {
		done = d.tellGates(Progress{Text: strings.Join(names, ", "), Child: ChildProgress{Role: spoken(role)}})
	}
	p, err := r.prepare(ctx, g, DispatchOptions{Context: d.opt.Context})
	done(p)
	if ctx.Err() != nil {
		return nil, interrupted()
	}
	return p, err
}

// tellGates tells that the gates run, again and again, until what it returns is
// called, which tells how they ended.
func (d *driver) tellGates(p Progress) func(*dispatch) {
	began := time.Now()
	p.Kind = ProgressGates
	d.opt.Watch(p)
	over := make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		ticker := time.NewTicker(tellEvery)
		defer ticker.Stop()
		for {
			select {
			case <-over:
				return
			case now := <-ticker.C:
				p := p
				p.Kind, p.Child.Elapsed = ProgressGating, now.Sub(began)
				d.opt.Watch(p)
			}
		}
	})
	return func(composed *dispatch) {
		close(over)
		ticking.Wait()
		if composed == nil {
			return
		}
		var ended []string
		for _, g := range composed.gates {
			ended = append(ended, g.Name+" "+g.Outcome)
		}
		p.Kind, p.Text, p.Child.Elapsed = ProgressGated, strings.Join(ended, ", "), time.Since(began)
		d.opt.Watch(p)
	}
}
