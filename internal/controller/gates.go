package controller

import (
	"context"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/workspace"
)

// addGates gives a reviewer what the gates say, and what became of the files that
// they rely on. A dry run tells nothing of gates: it runs none.
func (r *run) addGates(ctx context.Context, d *dispatch, o DispatchOptions) (err error) {
	if d.role.Works() {
		return nil
	}
	if d.guards, err = r.guardChanges(d.head.Commit); err != nil || o.DryRun {
		return err
	}
	fresh := r.unruled(d.guards)
	if err := r.roomFor(fresh); err != nil {
		return err
	}
	if err := r.runGates(ctx, d); err != nil {
		return err
	}
	for i, c := range fresh {
		if i == maxGuardNotes {
			r.notes = append(r.notes, fmt.Sprintf("%d more files that gates rely on changed; the package names them", len(fresh)-i))
			break
		}
		r.notes = append(r.notes, fmt.Sprintf("%q changed, and gates rely on it: git sdd decide guard-ok --path %s --reason <reason>, or the review makes it a finding", c.Path, shellWord(c.Path)))
	}
	return nil
}

// maxGuardNotes is how many changed guards a dispatch tells one by one.
const maxGuardNotes = 20

// unruled are the changes that the coming review would make findings.
func (r *run) unruled(changes []judge.GuardChange) []judge.GuardChange {
	var all []judge.GuardChange
	for _, c := range changes {
		_, accepted := c.Accepted(r.view)
		if _, open := c.Finding(r.view); !accepted && !open {
			all = append(all, c)
		}
	}
	return all
}

// roomFor refuses a review whose report could never be taken: of findings that a
// run holds there are so many, and a worker can change more guarded files.
func (r *run) roomFor(fresh []judge.GuardChange) error {
	room := machine.MaxFindings - len(r.view.Findings)
	if len(fresh) <= room {
		return nil
	}
	path := shellWord(fresh[0].Was)
	return fault.New(fault.Refused,
		fmt.Sprintf("git restore --source=%s -- %s, likewise for each that is not to change, and commit it; git sdd decide guard-ok --path %s --reason <reason> for the others", short(r.view.MergeBase), path, path),
		"%d files that gates rely on changed, %q is the first, and the run has room for %d findings", len(fresh), fresh[0].Path, room)
}

// runGates runs every gate that the run is pinned to on the head that is to be
// judged, before the intent is recorded: a reviewer gets results that git-sdd saw
// itself. One that could not run stops the dispatch, and nothing is recorded.
func (r *run) runGates(ctx context.Context, d *dispatch) error {
	pin, err := r.pinnedSettings()
	if err != nil || len(pin.Gates()) == 0 {
		return err
	}
	for _, g := range pin.Gates() { // all of them first: a minute of tests is not spent on a refusal
		if err := r.mayRun(g, r.onward()); err != nil {
			return err
		}
	}
	r.notes = append(r.notes, r.c.leftCheckouts()...)
	w, err := r.c.gating(ctx, r.site, r)
	if err != nil {
		return err
	}
	for _, g := range pin.Gates() {
		if err := r.passBy(d, g, w); err != nil {
			return err
		}
	}
	d.observed = w.last.Observation
	return nil
}

// onward is the command that was given, to be given again once what stood in its
// way is gone.
func (r *run) onward() string {
	if r.c.opt.Via == ViaRun {
		return "git sdd run"
	}
	return "git sdd dispatch"
}

// storeGates stores what was seen of each gate, and returns the facts.
func (d *dispatch) storeGates() []machine.GateFact {
	facts := []machine.GateFact{}
	for _, res := range d.gates {
		output := d.step.with(d.stem+".gate-"+res.Name+".txt", res.Encode())
		facts = append(facts, gateFact(res, output))
	}
	return facts
}

// gateResults is what the package says of the gates.
func (r *run) gateResults(ctx context.Context, d *dispatch, gates []config.Gate) ([]prompt.GateResult, error) {
	w, err := workspace.At(r.view.Worktree, r.view.RunRoot)
	if err != nil {
		return nil, err
	}
	proofs, err := r.proofLines(ctx, gates)
	if err != nil {
		return nil, err
	}
	var all []prompt.GateResult
	for _, res := range d.gates {
		line := prompt.GateResult{
			Name: res.Name, Outcome: res.Outcome, Command: res.Command, Commit: res.Commit, Tree: res.Tree,
			Exit: res.Ended(), Seconds: seconds(res.Took()), Runs: len(res.Runs), Output: w.Path(d.stem + ".gate-" + res.Name + ".txt"),
			Left: res.Left(), Proof: proofs[res.Name],
		}
		if res.Outcome != evidence.GatePassed {
			line.Tail = string(res.Telling().Tail)
		}
		all = append(all, line)
	}
	return all, nil
}
