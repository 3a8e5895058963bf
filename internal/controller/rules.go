package controller

import (
	"context"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
)

// rules is every form of decide, in the order in which next offers them.
var rules = []rule{
	{name: "approve", effect: "the run goes on as the work tree and branch are",
		legal: func(r *run) bool { return r.in(machine.PreflightDecisionRequired) },
		event: func(_ *run, o DecideOptions) (machine.Event, error) {
			return machine.PreflightApproved{Reason: o.Reason}, nil
		}},
	{name: "reject", effect: "the run ends in FINAL_BLOCKED", groundless: true,
		legal: func(r *run) bool { return r.in(machine.PreflightDecisionRequired) },
		event: func(_ *run, o DecideOptions) (machine.Event, error) {
			return machine.PreflightRejected{Reason: o.Reason}, nil
		}},
	{name: "proceed", filled: proceedWords, also: []string{"--context"}, effect: "the run goes on to the review; later children are told what was said and ruled",
		legal: func(r *run) bool { return r.in(machine.ConcernDecisionRequired) || r.waitsForFixer() },
		step:  proceedStep},
	{name: "enrich", effect: "recorded as NEEDS_CONTEXT; then git sdd dispatch --context <context>",
		legal: (*run).implementerBlocked,
		event: func(_ *run, o DecideOptions) (machine.Event, error) {
			return machine.ImplementerStatusRecorded{Work: machine.Work{Status: statusContext, Reason: machine.Opt(o.Reason)}}, nil
		}},
	{name: "lost", also: []string{"--receipt"}, effect: "the dispatch is ambiguous; then adopt or reissue",
		legal: func(r *run) bool { return r.intent() || r.running() },
		event: lostEvent},
	{name: "adopt", flags: []string{"--session", "<session>"}, effect: "the session that was seen is the child of this dispatch",
		legal: func(r *run) bool { return r.in(machine.DispatchAmbiguous) },
		event: func(_ *run, o DecideOptions) (machine.Event, error) {
			return machine.DispatchRulingRecorded{Decision: "adopt", Reason: o.Reason, SessionID: machine.Opt(o.Session)}, nil
		}},
	{name: "reissue", effect: "the same bytes go to another child",
		legal: func(r *run) bool { return r.in(machine.DispatchAmbiguous) },
		step: func(ctx context.Context, r *run, o DecideOptions) (step, error) {
			return step{event: machine.DispatchRulingRecorded{Decision: "reissue", Reason: o.Reason}}, r.leftoversRuled(ctx)
		}},
	{name: "park", flags: []string{"--finding", "<finding>", "--evidence", "<evidence>"}, effect: "a Minor is parked, with evidence",
		legal: (*run).parkable,
		event: parkEvent},
	{name: "adjudicate", filled: adjudicateWords, also: []string{"--finding", "--evidence"}, effect: "every open Minor gets its disposition; then COMPLETE",
		legal: (*run).adjudicable,
		step:  adjudicateStep},
	{name: "mismatch", effect: "the run ends in DISPATCH_MISMATCH_BLOCKED", groundless: true,
		legal: func(r *run) bool { return r.intent() || r.running() },
		event: func(r *run, o DecideOptions) (machine.Event, error) {
			if r.intent() {
				return machine.DispatchMismatch{Reason: o.Reason}, nil
			}
			return machine.ChildInadmissible{Reason: o.Reason}, nil
		}},
	{name: "accept-empty", effect: "this dispatch may end DONE without a commit",
		legal: (*run).mayAcceptEmpty,
		event: func(r *run, o DecideOptions) (machine.Event, error) {
			return r.ruling(rulingAcceptEmpty, o), nil
		}},
	{name: "leftovers", flags: []string{"keep"}, effect: "what the child left uncommitted stays for the next one",
		legal: func(r *run) bool { return r.hasLeftovers },
		step:  leftoversStep},
	{name: "leftovers", flags: []string{"shelve"}, effect: "what the child left is stored as a patch and pinned; cleaning up stays with you",
		legal: func(r *run) bool { return r.hasLeftovers },
		step:  leftoversStep},
	{name: "contracts", effect: "later prompts use this program's role contracts",
		legal: func(r *run) bool { return r.live() && r.contractsDiffer() },
		event: func(r *run, o DecideOptions) (machine.Event, error) {
			return machine.RulingRecorded{Ruling: machine.Ruling{Decision: rulingContracts, Reason: o.Reason, Paths: []string{}, Blob: machine.Opt(prompt.ContractsDigest())}}, nil
		}},
	{name: "block", effect: "the run ends in TASK_BLOCKED, in the final loop in FINAL_BLOCKED", effects: blockEffect, groundless: true,
		legal: (*run).blockable,
		event: blockEvent},
	{name: "guard-ok", filled: guardWords, also: []string{"--path", "--finding"}, effect: "a changed file that gates rely on is accepted as it is now",
		legal: func(r *run) bool { return len(r.guards) > 0 },
		event: guardOKEvent},
	{name: "widen", flags: []string{"--path", "<path>"}, effect: "the path belongs to the scope of the fix, for every later child of the task",
		legal: (*run).inFixLoop,
		step:  widenStep},
	{name: "note", flags: []string{"--receipt", "<receipt>"}, effect: "a note is recorded, nothing else changes", groundless: true,
		legal: (*run).live,
		event: func(_ *run, o DecideOptions) (machine.Event, error) {
			return machine.RecoveryRulingRecorded{Reason: o.Reason, Receipt: o.Receipt}, nil
		}},
	{name: "abandon", command: "abandon", effect: "the run ends in FINAL_BLOCKED", groundless: true,
		legal: (*run).live,
		event: func(_ *run, o DecideOptions) (machine.Event, error) {
			return machine.RunAbandoned{Reason: o.Reason}, nil
		}},
}

