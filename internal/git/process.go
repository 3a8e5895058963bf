package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// endDelay is how long a child that was told to end may take before it is
// killed. Git removes its lock files within a millisecond of being told.
const endDelay = 2 * time.Second

// maxStderr bounds what is kept of a child's complaints, in bytes.
const maxStderr = 64 << 10

// A CmdError is a git command that failed. It unwraps to what the failure means
// where that is known, such as [ErrNotRepository].
type CmdError struct {
	Args   []string // without "git" itself
	Exit   int      // exit status; -1 when it was killed or never started
	Stderr string   // what it said, without the final newline, at most 64 KiB
	Err    error    // the meaning, or what the system said
}

// Error names the command and the line in which git states the cause.
func (e *CmdError) Error() string {
	cause := complaint(e.Stderr)
	if cause == "" && e.Err != nil {
		cause = e.Err.Error()
	}
	if cause == "" {
		cause = fmt.Sprintf("exit status %d", e.Exit)
	}
	return fmt.Sprintf("git %s: %s", strings.Join(shown(e.Args), " "), cause)
}

// Unwrap returns the meaning of the failure.
func (e *CmdError) Unwrap() error { return e.Err }

// shown leaves out the settings that every call of a kind carries.
func shown(args []string) []string {
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args
}

// complaint returns the line of git's standard error that says why, without its
// "fatal: ": the last that is marked so, else the last at all.
func complaint(stderr string) string {
	last := ""
	for line := range strings.SplitSeq(strings.TrimSpace(stderr), "\n") {
		fatal, marked := strings.CutPrefix(line, "fatal: ")
		if marked {
			return fatal
		}
		last = line
	}
	return strings.TrimPrefix(last, "error: ")
}

// A call is one run of git.
type call struct {
	args  []string
	stdin io.Reader
	env   []string // besides the repository's own
	fine  []int    // exit statuses besides 0 that are answers

	meanwhile func() // what is done while it runs; nil for nothing
}

// A result is what a run of git left.
type result struct {
	stdout, stderr []byte
	exit           int
}

// Output runs git with the given arguments on this repository, in the top of
// its work tree, and returns its standard output. It is for questions: the
// environment is the one of reads. The error is a [*CmdError].
func (r *Repo) Output(args ...string) ([]byte, error) {
	res, err := r.run(call{args: args})
	return res.stdout, err
}

func (r *Repo) run(c call) (result, error) {
	env := r.core.environ
	if len(c.env) > 0 {
		env = append(append([]string(nil), env...), c.env...)
	}
	return execute(r.ctx, r.core.home(), env, c)
}

// execute runs git and waits for it. Cancelling ends the child with its group.
func execute(ctx context.Context, dir string, env []string, c call) (result, error) {
	var stdout bytes.Buffer
	var stderr tail
	cmd := command(ctx, dir, env, c.args)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin, &stdout, &stderr
	err := cmd.Start()
	if err == nil {
		if c.meanwhile != nil {
			c.meanwhile()
		}
		err = cmd.Wait()
	}
	if ctx.Err() != nil {
		killGroup(cmd)
	}
	res := result{stdout: stdout.Bytes(), stderr: stderr.bytes(), exit: exitOf(cmd)}
	return res, verdict(ctx, c, res, err)
}

// command prepares a git process in a process group of its own: a signal meant
// for our group, a terminal's Ctrl-C above all, left stale locks behind in 3 to
// 5 of 100 cases. The file system monitor, a program of the user's that could hang
// or lie, is off in each: whatever reads the index would ask it.
func command(ctx context.Context, dir string, env, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir, cmd.Env = dir, env
	cmd.WaitDelay = endDelay
	ownGroup(cmd)
	return cmd
}

func exitOf(cmd *exec.Cmd) int {
	if cmd.ProcessState == nil {
		return -1
	}
	return cmd.ProcessState.ExitCode()
}

func verdict(ctx context.Context, c call, res result, err error) error {
	if err == nil {
		return nil
	}
	for _, status := range c.fine {
		if res.exit == status {
			return nil
		}
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil // the status is in Exit
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return &CmdError{Args: c.args, Exit: res.exit, Stderr: strings.TrimRight(string(res.stderr), "\n"), Err: err}
}

// A tail keeps the last [maxStderr] bytes written to it.
type tail struct{ buf bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if over := t.buf.Len() + n - maxStderr; over > 0 {
		t.buf.Next(over)
		p = p[max(0, n-maxStderr):]
	}
	t.buf.Write(p)
	return n, nil
}

func (t *tail) bytes() []byte { return t.buf.Bytes() }

// lines cuts output into its lines, without the final newline.
func lines(output []byte) []string {
	text := strings.TrimSuffix(string(output), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
