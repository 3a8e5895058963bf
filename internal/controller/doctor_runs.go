package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/verify"
)

// ailingRuns verifies every run, and looks whether the live ones have a worktree
// and whether copies that were fetched agree.
func (c *Controller) ailingRuns(ctx context.Context) ([]Ailment, error) {
	runs, err := ledger.List(ctx, c.repo)
	if err != nil {
		return nil, faultOfLedger(err)
	}
	fetched, err := c.repo.Refs("refs/sdd-remotes/")
	if err != nil {
		return nil, err
	}
	var all []Ailment
	for _, s := range runs {
		found, err := c.ailingRun(ctx, s.Run)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
		for _, ref := range fetched {
			if !strings.HasSuffix(ref.Name, "/"+s.Run.String()) {
				continue
			}
			diverged, err := c.diverged(s.Commit, ref.ID)
			if err != nil {
				return nil, err
			}
			if diverged {
				all = append(all, Ailment{Kind: "diverged", Message: fmt.Sprintf("run %s and %s have each gone on without the other", s.Run.Prefix12(), ref.Name),
					Repair: fmt.Sprintf("git log --oneline --left-right %s...%s", s.Run.Ref(), ref.Name)})
			}
		}
	}
	return all, nil
}

func (c *Controller) ailingRun(ctx context.Context, id ledger.RunID) ([]Ailment, error) {
	res, err := c.verified(ctx, id, VerifyOptions{})
	if err != nil {
		return nil, err
	}
	look := "git sdd verify " + id.Prefix12()
	var all []Ailment
	switch {
	case res.Outcome == verify.Failed:
		return []Ailment{{Kind: "broken-run", Message: fmt.Sprintf("run %s does not hold what it claims: %s", id.Prefix12(), res.Problems[0].Message), Repair: look}}, nil
	case res.Outcome == verify.Underivable:
		return []Ailment{{Kind: "missing-objects", Message: fmt.Sprintf("run %s cannot be derived from what is here: %s", id.Prefix12(), res.Problems[0].Message), Repair: "git fetch --unshallow, or fetch the run again without a filter"}}, nil
	case res.CodeMissing:
		all = append(all, Ailment{Kind: "missing-code", Message: fmt.Sprintf("commits that run %s attests are not here", id.Prefix12()), Repair: fmt.Sprintf("git fetch origin '%s:%s'", id.PinRef(), id.PinRef())})
	}
	gone, err := c.worktreeGone(ctx, id)
	if gone == nil {
		return all, err
	}
	return append(all, *gone), nil
}

// worktreeGone finds a live run whose worktree is not there any more. One that was
// fetched has its worktree elsewhere, and nothing of it is missing here.
func (c *Controller) worktreeGone(ctx context.Context, id ledger.RunID) (*Ailment, error) {
	stored, err := ledger.Load(ctx, c.repo, id)
	if err != nil {
		return nil, faultOfLedger(err)
	}
	state, err := machine.DecodeState(stored.State)
	if err != nil {
		return nil, faultOfState(id, err)
	}
	v := state.View()
	if v.Phase.Terminal() {
		return nil, nil
	}
	if _, err := os.Stat(v.Worktree); err == nil {
		return nil, nil
	}
	_, err = c.repo.Resolve("refs/heads/" + v.Branch)
	repair := "git worktree add --force " + shellWord(v.Worktree) + " " + shellWord(v.Branch) // git may still have it in its list
	switch {
	case errors.Is(err, git.ErrMissing) && v.RepoRoot != repoRoot(c.repo):
		return nil, nil
	case errors.Is(err, git.ErrMissing):
		repair = "git sdd abandon --run " + id.Prefix12() + " --reason <reason>"
	case err != nil:
		return nil, err
	}
	return &Ailment{Kind: "worktree-gone", Message: fmt.Sprintf("run %s is live and its worktree %s is gone", id.Prefix12(), v.Worktree), Repair: repair}, nil
}

func (c *Controller) diverged(ours, theirs string) (bool, error) {
	for _, pair := range [][2]string{{ours, theirs}, {theirs, ours}} {
		inside, err := c.repo.IsAncestor(pair[0], pair[1])
		if errors.Is(err, git.ErrMissing) || isCommandError(err) {
			return false, nil // not here, which is told elsewhere
		}
		if err != nil || inside {
			return false, err
		}
	}
	return true, nil
}
