package controller

import (
	"os"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/workspace"
)

// checkRelocation holds a move of the run to the place that it names: a worktree
// of this very repository, with the pinned branch checked out. The old ground may
// be gone, so nothing else is asked of it.
func (r *run) checkRelocation(e machine.RunRelocated) error {
	const repair = "git worktree add <path> <branch>, then name its paths"
	if info, err := os.Stat(e.Worktree); err != nil || !info.IsDir() {
		return fault.New(fault.Identity, repair, "worktree %q is not there", e.Worktree)
	}
	site, err := r.c.repo.At(e.Worktree)
	if err != nil || site.WorkTree() != e.Worktree || site.CommonDir() != r.c.repo.CommonDir() {
		if err == nil {
			site.Close()
		}
		return fault.New(fault.Identity, repair, "%q is not the top of a worktree of this repository", e.Worktree)
	}
	defer site.Close()
	if site.Branch() != r.view.Branch {
		return fault.New(fault.Identity, "git -C "+shellWord(e.Worktree)+" switch "+shellWord(r.view.Branch),
			"branch %q is checked out in %s, and the run is pinned to %q", site.Branch(), e.Worktree, r.view.Branch)
	}
	if want := workspace.Root(e.Worktree, r.id.Prefix12()); e.RunRoot != want {
		return fault.New(fault.Invalid, "name runRoot "+want, "runRoot %q is not the run's folder there", e.RunRoot)
	}
	if want := repoRoot(site); e.RepoRoot != want {
		return fault.New(fault.Invalid, "name repoRoot "+want, "repoRoot %q is not that of this repository", e.RepoRoot)
	}
	return nil
}
