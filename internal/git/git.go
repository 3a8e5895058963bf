// Package git is the only way to the repository: the git binary for refs and
// facts, one long-lived `git cat-file` for reads, and loose objects written
// durably.
//
// A [Repo] is resolved once, by git itself, and belongs to one command: every
// process it starts acts on that same repository, is quiet, asks nothing, runs
// no hook and ends when the context of [Open] does.
package git

import (
	"context"
	"errors"
)

// MinVersion is the oldest git that serves: 2.36 brought `cat-file
// --batch-command`, which answers for contents and existence in one process,
// and `core.fsync`, without which a ref is not durable.
const MinVersion = "2.36"

var (
	// ErrNotRepository is returned by [Open] for a directory outside any
	// repository. The error that wraps it is a [*CmdError].
	ErrNotRepository = errors.New("not a git repository")
	// ErrNewline is returned by [Open] for a repository whose path holds a newline:
	// git says where it is in lines.
	ErrNewline = errors.New("the path of the repository holds a newline")
	// ErrNoWorkTree is returned where a bare repository is asked for its files.
	ErrNoWorkTree = errors.New("this repository has no work tree")
	// ErrMissing is returned for a name that leads to no object here.
	ErrMissing = errors.New("no such object")
	// ErrAmbiguous is returned for an abbreviation that several objects share.
	ErrAmbiguous = errors.New("ambiguous object name")
	// ErrUnreadable is returned for an object that git has and cannot read.
	ErrUnreadable = errors.New("git cannot read the object")
	// ErrBadName is returned for a name that would not survive the way to git.
	ErrBadName = errors.New("not a name for git")
	// ErrTooOld is returned where the git that is installed is older than
	// [MinVersion].
	ErrTooOld = errors.New("git " + MinVersion + " or newer is needed")
	// ErrNone is returned where nothing answers the question, and that is an
	// answer: no merge base, no default branch.
	ErrNone = errors.New("none")
)

// A Repo is one repository as seen from one directory. It is made by [Open] and
// is safe for concurrent use.
type Repo struct {
	ctx  context.Context // a Repo lives as long as one command
	core *core
}

// core is what all copies of a Repo share.
type core struct {
	place
	environ []string // of every child
	batch   *batch
	config  func() (*Config, error)
}

// A place is what git said about the repository when it was opened.
type place struct {
	gitDir, commonDir, objects string // absolute
	workTree                   string // absolute; empty where there is none
	format                     string // "sha1" or "sha256"
	prefix                     string // of the directory beneath the work tree, "" or "a/b/"
	head                       string // full name of the branch; empty when detached
}

// WithContext returns the same repository for processes bound to another context.
func (r *Repo) WithContext(ctx context.Context) *Repo { return &Repo{ctx: ctx, core: r.core} }

// GitDir returns the absolute path of this worktree's own git directory.
func (r *Repo) GitDir() string { return r.core.gitDir }

// CommonDir returns the absolute path of the directory that all worktrees share.
func (r *Repo) CommonDir() string { return r.core.commonDir }

// WorkTree returns the absolute path of the work tree's top, or "" where the
// directory that was opened belongs to none: a bare repository, or inside .git.
func (r *Repo) WorkTree() string { return r.core.workTree }

// ObjectFormat returns "sha1" or "sha256".
func (r *Repo) ObjectFormat() string { return r.core.format }

// Prefix returns the opened directory's path beneath the work tree, with a
// final slash, or "" at the top.
func (r *Repo) Prefix() string { return r.core.prefix }

// HeadRef returns the full name of the ref that HEAD stands for, born or not,
// or "" when HEAD is detached.
func (r *Repo) HeadRef() string { return r.core.head }

// Branch returns the short name of the branch that is checked out, born or not,
// or "" when HEAD is detached.
func (r *Repo) Branch() string { return shortBranch(r.core.head) }

// Close ends the reading process. A closed Repo answers no more reads.
func (r *Repo) Close() error { return r.core.batch.close() }
