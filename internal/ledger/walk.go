package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A Revision is one revision as it is stored.
type Revision struct {
	Number  int
	Commit  string
	Message Message
	Event   []byte // event.json
	State   []byte // state.json
	Raw     []byte // the commit itself, as git stores it
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

// Walk hands over the revisions from the given one to the tip, oldest first: one
// process for the chain, few exchanges for everything in it. fn may read from
// the repository; an error that it returns ends the walk and is returned.
//
// A chain that does not lead from revision to revision by first parents is
// [ErrCorrupt], one that ends early [ErrIncomplete].
func Walk(ctx context.Context, repo *git.Repo, tip Tip, from int, fn func(Revision) error) error {
	if from < 0 || from > tip.revision {
		return fmt.Errorf("%w: run %s has revisions 0 to %d, not %d", ErrInvalid, tip.run.Prefix12(), tip.revision, from)
	}
	repo = repo.WithContext(ctx)
	chain, err := []string{tip.commit}, error(nil)
	if from < tip.revision {
		chain, err = repo.RevList("--first-parent", "--reverse", fmt.Sprintf("--max-count=%d", tip.revision-from+1), tip.commit)
	}
	if err != nil {
		return broken(repo, tip, err)
	}
	if len(chain) != tip.revision-from+1 {
		return shortChain(repo, tip, from, chain)
	}
	number := from
	for commits := range slices.Chunk(chain, atOnce) {
		revisions, err := readRevisions(repo, tip.run, commits)
		if err != nil {
			return err
		}
		for _, revision := range revisions {
			if revision.Number != number {
				return fmt.Errorf("run %s: %w: commit %s stands for revision %d and says %d", tip.run.Prefix12(), ErrCorrupt, revision.Commit, number, revision.Number)
			}
			number++
			if err := fn(revision); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	// atOnce is how many revisions are held in memory. A state has up to 1 MiB.
	atOnce = 32
	// documents is the number of objects that are read of each.
	documents = 3
)

func readRevisions(repo *git.Repo, run RunID, commits []string) ([]Revision, error) {
	specs := make([]string, 0, documents*len(commits))
	for _, commit := range commits {
		specs = append(specs, commit, commit+":"+eventFile, commit+":"+stateFile)
	}
	revisions := make([]Revision, len(commits))
	at := 0
	err := repo.Objects(specs, func(i int, o git.Object, err error) error {
		at = i
		if err != nil {
			return err
		}
		return revisions[i/documents].take(i%documents, run, o)
	})
	if errors.Is(err, git.ErrMissing) && at%documents != 0 {
		path := [documents]string{1: eventFile, 2: stateFile}[at%documents]
		err = absent(repo, commits[at/documents], path)
	}
	if err != nil {
		return nil, unreadable(run, err)
	}
	return revisions, nil
}

// take reads the commit, the event or the state of a revision.
func (r *Revision) take(document int, run RunID, o git.Object) error {
	if document > 0 && o.Type != "blob" {
		return fmt.Errorf("%w: a document of commit %s is a %s", ErrCorrupt, r.Commit, o.Type)
	}
	switch document {
	case 0:
		tip, message, err := decodeTip(run, o)
		r.Number, r.Commit, r.Message, r.Raw = tip.revision, tip.commit, message, o.Data
		return err
	case 1:
		r.Event = o.Data
	default:
		r.State = o.Data
	}
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

// unwalkable is a chain whose commits can be read one by one, while git finds
// something in them that it cannot follow: a tree or a further parent that is none.
func unwalkable(tip Tip, failure error) error {
	var refused *git.CmdError
	if errors.As(failure, &refused) && refused.Exit > 0 {
		return fmt.Errorf("run %s: %w: %w", tip.run.Prefix12(), ErrCorrupt, failure)
	}
	return unreadable(tip.run, failure)
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
			return unwalkable(tip, failure)
		}
		commit = c.Parents[0]
	}
}
