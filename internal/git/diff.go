package git

import (
	"fmt"
	"io"
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

// A Span is what lies between two commits or trees.
type Span struct{ Base, Head string }

// PatchIDs is [Repo.PatchID] for many spans, given by full object ids, in two
// processes. A span whose ends do not differ has none.
func (r *Repo) PatchIDs(spans []Span) (map[Span]string, error) {
	ids, asked, err := r.toAsk(spans)
	if err != nil || len(asked) == 0 {
		return ids, err
	}
	return ids, r.patchIDs(asked, ids)
}

// toAsk returns each span once, with an empty answer.
func (r *Repo) toAsk(spans []Span) (ids map[Span]string, asked []Span, err error) {
	ids = map[Span]string{}
	for _, s := range spans {
		if !IsID(r.ObjectFormat(), s.Base) || !IsID(r.ObjectFormat(), s.Head) {
			return nil, nil, fmt.Errorf("%q..%q: %w", s.Base, s.Head, ErrBadName)
		}
		if _, known := ids[s]; known {
			continue
		}
		ids[s] = ""
		asked = append(asked, s)
	}
	return ids, asked, nil
}

// patchIDs reads one line a span. Git leaves out those without a difference and
// names a line by the first tree only, so that a line may be of either of two
// spans; where lines are missing each span is asked for by itself.
func (r *Repo) patchIDs(asked []Span, ids map[Span]string) error {
	trees, input, err := r.treePairs(asked)
	if err != nil {
		return err
	}
	diff := slices.Concat(neutral, asPatch, []string{"--stdin"})
	output, err := r.pipeFrom(strings.NewReader(input), diff, []string{"patch-id", "--stable"})
	if err != nil {
		return err
	}
	said := lines(output)
	if len(said) == len(trees) {
		for i, s := range trees {
			ids[s], _, _ = strings.Cut(said[i], " ")
		}
		return nil
	}
	for _, s := range trees {
		if ids[s], err = r.PatchID(s.Base, s.Head); err != nil {
			return err
		}
	}
	return nil
}

// treePairs returns the spans whose trees differ, and the lines that ask for
// them: of commits git would compare each with its own parents.
func (r *Repo) treePairs(asked []Span) (differ []Span, input string, err error) {
	var specs []string
	for _, s := range asked {
		specs = append(specs, s.Base+"^{tree}", s.Head+"^{tree}")
	}
	trees := make([]string, len(specs))
	err = r.Infos(specs, func(i int, o Info, err error) error {
		trees[i] = o.ID
		return err
	})
	var b strings.Builder
	for i, s := range asked {
		if base, head := trees[2*i], trees[2*i+1]; base != head {
			differ = append(differ, s)
			fmt.Fprintf(&b, "%s %s\n", base, head)
		}
	}
	return differ, b.String(), err
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
func (r *Repo) pipe(from, to []string) ([]byte, error) { return r.pipeFrom(nil, from, to) }

// pipeFrom is pipe with something for the first command to read.
func (r *Repo) pipeFrom(stdin io.Reader, from, to []string) ([]byte, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", from[0], err)
	}
	env, dir := r.bare()
	var said tail
	source := command(r.ctx, dir, env, from)
	source.Stdin, source.Stdout, source.Stderr = stdin, write, &said
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
