package ledger

import (
	"errors"
	"fmt"
	"strings"

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
	ref := w.after.run.PinRef()
	last, err := w.lastPin(ref)
	if err != nil {
		return nil, err
	}
	if first && last != "" {
		return nil, nil // a crash left it without its run; it serves
	}
	parents, err := w.attested(last)
	if err != nil || !first && len(parents) == 0 {
		return nil, err
	}
	if last != "" {
		parents = append([]string{last}, parents...)
	}
	id, err := w.writePin(parents)
	return []git.RefUpdate{{Ref: ref, New: id, Old: last}}, err
}

func (w *writing) lastPin(ref string) (string, error) {
	id, err := w.repo.Resolve(ref)
	if errors.Is(err, git.ErrMissing) {
		found, err := w.repo.Ref(ref)
		if errors.Is(err, git.ErrNone) {
			return "", nil
		}
		if err == nil {
			err = fmt.Errorf("pin %s: %w", found.ID, ErrIncomplete)
		}
		return "", unreadable(w.after.run, err)
	}
	return id, err
}

// attested returns the commits of the entry that no pin holds yet.
func (w *writing) attested(last string) ([]string, error) {
	held := map[string]bool{}
	if last != "" && len(w.entry.Attest) > 0 {
		chain, err := w.repo.RevList("--first-parent", "--parents", last)
		if err != nil {
			return nil, err
		}
		for _, line := range chain {
			for _, id := range strings.Fields(line) {
				held[id] = true
			}
		}
	}
	var fresh []string
	for _, id := range w.entry.Attest {
		if !held[id] {
			held[id] = true
			fresh = append(fresh, id)
		}
	}
	return fresh, w.checkCommits(fresh)
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
	message := fmt.Sprintf("pin r%d\n\nSdd-Run: %s\nSdd-Revision: %d\n", w.entry.Revision, w.after.run, w.entry.Revision)
	return w.writer.WriteCommit(git.CommitSpec{Tree: tree, Parents: parents, Author: w.who, Committer: w.who, Message: message})
}
