package controller

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
)

func (r *run) mayAllow() bool { return judge.MayAllow(r.view) }

// noticeGuards looks once, so that the table of rules can ask: which changes of
// guards no ruling accepts yet. Code that is gone leaves nothing to rule on, and
// stops nobody.
func (r *run) noticeGuards(ctx context.Context) error {
	r.guards = nil
	if r.site == nil || !r.mayAllow() {
		return nil
	}
	head, err := r.guardedHead(ctx)
	if err != nil {
		return err
	}
	changes, err := r.guardChanges(head)
	if err != nil {
		r.notes = append(r.notes, "what gates rely on cannot be compared: "+oneLine(err.Error()))
		return nil
	}
	r.guards = slices.DeleteFunc(changes, func(c judge.GuardChange) bool {
		_, ok := c.Accepted(r.view)
		return ok
	})
	return nil
}

// guardedHead is the head at which guards count now: the one that a review is
// judging, else that of the branch.
func (r *run) guardedHead(ctx context.Context) (string, error) {
	if !r.role().Works() && (r.intent() || r.running()) {
		facts, err := r.intentFacts(ctx)
		if err != nil {
			return "", err
		}
		return facts.Head.Commit, nil
	}
	return r.site.Resolve("HEAD^{commit}")
}

// guardWords is what decide guard-ok is given for the first change that waits.
func guardWords(r *run) []string {
	if len(r.guards) == 0 {
		return nil
	}
	first := r.guards[0]
	if f, ok := first.Finding(r.view); ok {
		return []string{"--finding", f.ID}
	}
	return []string{"--path", first.Path}
}

// guardOKEvent accepts one changed guard as it is now: its path, or the finding
// about it, with the content at the head.
func guardOKEvent(r *run, o DecideOptions) (machine.Event, error) {
	if len(o.Paths)+len(o.Findings) != 1 {
		return nil, fault.New(fault.Invalid, strings.Join(append(append([]string{"git sdd decide guard-ok"}, guardWords(r)...), "--reason <reason>"), " "),
			"guard-ok takes one --path or one --finding, because it accepts one content")
	}
	ruling := machine.Ruling{Decision: machine.DecisionGuardOK, Reason: o.Reason, Paths: []string{}, DispatchKey: machine.Opt(r.view.Dispatch.DispatchKey)}
	for _, c := range r.guards {
		f, open := c.Finding(r.view)
		switch {
		case len(o.Paths) == 1 && (cleanPath(o.Paths[0]) == c.Path || cleanPath(o.Paths[0]) == c.Was):
			ruling.Paths = []string{c.Path}
		case len(o.Findings) == 1 && open && r.findingID(o.Findings[0]) == f.ID:
			ruling.Finding = machine.Opt(f.ID)
		default:
			continue
		}
		ruling.Blob = machine.Opt(c.Content)
		return machine.RulingRecorded{Ruling: ruling}, nil
	}
	var waiting []string
	for _, c := range r.guards {
		waiting = append(waiting, c.Path)
	}
	return nil, fault.New(fault.Invalid, "git sdd next", "no changed file that a gate relies on waits under that name; these do: %s", listed(waiting))
}

// checkRawGuard holds a raw guard-ok to what decide would record.
func (r *run) checkRawGuard(e machine.RulingRecorded) error {
	var o DecideOptions
	o.Paths = e.Paths
	if e.Finding != "" {
		o.Findings = []string{string(e.Finding)}
	}
	want, err := guardOKEvent(r, o)
	if err != nil {
		return err
	}
	if blob := want.(machine.RulingRecorded).Blob; e.Blob != "" && e.Blob != blob {
		return fault.New(fault.Invalid, "git sdd decide guard-ok --reason <reason>", "the content of the file is %s, and the ruling names %s", blob, e.Blob)
	}
	return nil
}
