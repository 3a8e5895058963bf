package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/git-sdd/git-sdd/internal/git"
)

// pin writes the commit that keeps newly attested commits reachable, if there
// are any, and returns the move of its ref. The first pin comes with the first
// revision and holds nothing. Later ones are chained by their first parents,
// with what they attest after that, and no commit is held twice.
func (w *writing) pin() ([]git.RefUpdate, error) {
	first := w.after.commit == ""
	if !first && len(w.entry.Attest) == 0 {
		return nil, nil
	}
	held, err := w.held()
	if err != nil {
		return nil, unreadable(w.after.run, err)
	}
	if first && held.last != "" {
		return nil, nil // a crash left it without its run; it serves
	}
	parents := held.without(w.entry.Attest)
	if !first && len(parents) == 0 {
		return nil, nil
	}
	if err := w.checkCommits(parents); err != nil {
		return nil, err
	}
	base := held.last
	if base == "" && !first {
		// Somebody took the pins away. What they held is lost to gc from now on,
		// and verify says so; the chain begins anew in its own form.
		if base, err = w.writePin(nil); err != nil {
			return nil, err
		}
	}
	if base != "" {
		parents = append([]string{base}, parents...)
	}
	id, err := w.writePin(parents)
	return []git.RefUpdate{{Ref: w.after.run.PinRef(), New: id, Old: held.last}}, err
}

// A pinned is what the pins of a run hold.
type pinned struct {
	last    string // the last pin; empty where there is none
	commits map[string]bool
}

// without returns the ids that are not held, each once, in their order.
func (p pinned) without(ids []string) []string {
	var fresh []string
	for _, id := range ids {
		if !p.commits[id] && !slices.Contains(fresh, id) {
			fresh = append(fresh, id)
		}
	}
	return fresh
}

// lookForHeld starts reading what is held already, where that matters.
func (w *writing) lookForHeld() {
	held := sync.OnceValues(w.readHeld)
	w.held = held // asked anew when the run moved, while an earlier reading may go on
	if len(w.entry.Attest) > 0 {
		go func() { _, _ = held() }()
	}
}

func (w *writing) readHeld() (pinned, error) {
	p := pinned{commits: map[string]bool{}}
	last, err := w.repo.Resolve(w.after.run.PinRef())
	if errors.Is(err, git.ErrMissing) {
		return p, nil // a ref without its object stops the move
	}
	if err != nil || len(w.entry.Attest) == 0 {
		return pinned{last: last}, err
	}
	p.last = last
	ended := false
	specs := make([]string, nearPins)
	for i := range specs {
		specs[i] = fmt.Sprintf("%s~%d", last, i)
	}
	err = w.repo.Objects(specs, func(_ int, o git.Object, err error) error {
		if ended = ended || errors.Is(err, git.ErrMissing); ended {
			return nil // the chain is over
		}
		var c git.Commit
		if err == nil {
			c, err = git.ParseCommit(o.ID, o.Data)
		}
		p.hold(c.Parents)
		return err
	})
	if err != nil || ended {
		return p, err
	}
	chain, err := w.repo.RevList("--first-parent", "--parents", specs[nearPins-1])
	for _, line := range chain {
		p.hold(strings.Fields(line))
	}
	return p, err
}

// nearPins is how many pins are read in one exchange with the reader that runs
// already. A process of its own is started for those beyond, which few runs have.
const nearPins = 64

func (p pinned) hold(commits []string) {
	for _, id := range commits {
		p.commits[id] = true
	}
}

// checkCommits refuses to hold what is not here: a pin with a missing parent
// would break every fsck and every push of the run.
func (w *writing) checkCommits(ids []string) error {
	return w.repo.Infos(ids, func(i int, o git.Info, err error) error {
		if err == nil && o.Type != "commit" {
			err = fmt.Errorf("it is a %s", o.Type)
		}
		if err != nil {
			return fmt.Errorf("%w: attesting %s: %w", ErrInvalid, ids[i], err)
		}
		return nil
	})
}

func (w *writing) writePin(parents []string) (string, error) {
	tree, err := w.writer.WriteEmptyTree()
	if err != nil {
		return "", err
	}
	return w.writer.WriteCommit(git.CommitSpec{
		Tree: tree, Parents: parents, Author: w.who, Committer: w.who, Message: PinMessage(w.after.run, w.entry.Revision),
	})
}

// PinMessage is the message of a pin (architecture: the ledger, work stays
// reachable).
func PinMessage(run RunID, revision int) string {
	return fmt.Sprintf("pin r%d\n\nSdd-Run: %s\nSdd-Revision: %d\n", revision, run, revision)
}
