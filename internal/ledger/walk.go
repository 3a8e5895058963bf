package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A Revision is one revision as it is stored.
type Revision struct {
	Number  int
	Commit  string
	Message Message
	Event   []byte // event.json
	State   []byte // state.json
}

// At returns the commit of a revision of the run. The error wraps [ErrInvalid]
// for a revision that the run does not have.
func At(ctx context.Context, repo *git.Repo, tip Tip, revision int) (string, error) {
	if revision < 0 || revision > tip.revision {
		return "", fmt.Errorf("%w: run %s has revisions 0 to %d, not %d", ErrInvalid, tip.run.Prefix12(), tip.revision, revision)
	}
	o, err := repo.WithContext(ctx).Object(fmt.Sprintf("%s~%d", tip.commit, tip.revision-revision))
	if err != nil {
		return "", unreadable(tip.run, err)
	}
	at, _, err := decodeTip(tip.run, o)
	if err == nil && at.revision != revision {
		err = fmt.Errorf("run %s: %w: commit %s stands for revision %d and says %d", tip.run.Prefix12(), ErrCorrupt, o.ID, revision, at.revision)
	}
	return at.commit, err
}

// documents is the number of objects that Walk reads of a revision.
const documents = 3

// Walk hands over the revisions from the given one to the tip, oldest first: one
// process for the chain, one exchange for everything in it. An error that fn
// returns ends the walk and is returned.
//
// A chain that does not lead from revision to revision by first parents is
// [ErrCorrupt], one that ends early [ErrIncomplete].
func Walk(ctx context.Context, repo *git.Repo, tip Tip, from int, fn func(Revision) error) error {
	if from < 0 || from > tip.revision {
		return fmt.Errorf("%w: run %s has revisions 0 to %d, not %d", ErrInvalid, tip.run.Prefix12(), tip.revision, from)
	}
	repo = repo.WithContext(ctx)
	chain, err := repo.RevList("--first-parent", "--reverse", fmt.Sprintf("--max-count=%d", tip.revision-from+1), tip.commit)
	if err != nil {
		return broken(repo, tip, err)
	}
	if len(chain) != tip.revision-from+1 {
		return shortChain(repo, tip, from, chain)
	}
	specs := make([]string, 0, documents*len(chain))
	for _, commit := range chain {
		specs = append(specs, commit, commit+":"+eventFile, commit+":"+stateFile)
	}
	w := walker{tip: tip, next: from, fn: fn}
	err = repo.Objects(specs, w.take)
	if w.failed != "" {
		return unreadable(tip.run, absent(repo, w.commit, w.failed))
	}
	return err
}

// A walker puts the objects of one revision together.
type walker struct {
	tip     Tip
	next    int
	commit  string // the revision that is being read
	message Message
	event   []byte
	failed  string // the document that was not there
	fn      func(Revision) error
}

func (w *walker) take(i int, o git.Object, err error) error {
	if i%documents == 0 {
		if err != nil {
			return unreadable(w.tip.run, err)
		}
		return w.takeCommit(o)
	}
	name := [...]string{1: eventFile, 2: stateFile}[i%documents]
	if errors.Is(err, git.ErrMissing) {
		w.failed = name
	}
	switch {
	case err != nil:
		return unreadable(w.tip.run, err)
	case o.Type != "blob":
		return fmt.Errorf("run %s: %w: %s of commit %s is a %s", w.tip.run.Prefix12(), ErrCorrupt, name, w.commit, o.Type)
	case name == eventFile:
		w.event = o.Data
		return nil
	}
	w.next++
	return w.fn(Revision{Number: w.next - 1, Commit: w.commit, Message: w.message, Event: w.event, State: o.Data})
}

func (w *walker) takeCommit(o git.Object) error {
	at, message, err := decodeTip(w.tip.run, o)
	if err != nil {
		return err
	}
	if at.revision != w.next {
		return fmt.Errorf("run %s: %w: commit %s stands for revision %d and says %d", w.tip.run.Prefix12(), ErrCorrupt, o.ID, w.next, at.revision)
	}
	w.commit, w.message = o.ID, message
	return nil
}

// shortChain says why there are fewer commits than revisions: the oldest one
// that is here has a parent that is not, as in a shallow clone, or has none and
// is no first revision.
func shortChain(repo *git.Repo, tip Tip, from int, chain []string) error {
	if len(chain) == 0 {
		return fmt.Errorf("run %s: %w", tip.run.Prefix12(), ErrIncomplete)
	}
	o, err := repo.Object(chain[0])
	if err != nil {
		return unreadable(tip.run, err)
	}
	c, err := git.ParseCommit(o.ID, o.Data)
	if err == nil && len(c.Parents) > 0 {
		return fmt.Errorf("run %s: %w: the chain ends at %s, before revision %d", tip.run.Prefix12(), ErrIncomplete, o.ID, from)
	}
	return fmt.Errorf("run %s: %w: %s has no parent and %d revisions after it", tip.run.Prefix12(), ErrCorrupt, o.ID, len(chain)-1)
}

// broken gives the failure of the chain's process its meaning: git names no
// reason in its status, so the chain is followed by hand to where it breaks.
func broken(repo *git.Repo, tip Tip, failure error) error {
	for commit := tip.commit; ; {
		o, err := repo.Object(commit)
		if err != nil {
			return unreadable(tip.run, err)
		}
		c, err := git.ParseCommit(o.ID, o.Data)
		if err != nil || len(c.Parents) == 0 {
			return unreadable(tip.run, failure)
		}
		commit = c.Parents[0]
	}
}
