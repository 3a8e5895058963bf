package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/machine"
)

// passGate records the next gate of a run that was started: capability, plan,
// preflight.
func (r *run) passGate(ctx context.Context) error {
	if r.view.Phase == machine.CapabilityCheck {
		// Without settings for the tiers, they are advice to whoever starts the
		// children: the ladder is somebody else's.
		return r.record(ctx, step{event: machine.CapabilityConfirmed{Mode: "tiered"}, facts: machine.CapabilityFacts{Ladder: "external"}})
	}
	if !r.view.PlanValidated {
		return r.record(ctx, step{event: machine.PlanValid{PlanDigest: r.view.PlanDigest}})
	}
	return r.preflight(ctx)
}
