package controller

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
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
	if err := r.runGates(ctx, d); err != nil {
		return err
	}
	for _, c := range d.guards {
		_, accepted := c.Accepted(r.view)
		if _, open := c.Finding(r.view); !accepted && !open {
			r.notes = append(r.notes, fmt.Sprintf("%q changed, and gates rely on it: git sdd decide guard-ok --path %s --reason <reason>, or the review makes it a finding", c.Path, shellWord(c.Path)))
		}
	}
	return nil
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
		if err := r.mayRun(g); err != nil {
			return err
		}
	}
	r.noteLeftCheckouts()
	before, err := evidence.Footprints(r.site)
	if err != nil {
		return err
	}
	for _, g := range pin.Gates() {
		if before, err = r.passBy(ctx, d, g, before); err != nil {
			return err
		}
	}
	d.observed = before.Observation
	return nil
}

// runGate runs one gate in a checkout of its own.
func (c *Controller) runGate(ctx context.Context, repo *git.Repo, g config.Gate, commit string) (evidence.GateResult, error) {
	c.say("gate %s: %q on %s", g.Name, g.Command, short(commit))
	res, err := evidence.RunGate(ctx, repo, gateOf(g), commit)
	if err != nil {
		return res, err
	}
	c.say("gate %s: %s, %s, in %s", g.Name, res.Outcome, res.Ended(), seconds(res.Took()))
	return res, nil
}

func gateOf(g config.Gate) evidence.Gate {
	return evidence.Gate{Name: g.Name, Command: g.Command, Timeout: time.Duration(g.TimeoutMS) * time.Millisecond}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// gateFault says that a gate could not run, which is neither a pass nor a
// failure, and what makes it run.
func (r *run) gateFault(g config.Gate, res evidence.GateResult, touched []string) error {
	repair := r.gateRepair(g, res) + "; or git sdd abandon --reason <reason>"
	why := oneLine(res.Why)
	if len(touched) > 0 {
		why += "; while it ran, these changed: " + named(touched)
	}
	return fault.New(fault.Refused, repair, "gate %q could not run on %s: %s", g.Name, short(res.Commit), why)
}

func (r *run) gateRepair(g config.Gate, res evidence.GateResult) string {
	program := g.Command[0]
	switch {
	case res.Exit() != nil || len(res.Runs) > 1 || strings.HasPrefix(res.Why, "it did not end"):
		return "remove what holds it up, then git sdd dispatch"
	case !strings.Contains(program, "/"):
		return "install " + shellWord(program) + " or put it into PATH, then git sdd dispatch"
	}
	path := strings.TrimPrefix(program, "./")
	if ok, err := r.site.PathExists(r.view.MergeBase, path); err == nil && ok {
		return fmt.Sprintf("git restore --source=%s -- %s and commit it, then git sdd dispatch", short(r.view.MergeBase), shellWord(path))
	}
	return "commit " + shellWord(path) + " as a program that can run, then git sdd dispatch"
}

// oneLine puts a text of others on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// noteLeftCheckouts removes what an earlier process of ours left behind, and
// names what is not ours to remove.
func (r *run) noteLeftCheckouts() {
	for _, dir := range r.c.repo.Leftovers() {
		r.notes = append(r.notes, "a checkout of an earlier gate holds changes and was left alone: git worktree remove --force --force "+shellWord(dir))
	}
}

// storeGates stores what was seen of each gate, and returns the facts.
func (d *dispatch) storeGates() []machine.GateFact {
	facts := []machine.GateFact{}
	for _, res := range d.gates {
		output := d.step.with(d.stem+".gate-"+res.Name+".txt", res.Encode())
		facts = append(facts, machine.GateFact{
			Name: res.Name, Command: res.Command, Commit: res.Commit, Tree: res.Tree, Outcome: res.Outcome,
			Exit: res.Exit(), DurationMS: res.Took().Milliseconds(), Runs: len(res.Runs), Output: output,
		})
	}
	return facts
}

// gateResults is what the package says of the gates.
func (r *run) gateResults(d *dispatch) ([]prompt.GateResult, error) {
	w, err := workspace.At(r.view.Worktree, r.view.RunRoot)
	if err != nil {
		return nil, err
	}
	var all []prompt.GateResult
	for _, res := range d.gates {
		line := prompt.GateResult{
			Name: res.Name, Outcome: res.Outcome, Command: res.Command, Commit: res.Commit, Tree: res.Tree,
			Exit: res.Ended(), Seconds: seconds(res.Took()), Runs: len(res.Runs), Output: w.Path(d.stem + ".gate-" + res.Name + ".txt"),
			Left: res.Left(),
		}
		if res.Outcome != evidence.GatePassed {
			line.Tail = string(res.Telling().Tail)
		}
		all = append(all, line)
	}
	return all, nil
}
