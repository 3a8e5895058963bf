package git

import "os"

// AddCopy makes a linked worktree at a path that does not exist yet, detached at
// a commit. No hook runs.
func (r *Repo) AddCopy(path, commit string) error {
	if err := checkSpecs(commit); err != nil {
		return err
	}
	_, err := r.run(call{args: []string{"-c", "core.hooksPath=" + os.DevNull, "worktree", "add", "--quiet", "--detach", path, commit}})
	return err
}

// RemoveCopy removes a linked worktree with whatever is in it.
func (r *Repo) RemoveCopy(path string) error {
	_, err := r.run(call{args: []string{"worktree", "remove", "--force", path}})
	return err
}
