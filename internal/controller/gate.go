package controller

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/evidence"
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

// preflight records whether the work tree is as a run wants it. A conflict is
// never settled silently: leaving it takes a ruling.
func (r *run) preflight(ctx context.Context) error {
	if _, err := r.workspace(); err != nil {
		return err
	}
	now, err := evidence.Observe(r.site)
	if err != nil {
		return err
	}
	reasons := preflightReasons(now)
	facts := machine.PreflightFacts{Reasons: reasons}
	if len(reasons) == 0 {
		return r.record(ctx, step{event: machine.PreflightClean{}, facts: facts})
	}
	return r.record(ctx, step{event: machine.PreflightConflict{Reason: oneReason(reasons)}, facts: facts})
}

// preflightReasons are the facts that stand against a clean start: tracked paths
// with changes that are not committed.
func preflightReasons(now evidence.Observation) []string {
	reasons := []string{}
	for _, p := range now.Paths {
		if !p.Untracked() {
			reasons = append(reasons, fmt.Sprintf("uncommitted change: %s", p.Name))
		}
	}
	return reasons
}

// oneReason puts the reasons into one recorded string.
func oneReason(reasons []string) string {
	return abbreviate(strings.Join(reasons, "; "))
}
