package controller

import (
	"context"
	"errors"
	"slices"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/plan"
)

// already looks for a live run of this worktree and branch. The same plan still
// in its gates goes on; anything else is in the way.
func (s *starting) already(ctx context.Context) (*run, error) {
	if id, ok := ledger.ReadHint(s.c.repo); ok {
		if _, err := s.c.load(ctx, id); err != nil && damaged(err) != nil {
			return nil, damaged(err)
		}
	}
	all, err := s.c.candidates(ctx, liveRun)
	if err != nil {
		return nil, err
	}
	for _, k := range all {
		if k.view.Phase.Terminal() || !s.c.isHere(k.view) {
			continue
		}
		if s.isThis(k.view) {
			return s.c.load(ctx, k.id)
		}
		return nil, fault.New(fault.Invalid, "git sdd next --run "+k.id.Prefix12()+", or end it: git sdd abandon --run "+k.id.Prefix12()+" --reason <reason>",
			"run %s of %s is live on this worktree and branch (%s)", k.id.Prefix12(), k.view.PlanPath, k.view.Phase)
	}
	return nil, nil
}

// isThis reports whether a run is the one that is to be started: the same plan,
// still in its gates, and pinned to all that was asked for now.
func (s *starting) isThis(v machine.View) bool {
	if v.PlanDigest != plan.Digest(s.data) || v.PlanPath != s.path || v.Phase > machine.PreflightDecisionRequired {
		return false
	}
	for _, t := range v.Tasks {
		if len(s.o.Audit) > 0 && t.Audit != slices.Contains(s.o.Audit, t.Number) {
			return false
		}
	}
	return s.o.Base == "" || s.o.Base == v.BaseRef
}

// place makes sure that no other start put a run here since already looked: two
// at once would both have found nothing.
func (s *starting) place(ctx context.Context, found **run) ledger.Place {
	return ledger.Place{
		Name: s.c.repo.WorkTree() + "\x00" + s.c.repo.Branch(),
		Check: func() (err error) {
			*found, err = s.already(ctx)
			if *found != nil {
				err = errPlaceTaken
			}
			return err
		},
	}
}

// twin returns the run that another start of the same plan has begun within the
// same millisecond: its id is the one that this start came to as well.
func (s *starting) twin(ctx context.Context) (*run, error) {
	r, err := s.already(ctx)
	if r == nil && err == nil {
		err = fault.New(fault.Contended, "git sdd start "+shellWord(s.o.Plan), "another start was at work here at this very moment; nothing was recorded")
	}
	return r, err
}

var errPlaceTaken = errors.New("another start was first")
