package controller

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// A gating runs gates and looks at the repository around each: a gate that writes
// into it is told of.
type gating struct {
	ctx  context.Context
	c    *Controller
	repo *git.Repo
	own  *run // the run that the gates run for; nil for none
	last evidence.Footprint
}

func (c *Controller) gating(ctx context.Context, repo *git.Repo, own *run) (*gating, error) {
	last, err := evidence.Footprints(repo)
	return &gating{ctx: ctx, c: c, repo: repo, own: own, last: last}, err
}

// run runs one gate in a checkout of its own, and names what of the user's is not
// as it was before.
func (w *gating) run(g config.Gate, commit string) (evidence.GateResult, []string, error) {
	return w.watch(g, short(commit), func() (evidence.GateResult, error) {
		return evidence.RunGate(w.ctx, w.repo, gateOf(g), commit)
	})
}

// control runs one gate on what it should refuse.
func (w *gating) control(g config.Gate, k evidence.Control) (evidence.GateResult, []string, error) {
	return w.watch(g, "the control, "+short(k.Commit), func() (evidence.GateResult, error) {
		return evidence.RunControl(w.ctx, w.repo, gateOf(g), k)
	})
}

func (w *gating) watch(g config.Gate, on string, run func() (evidence.GateResult, error)) (res evidence.GateResult, touched []string, err error) {
	w.c.say("gate %s: %q on %s", g.Name, g.Command, on)
	if res, err = run(); errors.Is(err, git.ErrNoTemporary) {
		return res, nil, fault.New(fault.Invalid, "export TMPDIR=<folder>, one that can be written to", "gate %q has no place to run in: %w", g.Name, err)
	}
	if err != nil {
		return res, nil, err
	}
	w.c.say("gate %s: %s, %s, in %s", g.Name, res.Outcome, res.Ended(), seconds(res.Took()))
	after, err := evidence.Footprints(w.repo)
	if err != nil {
		return res, nil, err
	}
	touched = append(after.Since(w.last), w.strangeMoves(after.Ledgers(w.last))...)
	w.last = after
	return res, touched, nil
}

