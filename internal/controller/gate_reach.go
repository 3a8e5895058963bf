package controller

import (
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
func (r *run) passBy(d *dispatch, g config.Gate, w *gating) error {
	res, touched, err := w.run(g, d.head.Commit)
	if err != nil {
		return err
	}
	if len(touched) > 0 {
		d.touched, r.notes = append(d.touched, touchedLine(g, touched)), append(r.notes, touchedLine(g, touched))
	}
	r.notes = append(r.notes, leftLines(res)...)
	if err := r.stillAt(d, g, w.last, touched); err != nil {
		return err
	}
	if res.Outcome == evidence.GateError {
		if len(touched) > 0 {
			res.Why += "; while it ran, these changed: " + named(touched)
		}
		return couldNotRun(res, r.c.runnable(res, r.view.MergeBase, r.onward())+"; or git sdd abandon --reason <reason>")
	}
	d.gates = append(d.gates, res)
	return nil
}

func touchedLine(g config.Gate, touched []string) string {
	return fmt.Sprintf("while gate %s ran, these changed: %s", g.Name, named(touched))
}

// leftLines tells what processes a gate left behind.
func leftLines(res evidence.GateResult) []string {
	var all []string
	for _, left := range res.Left() {
		all = append(all, "gate "+res.Name+": "+left)
	}
	return all
}

// stillAt makes sure that the head that the gate saw is still the head, and the
// run still the one that is to be recorded.
func (r *run) stillAt(d *dispatch, g config.Gate, now evidence.Footprint, touched []string) error {
	if now.Head != d.head.Commit || now.Branch != r.view.Branch {
		return fault.New(fault.Contended, r.onward(),
			"while gate %q ran on %s, HEAD went to %s of branch %q, and these changed: %s; nothing was recorded",
			g.Name, short(d.head.Commit), short(now.Head), now.Branch, named(touched))
	}
	if slices.Contains(touched, r.id.Ref()) || slices.Contains(touched, r.id.PinRef()) {
		return fault.New(fault.Contended, "git sdd verify "+r.id.Prefix12()+", then "+r.onward(),
			"while gate %q ran, run %s moved, and these changed: %s; nothing was recorded", g.Name, r.id.Prefix12(), named(touched))
	}
	return nil
}

// strangeMoves names the refs of git-sdd's own that moved without a command of
// another run that would explain it: those of the run that the gates run for, and
// those that lost revisions or hold none.
func (w *gating) strangeMoves(moves []evidence.Move) []string {
	var all []string
	for _, m := range moves {
		if !w.ordinary(m) {
			all = append(all, m.Ref)
		}
	}
	return all
}

func (w *gating) ordinary(m evidence.Move) bool {
	id, err := ledger.ParseRunID(path.Base(m.Ref))
	if err != nil || m.To == "" || w.own != nil && id == w.own.id {
		return false
	}
	if _, err := ledger.Load(w.ctx, w.c.repo, id); err != nil {
		return false
	}
	if m.From == "" {
		return true
	}
	forward, err := w.c.repo.IsAncestor(m.From, m.To)
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
