package ledger

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/git"
)

// An Entry is one transition to be stored.
type Entry struct {
	Revision int    // 0 for the first, else one more than the last
	At       string // as [Instant] writes it

	Event string // the trailers
	Phase string
	Task  string // a number, or "final"

	Subject string // "task 2: re-review approved"; the revision is added to it
	Reason  string // what a human gave; may be empty

	State    []byte            // state.json
	EventDoc []byte            // event.json
	Files    map[string][]byte // plan.md and artifacts/…, additions only
	Attest   []string          // full ids of the commits that this transition attests, in order

	Sign time.Duration // how long the user's signing program may take; 0 asks for no signature
}

// The documents that every revision has.
const (
	stateFile = "state.json"
	eventFile = "event.json"
	planFile  = "plan.md"
	filesRoot = "artifacts/"
)

const maxPath = 4096 // bytes (contract: bounds)

// newNonce makes two entries of the same millisecond two commits. Without it two
// processes that record the same thing make the same commit, and both believe
// that they won.
var newNonce = func() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}

// message returns the audit line of the entry.
func (e Entry) message(run RunID) (Message, error) {
	m := Message{
		Subject: e.Subject + mark(e.Revision), Reason: e.Reason,
		Run: run, Revision: e.Revision, Event: e.Event, Phase: e.Phase, Task: e.Task, Nonce: newNonce(),
	}
	if err := m.check(); err != nil {
		return Message{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return m, nil
}

// check refuses an entry that may not be stored and returns its time.
func (e Entry) check(format string) (time.Time, error) {
	at, err := ParseInstant(e.At)
	if err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if len(e.State) == 0 || len(e.EventDoc) == 0 {
		return time.Time{}, fmt.Errorf("%w: a revision has a state and an event", ErrInvalid)
	}
	for path := range e.Files {
		if err := checkPath(path); err != nil {
			return time.Time{}, err
		}
	}
	for _, id := range e.Attest {
		if !git.IsID(format, id) {
			return time.Time{}, fmt.Errorf("%w: %q is not a commit's full id", ErrInvalid, id)
		}
	}
	return at, nil
}

func checkPath(path string) error {
	if path == planFile {
		return nil
	}
	rest, found := strings.CutPrefix(path, filesRoot)
	if !found || len(path) > maxPath {
		return fmt.Errorf("%w: a file is %s or lies beneath %s, %q is neither", ErrInvalid, planFile, filesRoot, path)
	}
	for name := range strings.SplitSeq(rest, "/") {
		if !isName(name, maxName) {
			return fmt.Errorf("%w: %q cannot be a name in the path %q", ErrInvalid, name, path)
		}
	}
	return nil
}
