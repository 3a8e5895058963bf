// Package workspace is the disposable copy of a run's artifacts in the work
// tree: children need files, and cannot read or write beneath .git.
//
// Nothing in it is ever the truth. The ledger is, and whatever is missing here
// or differs is written again from there (architecture: the workspace).
package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Dir is the name of the folder at the top of a worktree that holds the
// workspaces of all runs there. It ignores itself.
const Dir = ".git-sdd"

// artifacts is the folder of the ledger's tree whose names a workspace mirrors.
const artifacts = "artifacts/"

// A Workspace is the folder of one run.
type Workspace struct {
	top  string // the worktree
	root string // <worktree>/.git-sdd/<run prefix>
}

// At returns the workspace whose run root is given: a folder directly beneath
// the .git-sdd of a worktree. It creates nothing.
func At(worktree, runRoot string) (*Workspace, error) {
	parent := filepath.Join(worktree, Dir)
	if filepath.Dir(runRoot) != parent {
		return nil, fmt.Errorf("run root %q is not directly beneath %q", runRoot, parent)
	}
	return &Workspace{top: worktree, root: runRoot}, nil
}

// Root returns the run's folder for a worktree and the first digits of its id.
func Root(worktree, prefix string) string { return filepath.Join(worktree, Dir, prefix) }

// Path returns where an artifact of the ledger's tree stands in the workspace:
// the same name below "artifacts/".
func (w *Workspace) Path(artifact string) string {
	return filepath.Join(w.root, filepath.FromSlash(strings.TrimPrefix(artifact, artifacts)))
}

// Artifact returns the name in the ledger's tree of a path in the workspace.
func (w *Workspace) Artifact(path string) (string, error) {
	rel, err := filepath.Rel(w.root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%q is not beneath the run root %q", path, w.root)
	}
	return artifacts + filepath.ToSlash(rel), nil
}

// Ensure creates the run's folder and the .gitignore that hides all of .git-sdd
// from git, or puts them back. It must come before anything looks at the work
// tree, or our own files would be seen as somebody's changes.
func (w *Workspace) Ensure() error {
	if err := w.checkLinks(); err != nil {
		return err
	}
	if err := os.MkdirAll(w.root, 0o755); err != nil {
		return err
	}
	return restore(filepath.Join(w.top, Dir, ".gitignore"), []byte("*\n"))
}

// checkLinks refuses a .git-sdd or a run folder that is a symbolic link: what
// we write would land in a place that somebody else chose.
func (w *Workspace) checkLinks() error { return directories(filepath.Join(w.top, Dir), w.root) }

// directories refuses whatever stands in the place of a directory and is none.
func directories(dirs ...string) error {
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is not a directory; move it away, git-sdd keeps its files there", dir)
		}
	}
	return nil
}

// Restore puts one artifact into the workspace, byte for byte, unless it stands
// there already.
func (w *Workspace) Restore(artifact string, data []byte) error {
	path := w.Path(artifact)
	if err := w.checkParents(path); err != nil {
		return err
	}
	return restore(path, data)
}

// checkParents refuses a symbolic link anywhere between the run root and the
// file.
func (w *Workspace) checkParents(path string) error {
	var parents []string
	for dir := filepath.Dir(path); len(dir) > len(w.root); dir = filepath.Dir(dir) {
		parents = append(parents, dir)
	}
	return directories(parents...)
}

// Keep stores bytes that were refused beside the report they came for, under
// the first free name "<report>.refused-<k>", and returns its path.
func (w *Workspace) Keep(report string, data []byte) (string, error) {
	if err := w.checkParents(report); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(report), 0o755); err != nil {
		return "", err
	}
	for k := 1; ; k++ {
		path := refusedName(report, k)
		_, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, restore(path, data)
		case err != nil:
			return "", err
		case holds(path, data):
			return path, nil
		}
	}
}

// KeepFolder moves a folder that stands in the place of a report to the first
// free name of those that [Workspace.Keep] gives, and returns its path.
func (w *Workspace) KeepFolder(report string) (string, error) {
	if err := w.checkParents(report); err != nil {
		return "", err
	}
	for k := 1; ; k++ {
		path := refusedName(report, k)
		_, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, os.Rename(report, path)
		case err != nil:
			return "", err
		}
	}
}

func refusedName(report string, k int) string {
	return fmt.Sprintf("%s.refused-%d.md", strings.TrimSuffix(report, ".md"), k)
}

// holds reports whether a regular file with exactly these bytes stands there. Only
// a file of their length is read: a child can put anything in its place.
func holds(path string, data []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	old, err := os.ReadFile(path)
	return err == nil && bytes.Equal(old, data)
}

// restore writes a file through a temporary one and a rename, so that a reader
// never sees half of it and a symbolic link in its place is replaced, not
// followed. A regular file that holds the bytes already is left alone.
func restore(path string, data []byte) error {
	if holds(path, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(data); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
