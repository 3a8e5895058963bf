package controller

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/ledger"
)

// passBy runs one gate for a dispatch, and names what of the user's is not as it
// was before. A gate that could not run, or that moved what the dispatch rests on,
// ends the dispatch.
func (r *run) passBy(ctx context.Context, d *dispatch, g config.Gate, before evidence.Footprint) (evidence.Footprint, error) {
	res, err := r.c.runGate(ctx, r.site, g, d.head.Commit)
	if err != nil {
		return before, err
	}
	after, err := evidence.Footprints(r.site)
	if err != nil {
		return before, err
	}
	touched := append(after.Since(before), r.strangeMoves(ctx, after.Ledgers(before))...)
	if len(touched) > 0 {
		line := fmt.Sprintf("while gate %s ran, these changed: %s", g.Name, named(touched))
		d.touched, r.notes = append(d.touched, line), append(r.notes, line)
	}
	for _, left := range res.Left() {
		r.notes = append(r.notes, "gate "+g.Name+": "+left)
	}
	if err := r.stillAt(d, g, after, touched); err != nil {
		return before, err
	}
	if res.Outcome == evidence.GateError {
		return before, r.gateFault(g, res, touched)
	}
	d.gates = append(d.gates, res)
	return after, nil
}

// stillAt makes sure that the head that the gate saw is still the head, and the
// run still the one that is to be recorded.
func (r *run) stillAt(d *dispatch, g config.Gate, now evidence.Footprint, touched []string) error {
	if now.Head != d.head.Commit || now.Branch != r.view.Branch {
		return fault.New(fault.Contended, "git sdd dispatch",
			"while gate %q ran on %s, HEAD went to %s of branch %q, and these changed: %s; nothing was recorded",
			g.Name, short(d.head.Commit), short(now.Head), now.Branch, named(touched))
	}
	if slices.Contains(touched, r.id.Ref()) || slices.Contains(touched, r.id.PinRef()) {
		return fault.New(fault.Contended, "git sdd verify "+r.id.Prefix12()+", then git sdd dispatch",
			"while gate %q ran, run %s moved, and these changed: %s; nothing was recorded", g.Name, r.id.Prefix12(), named(touched))
	}
	return nil
}

// strangeMoves names the refs of git-sdd's own that moved without a command of
// another run that would explain it: those of this run, and those that lost
// revisions or hold none.
func (r *run) strangeMoves(ctx context.Context, moves []evidence.Move) []string {
	var all []string
	for _, m := range moves {
		if !r.ordinary(ctx, m) {
			all = append(all, m.Ref)
		}
	}
	return all
}

func (r *run) ordinary(ctx context.Context, m evidence.Move) bool {
	id, err := ledger.ParseRunID(path.Base(m.Ref))
	if err != nil || id == r.id || m.To == "" {
		return false
	}
	if _, err := ledger.Load(ctx, r.c.repo, id); err != nil {
		return false
	}
	if m.From == "" {
		return true
	}
	forward, err := r.c.repo.IsAncestor(m.From, m.To)
	return err == nil && forward
}

// named puts what changed on one line, the first of it where it is much.
func named(touched []string) string {
	const most = 50
	text := strings.Join(touched[:min(len(touched), most)], ", ")
	if n := len(touched) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
