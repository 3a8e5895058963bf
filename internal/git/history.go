package git

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// MergeBase returns the best common ancestor of two commits. The error wraps
// [ErrNone] where their histories are unrelated.
func (r *Repo) MergeBase(a, b string) (string, error) {
	if err := checkSpecs(a, b); err != nil {
		return "", err
	}
	res, err := r.run(call{args: []string{"merge-base", a, b}, fine: []int{1}})
	if err != nil {
		return "", err
	}
	if res.exit == 1 {
		return "", fmt.Errorf("merge base of %q and %q: %w", a, b, ErrNone)
	}
	return strings.TrimSuffix(string(res.stdout), "\n"), nil
}

// IsAncestor reports whether commit a is b or an ancestor of b. A commit that
// is missing is an error, not a no.
func (r *Repo) IsAncestor(a, b string) (bool, error) {
	if err := checkSpecs(a, b); err != nil {
		return false, err
	}
	res, err := r.run(call{args: []string{"merge-base", "--is-ancestor", a, b}, fine: []int{1}})
	return err == nil && res.exit == 0, err
}

// Commits returns the commits of head that are not in base, oldest first,
// parents before children. They are decoded from their bytes: no setting of the
// user's log, nor a check of signatures, has a say.
func (r *Repo) Commits(base, head string) ([]Commit, error) {
	if err := checkSpecs(base, head); err != nil {
		return nil, err
	}
	ids, err := r.RevList("--topo-order", "--reverse", head, "^"+base)
	if err != nil {
		return nil, err
	}
	commits := make([]Commit, 0, len(ids))
	err = r.Objects(ids, func(_ int, o Object, err error) error {
		if err != nil {
			return err
		}
		c, err := ParseCommit(o.ID, o.Data)
		commits = append(commits, c)
		return err
	})
	return commits, err
}

// RevList returns the lines of `git rev-list` with the given arguments.
func (r *Repo) RevList(args ...string) ([]string, error) {
	res, err := r.run(call{args: slices.Concat([]string{"rev-list"}, args, []string{"--"})})
	return lines(res.stdout), err
}

// RevListOf is [Repo.RevList] for any number of commits, which travel on standard
// input: ids, or "^id" for what to leave out.
func (r *Repo) RevListOf(args, commits []string) ([]string, error) {
	stdin := strings.NewReader(strings.Join(commits, "\n") + "\n")
	res, err := r.run(call{args: slices.Concat([]string{"rev-list"}, args, []string{"--stdin"}), stdin: stdin})
	return lines(res.stdout), err
}

// checkSpecs refuses a name that git would read as an option, as nothing, or
// as a range.
func checkSpecs(specs ...string) error {
	for _, spec := range specs {
		if spec == "" || strings.HasPrefix(spec, "-") || strings.HasPrefix(spec, "^") ||
			strings.Contains(spec, "..") || strings.ContainsAny(spec, "\x00\n") {
			return fmt.Errorf("%q: %w", spec, ErrBadName)
		}
	}
	return nil
}

// PathExists reports whether a commit's tree holds the path, which is relative
// to the top and uses slashes.
func (r *Repo) PathExists(commit, path string) (bool, error) {
	if err := checkPath(path); err != nil {
		return false, err
	}
	_, err := r.Info(commit + ":" + path)
	if errors.Is(err, ErrMissing) {
		_, err = r.Commit(commit) // a missing commit is an error, not a no
		return false, err
	}
	return err == nil, err
}

// checkPath refuses what git would read as relative to the directory it stands
// in, and what is no path within a tree.
func checkPath(path string) error {
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("path %q: %w", path, ErrBadName)
		}
	}
	return nil
}

// Unpushed returns the commits of ref that are not in base and that no
// remote-tracking ref holds, newest first.
func (r *Repo) Unpushed(base, ref string) ([]string, error) {
	return r.RevList(ref, "^"+base, "--not", "--remotes")
}
