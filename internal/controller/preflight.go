package controller

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// preflight records whether the place is as a run wants it: a clean work tree on
// a branch of its own at a known merge base (contract: preflight). A conflict is
// never settled silently: leaving it takes a ruling.
func (r *run) preflight(ctx context.Context) error {
	reasons, err := r.preflightReasons()
	if err != nil {
		return err
	}
	facts := machine.PreflightFacts{Reasons: reasons}
	if len(reasons) == 0 {
		return r.record(ctx, step{event: machine.PreflightClean{}, facts: facts})
	}
	return r.record(ctx, step{event: machine.PreflightConflict{Reason: judge.OneReason(reasons)}, facts: facts})
}

// preflightReasons are the facts that stand against a clean start.
func (r *run) preflightReasons() ([]string, error) {
	if _, err := r.workspace(); err != nil {
		return nil, err
	}
	reasons := []string{}
	if onBase(r.view.BaseRef, r.view.Branch) {
		reasons = append(reasons, fmt.Sprintf("branch %q is the base branch itself", r.view.Branch))
	}
	now, err := evidence.Observe(r.site)
	if err != nil {
		return nil, err
	}
	for _, p := range now.Paths {
		switch {
		case !p.Untracked():
			reasons = append(reasons, fmt.Sprintf("uncommitted change: %q", p.Name))
		case p.Name != r.planName():
			reasons = append(reasons, fmt.Sprintf("untracked file: %q", p.Name))
		}
	}
	foreign, err := r.foreignCommits(now.Head)
	if err != nil {
		return nil, err
	}
	for _, c := range foreign {
		reasons = append(reasons, fmt.Sprintf("commit beyond the merge base: %s %q", short(c.ID), c.Subject))
	}
	if n := len(reasons) - maxReasons; n > 0 {
		reasons = append(reasons[:maxReasons], fmt.Sprintf("and %d more", n))
	}
	return reasons, r.noteIgnored()
}

// maxReasons is how many reasons an event lists: a folder that nobody ignores
// holds a hundred thousand.
const maxReasons = 64

// conflictReasons are the reasons that wait for a ruling, as they were recorded.
func (r *run) conflictReasons(ctx context.Context) ([]string, error) {
	var reasons []string
	err := ledger.Walk(ctx, r.c.repo, r.tip, 0, func(rev ledger.Revision) error {
		if rev.Message.Event != machine.KindPreflightConflict.String() {
			return nil
		}
		doc, err := r.document(ctx, rev.Number)
		if err != nil {
			return err
		}
		switch facts := doc.Facts.(type) {
		case machine.PreflightFacts:
			reasons = facts.Reasons
		default: // recorded as a raw event, which brings no facts
			reasons = []string{doc.Event.(machine.PreflightConflict).Reason}
		}
		return nil
	})
	return reasons, faultOfLedger(err)
}

// planName is the plan's path in the work tree, or "" when it lies elsewhere.
func (r *run) planName() string {
	rel, err := filepath.Rel(r.view.Worktree, r.view.PlanPath)
	if err != nil || strings.HasPrefix(rel, "..") {
		return ""
	}
	return filepath.ToSlash(rel)
}

// foreignCommits are those beyond the merge base that touch more than the plan
// and what the settings call process.
func (r *run) foreignCommits(head string) ([]git.Touched, error) {
	if head == r.view.MergeBase {
		return nil, nil
	}
	all, err := r.site.Touched(r.view.MergeBase, head)
	if err != nil {
		return nil, err
	}
	process, err := r.processPaths()
	if err != nil {
		return nil, err
	}
	var foreign []git.Touched
	for _, c := range all {
		for _, p := range c.Paths {
			if p != r.planName() && !process(p) {
				foreign = append(foreign, c)
				break
			}
		}
	}
	return foreign, nil
}

// noteIgnored names what git ignores: it passes, and is worth a word.
func (r *run) noteIgnored() error {
	ignored, err := r.site.IgnoredFiles()
	if err != nil {
		return err
	}
	var others []string
	for _, name := range ignored {
		if !strings.HasPrefix(name, ".git-sdd/") {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		r.notes = append(r.notes, "ignored by git and left alone: "+listed(others))
	}
	return nil
}

// onBase reports whether a branch is the one that a base ref names, here or on a
// remote.
func onBase(baseRef, branch string) bool {
	if rest, ok := strings.CutPrefix(baseRef, "refs/remotes/"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return rest == branch
	}
	return baseRef == branch || baseRef == "heads/"+branch || baseRef == "refs/heads/"+branch
}
