package verify

import (
	"bytes"
	"errors"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// checkGiven makes again what follows from the ledger of the texts that a child is
// given to read: what humans answered and ruled, what is reviewed, how gates ended
// and where findings stand. The rest of them quotes the code.
func (c *check) checkGiven(n int, was machine.View, role tier.Role, f machine.IntentFacts) error {
	if role.Works() != (f.Package == nil) {
		c.res.add(n, "unattested", "a reviewer is dispatched with a package, and nobody else is")
	}
	if err := c.checkPackage(n, was, role, f); err != nil {
		return err
	}
	if f.Context == nil {
		return nil
	}
	stored, err := c.tree.file(f.Context.Path)
	if errors.Is(err, ledger.ErrNoFile) {
		return nil // told already
	}
	if err != nil {
		return err
	}
	asked, err := c.asked(was, role)
	if err != nil {
		return err
	}
	if role == tier.Implementer && !bytes.Equal(stored, prompt.QuestionsContext(asked)) || !bytes.Contains(stored, []byte(prompt.Exchanges(asked))) && role != tier.Implementer {
		c.res.add(n, "context", "%s does not tell what was asked and answered", f.Context.Path)
	}
	return nil
}

func (c *check) checkPackage(n int, was machine.View, role tier.Role, f machine.IntentFacts) error {
	if f.Package == nil {
		return nil
	}
	stored, err := c.tree.file(f.Package.Path)
	if errors.Is(err, ledger.ErrNoFile) {
		return nil // told already
	}
	if err != nil {
		return err
	}
	from := 0
	if !role.IsFinal() {
		from = judge.ScopeBegin(was, role)
	}
	in := prompt.PackageInput{
		Title: judge.PackageTitle(was, role), Base: f.Base.Commit, Head: f.Head.Commit,
		BaseIs: judge.BaseWords(was, role), Branch: was.Branch,
	}
	for _, g := range f.Gates {
		in.Gates = append(in.Gates, prompt.GateResult{Name: g.Name, Outcome: g.Outcome})
	}
	if role.IsFinal() {
		in.Ledger = judge.LedgerLines(was)
	}
	if in.Rulings, err = c.ruled(n, from); err != nil {
		return err
	}
	for _, told := range prompt.PackageTold(in) {
		if !bytes.Contains(stored, []byte(told.Text)) {
			c.res.add(n, "package", "%s does not tell %s", f.Package.Path, told.What)
		}
	}
	return nil
}

// asked are the questions and answers that a child is told of. Those of
// implementers end with what this very dispatch answers.
func (c *check) asked(was machine.View, role tier.Role) ([]prompt.Exchange, error) {
	now := c.state.View()
	var pairs [][2]string // stems: of the report that asks, of the answer
	if role == tier.Implementer || role == tier.Fixer {
		for k := 2; k < machine.NextAttempt(now, tier.Implementer, was.CurrentTask, 0); k++ {
			pairs = append(pairs, [2]string{
				machine.ArtifactStem(was.CurrentTask, tier.Implementer, k-1, 0), machine.ArtifactStem(was.CurrentTask, tier.Implementer, k, 0),
			})
		}
	}
	switch role {
	case tier.Fixer, tier.ReReviewer:
		for round := min(was.FixRound, 1); round <= was.FixRound; round++ {
			pairs = append(pairs, c.askedIn(was, tier.Fixer, round))
		}
	case tier.FinalReReviewer:
		pairs = append(pairs, c.askedIn(was, tier.FinalFixer, 0))
	}
	var all []prompt.Exchange
	for _, p := range pairs {
		e, ok, err := c.exchange(p[0]+".report.md", p[1]+".answer.md")
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, e)
		}
	}
	return all, nil
}

func (c *check) askedIn(was machine.View, role tier.Role, round int) [2]string {
	stem := machine.ArtifactStem(was.CurrentTask, role, machine.NextAttempt(was, role, was.CurrentTask, round)-1, round)
	return [2]string{stem, stem}
}

func (c *check) exchange(asked, answered string) (e prompt.Exchange, ok bool, err error) {
	answer, err := c.tree.file(answered)
	if errors.Is(err, ledger.ErrNoFile) {
		return e, false, nil
	}
	if err != nil {
		return e, false, err
	}
	e.Answer = string(answer)
	data, err := c.tree.file(asked)
	if err != nil && !errors.Is(err, ledger.ErrNoFile) {
		return e, false, err
	}
	if work, defects := report.ParseWork(data, report.WorkContext{AllowEmpty: true}); len(defects) == 0 {
		e.Questions = judge.Questions(work)
	}
	return e, true, nil
}
