package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/verify"
)

// Verification is the answer of `verify` for one run.
type Verification struct {
	Run         string          `json:"run"`
	Outcome     string          `json:"outcome"` // verified, failed or underivable
	Revisions   int             `json:"revisions"`
	CodeMissing bool            `json:"codeMissing"`
	Problems    []VerifyProblem `json:"problems"`
	Notes       []string        `json:"notes"`
}

// VerifyProblem is one thing that does not hold.
type VerifyProblem struct {
	Revision *int   `json:"revision"` // null where it is about the run as a whole
	Kind     string `json:"kind"`
	Message  string `json:"message"`
}

// Verifications is the answer of `verify`. With one run its fields stand at the
// top too.
type Verifications struct {
	Schema string `json:"schema"`
	Verification
	Runs []Verification `json:"runs"`
}

// worse orders the outcomes: a failure anywhere counts most.
var worse = map[string]int{verify.Verified: 0, verify.Underivable: 1, verify.Failed: 2}

// VerifyOptions says how much to look at.
type VerifyOptions struct {
	Full       bool // from the first revision, not from where this program verified the run last
	Signatures bool // what signed is held to its key, and to who recorded
}

// Verify checks the runs with the given prefixes, or the one of this place. The
// fault beside the answer gives the exit status: 4 for failed, 7 for
// underivable.
func (c *Controller) Verify(ctx context.Context, prefixes []string, o VerifyOptions) (*Verifications, error) {
	ids, err := c.named(ctx, prefixes)
	if err != nil {
		return nil, err
	}
	out := &Verifications{Schema: "git-sdd/verify/1", Runs: []Verification{}}
	out.Outcome, out.Problems, out.Notes = verify.Verified, []VerifyProblem{}, []string{}
	for _, id := range ids {
		res, err := c.verified(ctx, id, o)
		if err != nil {
			return nil, err
		}
		out.take(verification(res))
	}
	return out, nil
}

// verified checks one run, and remembers how far it holds.
func (c *Controller) verified(ctx context.Context, id ledger.RunID, o VerifyOptions) (verify.Result, error) {
	var opt verify.Options
	if !o.Full {
		opt.Base = c.readMark(id)
	}
	pins := c.pinsOf(id)
	res, err := verify.Run(ctx, c.repo, id, opt)
	if err != nil {
		return res, err
	}
	c.writeMark(id, res, pins)
	if !o.Signatures || res.Outcome != verify.Verified {
		return res, nil
	}
	demand, err := c.demanded()
	if err != nil {
		return res, err
	}
	err = verify.Signatures(ctx, c.repo, id, &res, demand)
	return res, err
}

func (out *Verifications) take(v Verification) {
	out.Runs = append(out.Runs, v)
	if len(out.Runs) == 1 {
		out.Verification = v
		return
	}
	out.Run = ""
	out.Revisions += v.Revisions
	out.CodeMissing = out.CodeMissing || v.CodeMissing
	out.Problems = append(out.Problems, v.Problems...)
	out.Notes = append(out.Notes, v.Notes...)
	if worse[v.Outcome] > worse[out.Outcome] {
		out.Outcome = v.Outcome
	}
}

func verification(res verify.Result) Verification {
	v := Verification{
		Run: res.Run, Outcome: res.Outcome, Revisions: res.Revisions, CodeMissing: res.CodeMissing,
		Problems: []VerifyProblem{}, Notes: append([]string{}, res.Notes...),
	}
	for _, p := range res.Problems {
		row := VerifyProblem{Kind: p.Kind, Message: p.Message}
		if p.Revision >= 0 {
			revision := p.Revision
			row.Revision = &revision
		}
		v.Problems = append(v.Problems, row)
	}
	return v
}

// named resolves run prefixes; none means the run of this place.
func (c *Controller) named(ctx context.Context, prefixes []string) ([]ledger.RunID, error) {
	var ids []ledger.RunID
	for _, p := range prefixes {
		id, err := ledger.Resolve(ctx, c.repo, p)
		if err != nil {
			return nil, faultOfLedger(err)
		}
		ids = append(ids, id)
	}
	if len(ids) > 0 {
		return ids, nil
	}
	r, err := c.find(ctx, reading)
	if err != nil {
		return nil, c.nameThem(ctx, err)
	}
	defer r.close()
	return []ledger.RunID{r.id}, nil
}

// everyRun is the command that verifies all there is, as in CI after a fetch.
const everyRun = "git sdd verify $(git for-each-ref --format='%(refname:lstrip=2)' refs/sdd/)"

// nameThem repairs the want of a run in a clone that only holds runs of others: a
// start would be no answer there.
func (c *Controller) nameThem(ctx context.Context, err error) error {
	f := fault.Of(err)
	if f.Kind() != fault.Unknown {
		return err
	}
	if all, _, failed := ledger.LoadWhere(ctx, c.repo, anyRun); failed != nil || len(all) == 0 {
		return err
	}
	return f.WithRepair(everyRun)
}

// Fault is the refusal that an outcome stands for, or nil when all is verified.
func (out *Verifications) Fault() *fault.Error {
	switch out.Outcome {
	case verify.Failed:
		return fault.New(fault.Identity, "git sdd log, then fetch the run again from where it was pushed", "verification failed")
	case verify.Underivable:
		return fault.New(fault.Unknown, "git fetch --unshallow, or fetch the run again without a filter", "the run cannot be derived from what is here")
	}
	return nil
}
