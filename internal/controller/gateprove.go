package controller

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sdd/git-sdd/internal/argv"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// ProveOptions say which gate is held against what.
type ProveOptions struct {
	Name    string
	Control string   // a commit that the gate should refuse as it is; "" for the merge base with the tests of the head
	Tests   []string // globs of more paths that are tests
}

// GateProof is the answer of `gate prove`.
type GateProof struct {
	Schema      string            `json:"schema"`
	Run         *string           `json:"run"` // where it is recorded; null where no run lives
	Name        string            `json:"name"`
	Outcome     string            `json:"outcome"`
	Why         string            `json:"why"`
	Head        *GateSeen         `json:"head"`
	Control     *GateSeen         `json:"control"`
	Base        machine.CommitRef `json:"base"`
	TestCount   int               `json:"testCount"`
	Tests       []string          `json:"tests"`
	Repair      string            `json:"repair"`
	Transitions []Transition      `json:"transitions"`
	Touched     []string          `json:"touched"`
	Warnings    []string          `json:"warnings"`
}

// A proving is a negative control while it is made.
type proving struct {
	house         gateHouse
	gate          config.Gate
	site          *git.Repo // where the head is
	head          string
	base          machine.CommitRef
	control       evidence.Control
	asIs          bool     // the control is a commit that was named, without tests of the head
	tests         []string // of the head, those that it deletes included
	headRan, ran  *evidence.GateResult
	touched, said []string
}