func gateOf(g config.Gate) evidence.Gate {
	return evidence.Gate{Name: g.Name, Command: g.Command, Timeout: time.Duration(g.TimeoutMS) * time.Millisecond}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// gateFact is what a run records of a gate.
func gateFact(res evidence.GateResult, output *machine.BlobRef) machine.GateFact {
	return machine.GateFact{
		Name: res.Name, Command: res.Command, Commit: res.Commit, Tree: res.Tree, Outcome: res.Outcome,
		Exit: res.Exit(), DurationMS: res.Took().Milliseconds(), Runs: len(res.Runs), Output: output,
	}
}

// couldNotRun says of a gate that it could not run, which is neither a pass nor a
// failure.
func couldNotRun(res evidence.GateResult, repair string) *fault.Error {
	return fault.New(fault.Refused, repair, "gate %q could not run on %s: %s", res.Name, short(res.Commit), oneLine(res.Why))
}

// runnable says what makes a gate run that could not. The base is where a script
// of the repository is looked for that the commit lacks, "" for nowhere.
func (c *Controller) runnable(res evidence.GateResult, base, again string) string {
	program := res.Command[0]
	switch {
	case res.Exit() != nil || len(res.Runs) > 1 || strings.HasPrefix(res.Why, "it did not end"):
		return "remove what holds it up, then " + again
	case !strings.Contains(program, "/"):
		return "install " + shellWord(program) + " or put it into PATH, then " + again
	case path.IsAbs(program):
		return "install " + shellWord(program) + ", then " + again
	}
	name := path.Clean(program)
	if c.otherwise(name, base, res.Commit) {
		return fmt.Sprintf("git restore --source=%s -- %s and commit it, then %s", short(base), shellWord(name), again)
	}
	return "commit " + shellWord(name) + " as a program that can run, then " + again
}

// otherwise reports whether the base, if there is one, has a file that the commit
// has not, or not as it is there: only then is anything won by putting it back.
func (c *Controller) otherwise(name, base, commit string) bool {
	if base == "" {
		return false
	}
	then, err := c.listing(base)
	if err != nil {
		return false
	}
	now, err := c.listing(commit)
	was, ok := then.files[name]
	return err == nil && ok && was != now.files[name]
}

// oneLine puts a text of others on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// leftCheckouts ends and removes what an earlier process of ours left behind, and
// names what is not ours to remove.
func (c *Controller) leftCheckouts() []string {
	var notes []string
	kept := c.repo.Leftovers(func(note string) {
		if group, ok := agent.ParseGroup(note); ok && group.End() {
			notes = append(notes, "a gate of an earlier git-sdd, which was killed, was still running; it was ended")
		}
	})
	for _, dir := range kept {
		notes = append(notes, "a checkout of an earlier gate holds changes and was left alone: git worktree remove --force --force "+shellWord(dir))
	}
	return notes
}

// A gateHouse is where the gates of a command come from: the run that lives here
// and is pinned to them, or else the settings as they are.
type gateHouse struct {
	c   *Controller
	run *run // nil for the settings as they are
	pin config.Pin
}

func (c *Controller) gateHouse(ctx context.Context) (h gateHouse, err error) {
	h.c = c
	if h.run, err = c.living(ctx); err != nil {
		return h, err
	}
	if h.run != nil {
		h.pin, err = h.run.pinnedSettings()
		return h, err
	}
	s, err := c.settings()
	if err != nil {
		return h, err
	}
	h.pin = s.Pin()
	return h, nil
}

// living returns the run that lives here, nil where none does: what it is asked
// for makes sense without one. A run that was named must be there.
func (c *Controller) living(ctx context.Context) (*run, error) {
	if c.opt.Run != "" || c.opt.ExpectedRevision != nil {
		return c.find(ctx, writing)
	}
	if r, err := c.hinted(ctx); r != nil || err != nil {
		return r, err
	}
	all, err := c.candidates(ctx, liveRun)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(k candidate) bool { return !c.isHere(k.view) || k.view.Phase.Terminal() })
	switch len(all) {
	case 0:
		return nil, nil
	case 1:
		return c.load(ctx, all[0].id)
	}
	return nil, severalRuns(all)
}

func (h gateHouse) close() {
	if h.run != nil {
		h.run.close()
	}
}

// id is the run's, nil where none lives here.
func (h gateHouse) id() *string {
	if h.run == nil {
		return nil
	}
	id := h.run.id.String()
	return &id
}

// named returns the gates that are meant, all of them where no name is given.
func (h gateHouse) named(name string) ([]config.Gate, error) {
	all := h.pin.Gates()
	where := "[gate.test] with command = [\"make\", \"test\"] in .git/git-sdd.toml"
	if h.run != nil {
		where = "a run with gates: it is pinned to the settings of its start"
	}
	switch {
	case len(all) == 0:
		return nil, fault.New(fault.Invalid, where, "no gate is set")
	case name == "":
		return all, nil
	}
	if g, ok := h.pin.Gate(name); ok {
		return []config.Gate{g}, nil
	}
	var names []string
	for _, g := range all {
		names = append(names, g.Name)
	}
	return nil, fault.New(fault.Invalid, "git sdd gate run "+names[0], "there is no gate %q; there are %s", name, strings.Join(names, ", "))
}

// mayRun refuses a gate that nobody lets run here.
func (h gateHouse) mayRun(g config.Gate, again string) error {
	if h.run != nil {
		return h.run.mayRun(g, again)
	}
	if g.Layer != config.Tracked {
		return nil
	}
	id, content, err := h.c.settingsBlob("")
	if err != nil {
		return err
	}
	known, err := h.c.trustedBlobs()
	if err != nil {
		return err
	}
	if slices.Contains(known, id) && h.c.defines(content, g) {
		return nil
	}
	return fault.New(fault.Waiting, "git sdd trust --blob "+id, "gate %q is %q, from the tracked %s, which is not trusted in this clone", g.Name, g.Command, settingsName)
}
