package machine

import (
	"errors"
	"fmt"
)

// The gates: everything before the first dispatch.

func (t *turn) capabilityConfirmed(e CapabilityConfirmed) error {
	t.view.Mode = Opt(e.Mode)
	return modes.check("mode", e.Mode)
}

func (t *turn) planValid(e PlanValid) error {
	t.view.PlanValidated = true
	if e.PlanDigest != t.view.PlanDigest {
		return fmt.Errorf("planDigest %q is not the pinned %s", clip(e.PlanDigest), t.view.PlanDigest)
	}
	return nil
}

func (t *turn) planConflict(e PlanConflict) error {
	if err := checkDigest("planDigest", e.PlanDigest); err != nil {
		return err
	}
	if e.PlanDigest == t.view.PlanDigest {
		return errors.New("planDigest is the pinned one, which is no conflict")
	}
	return nil
}

func (t *turn) preflightClean(PreflightClean) error { return t.planValidated() }

func (t *turn) preflightConflict(e PreflightConflict) error {
	return first(t.planValidated(), CheckText("reason", e.Reason))
}

func (t *turn) preflightApproved(e PreflightApproved) error { return CheckText("reason", e.Reason) }

func (t *turn) planValidated() error {
	if !t.view.PlanValidated {
		return errors.New("the plan is not validated yet")
	}
	return nil
}
