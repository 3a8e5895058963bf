package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/machine"
)

// passGate records the next of the gates that open a run (not those of the
// settings): capability, plan,
// preflight.
func (r *run) passGate(ctx context.Context) error {
	if r.view.Phase == machine.CapabilityCheck {
		s, err := r.c.capability()
		if err != nil {
			return err
		}
		return r.record(ctx, s)
	}
	if !r.view.PlanValidated {
		return r.record(ctx, step{event: machine.PlanValid{PlanDigest: r.view.PlanDigest}})
	}
	return r.preflight(ctx)
}
