package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/git"
)

// A Gate is a command whose exit status says whether a commit is good.
type Gate struct {
	Name    string
	Command []string // an argument vector, run without a shell
	Timeout time.Duration
}

// The outcomes of a gate (contract: stored documents).
const (
	GatePassed = "passed" // exit status 0
	GateFailed = "failed" // any other end of its own, twice
	GateFlaky  = "flaky"  // failed, and passed when it was run again
	GateError  = "error"  // could not run: not found, no end in time
)

// A GateResult is what git-sdd saw of a gate on one commit.
type GateResult struct {
	Gate
	Commit, Tree string
	Outcome      string
	Runs         []GateRun
	Why          string // for GateError: why it could not run
}

// A GateRun is one run of a gate in a checkout of its own.
type GateRun struct {
	agent.Result
	SHA256 string // of everything that it wrote
}

// RunGate runs a gate in a clean checkout of the commit, and once more in a fresh
// one where it fails: only a gate that fails twice has failed. An error says that
// git-sdd itself could not do its part, or was told to stop.
func RunGate(ctx context.Context, repo *git.Repo, g Gate, commit string) (GateResult, error) {
	return runGate(ctx, g, commit, func() (*git.Checkout, error) { return repo.Checkout(commit) })
}

// A Control is a commit that a gate should refuse, or is made into one: the paths
// to take from another commit, and those to drop.
type Control struct {
	Commit     string
	From       string // where the taken paths come from
	Take, Drop []string
}

// RunControl is [RunGate] on a control. The tree of the result is that of the
// control, with what was laid over its commit.
func RunControl(ctx context.Context, repo *git.Repo, g Gate, k Control) (GateResult, error) {
	return runGate(ctx, g, k.Commit, func() (*git.Checkout, error) {
		c, err := repo.Checkout(k.Commit)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(c.Drop(k.Drop), c.Take(k.From, k.Take)); err != nil {
			return nil, errors.Join(err, c.Remove())
		}
		return c, nil
	})
}

func runGate(ctx context.Context, g Gate, commit string, checkout func() (*git.Checkout, error)) (GateResult, error) {
	res := GateResult{Gate: g, Commit: commit}
	for {
		run, tree, err := once(ctx, g, checkout)
		if err != nil {
			return res, err
		}
		res.Tree, res.Runs = tree, append(res.Runs, run)
		switch why := cannot(g, run); {
		case why != "":
			res.Outcome, res.Why = GateError, why
			return res, nil
		case run.Exit == 0 && len(res.Runs) == 1:
			res.Outcome = GatePassed
			return res, nil
		case run.Exit == 0:
			res.Outcome = GateFlaky
			return res, nil
		case len(res.Runs) == maxRuns:
			res.Outcome = GateFailed
			return res, nil
		}
	}
}

// maxRuns is how often a gate runs before its failure counts.
const maxRuns = 2

// once runs a gate in a checkout that exists for this run alone.
func once(ctx context.Context, g Gate, checkout func() (*git.Checkout, error)) (run GateRun, tree string, err error) {
	c, err := checkout()
	if err != nil {
		return run, "", err
	}
	defer func() {
		if failed := c.Remove(); err == nil {
			err = failed
		}
	}()
	if tree, err = c.Tree(); err != nil {
		return run, "", err
	}
	all := sha256.New()
	run.Result, err = agent.Run(ctx, agent.Command{
		Argv: g.Command, Dir: c.Dir(), Env: gateEnv(os.Environ(), c.Dir()),
		Timeout: g.Timeout, Idle: g.Timeout, Grace: min(gateGrace, g.Timeout), Output: all,
		Started: func(group agent.Group) { c.Note(group.String()) },
	})
	run.SHA256 = hex.EncodeToString(all.Sum(nil))
	if run.Cause == agent.NotStarted {
		run.Tail, err = []byte(err.Error()+"\n"), nil
	}
	if run.Cause == agent.Interrupted {
		err = context.Cause(ctx)
	}
	return run, tree, err
}

