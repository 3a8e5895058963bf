package controller

import (
	"context"
	"encoding/json"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
)

// MaxRecord is the most bytes that an event given to record may have (contract:
// bounds).
const MaxRecord = 64 << 10

// groundless are the events that skip the checks of plan, branch, worktree and
// merge base, or a run whose ground is gone could never end.
var groundless = map[machine.Kind]bool{
	machine.KindRunAbandoned:           true,
	machine.KindRecoveryRulingRecorded: true,
	machine.KindPreflightRejected:      true,
	machine.KindDispatchMismatch:       true,
	machine.KindChildInadmissible:      true,
	machine.KindContextLimitReached:    true,
	machine.KindReviewBlocked:          true,
	machine.KindFixerBlocked:           true,
	machine.KindRereviewBlocked:        true,
	machine.KindFinalWorkBlocked:       true,
	machine.KindFinalFixerBlocked:      true,
	machine.KindRunRelocated:           true, // held to its own place instead
}

// Record appends one raw event that makes no claim about work. It is plumbing:
// the caller must have read the revision that it writes after.
func (c *Controller) Record(ctx context.Context, data []byte) (*RecordAnswer, error) {
	if c.opt.ExpectedRevision == nil {
		return nil, fault.New(fault.Invalid, "git sdd record <file> --expected-revision <n>", "record needs --expected-revision")
	}
	ev, err := decodeRecord(data)
	if err != nil {
		return nil, err
	}
	r, err := c.ready(ctx, groundless[ev.Kind()])
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.checkRaw(ctx, ev); err != nil {
		return nil, err
	}
	if err := r.record(ctx, step{event: ev}); err != nil {
		return nil, err
	}
	last := r.done[len(r.done)-1]
	return &RecordAnswer{
		Schema: "git-sdd/record/1", Run: r.id.String(), Revision: last.Revision,
		Commit: last.Commit, Event: last.Event, Phase: last.Phase,
	}, nil
}

// checkRaw holds a raw ruling to what decide demands of the same one: no ruling
// on leftovers before there are any, no session adopted to judge its own work.
func (r *run) checkRaw(ctx context.Context, ev machine.Event) error {
	switch e := ev.(type) {
	case machine.DispatchRulingRecorded:
		if e.SessionID == "" {
			return r.leftoversRuled(ctx)
		}
		return r.checkAdopted(ctx, ev)
	case machine.RulingRecorded:
		return r.checkRawRuling(ctx, e)
	case machine.RunRelocated:
		return r.checkRelocation(e)
	case machine.FinalComplete:
		if id := judge.MisjudgedFix(r.view, e.FindingResolutions); id != "" {
			return fault.New(fault.Invalid, "git sdd next", "finding %q becomes fixed by a verdict RESOLVED alone, and with the evidence of that verdict", id)
		}
	}
	return nil
}

// decisionOf is the decision that records each ruling.
var decisionOf = map[string]string{
	rulingAcceptEmpty:       "accept-empty",
	rulingFixProceed:        "proceed",
	rulingLeftoversKeep:     "leftovers",
	rulingLeftoversShelve:   "leftovers",
	rulingContracts:         "contracts",
	machine.DecisionWiden:   "widen",
	machine.DecisionGuardOK: "guard-ok",
}

func (r *run) checkRawRuling(ctx context.Context, e machine.RulingRecorded) error {
	if e.Artifact != "" {
		return fault.New(fault.Invalid, "git sdd decide leftovers shelve --reason <reason>", "%s names artifact %q, and record stores none", e.Decision, e.Artifact)
	}
	name, ok := decisionOf[e.Decision]
	if !ok {
		return nil // what no decision records is the machine's to judge
	}
	if err := r.noticeLeftovers(ctx); err != nil {
		return err
	}
	if err := r.noticeGuards(ctx); err != nil {
		return err
	}
	if k, err := ruleNamed(name); err != nil || !k.legal(r) {
		return r.illegal(name)
	}
	switch own := prompt.ContractsDigest(); {
	case e.Decision == machine.DecisionGuardOK:
		return r.checkRawGuard(e)
	case e.Decision == rulingContracts && string(e.Blob) != own:
		return fault.New(fault.Invalid, "git sdd decide contracts --reason <reason>", "the role contracts of this git-sdd are %s, and the ruling names %q", own, string(e.Blob))
	}
	return nil
}

func decodeRecord(data []byte) (machine.Event, error) {
	if len(data) > MaxRecord {
		return nil, fault.New(fault.Invalid, "git sdd record <file> --expected-revision <n>", "the event has %d bytes; at most %d", len(data), MaxRecord)
	}
	if kind := kindIn(data); ways[kind].claim {
		return nil, fault.New(fault.Invalid, ways[kind].command, "%s makes a claim that git-sdd must gather itself", kind)
	}
	ev, err := machine.DecodeRecord(data)
	if err != nil {
		return nil, fault.New(fault.Invalid, "git sdd help phases", "the event cannot be read: %w", err)
	}
	if done, ok := ev.(machine.FinalComplete); ok && len(done.FindingResolutions) == 0 {
		return nil, fault.New(fault.Invalid, "git sdd advance", "%s without findingResolutions follows from the recorded facts", ev.Kind())
	}
	return ev, nil
}

// kindIn reads which event the bytes say they are: whoever makes a claim hears
// which command gathers it, and not first what the claim lacks. Where they say
// nothing that makes sense, decoding them says why.
func kindIn(data []byte) machine.Kind {
	var head struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(data, &head) != nil {
		return 0
	}
	kind, _ := machine.ParseKind(head.Type)
	return kind
}

func (r *run) close() {
	if r.site != nil && r.site != r.c.repo {
		_ = r.site.Close()
	}
}
