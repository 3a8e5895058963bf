package machine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// intend holds a dispatch intent against the rules of its role and records it
// as the run's dispatch (contract: payload rules, a dispatch intent). The fix
// round must already be the new one.
func (t *turn) intend(role tier.Role, in Intent) error {
	v := &t.view
	round := 0
	if role.HasRounds() {
		round = v.FixRound
	}
	if err := first(v.checkIntentIdentity(role, round, in), v.checkIntentPaths(in), checkPrompt(in)); err != nil {
		return err
	}
	v.Attempts[attemptsKey(v.CurrentTask, role, round)] = in.Attempt
	stem := ArtifactStem(v.CurrentTask, role, in.Attempt, round)
	v.Dispatch = &Dispatch{
		Role: role.String(), Task: v.CurrentTask, Attempt: in.Attempt, Tier: in.Tier, DispatchKey: in.DispatchKey,
		PromptPath: in.PromptPath, ReportPath: in.ReportPath, BriefPath: in.BriefPath, ExpectedOutcome: in.ExpectedOutcome,
		Prompt: refTo(stem+promptSuffix, string(in.RenderedPrompt)), IntentRevision: v.Revision,
	}
	if role.HasRounds() {
		v.Dispatch.Round = &round
	}
	if in.Bootstrap != "" {
		ref := refTo(stem+bootstrapSuffix, string(in.Bootstrap))
		v.Dispatch.Bootstrap = &ref
	}
	t.foldIntent(role)
	return nil
}

func (v *View) checkIntentIdentity(role tier.Role, round int, in Intent) error {
	if want := NextAttempt(*v, role, v.CurrentTask, round); in.Attempt != want {
		return fmt.Errorf("attempt is %d, the next of this %s is %d", in.Attempt, role, want)
	}
	want, err := v.tierOf(role, round)
	if err != nil {
		return err
	}
	if in.Tier != want.String() {
		return fmt.Errorf("tier is %q, the formula of the %s gives %s", clip(in.Tier), role, want)
	}
	if key := DispatchKey(v.RunID, v.CurrentTask, role, in.Attempt, round); in.DispatchKey != key {
		return fmt.Errorf("dispatchKey %q is not the composed %s", clip(in.DispatchKey), key)
	}
	return checkID("dispatchKey", in.DispatchKey, MaxKey)
}

// tierOf returns the tier that a role has for the current task.
func (v *View) tierOf(role tier.Role, round int) (tier.Tier, error) {
	implementer, err := tier.Parse(v.CurrentImplementerTier)
	if err != nil {
		return 0, err
	}
	return tier.For(role, implementer, round)
}

func (v *View) checkIntentPaths(in Intent) error {
	return first(
		checkBeneath("promptPath", in.PromptPath, v.RunRoot),
		checkBeneath("reportPath", in.ReportPath, v.RunRoot),
		checkBeneath("briefPath", in.BriefPath, v.RunRoot),
		CheckText("expectedOutcome", in.ExpectedOutcome),
	)
}

// tierEcho is how a prompt's first line says the tier, where it does.
const tierEcho = "Model tier:"

func checkPrompt(in Intent) error {
	switch size := len(in.RenderedPrompt); {
	case size == 0:
		return errors.New("renderedPrompt is empty")
	case size > MaxPrompt:
		return fmt.Errorf("renderedPrompt has %d bytes, at most %d are allowed", size, MaxPrompt)
	case len(in.Bootstrap) > MaxPrompt:
		return fmt.Errorf("bootstrap has %d bytes, at most %d are allowed", len(in.Bootstrap), MaxPrompt)
	}
	line, _, _ := strings.Cut(string(in.RenderedPrompt), "\n")
	echo, echoes := strings.CutPrefix(strings.TrimSuffix(line, "\r"), tierEcho)
	if echoes && echo != " "+in.Tier {
		return fmt.Errorf("the prompt begins with %q, its tier is %s", clip(line), in.Tier)
	}
	return nil
}

func (t *turn) started(e DispatchStarted) error {
	t.view.Dispatch.SessionID = Opt(e.SessionID)
	t.view.Dispatch.StartedAt = Opt(t.at)
	t.foldStarted()
	return CheckText("sessionId", e.SessionID)
}

func (t *turn) windowCrossed(e DispatchWindowCrossed) error {
	t.view.AmbiguousIntentPhase = Opt(t.from.String())
	return CheckText("reason", e.Reason)
}

func (t *turn) childLost(e ChildLost) error {
	role, _ := RunningRole(t.from)
	t.view.AmbiguousIntentPhase = Opt(IntentPhase(role).String())
	return first(t.unpinned(), CheckText("reason", e.Reason), CheckText("receipt", e.Receipt))
}

func (t *turn) childInadmissible(e ChildInadmissible) error {
	return first(t.unpinned(), t.end(e.Reason))
}

// unpinned refuses what may only happen before the child's result is pinned.
func (t *turn) unpinned() error {
	if t.view.Dispatch.Report != nil {
		return errors.New("the result of this dispatch is pinned already")
	}
	return nil
}

// dispatchRuling goes on with the child that was found, or hands out the same
// bytes again.
func (t *turn) dispatchRuling(e DispatchRulingRecorded) (Phase, error) {
	if err := first(CheckText("reason", e.Reason), ifPresent(CheckText, "sessionId", e.SessionID)); err != nil {
		return noPhase, err
	}
	intent, err := ParsePhase(string(t.view.AmbiguousIntentPhase))
	if err != nil {
		return noPhase, err
	}
	role, _ := IntentRole(intent)
	d := t.view.Dispatch
	t.view.AmbiguousIntentPhase = ""
	switch {
	case e.Decision == "adopt" && e.SessionID == "":
		return noPhase, errors.New("adopt names no sessionId")
	case e.Decision == "adopt":
		d.SessionID, d.StartedAt = e.SessionID, Opt(t.at)
		return RunningPhase(role), nil
	case e.Decision == "reissue" && e.SessionID != "":
		return noPhase, errors.New("reissue starts another child and takes no sessionId")
	case e.Decision == "reissue":
		d.SessionID, d.StartedAt, d.Reissued = "", "", true
		return intent, nil
	}
	return noPhase, tokens{"adopt", "reissue"}.check("decision", e.Decision)
}