// gateGrace is how long a gate that was told to end may take to do so, unless it
// has less time than that for all its work.
const gateGrace = 3 * time.Second

// gateEnv is the user's environment without what ties a process to a repository,
// to a hook, or to a run of ours: the gate sees its checkout and nothing else.
func gateEnv(environ []string, dir string) []string {
	var env []string
	for _, entry := range git.WithoutLocal(environ) {
		name, _, _ := strings.Cut(entry, "=")
		switch {
		case name == "PWD", name == "OLDPWD", name == "GIT_REFLOG_ACTION", name == "GIT_QUARANTINE_PATH":
		case strings.HasPrefix(name, "GIT_AUTHOR_"), strings.HasPrefix(name, "GIT_COMMITTER_"), strings.HasPrefix(name, "GIT_SDD_"):
		default:
			env = append(env, entry)
		}
	}
	return append(env, "PWD="+dir)
}

// cannot says why a run is neither a pass nor a failure, or "".
func cannot(g Gate, run GateRun) string {
	switch run.Cause {
	case agent.NotStarted:
		return strings.TrimSpace(string(run.Tail))
	case agent.TimedOut, agent.WentIdle:
		return fmt.Sprintf("it did not end within %s", g.Timeout)
	}
	return ""
}

// Exit says how the last run ended, nil where it did not run to its end.
func (r GateResult) Exit() *int {
	if n := len(r.Runs); n > 0 && r.Runs[n-1].Exit >= 0 {
		return &r.Runs[n-1].Exit
	}
	return nil
}

// Ended says in words how the last run ended.
func (r GateResult) Ended() string {
	if len(r.Runs) == 0 {
		return "not run"
	}
	return r.Runs[len(r.Runs)-1].ended()
}

func (run GateRun) ended() string {
	switch {
	case run.Cause != agent.Exited:
		return string(run.Cause)
	case run.Exit >= 0:
		return fmt.Sprintf("exit %d", run.Exit)
	}
	return "ended by a signal: " + run.Signal
}

// Took is how long all runs took together.
func (r GateResult) Took() time.Duration {
	var all time.Duration
	for _, run := range r.Runs {
		all += run.Took
	}
	return all
}

// Telling is the run whose output tells most: the last one that did not pass,
// else the last.
func (r GateResult) Telling() GateRun {
	for i := len(r.Runs) - 1; i >= 0; i-- {
		if r.Runs[i].Exit != 0 {
			return r.Runs[i]
		}
	}
	return r.Runs[len(r.Runs)-1]
}

// Left says what processes the runs left behind. Those of its group were ended;
// one that left the group is not ours to find, and only seen where it held on to
// the output.
func (r GateResult) Left() []string {
	var all []string
	for i, run := range r.Runs {
		if run.Straggle {
			all = append(all, fmt.Sprintf("run %d left processes behind; they were ended", i+1))
		}
		if run.Escaped {
			all = append(all, fmt.Sprintf("run %d left a process outside its group that held on to the output; it was cut off and may still run", i+1))
		}
	}
	return all
}

// Encode writes the artifact that is stored of a gate: what was run and seen, the
// hash of everything that it wrote, and the end of the output that tells most.
func (r GateResult) Encode() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "gate %s: %s\n", r.Name, r.Outcome)
	fmt.Fprintf(&b, "command %q\n", r.Command)
	fmt.Fprintf(&b, "commit %s\ntree %s\n", r.Commit, r.Tree)
	if r.Why != "" {
		fmt.Fprintf(&b, "could not run: %s\n", strings.Join(strings.Fields(r.Why), " "))
	}
	for i, run := range r.Runs {
		fmt.Fprintf(&b, "run %d: %s, %d ms, %d bytes of output, sha256 %s\n", i+1, run.ended(), run.Took.Milliseconds(), run.Output, run.SHA256)
	}
	for _, left := range r.Left() {
		fmt.Fprintf(&b, "%s\n", left)
	}
	told := r.Telling()
	fmt.Fprintf(&b, "output, the last %d bytes:\n\n", len(told.Tail))
	b.Write(told.Tail)
	return []byte(b.String())
}
