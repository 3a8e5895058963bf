package machine

import (
	"fmt"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// check holds a decoded view against everything that is true of the states that
// [New] and [Apply] make, as far as one state alone shows it.
func (v *View) check() error {
	return first(
		v.checkPins(), v.checkCounters(), v.checkGates(), v.checkStanding(),
		v.checkDispatch(), v.checkAttempts(), v.checkFindings(), v.checkOutcome(), v.checkRulings(), v.checkEvidence(),
	)
}

func (v *View) checkPins() error {
	_, created := ParseInstant(string(v.CreatedAt))
	return first(
		checkDigest("runId", v.RunID), created, checkTime(v.CreatedAt, v.UpdatedAt),
		checkInit(Init{
			PlanPath: v.PlanPath, PlanDigest: v.PlanDigest, RepoRoot: v.RepoRoot, Worktree: v.Worktree, RunRoot: v.RunRoot,
			Branch: v.Branch, BaseRef: v.BaseRef, MergeBase: v.MergeBase, Tasks: v.Tasks, Tool: v.Tool, Settings: v.Settings,
		}),
	)
}

func (v *View) checkCounters() error {
	err := first(
		checkRange("revision", v.Revision, 0, maxInteger),
		checkRange("currentTask", v.CurrentTask, 1, len(v.Tasks)),
		checkRange("contextAttempts", v.ContextAttempts, 0, maxContext),
		checkRange("fixRound", v.FixRound, 0, tier.MaxRounds),
		checkRange("recoveryRulings", v.RecoveryRulings, 0, v.Revision),
	)
	if err != nil {
		return err
	}
	if want := v.Tasks[v.CurrentTask-1].ImplementerTier; v.CurrentImplementerTier != want {
		return fmt.Errorf("currentImplementerTier is %q, the task has %s", clip(v.CurrentImplementerTier), want)
	}
	return ifPresent(statuses.check, "statusPinned", v.StatusPinned)
}

func checkRange[N int | int64](name string, n, low, high N) error {
	if n < low || n > high {
		return fmt.Errorf("%s is %d, it lies from %d to %d", name, n, low, high)
	}
	return nil
}

// checkGates holds what the gates leave behind against the phase. A run can be
// given up at any gate, so FINAL_BLOCKED shows nothing.
func (v *View) checkGates() error {
	confirmed := v.Phase != CapabilityCheck && v.Phase != CapabilityBlocked
	passed := confirmed && v.Phase != PlanValidate && v.Phase != PlanInvalid
	switch {
	case v.Phase == FinalBlocked:
	case confirmed == (v.Mode == ""):
		return fmt.Errorf("mode %q in %s", v.Mode, v.Phase)
	case passed && !v.PlanValidated, !confirmed && v.PlanValidated:
		return fmt.Errorf("planValidated is %t in %s", v.PlanValidated, v.Phase)
	}
	return ifPresent(modes.check, "mode", v.Mode)
}

// checkStanding holds what belongs to single phases against the phase.
func (v *View) checkStanding() error {
	ended := v.Phase.Terminal() && v.Phase != Complete && v.Phase != PlanInvalid
	switch {
	case ended && v.BlockedReason == "", !v.Phase.Terminal() && v.BlockedReason != "", v.Phase == Complete && v.BlockedReason != "":
		return fmt.Errorf("blockedReason %q in %s", clip(string(v.BlockedReason)), v.Phase)
	case (v.Phase == DispatchAmbiguous) == (v.AmbiguousIntentPhase == ""):
		return fmt.Errorf("ambiguousIntentPhase %q in %s", clip(string(v.AmbiguousIntentPhase)), v.Phase)
	}
	return ifPresent(CheckText, "blockedReason", v.BlockedReason)
}

func (v *View) checkDispatch() error {
	d := v.Dispatch
	if d == nil {
		return v.checkNoDispatch()
	}
	role, err := tier.ParseRole(d.Role)
	if err != nil {
		return err
	}
	if d.Task != v.CurrentTask || (d.Round != nil) != role.HasRounds() || d.Round != nil && *d.Round != v.FixRound {
		return fmt.Errorf("the dispatch of the %s is not one of task %d in round %d", role, v.CurrentTask, v.FixRound)
	}
	return first(
		v.checkDispatchIdentity(d, role), v.checkDispatchPhase(d, role), d.checkBlobs(),
		checkBeneath("promptPath", d.PromptPath, v.RunRoot), checkBeneath("reportPath", d.ReportPath, v.RunRoot),
		checkBeneath("briefPath", d.BriefPath, v.RunRoot), CheckText("expectedOutcome", d.ExpectedOutcome),
		checkRange("intentRevision", d.IntentRevision, 1, v.Revision), checkModel(d.Model, d.Thinking),
		ifPresent(CheckText, "sessionId", d.SessionID), ifPresent(checkInstantText, "startedAt", d.StartedAt),
	)
}

// checkNoDispatch refuses a missing dispatch where a phase is about one.
func (v *View) checkNoDispatch() error {
	switch v.Phase {
	case CapabilityCheck, PlanValidate, PreflightDecisionRequired, WorkspaceReady, CapabilityBlocked, PlanInvalid, FinalBlocked:
		return nil
	}
	return fmt.Errorf("no dispatch in %s", v.Phase)
}

func (v *View) checkDispatchIdentity(d *Dispatch, role tier.Role) error {
	want, err := v.tierOf(role, d.round())
	if err != nil {
		return err
	}
	switch {
	case d.Tier != want.String():
		return fmt.Errorf("the dispatch has tier %q, the formula of the %s gives %s", clip(d.Tier), role, want)
	case d.DispatchKey != DispatchKey(v.RunID, d.Task, role, d.Attempt, d.round()):
		return fmt.Errorf("dispatchKey %q is not the composed one", clip(d.DispatchKey))
	case v.Attempts[attemptsKey(d.Task, role, d.round())] != d.Attempt:
		return fmt.Errorf("the dispatch is attempt %d, which attempts does not count", d.Attempt)
	case role.IsFinal() && d.Task != len(v.Tasks):
		return fmt.Errorf("a %s before the last task", role)
	case v.work() == nil:
		return fmt.Errorf("no evidence was opened for the %s", role)
	}
	return nil
}

// standingRoles holds, for the phases that are about one role without being its
// intent or running phase, which roles may have been dispatched last.
var standingRoles = [numPhases][]tier.Role{
	ImplementResult:         {tier.Implementer},
	ContextRequired:         {tier.Implementer},
	ConcernDecisionRequired: {tier.Implementer},
	TaskReviewDecision:      {tier.TaskReviewer},
	TaskComplete:            {tier.TaskReviewer, tier.ReReviewer},
	Complete:                {tier.Final, tier.FinalReReviewer},
}

func (v *View) checkDispatchPhase(d *Dispatch, role tier.Role) error {
	expected := v.Phase
	if v.Phase == DispatchAmbiguous {
		if err := expected.UnmarshalText([]byte(v.AmbiguousIntentPhase)); err != nil {
			return err
		}
	}
	at, atIntent := IntentRole(expected)
	if !atIntent {
		at, _ = RunningRole(expected)
	}
	runs := v.Phase == RunningPhase(role)
	switch allowed := standingRoles[v.Phase]; {
	case v.Phase <= WorkspaceReady || v.Phase == CapabilityBlocked || v.Phase == PlanInvalid:
		return fmt.Errorf("a dispatch in %s", v.Phase)
	case at != 0 && at != role, allowed != nil && !contains(allowed, role):
		return fmt.Errorf("the dispatch of a %s in %s", role, v.Phase)
	case v.Phase == DispatchAmbiguous && !atIntent:
		return fmt.Errorf("ambiguousIntentPhase %s is no intent", expected)
	case (d.SessionID == "") != (d.StartedAt == ""), v.Phase == IntentPhase(role) && d.SessionID != "", runs && d.SessionID == "":
		return fmt.Errorf("sessionId %q and startedAt %q in %s", clip(string(d.SessionID)), clip(string(d.StartedAt)), v.Phase)
	case allowed != nil && d.Report == nil, atIntent && d.Report != nil, d.Report != nil && d.SessionID == "":
		return fmt.Errorf("the report of the dispatch does not fit %s", v.Phase)
	}
	return nil
}

func contains(roles []tier.Role, role tier.Role) bool {
	for _, r := range roles {
		if r == role {
			return true
		}
	}
	return false
}

func (d *Dispatch) checkBlobs() error {
	err := checkStored("prompt", &d.Prompt, d.stem()+promptSuffix)
	if d.Bootstrap != nil {
		err = first(err, checkStored("bootstrap", d.Bootstrap, d.stem()+bootstrapSuffix))
	}
	r := d.Report
	if r == nil || err != nil {
		return err
	}
	if r.Path != d.stem()+reportSuffix || (r.Bytes == nil) != (r.SHA256 == "") {
		return fmt.Errorf("the report %q is not that of the dispatch", clip(r.Path))
	}
	if r.Bytes != nil {
		err = checkRange("bytes of the report", *r.Bytes, 0, maxInteger)
	}
	return first(err, ifPresent(checkDigest, "sha256 of the report", r.SHA256), ifPresent(statuses.check, "status of the report", r.Status))
}

func checkStored(name string, ref *BlobRef, path string) error {
	if ref.Path != path {
		return fmt.Errorf("the %s is at %q, not at %s", name, clip(ref.Path), path)
	}
	return first(checkRange("bytes of the "+name, ref.Bytes, 1, MaxPrompt), checkDigest("sha256 of the "+name, ref.SHA256))
}

func checkInstantText(name, s string) error {
	if _, err := ParseInstant(s); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
