package evidence

import (
	"errors"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A RangeCommit is one commit of a range.
type RangeCommit struct {
	git.Commit
	Paths    []string // what it changed against its first parent
	FromBase bool     // the base branch has it too: it came with a merge or a rebase
}

// Commits returns the commits of head that are not in base, oldest first.
// baseRef is the branch that the work will go to; where it does not exist any
// more, nothing is known to come from it.
func Commits(repo *git.Repo, base, head, baseRef string) ([]RangeCommit, error) {
	commits, err := repo.Commits(base, head)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	touched, err := repo.Touched(base, head)
	if err != nil {
		return nil, err
	}
	paths := make(map[string][]string, len(touched))
	for _, t := range touched {
		paths[t.ID] = t.Paths
	}
	own, err := ownCommits(repo, base, head, baseRef)
	if err != nil {
		return nil, err
	}
	all := make([]RangeCommit, 0, len(commits))
	for _, c := range commits {
		all = append(all, RangeCommit{Commit: c, Paths: paths[c.ID], FromBase: own != nil && !own[c.ID]})
	}
	return all, nil
}

// ownCommits returns the commits of the range that the base branch does not
// have, or nil where there is no such branch.
func ownCommits(repo *git.Repo, base, head, baseRef string) (map[string]bool, error) {
	tip, err := repo.Resolve(baseRef + "^{commit}")
	if errors.Is(err, git.ErrMissing) || errors.Is(err, git.ErrAmbiguous) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ids, err := repo.RevList(head, "^"+base, "^"+tip)
	if err != nil {
		return nil, err
	}
	own := make(map[string]bool, len(ids))
	for _, id := range ids {
		own[id] = true
	}
	return own, nil
}
