package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/git-sdd/git-sdd/internal/git"
)

// Create stores the first revision of a run, number 0, and its first pin. The
// error wraps [ErrExists] where the run is there already, [ErrInvalid] for an
// entry that may not be stored.
func Create(ctx context.Context, repo *git.Repo, id RunID, e Entry) (Tip, error) {
	return CreateAlone(ctx, repo, id, e, Place{})
}

// A Place is where only one run may be: of all that are created there, each is
// checked while no other can appear.
type Place struct {
	Name  string       // any text; equal names are the same place
	Check func() error // its error is what CreateAlone returns; nothing was changed
}

// CreateAlone is [Create] for a run that must find its place free. No file of
// ours is the lock: git locks a ref that never exists, and lets go of it when
// either process ends.
func CreateAlone(ctx context.Context, repo *git.Repo, id RunID, e Entry, place Place) (Tip, error) {
	if id.IsZero() || e.Revision != 0 || len(e.Attest) > 0 {
		return Tip{}, fmt.Errorf("%w: a run begins with an id and revision 0 and attests nothing yet", ErrInvalid)
	}
	repo = repo.WithContext(ctx)
	_, err := repo.Info(id.Ref())
	if err == nil {
		return Tip{}, fmt.Errorf("run %s: %w", id.Prefix12(), ErrExists)
	}
	if !errors.Is(err, git.ErrMissing) { // a ref without its object stops the move
		return Tip{}, unreadable(id, err)
	}
	w, err := begin(repo, Tip{run: id, revision: -1}, e)
	if err != nil {
		return Tip{}, err
	}
	w.place = place
	tip, err := w.write(ctx)
	var moved *Moved
	if errors.As(err, &moved) {
		return Tip{}, fmt.Errorf("run %s: %w", id.Prefix12(), ErrExists)
	}
	return tip, err
}

// Append stores the revision after tip. It returns a [*Moved] when the run is
// not at tip any more; whatever error it returns, the run is as it was, with
// one exception: an error about durability or about objects that a gc took may
// follow a move that was made, and then names the commit.
func Append(ctx context.Context, repo *git.Repo, tip Tip, e Entry) (Tip, error) {
	if tip.commit == "" || e.Revision != tip.revision+1 {
		return Tip{}, fmt.Errorf("%w: revision %d does not follow revision %d", ErrInvalid, e.Revision, tip.revision)
	}
	w, err := begin(repo.WithContext(ctx), tip, e)
	if err != nil {
		return Tip{}, err
	}
	return w.write(ctx)
}

// ref is the lock of a place. It lies among the runs and is none: what is no run
// id is nobody's run.
func (p Place) ref() string {
	sum := sha256.Sum256([]byte(p.Name))
	return runPrefix + "start-" + hex.EncodeToString(sum[:8])
}

// A writing is one revision on its way into the repository.
type writing struct {
	repo   *git.Repo
	writer *git.Writer
	who    git.Ident
	after  Tip // commit "" at the first revision
	entry  Entry
	move   *git.Move
	held   func() (pinned, error)
	place  Place // of a first revision; the zero value for no check
}

// write is the writing protocol: objects, durable; then the refs in one move,
// the pin first; then a look whether a gc took the objects meanwhile.
func (w *writing) write(ctx context.Context) (Tip, error) {
	defer func() { w.move.Cancel() }() // the last one: there may be more than one
	crashPoint("ledger: nothing written")
	commit, tree, err := w.revision()
	if err != nil {
		return Tip{}, err
	}
	if err := w.moveTo(ctx, commit); err != nil {
		return Tip{}, err
	}
	after, e := w.after, w.entry
	crashPoint("ledger: refs moved, objects not looked at again")
	if err := w.writer.Verify(); err != nil {
		return Tip{}, fmt.Errorf("run %s: revision %d is stored as %s, but its objects may not be: %w", after.run.Prefix12(), e.Revision, commit, err)
	}
	return Tip{run: after.run, revision: e.Revision, commit: commit, tree: tree, seconds: w.who.When.Unix()}, nil
}

// begin checks the entry and starts what takes a process, so that it runs while
// the objects are written.
func begin(repo *git.Repo, after Tip, e Entry) (*writing, error) {
	at, err := e.check(repo.ObjectFormat())
	if err != nil {
		return nil, err
	}
	at = at.Truncate(time.Second)
	if at.Unix() < after.seconds {
		return nil, fmt.Errorf("%w: %s is before the last revision", ErrInvalid, e.At)
	}
	w := &writing{repo: repo, after: after, entry: e}
	w.lookForHeld()
	name, email, err := repo.Identity()
	if err != nil {
		return nil, err
	}
	w.who = git.Ident{Name: name, Email: email, When: at}
	if w.writer, err = repo.Writer(); err != nil {
		return nil, err
	}
	w.move, err = repo.StartMove()
	return w, err
}

// revision writes the objects of the revision, not yet durable.
func (w *writing) revision() (commit, tree string, err error) {
	message, err := w.entry.message(w.after.run)
	if err != nil {
		return "", "", err
	}
	tree, err = grower{repo: w.repo, writer: w.writer}.next(w.after.tree, w.entry)
	if err != nil {
		return "", "", unreadable(w.after.run, err)
	}
	var parents []string
	if w.after.commit != "" {
		parents = []string{w.after.commit}
	}
	commit, err = writeCommit(w.writer, git.CommitSpec{Tree: tree, Parents: parents, Author: w.who, Committer: w.who, Message: message.String()}, w.entry.Sign)
	return commit, tree, err
}

// writeCommit signs where a limit is given for it.
func writeCommit(w *git.Writer, spec git.CommitSpec, sign time.Duration) (string, error) {
	if sign > 0 {
		return w.WriteSignedCommit(spec, sign)
	}
	return w.WriteCommit(spec)
}

// pinTries is how often a pin is made anew because the last one moved while the
// run did not: after a crash between the two refs.
const pinTries = 3

func (w *writing) moveTo(ctx context.Context, commit string) error {
	run := git.RefUpdate{Ref: w.after.run.Ref(), New: commit, Old: w.after.commit}
	for try := 1; ; try++ {
		updates, err := w.pin()
		if err != nil {
			return err
		}
		updates = append(updates, run)
		crashPoint("ledger: objects composed, none in place")
		if err := w.writer.Place(); err != nil {
			return err
		}
		if w.place.Check != nil {
			w.move.Alone(git.Alone{Ref: w.place.ref(), Check: w.place.Check})
		}
		w.move.Prepare(updates)
		if err := w.writer.Flush(); err != nil {
			return err
		}
		crashPoint("ledger: objects written, refs locked and not moved")
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err = w.move.Apply(updates)
		var moved *git.ErrMoved
		if !errors.As(err, &moved) {
			return err
		}
		if now := w.moved(); now != nil {
			return now
		}
		if try == pinTries {
			return unreadable(w.after.run, err)
		}
		w.lookForHeld()
		if w.move, err = w.repo.StartMove(); err != nil {
			return err
		}
	}
}

// moved returns where the run is now, or nil when it did not move.
func (w *writing) moved() error {
	run := w.after.run
	o, err := readTip(w.repo, run)
	switch {
	case errors.Is(err, ErrNoRun) && w.after.commit == "", err == nil && o.ID == w.after.commit:
		return nil
	case errors.Is(err, ErrNoRun):
		return &Moved{Run: run, Revision: -1}
	case err != nil:
		return err
	}
	tip, _, err := decodeTip(run, o)
	if err != nil {
		return err
	}
	return &Moved{Run: run, Revision: tip.revision, Commit: tip.commit}
}
