package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"strconv"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// A step is one transition about to be recorded: the event, what was gathered
// for it, the artifacts that come with it and the commits that it attests.
type step struct {
	event  machine.Event
	facts  machine.Facts
	files  map[string][]byte
	attest []string
	reason string // a human's, where the event itself has no place for one
}

// with adds an artifact and returns the reference that facts carry.
func (s *step) with(path string, data []byte) *machine.BlobRef {
	if s.files == nil {
		s.files = map[string][]byte{}
	}
	s.files[path] = data
	return blobRef(path, data)
}

func blobRef(path string, data []byte) *machine.BlobRef {
	sum := sha256.Sum256(data)
	return &machine.BlobRef{Path: path, Bytes: len(data), SHA256: hex.EncodeToString(sum[:])}
}

// record applies the event and appends the revision. The order is fixed: the
// machine first, so that a refused event writes nothing; the ledger next, whose
// ref move is the only moment that counts; the workspace last, which only copies.
func (r *run) record(ctx context.Context, s step) error {
	at := r.c.instant(r.view.UpdatedAt)
	next, err := machine.Apply(r.state, machine.Input{At: at, Event: s.event, Facts: s.facts})
	if err != nil {
		return faultOfMachine(err)
	}
	entry, err := r.c.entry(next, s, at)
	if err != nil {
		return err
	}
	tip, err := ledger.Append(ctx, r.c.repo, r.tip, entry)
	if err != nil {
		return faultOfLedger(err)
	}
	r.moved(next, tip, s.event)
	return nil
}

func (r *run) moved(next machine.State, tip ledger.Tip, ev machine.Event) {
	r.state, r.view, r.tip = next, next.View(), tip
	r.done = append(r.done, Transition{
		Revision: r.view.Revision, Commit: tip.Commit(),
		Event: ev.Kind().String(), Phase: r.view.Phase.String(),
	})
}

// entry composes what the ledger stores for one transition.
func (c *Controller) entry(next machine.State, s step, at machine.Instant) (ledger.Entry, error) {
	view := next.View()
	name, email, err := c.repo.Identity()
	if err != nil {
		return ledger.Entry{}, err
	}
	doc := machine.Document{
		Revision: view.Revision, At: at, Event: s.event, Facts: s.facts,
		By: machine.By{Name: name, Email: email, Via: c.opt.Via},
	}
	event, err := machine.EncodeEvent(doc)
	if err != nil && (machine.CheckText("name", name) != nil || machine.CheckText("email", email) != nil) {
		return ledger.Entry{}, fault.New(fault.Invalid, "git config user.name <name>", "the user's name or address cannot be recorded, and every record says who made it: %w", err)
	}
	if err != nil {
		return ledger.Entry{}, err
	}
	reason, err := reasonOf(event)
	if err != nil {
		return ledger.Entry{}, err
	}
	if s.reason != "" {
		reason = s.reason
	}
	texts, err := machine.Texts(s.event)
	if err != nil {
		return ledger.Entry{}, err
	}
	sign, err := c.signs(ruled[s.event.Kind()] || s.reason != "")
	if err != nil {
		return ledger.Entry{}, err
	}
	files := map[string][]byte{}
	for _, t := range texts {
		files[t.Path] = t.Data
	}
	maps.Copy(files, s.files)
	return ledger.Entry{
		Revision: view.Revision, At: string(at),
		Event: s.event.Kind().String(), Phase: view.Phase.String(), Task: taskLabel(view),
		Subject: subject(view, s.event), Reason: reason,
		State: machine.EncodeState(next), EventDoc: event, Files: files, Attest: s.attest, Sign: sign,
	}, nil
}

// taskLabel is the Sdd-Task trailer: the number, or "final" in the final loop.
func taskLabel(v machine.View) string {
	if inFinalLoop(v) {
		return "final"
	}
	return strconv.Itoa(v.CurrentTask)
}

func faultOfMachine(err error) error {
	var refused *machine.RefusedError
	if errors.As(err, &refused) {
		return fault.New(fault.Invalid, "git sdd next", "%w", err)
	}
	return err
}
