package git

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// neutral makes a diff depend on the two trees alone: no driver, no conversion,
// no setting. The attributes of the work tree are kept out by [Repo.bare].
var neutral = []string{
	"-c", "core.attributesFile=" + os.DevNull, "--bare",
	"diff-tree", "-r", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames",
	"--ignore-submodules=none", "--submodule=short", "--no-relative",
}

// bare returns the environment and directory in which git sees no work tree. It
// takes both: git reads the .gitattributes of the directory it stands in, even
// when told that there is no work tree.
func (r *Repo) bare() (env []string, dir string) {
	env = without(r.core.environ, []string{"GIT_WORK_TREE", "PWD"})
	return append(env, "GIT_ATTR_NOSYSTEM=1", "PWD="+r.core.gitDir), r.core.gitDir
}

// asPatch fixes what a patch looks like where the user could have a say in it.
var asPatch = []string{
	"-p", "--full-index", "--unified=3", "--inter-hunk-context=0", "--diff-algorithm=myers", "--indent-heuristic",
	"--src-prefix=a/", "--dst-prefix=b/", "-O" + os.DevNull, "--ws-error-highlight=none",
}

// PatchID returns the stable patch id of what lies between two trees or commits,
// or "" where they do not differ. It is the same for the same change on another
// base. A git before 2.39 leaves the contents of binary files out of it.
func (r *Repo) PatchID(base, head string) (string, error) {
	if err := checkSpecs(base, head); err != nil {
		return "", err
	}
	diff := slices.Concat(neutral, asPatch, []string{base, head, "--"})
	output, err := r.pipe(diff, []string{"patch-id", "--stable"})
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(string(output), " ")
	return id, nil
}

// ChangedPaths returns the paths that differ between two trees or commits, in
// git's order, both ends of a rename among them.
func (r *Repo) ChangedPaths(base, head string) ([]string, error) {
	if err := checkSpecs(base, head); err != nil {
		return nil, err
	}
	env, dir := r.bare()
	res, err := execute(r.ctx, dir, env, call{args: slices.Concat(neutral, []string{"--name-only", "-z", base, head, "--"})})
	return zeroTerminated(res.stdout), err
}

// pipe runs two git commands without a work tree side by side, the first one's output into the
// second, and returns what the second says. Where both fail, the first is the
// cause.
func (r *Repo) pipe(from, to []string) ([]byte, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", from[0], err)
	}
	env, dir := r.bare()
	var said tail
	source := command(r.ctx, dir, env, from)
	source.Stdout, source.Stderr = write, &said
	err = source.Start()
	_ = write.Close()
	if err != nil {
		_ = read.Close()
		return nil, &CmdError{Args: from, Exit: -1, Err: err}
	}
	res, failed := execute(r.ctx, dir, env, call{args: to, stdin: read})
	_ = read.Close()
	err = source.Wait()
	left := result{stderr: said.bytes(), exit: exitOf(source)}
	if err := verdict(r.ctx, call{args: from}, left, err); err != nil {
		return nil, err
	}
	return res.stdout, failed
}

func zeroTerminated(output []byte) []string {
	text := strings.TrimSuffix(string(output), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}
