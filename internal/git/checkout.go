package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Checkout is a clean, detached work tree of one commit in a folder of its
// own, for a program that is to see that commit and nothing else. It is a linked
// worktree of the repository, so that every format, filter and ref is there; it
// stays locked and registered for as long as it is used.
type Checkout struct {
	repo   *Repo
	dir    string // the work tree
	around string // the private folder that holds it
	admin  string // what git keeps about it; "" where that is not known
}

// checkoutReason begins the reason for which a checkout of ours is locked.
const checkoutReason = "git-sdd checkout"

// without hooks, monitors, sparse patterns and nested repositories: the commit
// as it is, and no program of the user's beside its filters.
var plainCheckout = []string{
	"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.sparseCheckout=false",
	"-c", "submodule.recurse=false", "-c", "core.splitIndex=false", "-c", "advice.detachedHead=false",
}

// Checkout makes one below the system's folder for temporary files. The work
// tree has the name of the repository's own, because some tools look at it. The
// caller removes it.
func (r *Repo) Checkout(commit string) (*Checkout, error) {
	id, err := r.Commit(commit)
	if err != nil {
		return nil, err
	}
	around, err := temporary("git-sdd-*")
	if err != nil {
		return nil, fmt.Errorf("making a folder for a checkout: %w", err)
	}
	c := &Checkout{repo: r, dir: filepath.Join(around, r.folderName()), around: around}
	add := []string{"worktree", "add", "--quiet", "--detach", "--no-checkout", "--lock", "--reason", lockReason(), c.dir, id}
	if _, err = c.shared(add...); err == nil {
		c.admin = adminOf(c.dir)
		_, err = c.inside("reset", "--quiet", "--hard")
	}
	if err != nil {
		return nil, errors.Join(err, c.Remove())
	}
	return c, nil
}

// adminOf reads where a new worktree's own part of the repository is.
func adminOf(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, ".git"))
	admin, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if err != nil || !ok {
		return ""
	}
	if !filepath.IsAbs(admin) {
		admin = filepath.Join(dir, admin)
	}
	return admin
}

// folderName is what the work tree is called.
func (r *Repo) folderName() string {
	name := filepath.Base(r.WorkTree())
	if r.WorkTree() == "" {
		name = strings.TrimSuffix(filepath.Base(r.CommonDir()), ".git")
	}
	if name == "" || name == string(filepath.Separator) || name == "." {
		return "checkout"
	}
	return name
}

// Dir is the top of the checkout's work tree.
func (c *Checkout) Dir() string { return c.dir }

// noteName is the file beside the work tree for what a later process must know.
const noteName = "running"

// Note writes down, beside the work tree, what [Repo.Leftovers] is to tell of it
// should this process be killed. A note that cannot be written is none.
func (c *Checkout) Note(text string) {
	_ = os.WriteFile(filepath.Join(c.around, noteName), []byte(text), 0o600)
}

// Take lays the given paths of another commit over the work tree.
func (c *Checkout) Take(commit string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := c.run(c.dir, call{
		args:  append(slices.Clone(plainCheckout), "checkout", "--quiet", commit, "--pathspec-from-file=-", "--pathspec-file-nul"),
		stdin: strings.NewReader(strings.Join(paths, "\x00") + "\x00"),
	})
	return err
}

// Drop removes the given paths from the work tree and its index.
func (c *Checkout) Drop(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := c.run(c.dir, call{
		args:  append(slices.Clone(plainCheckout), "rm", "--quiet", "--force", "--ignore-unmatch", "--pathspec-from-file=-", "--pathspec-file-nul"),
		stdin: strings.NewReader(strings.Join(paths, "\x00") + "\x00"),
	})
	return err
}

// Tree stores what the index of the checkout holds as a tree, and returns its id.
func (c *Checkout) Tree() (string, error) {
	out, err := c.inside("write-tree")
	return strings.TrimSpace(string(out)), err
}

// Remove takes the checkout away, whatever was done to it, and also where the
// context of the repository has ended. The private folder gets another name first:
// a program that still writes by the old one makes a folder that is nobody's. What
// git keeps goes last, so that a removal that is cut short is found again.
func (c *Checkout) Remove() error {
	gone := c.around + "-gone"
	if err := os.Rename(c.around, gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
		gone = c.around
	}
	removeAll(gone)
	quiet := &Checkout{repo: c.repo.WithContext(context.WithoutCancel(c.repo.ctx)), dir: c.dir}
	_, err := quiet.shared("worktree", "remove", "--force", "--force", c.place())
	var failed *CmdError
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.Stderr, "is not a working tree"):
		err = nil // it was not registered yet
	case err != nil && c.admin != "":
		err = os.RemoveAll(c.admin) // what git itself does once it has looked at the folder
	}
	removeAll(c.around)
	if _, left := os.Lstat(gone); left == nil {
		return errors.Join(err, fmt.Errorf("%s cannot be removed", gone))
	}
	return err
}

// place is where git believes that the checkout is: a program may have moved it
// within the private folder. What git is told of another place is not believed.
func (c *Checkout) place() string {
	if dir, ok := registered(c.admin); ok && c.admin != "" && strings.HasPrefix(dir, c.around+string(filepath.Separator)) {
		return dir
	}
	return c.dir
}

// removeAll also removes what a program made read-only, and what one still writes
// into while it is removed.
func removeAll(dir string) {
	for wait := time.Millisecond; os.RemoveAll(dir) != nil && wait < time.Second; wait *= 2 {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				_ = os.Chmod(path, 0o700)
			}
			return nil
		})
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(wait)
	}
}

// shared runs git on what all worktrees share, inside on the checkout alone.
func (c *Checkout) shared(args ...string) ([]byte, error) {
	res, err := c.run(c.repo.CommonDir(), call{args: append(slices.Clone(plainCheckout), args...), env: []string{"GIT_DIR=" + c.repo.CommonDir()}})
	return res.stdout, err
}

func (c *Checkout) inside(args ...string) ([]byte, error) {
	res, err := c.run(c.dir, call{args: append(slices.Clone(plainCheckout), args...)})
	return bytes.TrimSuffix(res.stdout, []byte("\n")), err
}

// run runs git without the variables that tie this process to the place where it
// stands: within a hook they name the user's own index.
func (c *Checkout) run(dir string, k call) (result, error) {
	env := without(c.repo.core.environ, append([]string{"PWD"}, localVars...))
	env = append(append(env, "GIT_NO_REPLACE_OBJECTS=1", "PWD="+dir), k.env...)
	return execute(c.repo.ctx, dir, env, k)
}
