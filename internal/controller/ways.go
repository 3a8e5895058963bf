package controller

import (
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/machine"
)

// A way is the command that records one kind of event.
type way struct {
	command string
	claim   bool // it states something about work: record refuses it, the command gathers the facts
}

// ways is how each event comes about. A test holds it complete, and the page of
// ways out of each phase is written from it.
var ways = map[machine.Kind]way{
	machine.KindRunInitialized:                {command: "git sdd start <plan>", claim: true},
	machine.KindRecoveryRulingRecorded:        {command: "git sdd decide note --receipt <receipt> --reason <reason>, or git sdd gate prove <gate>"},
	machine.KindRulingRecorded:                {command: "git sdd decide accept-empty --reason <reason>, and the other rulings that change no phase"},
	machine.KindRunRelocated:                  {command: "git sdd record <file> --expected-revision <n>"},
	machine.KindRunAbandoned:                  {command: "git sdd abandon --reason <reason>"},
	machine.KindChildLost:                     {command: "git sdd decide lost --receipt <receipt> --reason <reason>"},
	machine.KindChildInadmissible:             {command: "git sdd decide mismatch --reason <reason>"},
	machine.KindCapabilityConfirmed:           {command: "git sdd start <plan>", claim: true},
	machine.KindCapabilityMissing:             {command: "git sdd start <plan>", claim: true},
	machine.KindPlanValid:                     {command: "git sdd start <plan>", claim: true},
	machine.KindPlanInvalidated:               {command: "git sdd start <plan>", claim: true},
	machine.KindPlanConflict:                  {command: "git sdd start <plan>", claim: true},
	machine.KindPreflightClean:                {command: "git sdd start <plan>", claim: true},
	machine.KindPreflightConflict:             {command: "git sdd start <plan>"},
	machine.KindPreflightApproved:             {command: "git sdd decide approve --reason <reason>"},
	machine.KindPreflightRejected:             {command: "git sdd decide reject --reason <reason>"},
	machine.KindImplementDispatchIntended:     {command: "git sdd dispatch", claim: true},
	machine.KindDispatchStarted:               {command: "git sdd started --session <session>", claim: true},
	machine.KindDispatchMismatch:              {command: "git sdd decide mismatch --reason <reason>"},
	machine.KindDispatchWindowCrossed:         {command: "git sdd decide lost --reason <reason>"},
	machine.KindDispatchRulingRecorded:        {command: "git sdd decide adopt --session <session> --reason <reason>, or git sdd decide reissue --reason <reason>"},
	machine.KindImplementerFinished:           {command: "git sdd report", claim: true},
	machine.KindImplementerStatusRecorded:     {command: "git sdd report, git sdd advance, or git sdd decide enrich or block --reason <reason>", claim: true},
	machine.KindContextDispatchIntended:       {command: "git sdd dispatch --context <context>", claim: true},
	machine.KindContextLimitReached:           {command: "git sdd decide block --reason <reason>"},
	machine.KindConcernRulingRecorded:         {command: "git sdd decide proceed --reason <reason>, or git sdd decide block --reason <reason>"},
	machine.KindTaskReviewDispatchIntended:    {command: "git sdd dispatch", claim: true},
	machine.KindTaskReviewFinished:            {command: "git sdd report", claim: true},
	machine.KindReviewApproved:                {command: "git sdd advance", claim: true},
	machine.KindReviewBlocked:                 {command: "git sdd decide block --reason <reason>"},
	machine.KindFixDispatchIntended:           {command: "git sdd dispatch", claim: true},
	machine.KindFixerFinished:                 {command: "git sdd report", claim: true},
	machine.KindFixerBlocked:                  {command: "git sdd decide block --reason <reason>"},
	machine.KindRereviewDispatchIntended:      {command: "git sdd dispatch", claim: true},
	machine.KindRereviewFinished:              {command: "git sdd report", claim: true},
	machine.KindRereviewApproved:              {command: "git sdd advance", claim: true},
	machine.KindTaskParkRulingRecorded:        {command: "git sdd decide park --finding <finding> --evidence <evidence> --reason <reason>"},
	machine.KindNextFixDispatchIntended:       {command: "git sdd dispatch", claim: true},
	machine.KindRereviewBlocked:               {command: "git sdd decide block --reason <reason>"},
	machine.KindNextTaskReady:                 {command: "git sdd advance", claim: true},
	machine.KindFinalReviewDispatchIntended:   {command: "git sdd dispatch", claim: true},
	machine.KindFinalReviewFinished:           {command: "git sdd report", claim: true},
	machine.KindFinalComplete:                 {command: "git sdd advance, or git sdd decide adjudicate --finding <finding>=park --evidence <evidence> --reason <reason>"},
	machine.KindFinalFixDispatchIntended:      {command: "git sdd dispatch", claim: true},
	machine.KindFinalWorkBlocked:              {command: "git sdd decide block --reason <reason>"},
	machine.KindFinalFixerFinished:            {command: "git sdd report", claim: true},
	machine.KindFinalRereviewDispatchIntended: {command: "git sdd dispatch", claim: true},
	machine.KindFinalFixerBlocked:             {command: "git sdd decide block --reason <reason>"},
	machine.KindFinalRereviewFinished:         {command: "git sdd report", claim: true},
	machine.KindFinalParkRulingRecorded:       {command: "git sdd decide park --finding <finding> --evidence <evidence> --reason <reason>"},
}

// Ways writes, for every phase in which a run can stand, each event that leaves
// it, where that leads, and the command that records it. Abandoning is legal
// everywhere and stands once, above the table.
func Ways() string {
	var b strings.Builder
	b.WriteString("Every phase that is not terminal can also be left by `" + ways[machine.KindRunAbandoned].command + "`, for FINAL_BLOCKED.\n\n")
	b.WriteString("| phase | event | command | leads to |\n| --- | --- | --- | --- |\n")
	for _, p := range machine.Phases() {
		for _, k := range leaving(p) {
			fmt.Fprintf(&b, "| `%s` | `%s` | `%s` | %s |\n", p, k, ways[k].command, targetsText(p, k))
		}
	}
	return b.String()
}

// leaving returns the events that take a run out of a phase, abandoning apart.
func leaving(p machine.Phase) []machine.Kind {
	var all []machine.Kind
	for _, k := range machine.Legal(p) {
		if k == machine.KindRunAbandoned {
			continue
		}
		for _, q := range machine.Targets(p, k) {
			if q != p {
				all = append(all, k)
				break
			}
		}
	}
	return all
}

func targetsText(p machine.Phase, k machine.Kind) string {
	var names []string
	for _, q := range machine.Targets(p, k) {
		if q != p {
			names = append(names, "`"+q.String()+"`")
		}
	}
	return strings.Join(names, ", ")
}
