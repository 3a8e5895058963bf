package ledger

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrNoRun is returned where there is no such run.
	ErrNoRun = errors.New("no such run")
	// ErrExists is returned by [Create] for a run that is there already.
	ErrExists = errors.New("the run exists already")
	// ErrCorrupt is returned for a run that is there and cannot be what a
	// git-sdd wrote. Corrupt is never empty.
	ErrCorrupt = errors.New("the ledger is damaged")
	// ErrIncomplete is returned for a run whose objects are not all here: a
	// shallow or partial clone, or a fetch without them.
	ErrIncomplete = errors.New("objects of the ledger are missing")
	// ErrNoFile is returned for a path that a revision does not hold.
	ErrNoFile = errors.New("no such file in the ledger")
	// ErrInvalid is returned for an entry that may not be stored.
	ErrInvalid = errors.New("not a ledger entry")
)

// Moved is returned by [Append] when another process moved the run first.
// Nothing was changed.
type Moved struct {
	Run      RunID
	Revision int    // that the run has now; -1 when it is gone
	Commit   string // of that revision; empty when the run is gone
}

func (e *Moved) Error() string {
	if e.Commit == "" {
		return fmt.Sprintf("run %s is gone", e.Run.Prefix12())
	}
	return fmt.Sprintf("run %s was moved first by another process: it is at revision %d", e.Run.Prefix12(), e.Revision)
}

// Ambiguous is returned by [Resolve] for a prefix that several runs share.
type Ambiguous struct {
	Prefix string
	Runs   []RunID // in order
}

func (e *Ambiguous) Error() string {
	names := make([]string, len(e.Runs))
	for i, run := range e.Runs {
		names[i] = run.Prefix12()
	}
	return fmt.Sprintf("%q begins %d runs: %s", e.Prefix, len(e.Runs), strings.Join(names, ", "))
}