// ruling composes a ruling on the current dispatch.
func (r *run) ruling(decision string, o DecideOptions) machine.Event {
	return machine.RulingRecorded{Ruling: machine.Ruling{
		Decision: decision, Reason: o.Reason, Paths: []string{},
		DispatchKey: machine.Opt(r.view.Dispatch.DispatchKey),
	}}
}

// proceedStep lets the run go on. The answer to what a fixer asked is stored
// beside its report, for the package of the next child.
func proceedStep(_ context.Context, r *run, o DecideOptions) (step, error) {
	if r.in(machine.ConcernDecisionRequired) {
		if o.Context != nil {
			return step{}, fault.New(fault.Invalid, "git sdd decide proceed --reason <reason>", "decide proceed takes --context where a fixer asked, and here nobody did; the reason says what was ruled")
		}
		return step{event: machine.ConcernRulingRecorded{Decision: "proceed", Reason: o.Reason}}, nil
	}
	ruling := machine.Ruling{Decision: rulingFixProceed, Reason: o.Reason, Paths: []string{}, DispatchKey: machine.Opt(r.view.Dispatch.DispatchKey)}
	var s step
	if o.Context != nil {
		if len(strings.TrimSpace(string(o.Context))) == 0 {
			return step{}, fault.New(fault.Invalid, "git sdd decide proceed --context <context> --reason <reason>", "the answer is empty")
		}
		ruling.Artifact = machine.Opt(s.with(r.stem()+".answer.md", o.Context).Path)
	}
	s.event = machine.RulingRecorded{Ruling: ruling}
	return s, nil
}

// proceedWords asks for the answer where a fixer asked a question.
func proceedWords(r *run) []string {
	if d := r.view.Dispatch; d.Report != nil && d.Report.Status == statusContext && !r.in(machine.ConcernDecisionRequired) {
		return []string{"--context", "<context>"}
	}
	return nil
}

// lostEvent: an intent without a child has crossed the window; a child that
// started needs a receipt of what shows that it ended.
func lostEvent(r *run, o DecideOptions) (machine.Event, error) {
	if r.intent() {
		if o.Receipt != "" {
			return nil, fault.New(fault.Invalid, "git sdd decide lost --reason <reason>", "no child was started yet, so there is no receipt of its end; leave --receipt out")
		}
		return machine.DispatchWindowCrossed{Reason: o.Reason}, nil
	}
	if o.Receipt == "" {
		return nil, fault.New(fault.Invalid, "git sdd decide lost --receipt <receipt> --reason <reason>", "a child was started; --receipt must say what shows that it ended")
	}
	return machine.ChildLost{Reason: o.Reason, Receipt: o.Receipt}, nil
}

func parkEvent(r *run, o DecideOptions) (machine.Event, error) {
	var parked []machine.Resolution
	for _, id := range o.Findings {
		parked = append(parked, machine.Resolution{ID: r.findingID(id), Disposition: "parked", Evidence: o.Evidence})
	}
	if r.in(machine.FinalRereviewRunning) {
		return machine.FinalParkRulingRecorded{Reason: o.Reason, FindingResolutions: parked}, nil
	}
	return machine.TaskParkRulingRecorded{Reason: o.Reason, FindingResolutions: parked}, nil
}

// blocks is the event of decide block by phase.
var blocks = map[machine.Phase]func(reason string) machine.Event{
	machine.ConcernDecisionRequired: func(s string) machine.Event { return machine.ConcernRulingRecorded{Decision: "block", Reason: s} },
	machine.ImplementResult: func(s string) machine.Event {
		return machine.ImplementerStatusRecorded{Work: machine.Work{Status: statusBlocked, Reason: machine.Opt(s)}}
	},
	machine.ContextRequired:      func(s string) machine.Event { return machine.ContextLimitReached{Reason: s} },
	machine.TaskReviewDecision:   func(s string) machine.Event { return machine.ReviewBlocked{Reason: s} },
	machine.FixRunning:           func(s string) machine.Event { return machine.FixerBlocked{Reason: s} },
	machine.RereviewRunning:      func(s string) machine.Event { return machine.RereviewBlocked{Reason: s} },
	machine.FinalReviewRunning:   func(s string) machine.Event { return machine.FinalWorkBlocked{Reason: s} },
	machine.FinalFixRunning:      func(s string) machine.Event { return machine.FinalFixerBlocked{Reason: s} },
	machine.FinalRereviewRunning: func(s string) machine.Event { return machine.FinalWorkBlocked{Reason: s} },
}

func blockEffect(r *run) string {
	if inFinalLoop(r.view) {
		return "the run ends in FINAL_BLOCKED"
	}
	return "the run ends in TASK_BLOCKED"
}

func blockEvent(r *run, o DecideOptions) (machine.Event, error) {
	return blocks[r.view.Phase](o.Reason), nil
}

// contractsDiffer reports whether this program's role contracts are neither
// those of the start nor accepted by a ruling.
func (r *run) contractsDiffer() bool { return judge.ContractsNew(r.view, prompt.ContractsDigest()) }
