// Package controller is the loop: load the run, ask what its phase needs, gather
// the facts, decide the one event that happened, append it.
//
// Nothing is remembered between commands. Agents propose, through reports; what
// is recorded is decided here, from Git history and the bytes of artifacts, and
// every transition is one commit of the run's ledger.
package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// Via says by what way an event was recorded (contract: stored documents).
const (
	ViaTerminal = "terminal" // standard input is one
	ViaProgram  = "program"
	ViaRun      = "run"
)

// ChildVariable is set in the environment of every child that git-sdd starts.
// With it set, every writing command is refused: a guard against accidents, not
// against malice.
const ChildVariable = "GIT_SDD_DISPATCH"

// Options is what a command knows before it looks at anything.
type Options struct {
	Dir              string // where the command stands; "" is the current directory
	Run              string // a prefix of at least 4 digits, or "" to find the run of this place
	Via              string // ViaTerminal, ViaProgram or ViaRun
	ExpectedRevision *int   // a writing command refuses any other revision
	Version          string // of this program, stored with the run
	Env              func(string) string
	Say              func(string) // tells a person what takes long; nil for nobody
}

// A Controller carries out commands on the runs of one repository. It holds no
// state of a run.
type Controller struct {
	repo *git.Repo
	opt  Options
	now  func() time.Time

	loaded *config.Settings // once a command asked for them
	// begun is what the tracked settings held when the run that the command works
	// on began: nil bytes where there was no such file, false where nobody knows.
	begun func() ([]byte, bool)

	listed map[string]listing // commits whose files were asked for, by their names
}

// Open finds the repository that the options stand in.
func Open(ctx context.Context, opt Options) (*Controller, error) {
	if opt.Env == nil {
		opt.Env = os.Getenv
	}
	if opt.Run == "" {
		opt.Run = opt.Env("GIT_SDD_RUN")
	}
	repo, err := git.Open(ctx, opt.Dir)
	if errors.Is(err, git.ErrNotRepository) {
		return nil, fault.New(fault.Invalid, "git init, or call git sdd inside a repository", "no git repository here or in any folder above")
	}
	if errors.Is(err, git.ErrNewline) {
		return nil, fault.New(fault.Invalid, "move the repository to a path without a newline", "%w", git.ErrNewline)
	}
	if err != nil {
		return nil, err
	}
	return &Controller{repo: repo, opt: opt, now: time.Now}, nil
}

// say tells a person what takes long.
func (c *Controller) say(format string, args ...any) {
	if c.opt.Say != nil {
		c.opt.Say(fmt.Sprintf(format, args...))
	}
}

// Close ends the processes that reading needed.
func (c *Controller) Close() error { return c.repo.Close() }

// instant returns the time now, in milliseconds and never before the last
// transition: the store owns the time and never goes back (architecture: the
// ledger).
func (c *Controller) instant(last machine.Instant) machine.Instant {
	at := machine.Instant(c.now().UTC().Format("2006-01-02T15:04:05.000Z"))
	return max(at, last)
}

// refuseChild keeps a child that git-sdd started from writing the ledger.
func (c *Controller) refuseChild() error {
	if key := c.opt.Env(ChildVariable); key != "" {
		return fault.New(fault.Refused, "end the child's work with its report; the controller takes it",
			"%s is set (%q): a child does not record transitions", ChildVariable, key)
	}
	return nil
}
