package git

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Snapshot stores the given paths of the work tree, relative to its top, as a
// commit on top of HEAD, and returns its id. Neither the index nor the work tree
// nor any ref changes: it is made in an index of its own.
func (r *Repo) Snapshot(message string, who Ident, paths []string) (string, error) {
	if r.WorkTree() == "" {
		return "", ErrNoWorkTree
	}
	dir, err := temporary("git-sdd-index-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	steps := []call{
		{args: append(slices.Clone(durable), "read-tree", "HEAD"), env: env},
		{
			args:  append(slices.Clone(durable), "add", "--all", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"),
			env:   append(env, "GIT_LITERAL_PATHSPECS=1"),
			stdin: strings.NewReader(strings.Join(paths, "\x00") + "\x00"),
		},
	}
	for _, c := range steps {
		if _, err := r.run(c); err != nil {
			return "", err
		}
	}
	tree, err := r.run(call{args: append(slices.Clone(durable), "write-tree"), env: env})
	if err != nil {
		return "", err
	}
	head, err := r.Resolve("HEAD^{commit}")
	if err != nil {
		return "", err
	}
	return r.commitSnapshot(CommitSpec{
		Tree: strings.TrimSpace(string(tree.stdout)), Parents: []string{head},
		Author: who, Committer: who, Message: message,
	})
}

func (r *Repo) commitSnapshot(spec CommitSpec) (string, error) {
	w, err := r.Writer()
	if err != nil {
		return "", err
	}
	id, err := w.WriteCommit(spec)
	if err != nil {
		return "", fmt.Errorf("storing a snapshot: %w", err)
	}
	return id, w.Flush()
}

// Patch returns the difference between two commits as a patch that git apply
// takes, binary files included.
func (r *Repo) Patch(base, head string) ([]byte, error) {
	if err := checkSpecs(base, head); err != nil {
		return nil, err
	}
	res, err := r.run(call{args: []string{"diff", "--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", base, head, "--"}})
	return res.stdout, err
}
