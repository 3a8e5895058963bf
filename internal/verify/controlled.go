package verify

import (
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// checkControlled holds what only facts decide of a review to these facts: a gate
// that failed is a finding whatever the reviewer says, and its verdict is that of
// its own run (architecture: facts, findings that facts make).
func (c *check) checkControlled(n int, was machine.View, r machine.Review) error {
	intent, err := c.intentOf(was)
	if err != nil || intent == nil {
		return err
	}
	role := judge.RoleOf(was)
	gates := judge.Gates(was, role, intent.Gates)
	if !sameVerdicts(gates.Verdicts, r.Verdicts, judge.IsGate) || !sameFindings(gates.Findings, r.Findings, judge.IsGate) {
		c.res.add(n, "gate", "what is recorded of the gates is not what their runs give")
	}
	stale := judge.Staleness(was, role, *intent, nil) // as though nothing had come
	for i, v := range ofKind(r.Verdicts, judge.IsStale) {
		if (i >= len(stale.Verdicts) || v != stale.Verdicts[i]) && !judge.TellsOf(v.Evidence, intent.Head.Commit) {
			c.res.add(n, "facts", "the verdict on %s is not what the judged range gives", v.ID)
		}
	}
	for _, f := range r.Findings {
		if judge.IsStale(f.ID) && (f.Location != "none" || f.Severity != "Important" || !judge.TellsOf(f.Summary, intent.Head.Commit)) {
			c.res.add(n, "facts", "%s does not tell of the judged head", f.ID)
		}
	}
	return c.checkGuards(n, was, intent.Head.Commit)
}

func ofKind(all []machine.Verdict, is func(id string) bool) []machine.Verdict {
	return slices.DeleteFunc(slices.Clone(all), func(v machine.Verdict) bool { return !is(v.ID) })
}

func sameVerdicts(want, all []machine.Verdict, is func(id string) bool) bool {
	return slices.Equal(want, ofKind(all, is))
}

func sameFindings(want, all []machine.Finding, is func(id string) bool) bool {
	return slices.Equal(want, slices.DeleteFunc(slices.Clone(all), func(f machine.Finding) bool { return !is(f.ID) }))
}

// checkGuards: a file that the pinned settings name as a gate's guard, and that is
// not at the judged head as it was at the merge base, is an open finding after the
// review, or a ruling accepts it. What a gate relies on where the settings name
// nothing follows from the program, and another one may see it otherwise.
func (c *check) checkGuards(n int, was machine.View, head string) error {
	changes, err := c.guarded(was.MergeBase, head)
	if err != nil {
		return err
	}
	v := c.state.View()
	for _, g := range changes {
		_, accepted := g.Accepted(was)
		f, open := g.Finding(v)
		if !accepted && (!open || f.Verdict == "RESOLVED") {
			c.res.add(n, "guard", "%q is a guard of gate %s and differs from the merge base, which is neither ruled on nor an open finding", g.Path, strings.Join(g.Gates, ", "))
		}
	}
	return nil
}
