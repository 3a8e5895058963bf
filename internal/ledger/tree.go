package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
)

// absent tells a path that a commit does not hold from one whose object is not
// here, by walking the trees that lead to it.
func absent(repo *git.Repo, commit, path string) error {
	o, err := repo.Object(commit)
	if err != nil {
		return err
	}
	c, err := git.ParseCommit(o.ID, o.Data)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	tree := c.Tree
	parts := strings.Split(path, "/")
	for i, name := range parts {
		entries, err := readTree(repo, tree)
		if errors.Is(err, git.ErrMissing) {
			return fmt.Errorf("tree %s of commit %s: %w", tree, commit, ErrIncomplete)
		}
		if err != nil {
			return err
		}
		at := slices.IndexFunc(entries, func(e git.TreeEntry) bool { return e.Name == name })
		if at < 0 || (i < len(parts)-1) != (entries[at].Mode == git.ModeTree) {
			return fmt.Errorf("%q in commit %s: %w", path, commit, ErrNoFile)
		}
		tree = entries[at].ID
	}
	_, err = repo.Info(tree)
	if errors.Is(err, git.ErrUnreadable) {
		return err
	}
	return fmt.Errorf("%q of commit %s, object %s: %w", path, commit, tree, ErrIncomplete)
}

func readTree(repo *git.Repo, id string) ([]git.TreeEntry, error) {
	o, err := repo.Object(id)
	if err != nil {
		return nil, err
	}
	if o.Type != "tree" {
		return nil, fmt.Errorf("object %s is a %s, not a tree: %w", id, o.Type, ErrCorrupt)
	}
	entries, err := git.ParseTree(repo.ObjectFormat(), o.Data)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w: %w", id, ErrCorrupt, err)
	}
	return entries, nil
}

// A grower makes the tree of the next revision out of the last one's. What is
// not named stays as it is, without being read.
type grower struct {
	repo   *git.Repo
	writer *git.Writer
}

// A branch is a directory of files to be added.
type branch struct {
	files map[string][]byte
	dirs  map[string]*branch
}

func newBranch() *branch { return &branch{files: map[string][]byte{}, dirs: map[string]*branch{}} }

// add refuses a path that is a file and a directory at once.
func (b *branch) add(path string, data []byte) error {
	name, rest, deeper := strings.Cut(path, "/")
	_, isFile := b.files[name]
	sub, isDir := b.dirs[name]
	if isFile || isDir && !deeper {
		return fmt.Errorf("%w: %q is a file and a directory", ErrInvalid, path)
	}
	if !deeper {
		b.files[name] = data
		return nil
	}
	if !isDir {
		sub = newBranch()
		b.dirs[name] = sub
	}
	return sub.add(rest, data)
}

// next writes the whole tree of a revision and returns its id. The last tree is
// "" at the first revision.
func (g grower) next(last string, e Entry) (string, error) {
	additions := newBranch()
	for _, path := range slices.Sorted(maps.Keys(e.Files)) {
		if err := additions.add(path, e.Files[path]); err != nil {
			return "", err
		}
	}
	entries, err := g.entries(last)
	if err != nil {
		return "", err
	}
	for name, data := range map[string][]byte{stateFile: e.State, eventFile: e.EventDoc} {
		delete(entries, name)
		additions.files[name] = data
	}
	return g.grow("", entries, additions)
}

// entries reads a tree by name; the tree "" has none.
func (g grower) entries(tree string) (map[string]git.TreeEntry, error) {
	byName := map[string]git.TreeEntry{}
	if tree == "" {
		return byName, nil
	}
	entries, err := readTree(g.repo, tree)
	if errors.Is(err, git.ErrMissing) {
		return nil, fmt.Errorf("tree %s: %w", tree, ErrIncomplete)
	}
	for _, entry := range entries {
		byName[entry.Name] = entry
	}
	return byName, err
}

func (g grower) grow(at string, entries map[string]git.TreeEntry, additions *branch) (string, error) {
	for name, data := range additions.files {
		entry, err := g.file(at+name, entries[name], data)
		if err != nil {
			return "", err
		}
		entries[name] = entry
	}
	for name, sub := range additions.dirs {
		old, exists := entries[name]
		if exists && old.Mode != git.ModeTree {
			return "", fmt.Errorf("%w: %q is a file already", ErrInvalid, at+name)
		}
		below, err := g.entries(old.ID)
		if err != nil {
			return "", err
		}
		id, err := g.grow(at+name+"/", below, sub)
		if err != nil {
			return "", err
		}
		entries[name] = git.TreeEntry{Mode: git.ModeTree, Name: name, ID: id}
	}
	return g.writer.WriteTree(slices.Collect(maps.Values(entries)))
}

// file adds one file. One that is there already may be named again with the
// same bytes, and changes nothing; later revisions only add.
func (g grower) file(path string, old git.TreeEntry, data []byte) (git.TreeEntry, error) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if old.ID != "" {
		o, err := g.repo.Object(old.ID)
		if err != nil {
			return git.TreeEntry{}, err
		}
		if old.Mode != git.ModeFile || !bytes.Equal(o.Data, data) {
			return git.TreeEntry{}, fmt.Errorf("%w: %q is stored already, with other bytes", ErrInvalid, path)
		}
		return old, nil
	}
	id, err := g.writer.WriteBlob(data)
	return git.TreeEntry{Mode: git.ModeFile, Name: name, ID: id}, err
}
