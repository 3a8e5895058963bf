// Package verify checks a run from its ref alone: it replays the chain, derives
// again what can be derived, and says whether what the run claims is true.
//
// It needs no network and no state of its own, and trusts nothing that the chain
// says of itself: every state must follow from the one before by the event and
// its facts, every document must be the very bytes that git-sdd writes, every
// artifact must be what its reference says, and what a report is recorded to say
// must be what its bytes say. Whoever can write to a clone can still forge a
// chain that replays, reports included; SECURITY.md says what stops that.
package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// The outcomes of a verification (interfaces: looking, verify).
const (
	Verified    = "verified"
	Failed      = "failed"
	Underivable = "underivable" // objects of the ledger are not here, or it was written by a newer git-sdd
)

// A Problem is one thing that does not hold.
type Problem struct {
	Revision int    // -1 where it is about the run as a whole
	Kind     string // stable identifier, such as "state" or "tree"
	Message  string // the fact, one line
}

// A Result is what a verification found.
type Result struct {
	Run         string
	Outcome     string
	Revisions   int  // that were looked at
	CodeMissing bool // attested commits are gone; what is stored of them holds
	Problems    []Problem
	Notes       []string // worth a word, and no failure
	Tip         string   // the commit that was verified
}

// Options says how much of a run to look at.
type Options struct {
	// Base is a state that was verified before, with its revision's commit; nil
	// begins at the root. See the controller's marks for why that is safe.
	Base *Mark
}

// A Mark is where an earlier verification ended.
type Mark struct {
	Commit   string
	Revision int
}

// maxProblems is how many problems are told of one run: one damage makes many.
const maxProblems = 20

// errStop ends a walk whose remaining problems would only repeat the first.
var errStop = errors.New("stop")

// Run verifies one run. The error is of the environment; what is wrong with the
// run is in the result.
func Run(ctx context.Context, repo *git.Repo, id ledger.RunID, opt Options) (Result, error) {
	res := Result{Run: id.String(), Outcome: Verified}
	run, err := ledger.Load(ctx, repo, id)
	if err != nil {
		return res.ledgerFailure(-1, err)
	}
	res.Tip = run.Tip.Commit()
	c := newCheck(ctx, repo, id, run, &res)
	if err := c.begin(opt.Base); err != nil {
		return res.ledgerFailure(-1, err)
	}
	if c.from > run.Tip.Revision() {
		res.Revisions = c.from
		return res, c.codeHere()
	}
	err = ledger.Walk(ctx, repo, run.Tip, c.from, c.revision)
	if err != nil && !errors.Is(err, errStop) {
		return res.ledgerFailure(c.last+1, err)
	}
	if err == nil {
		if err := c.finish(); err != nil {
			return res.ledgerFailure(-1, err)
		}
	}
	res.Revisions = c.last + 1
	return res, nil
}

// add records a problem.
func (r *Result) add(revision int, kind, format string, args ...any) {
	if r.Outcome == Verified {
		r.Outcome = Failed
	}
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, Problem{revision, kind, fmt.Sprintf(format, args...)})
	}
}

// ledgerFailure gives what the store says its meaning: missing objects and newer
// documents are underivable, anything that cannot be what git-sdd wrote failed.
func (r *Result) ledgerFailure(revision int, err error) (Result, error) {
	switch {
	case errors.Is(err, ledger.ErrIncomplete):
		r.add(revision, "missing", "%v", err)
		r.Outcome = Underivable
	case errors.Is(err, machine.ErrNewer):
		r.add(revision, "newer", "%v", err)
		r.Outcome = Underivable
	case errors.Is(err, ledger.ErrCorrupt), errors.Is(err, ledger.ErrNoFile), errors.Is(err, git.ErrUnreadable):
		r.add(revision, "chain", "%v", err)
	default:
		return *r, err
	}
	return *r, nil
}
