package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Change is one path that differs between two trees.
type Change struct {
	Status           byte   // one of A, D, M, T and R
	Old, New         string // the path before and after: the same but for a rename
	OldMode, NewMode string // octal, "000000" for no file
	OldID, NewID     string // zeros for no file
}

// Null reports whether an object name is all zeros: no object.
func Null(id string) bool { return strings.Trim(id, "0") == "" }

// patches is how many patches git prints for the change: one that turns a file
// into another kind of thing is shown as its end and a beginning.
func (c Change) patches() int {
	if c.Status == 'T' {
		return 2
	}
	return 1
}

// renames asks for renames, up to a number of candidates that is git's own
// default and no setting of the user's.
var renames = []string{"-M50%", "-l1000"}

// comparing is neutral with renames, so that the same two trees always make the
// same list.
func comparing() []string {
	return slices.Concat(slices.DeleteFunc(slices.Clone(neutral), func(s string) bool { return s == "--no-renames" }), renames)
}

// Changes returns what differs between two trees or commits, renames detected,
// in git's order.
func (r *Repo) Changes(base, head string) ([]Change, error) {
	if err := checkSpecs(base, head); err != nil {
		return nil, err
	}
	var all []Change
	_, err := r.stream(slices.Concat(comparing(), []string{"--raw", "--abbrev=64", "-z", base, head, "--"}), func(out *bufio.Reader) (err error) {
		all, err = readChanges(out)
		return err
	})
	return all, err
}

// A Comparison is what [Repo.Compare] found besides the patches.
type Comparison struct {
	Changes []Change
	// Partial says that there were too many candidates to look for every rename:
	// some stand as a deletion and an addition.
	Partial bool
}

// PatchContext is the number of unchanged lines around a change in a patch of
// [Repo.Compare].
const PatchContext = 10

// Compare is [Repo.Changes] with the patches, from one run of git and in the
// same order: read is given the changes, and then git's output from the first
// patch on, which is never held in memory as a whole. The patch of a change of
// kind T comes in two parts; [Patches] counts them.
func (r *Repo) Compare(base, head string, read func(changes []Change, patches *bufio.Reader) error) (Comparison, error) {
	if err := checkSpecs(base, head); err != nil {
		return Comparison{}, err
	}
	var c Comparison
	args := slices.Concat(comparing(), []string{"--raw", "--abbrev=64", "-z"}, asPatch, []string{fmt.Sprintf("--unified=%d", PatchContext), base, head, "--"})
	said, err := r.stream(args, func(out *bufio.Reader) (err error) {
		if c.Changes, err = readChanges(out); err != nil {
			return err
		}
		return read(c.Changes, out)
	})
	c.Partial = strings.Contains(said, "rename detection was skipped")
	return c, err
}

// Patches returns, for each patch that git prints for the changes, the index of
// the change that it belongs to.
func Patches(changes []Change) []int {
	var owner []int
	for i, c := range changes {
		for range c.patches() {
			owner = append(owner, i)
		}
	}
	return owner
}

// readChanges reads git's raw records up to the patches or the end. Each begins
// with a colon and ends in a NUL, the paths each in one more; another NUL parts
// them from what follows.
func readChanges(out *bufio.Reader) ([]Change, error) {
	var all []Change
	for {
		first, err := out.ReadByte()
		if errors.Is(err, io.EOF) || err == nil && first == 0 {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		c, err := readChange(first, out)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
}

func readChange(first byte, out *bufio.Reader) (Change, error) {
	head, err := field(out)
	parts := strings.Split(head, " ")
	if err != nil || first != ':' || len(parts) != 5 || parts[4] == "" || !strings.ContainsRune("ADMTR", rune(parts[4][0])) {
		return Change{}, fmt.Errorf("git diff-tree answered %q: %w", string(first)+head, errors.Join(err, errUnread))
	}
	c := Change{Status: parts[4][0], OldMode: parts[0], NewMode: parts[1], OldID: parts[2], NewID: parts[3]}
	if c.Old, err = field(out); err != nil {
		return c, err
	}
	c.New = c.Old
	if c.Status == 'R' {
		c.New, err = field(out)
	}
	return c, err
}

var errUnread = errors.New("not a record of a change")

// field reads up to the next NUL and leaves it out.
func field(out *bufio.Reader) (string, error) {
	s, err := out.ReadString(0)
	return strings.TrimSuffix(s, "\x00"), err
}

// stream runs git without a work tree and lets read have its output while it is
// made. It returns what git said on standard error. Where read stops early git is
// ended.
func (r *Repo) stream(args []string, read func(*bufio.Reader) error) (said string, err error) {
	env, dir := r.bare()
	cmd := command(r.ctx, dir, env, args)
	var complaints tail
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", shown(args)[0], err)
	}
	if err := cmd.Start(); err != nil {
		return "", &CmdError{Args: args, Exit: -1, Err: err}
	}
	failed := read(bufio.NewReaderSize(out, 64<<10))
	if failed != nil {
		killGroup(cmd)
	}
	_, _ = io.Copy(io.Discard, out) // what is left: Wait must not come before the end
	err = cmd.Wait()
	said = string(complaints.bytes())
	res := result{stderr: complaints.bytes(), exit: exitOf(cmd)}
	if ended := verdict(r.ctx, call{args: args}, res, err); ended != nil && (failed == nil || r.ctx.Err() != nil || errors.Is(failed, io.EOF)) {
		return said, ended
	}
	return said, failed
}
