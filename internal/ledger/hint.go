package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
)

// hintFile, in the git directory of a worktree, says which run is the one of
// this worktree: so that finding it costs one read and not one for each run. A
// plain file and no ref: a ref would break `git fsck` when it dangles and travel
// with `git push --mirror`.
const hintFile = "sdd-active"

// ReadHint returns the run that the worktree's hint names. There is none where
// the hint is missing or says nothing that makes sense; it is a hint, and
// whoever follows it checks the state that it leads to.
func ReadHint(repo *git.Repo) (RunID, bool) {
	path := filepath.Join(repo.GitDir(), hintFile)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return RunID{}, false // a pipe would never end
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return RunID{}, false
	}
	id, err := ParseRunID(strings.TrimSuffix(string(data), "\n"))
	return id, err == nil
}

// WriteHint makes a run the one of this worktree. A reader sees the old hint or
// the new one; a crash may lose it without harm.
func WriteHint(repo *git.Repo, id RunID) error {
	f, err := os.CreateTemp(repo.GitDir(), hintFile+".*")
	if err != nil {
		return fmt.Errorf("writing the hint: %w", err)
	}
	_, err = f.WriteString(id.String() + "\n")
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(repo.GitDir(), hintFile))
	}
	if err != nil {
		return fmt.Errorf("writing the hint: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// ClearHint forgets the worktree's hint.
func ClearHint(repo *git.Repo) error {
	err := os.Remove(filepath.Join(repo.GitDir(), hintFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing the hint: %w", err)
	}
	return nil
}
