package git

import (
	"context"
	"fmt"
	"os"
)

// AddCopy makes a linked worktree at a path that does not exist yet, detached at
// a commit. No hook runs, and within a hook the index that git hands over there,
// of a commit in the making, is neither read nor written.
func (r *Repo) AddCopy(path, commit string) error {
	if err := checkSpecs(commit); err != nil {
		return err
	}
	_, err := r.copyAt(path).shared("worktree", "add", "--quiet", "--detach", path, commit)
	return err
}

// RemoveCopy removes a linked worktree with whatever is in it, also where somebody
// locked it or made folders in it read-only.
func (r *Repo) RemoveCopy(path string) error {
	removeAll(path)
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s cannot be removed", path)
	}
	_, err := r.WithContext(context.WithoutCancel(r.ctx)).copyAt(path).shared("worktree", "remove", "--force", "--force", path)
	return err
}

// copyAt is a copy as a checkout without a private folder around it.
func (r *Repo) copyAt(path string) *Checkout { return &Checkout{repo: r, dir: path} }
