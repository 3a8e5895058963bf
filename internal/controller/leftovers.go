package controller

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// leftovers names what a worker that did not end DONE left in the work tree and
// nobody ruled on (architecture: facts, leftovers).
func (r *run) leftovers(ctx context.Context) ([]string, error) {
	if r.site == nil || !r.mayLeave() {
		return nil, nil
	}
	facts, err := r.intentFacts(ctx)
	if err != nil {
		return nil, err
	}
	now, then, err := r.observedAgainst(facts)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(now.Changed(then), r.pathsRuled()), nil
}

// pathsRuled tells which paths a human ruled on for the current dispatch. Under
// the same dispatch another child may leave more. A ruling over as many paths as
// one names is about all of them.
func (r *run) pathsRuled() func(string) bool {
	var ruled []string
	all := false
	for _, ruling := range r.view.Rulings {
		about := ruling.Decision == rulingLeftoversKeep || ruling.Decision == rulingLeftoversShelve
		if about && string(ruling.DispatchKey) == r.view.Dispatch.DispatchKey {
			ruled = append(ruled, ruling.Paths...)
			all = all || len(ruling.Paths) >= maxRuledPaths
		}
	}
	return func(path string) bool { return all || slices.Contains(ruled, path) }
}

// mayLeave reports whether the last child is a worker whose attempt did not end
// DONE.
func (r *run) mayLeave() bool {
	var work machine.Work
	if r.in(machine.ImplementResult) {
		work, _ = r.storedWork() // damage is told where the report is used
	}
	return judge.MayLeave(r.view, work)
}

// noticeLeftovers looks once, so that the table of rules can ask.
func (r *run) noticeLeftovers(ctx context.Context) error {
	left, err := r.leftovers(ctx)
	r.hasLeftovers = len(left) > 0
	return err
}

// leftoversRuled makes a dispatch, or a reissue, wait until a human ruled on
// what was left.
func (r *run) leftoversRuled(ctx context.Context) error {
	left, err := r.leftovers(ctx)
	if err != nil || len(left) == 0 {
		return err
	}
	return fault.New(fault.Waiting, "git sdd decide leftovers keep --reason <reason>, or git sdd decide leftovers shelve --reason <reason>",
		"%s", leftoverNote(r.view.Dispatch.Role, left))
}

func leftoverNote(role string, left []string) string {
	return "the last " + role + " left in the work tree: " + listed(left)
}

// leftoversStep records the ruling: keep leaves all for the next child, shelve
// also stores it as a patch and pins a commit of it. Neither cleans anything.
func leftoversStep(ctx context.Context, r *run, o DecideOptions) (step, error) {
	left, err := r.leftovers(ctx)
	if err != nil {
		return step{}, err
	}
	decision, ok := map[string]string{"keep": rulingLeftoversKeep, "shelve": rulingLeftoversShelve}[o.Argument]
	if !ok {
		return step{}, fault.New(fault.Invalid, "git sdd decide leftovers keep --reason <reason>", "%q is neither keep nor shelve", o.Argument)
	}
	ruling := machine.Ruling{
		Decision: decision, Reason: o.Reason, DispatchKey: machine.Opt(r.view.Dispatch.DispatchKey),
		Paths: left[:min(len(left), maxRuledPaths)],
	}
	var s step
	if decision == rulingLeftoversShelve {
		if err := r.shelve(&s, &ruling, left); err != nil {
			return step{}, err
		}
	}
	s.event = machine.RulingRecorded{Ruling: ruling}
	return s, nil
}

// maxRuledPaths is how many paths a ruling names; the shelved commit has all.
const maxRuledPaths = 64

// maxShelved is the most bytes of a patch that the ledger stores; the pinned
// commit holds what is larger.
const maxShelved = 8 << 20

// shelve stores what was left as a commit that the pins hold, and as a patch.
func (r *run) shelve(s *step, ruling *machine.Ruling, left []string) error {
	name, email, err := r.site.Identity()
	if err != nil {
		return err
	}
	id, err := r.site.Snapshot("left by "+r.view.Dispatch.DispatchKey+"\n", git.Ident{Name: name, Email: email, When: r.c.now()}, left)
	if err != nil {
		return err
	}
	patch, err := r.site.Patch("HEAD", id)
	if err != nil {
		return err
	}
	if len(patch) > maxShelved {
		patch = fmt.Appendf(nil, "The patch has %d bytes. Its content is commit %s: git diff %s^ %s\n", len(patch), id, id, id)
	}
	ruling.Blob, ruling.Artifact = machine.Opt(id), machine.Opt(s.with(r.stem()+".shelved.patch", patch).Path)
	s.attest = []string{id}
	return nil
}
