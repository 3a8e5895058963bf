package verify

import (
	"slices"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// attestProof names the commits that a negative control ran on. A control may be
// any commit, so that no range lies between them. The tree of a control with tests
// is that of no commit, and nothing here can name it.
func (c *check) attestProof(n int, p machine.Proof) {
	c.attested.add(n, p.Base, p.Base) // first, as the pins have it
	if g := p.Head; g != nil {
		head := machine.CommitRef{Commit: g.Commit, Tree: g.Tree}
		c.attested.add(n, &head, &head)
	}
}

// checkProof holds a proof to what its two runs show.
func (c *check) checkProof(n int, event machine.Event, p machine.Proof) error {
	tell := func(format string, args ...any) {
		c.res.add(n, "proof", "the proof of gate %q "+format, append([]any{p.Name}, args...)...)
	}
	if p.Base == nil {
		tell("names no base")
		return nil
	}
	if outcome, why := judge.Prove(p.Head, p.Control, p.Base.Commit, p.TestCount); outcome != p.Outcome || why != p.Why {
		tell("says %q, and its runs show %q", p.Outcome+", "+p.Why, outcome+", "+why)
	}
	if note, ok := event.(machine.RecoveryRulingRecorded); !ok || note != judge.ProofNote(p) {
		tell("is recorded under other words")
	}
	if g, ok := c.pin.Gate(p.Name); c.pinned && (!ok || p.Head != nil && !slices.Equal(g.Command, p.Head.Command)) {
		tell("is of a command that the run is not pinned to")
	}
	c.checkControl(tell, p)
	for _, run := range []struct {
		side string
		gate *machine.GateFact
	}{{"head", p.Head}, {"control", p.Control}} {
		g := run.gate
		switch {
		case g == nil:
		case g.Name != p.Name:
			tell("holds a run of gate %q", g.Name)
		case g.Output == nil || g.Output.Path != machine.ProofPath(c.state.View(), n, p.Name, run.side):
			tell("has no output of its name for the %s", run.side)
		default:
			if err := c.checkGate(n, *g); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkControl holds the control to what it is said to be: the merge base under
// tests, or a commit as it is.
func (c *check) checkControl(tell func(string, ...any), p machine.Proof) {
	base, ran := c.state.View().MergeBase, p.Head != nil || p.Control != nil
	switch g := p.Control; {
	case (p.TestCount > 0 || !ran) && p.Base.Commit != base:
		tell("rests on %s, and the merge base is %s", p.Base.Commit, base)
	case p.TestCount > 0 && !ran:
		tell("counts tests, and nothing ran")
	case g == nil:
	case g.Commit != p.Base.Commit:
		tell("has its control on %s, and its base is %s", g.Commit, p.Base.Commit)
	case p.TestCount == 0 && g.Tree != p.Base.Tree:
		tell("has a control of tree %s, and commit %s has %s", g.Tree, g.Commit, p.Base.Tree)
	case p.Head == nil || !slices.Equal(g.Command, p.Head.Command):
		tell("has a control of another command than the head")
	}
}
