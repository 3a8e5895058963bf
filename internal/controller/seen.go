package controller

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// whyAmbiguous says what made the dispatch ambiguous: the reason of the event
// that did.
func (r *run) whyAmbiguous(ctx context.Context) (string, error) {
	const ways = "; adopt the session that was seen, or hand out the same bytes again"
	for n := r.view.Revision; n > r.view.Dispatch.IntentRevision; n-- {
		doc, err := r.document(ctx, n)
		if err != nil {
			return "", err
		}
		switch e := doc.Event.(type) {
		case machine.DispatchWindowCrossed:
			return "whether a child runs for this dispatch is not known: " + e.Reason + ways, nil
		case machine.ChildLost:
			return "the child of this dispatch is lost: " + e.Reason + ways, nil
		}
	}
	return "whether a child runs for this dispatch is not known" + ways, nil
}

// noteSession says what the records of sessions show of the child that the run
// waits for, where that is more than that it works. Of a child that somebody
// else started there is no record.
func (r *run) noteSession(w want) {
	id := ""
	switch d := r.view.Dispatch; {
	case w.action == actAwait:
		id = string(d.SessionID)
	case w.action == actSpawn && r.view.Revision == d.IntentRevision:
		id = sessionName(d.DispatchKey, d.IntentRevision)
	default:
		return
	}
	all := r.c.sessions()
	rec, err := all.Read(id)
	if _, damaged := all.Announced(id); w.action == actSpawn && err == nil {
		err = damaged // its start cannot be recorded then
	}
	if errors.Is(err, fs.ErrNotExist) {
		return // absence proves nothing, so it tells nothing
	}
	if err != nil {
		r.notes = append(r.notes, "nothing proves what became of the "+spoken(r.role())+" of session "+id+": "+err.Error())
		return
	}
	asked := 0
	if n, err := repairs(all, id); err == nil && n > 0 {
		if last, err := all.Read(repairName(id, n)); err == nil {
			rec, asked = last, n
		}
	}
	if text := r.seen(w, rec, asked); text != "" {
		r.notes = append(r.notes, text)
	}
}

// seen tells a session's standing as one line with the way on.
func (r *run) seen(w want, rec agent.Record, asked int) string {
	const goOn = "; git sdd run goes on from here"
	name := "the " + spoken(r.role()) + " of session " + rec.Session
	standing, proof := rec.Stands()
	switch {
	case standing == agent.Unproven:
		return "nothing proves what became of " + name + ": " + proof
	case standing == agent.NeverStarted:
		return name + " was never started: " + rec.End.Detail + goOn
	case w.action == actSpawn:
		return name + " was started by git sdd run, and its start is not recorded yet" + goOn
	case standing == agent.Running:
		return ""
	}
	onward := goOn
	if mode, err := r.c.ambiguous(); err != nil || rec.End == nil && mode != config.AmbiguousProven || rec.End != nil && rec.End.Question != "" && !r.role().Works() {
		onward = "; " + lostRepair(rec, proof) // a human's to say
	}
	if rec.End != nil {
		proof = "it " + endText(*rec.End)
	}
	switch _, err := os.Lstat(r.view.Dispatch.ReportPath); {
	case asked > 0:
		return "the report of the " + spoken(r.role()) + " was refused, and its agent was asked " + counted(asked, "time") + " to correct it"
	case errors.Is(err, fs.ErrNotExist):
		return name + " left no report: " + proof + onward
	}
	return ""
}
