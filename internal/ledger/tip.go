package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A Tip is the last revision of a run as it was read. It is what [Append] wants
// to see, and only a read or a write that succeeded makes one: what was not read
// cannot be written after.
type Tip struct {
	run      RunID
	revision int
	commit   string
	tree     string
	seconds  int64 // of the commit
}

// Run returns the run's id.
func (t Tip) Run() RunID { return t.run }

// Revision returns the number of the last revision, counted from 0.
func (t Tip) Revision() int { return t.revision }

// Commit returns the full id of the last revision's commit.
func (t Tip) Commit() string { return t.commit }

// A Run is a run as it was read at one moment.
type Run struct {
	Tip     Tip
	Message Message // of the last revision
	State   []byte  // state.json of that same commit

	repo *git.Repo
}

// Load reads a run: its tip once, and the state of that very commit. The error
// wraps [ErrNoRun], [ErrCorrupt] or [ErrIncomplete].
func Load(ctx context.Context, repo *git.Repo, id RunID) (*Run, error) {
	repo = repo.WithContext(ctx)
	o, err := readTip(repo, id)
	if err != nil {
		return nil, err
	}
	tip, message, err := decodeTip(id, o)
	if err != nil {
		return nil, err
	}
	state, err := readFile(repo, tip.commit, stateFile)
	if err != nil {
		return nil, unreadable(id, err)
	}
	return &Run{Tip: tip, Message: message, State: state, repo: repo}, nil
}

// readTip reads the commit that the run's ref leads to. Where there is none it
// says why: no such ref, or an object that is not here, or one that git cannot
// read. A run that appears between the two looks is read after all.
func readTip(repo *git.Repo, id RunID) (git.Object, error) {
	o, err := repo.Object(id.Ref())
	if !errors.Is(err, git.ErrMissing) {
		return o, unreadable(id, err)
	}
	ref, err := repo.Ref(id.Ref())
	if errors.Is(err, git.ErrNone) {
		return git.Object{}, fmt.Errorf("run %s: %w", id.Prefix12(), ErrNoRun)
	}
	if err == nil {
		o, err = repo.Object(ref.ID)
	}
	return o, unreadable(id, err)
}

// unreadable gives git's failures the ledger's meaning.
func unreadable(id RunID, err error) error {
	switch {
	case err == nil, errors.Is(err, ErrCorrupt), errors.Is(err, ErrIncomplete):
		return err
	case errors.Is(err, git.ErrUnreadable), errors.Is(err, ErrNoFile):
		return fmt.Errorf("run %s: %w: %w", id.Prefix12(), ErrCorrupt, err)
	case errors.Is(err, git.ErrMissing):
		return fmt.Errorf("run %s: %w: %w", id.Prefix12(), ErrIncomplete, err)
	}
	return fmt.Errorf("run %s: %w", id.Prefix12(), err)
}

func decodeTip(id RunID, o git.Object) (Tip, Message, error) {
	if o.Type != "commit" {
		return Tip{}, Message{}, fmt.Errorf("run %s: %w: its ref leads to a %s", id.Prefix12(), ErrCorrupt, o.Type)
	}
	c, err := git.ParseCommit(o.ID, o.Data)
	if err != nil {
		return Tip{}, Message{}, fmt.Errorf("run %s: %w: %w", id.Prefix12(), ErrCorrupt, err)
	}
	m, err := ParseMessage(c.Message)
	if err != nil {
		return Tip{}, Message{}, fmt.Errorf("run %s: %w: commit %s: %w", id.Prefix12(), ErrCorrupt, o.ID, err)
	}
	if m.Run != id {
		return Tip{}, Message{}, fmt.Errorf("run %s: %w: commit %s belongs to run %s", id.Prefix12(), ErrCorrupt, o.ID, m.Run.Prefix12())
	}
	return Tip{run: id, revision: m.Revision, commit: o.ID, tree: c.Tree, seconds: c.CommitTime.Unix()}, m, nil
}

// File reads one file of this revision, byte for byte. The error wraps
// [ErrNoFile] where the revision does not hold it.
func (r *Run) File(path string) ([]byte, error) { return ReadFile(r.repo, r.Tip.commit, path) }

// ReadFile reads one file of the revision with the given commit. The error wraps
// [ErrNoFile] where it does not hold it, and [ErrIncomplete] where the object
// is not here.
func ReadFile(repo *git.Repo, commit, path string) ([]byte, error) {
	if path != stateFile && path != eventFile {
		if err := checkPath(path); err != nil {
			return nil, err
		}
	}
	return readFile(repo, commit, path)
}

func readFile(repo *git.Repo, commit, path string) ([]byte, error) {
	o, err := repo.Object(commit + ":" + path)
	switch {
	case errors.Is(err, git.ErrMissing):
		return nil, absent(repo, commit, path)
	case err != nil:
		return nil, err
	case o.Type != "blob":
		return nil, fmt.Errorf("%q of commit %s is a %s: %w", path, commit, o.Type, ErrNoFile)
	}
	return o.Data, nil
}