// Prove runs a gate on the head, which it should pass, and on a control, which it
// should fail, and says whether it tells one from the other. A run that lives here
// records it.
func (c *Controller) Prove(ctx context.Context, o ProveOptions) (*GateProof, error) {
	for _, glob := range o.Tests {
		if err := config.CheckGlob(glob); err != nil {
			return nil, fault.New(fault.Invalid, "git sdd gate prove "+shellWord(o.Name)+" --tests <glob>", "--tests %q: %w", glob, err)
		}
	}
	h, err := c.gateHouse(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()
	p := &proving{house: h, site: c.repo}
	gates, err := h.named(o.Name)
	if err != nil {
		return nil, err
	}
	p.gate = gates[0]
	if err := p.checkPlace(); err != nil {
		return nil, err
	}
	if err := h.mayRun(p.gate, "git sdd gate prove "+p.gate.Name); err != nil {
		return nil, err
	}
	if err := p.choose(o); err != nil {
		return nil, err
	}
	if err := p.carryOut(ctx); err != nil {
		return nil, err
	}
	return p.answer(ctx)
}

// checkPlace wants a run that can be written to, where one lives here, and a head.
func (p *proving) checkPlace() (err error) {
	c, r := p.house.c, p.house.run
	p.said = c.leftCheckouts()
	if r == nil {
		p.head, err = c.gateCommit("", "git sdd gate prove "+p.gate.Name)
		return err
	}
	if err := c.refuseChild(); err != nil {
		return err
	}
	if r.view.Phase.Terminal() {
		return fault.New(fault.Invalid, "git sdd gate run --run "+r.id.Prefix12()+" "+p.gate.Name, "run %s has ended %s; nothing more is recorded in it", r.id.Prefix12(), r.view.Phase)
	}
	g, err := r.checkWrite()
	p.head, p.site = g.head, r.site
	return err
}

// choose makes the control: the commit that was named, as it is, or the merge base
// under the test files of the head.
func (p *proving) choose(o ProveOptions) error {
	c := p.house.c
	base, err := "", error(nil)
	if o.Control != "" {
		base, err = c.gateCommit(o.Control, "git sdd gate prove "+p.gate.Name+" --control <commit>")
	} else {
		base, err = p.mergeBase()
	}
	if err != nil {
		return err
	}
	tree, err := c.repo.TreeOf(base)
	if err != nil {
		return err
	}
	p.base, p.control = machine.CommitRef{Commit: base, Tree: tree}, evidence.Control{Commit: base, From: p.head}
	if p.asIs = o.Control != ""; p.asIs {
		return nil
	}
	return p.takeTests(o.Tests)
}

// mergeBase is the run's, or that of the head with the default base.
func (p *proving) mergeBase() (string, error) {
	if r := p.house.run; r != nil {
		return r.view.MergeBase, nil
	}
	repair := "git sdd gate prove " + p.gate.Name + " --control <commit>"
	ref, err := p.house.c.repo.DefaultBase()
	if errors.Is(err, git.ErrNone) {
		return "", fault.New(fault.Invalid, repair, "no base to compare with: the remote names no default branch, and there is no main or master")
	}
	if err != nil {
		return "", err
	}
	base, err := p.house.c.repo.MergeBase(p.head, ref)
	if errors.Is(err, git.ErrNone) {
		return "", fault.New(fault.Invalid, repair, "the head and base %q have unrelated histories", ref)
	}
	return base, err
}

// takeTests finds the test files that the head has otherwise than the merge base,
// and what the gate's command runs and the merge base lacks: without it the gate
// would be red there whatever it checks.
func (p *proving) takeTests(more []string) error {
	changes, err := p.site.Changes(p.base.Commit, p.head)
	if err != nil {
		return err
	}
	runs := argv.Runs(p.gate.Command)
	for _, k := range changes {
		gone, moved := git.Null(k.NewID), k.Old != k.New
		own := (git.Null(k.OldID) || moved) && slices.Contains(runs, k.New)
		if !gone && k.NewMode != submodule && (own || isTest(k.New, more)) {
			p.control.Take, p.tests = append(p.control.Take, k.New), append(p.tests, k.New)
		}
		if (gone || moved) && isTest(k.Old, more) {
			p.control.Drop, p.tests = append(p.control.Drop, k.Old), append(p.tests, k.Old)
		}
	}
	slices.Sort(p.tests)
	p.tests = slices.Compact(p.tests)
	return nil
}

// submodule is the mode of a commit of another repository.
const submodule = "160000"

// carryOut runs the gate on the head and, where that shows anything, on the
// control.
func (p *proving) carryOut(ctx context.Context) error {
	if len(p.tests) == 0 && !p.asIs {
		return nil
	}
	w, err := p.house.c.gating(ctx, p.site, p.house.run)
	if err != nil {
		return err
	}
	head, touched, err := w.run(p.gate, p.head)
	if err != nil {
		return err
	}
	p.headRan = &head
	p.note(head, touched)
	if head.Outcome != evidence.GatePassed {
		return nil
	}
	control, touched, err := w.control(p.gate, p.control)
	if err != nil {
		return err
	}
	p.ran = &control
	p.note(control, touched)
	return nil
}

// note keeps what a run of the gate did beside its work.
func (p *proving) note(res evidence.GateResult, touched []string) {
	if len(touched) > 0 {
		p.touched = append(p.touched, touchedLine(p.gate, touched))
	}
	p.said = append(p.said, leftLines(res)...)
}

// Fault is the refusal that the answer stands for, nil where the gate
// discriminates.
func (o *GateProof) Fault() *fault.Error {
	if o.Outcome == machine.Discriminates {
		return nil
	}
	return fault.New(fault.Refused, o.Repair, "gate %q %s: %s", o.Name, said(o.Outcome), o.Why)
}

func said(outcome string) string {
	if outcome == machine.CannotTell {
		return "shows nothing yet"
	}
	return outcome
}

// repair is what makes a gate show that it tells good from bad.
func (p *proving) repair(outcome string) string {
	again := "git sdd gate prove " + p.gate.Name
	switch {
	case outcome == machine.Discriminates:
		return ""
	case p.headRan == nil:
		return again + " --tests <glob>, or " + again + " --control <commit>"
	case p.headRan.Outcome == evidence.GateError:
		return p.house.c.runnable(*p.headRan, p.base.Commit, again)
	case p.ran == nil:
		return "git sdd gate run " + p.gate.Name
	case outcome == machine.Blind && len(p.tests) > 0:
		return fmt.Sprintf("write a test that fails without the change, then %s", again)
	}
	return again + " --control <commit>, with a commit that the gate must refuse"
}
