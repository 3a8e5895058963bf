package git

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A RefUpdate moves one ref.
type RefUpdate struct {
	Ref string // in full
	New string // the new id; empty: delete the ref
	Old string // the id it must have now; empty: it must not exist
}

// An ErrMoved is a transaction that lost: a ref has neither the old value nor
// the new one. Nothing was changed.
type ErrMoved struct {
	Ref string
	Now string // its id; empty when it does not exist
}

func (e *ErrMoved) Error() string {
	if e.Now == "" {
		return fmt.Sprintf("ref %q is gone", e.Ref)
	}
	return fmt.Sprintf("ref %q was moved to %s by another process", e.Ref, e.Now)
}

// A StaleLockError is a lock file that stood in the way for as long as was
// waited: left by a git that was killed, or held by one that hangs.
type StaleLockError struct {
	Path  string
	Since time.Duration // its age
	Err   error         // what git said
}

func (e *StaleLockError) Error() string {
	return fmt.Sprintf("%q has been locking the refs for %s", e.Path, e.Since.Round(time.Second))
}

// Unwrap returns the failure of git.
func (e *StaleLockError) Unwrap() error { return e.Err }

// Repair returns the command that removes the lock. It is right only when no
// git is running in the repository any more.
func (e *StaleLockError) Repair() string { return "rm " + shellQuote(e.Path) }

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

const (
	// patience is how long a transaction is tried again while nothing has moved.
	patience = 2 * time.Second
	// grace is how long a transaction that has begun may go on after the
	// command was told to end: the move is the only moment that counts, and it
	// is better whole than cut.
	grace = 5 * time.Second
	// longestPause bounds the pause between two tries.
	longestPause = 200 * time.Millisecond
)

// Transaction moves refs, all of them or none, and makes the move durable. It
// compares each with its old value, creates reflogs, runs no hook and follows
// no symbolic ref.
//
// What git says about a failure is not parsed: the refs are read again. If they
// are as wanted, the transaction is done; if they are as before, it is tried
// again for up to two seconds, and then fails with a [*StaleLockError] where
// a lock stands, else with git's [*CmdError]; if any is at a third place, it
// fails with an [*ErrMoved].
func (r *Repo) Transaction(updates []RefUpdate) error {
	m, err := r.StartMove()
	if err != nil {
		return err
	}
	return m.Apply(updates)
}

// Apply is [Repo.Transaction] by the process that was started for it. It ends
// the move, whatever it returns.
func (m *Move) Apply(updates []RefUpdate) error {
	if err := checkUpdates(m.repo.ObjectFormat(), updates); err != nil {
		m.Cancel()
		return err
	}
	if m.parent.Err() != nil {
		m.Cancel()
		return context.Cause(m.parent)
	}
	defer m.release()
	for begun, pause := time.Now(), 2*time.Millisecond; ; pause = min(2*pause, longestPause) {
		failure := m.try(updates)
		if failure == nil {
			return m.repo.syncRefs(updates)
		}
		var against unmade
		if errors.As(failure, &against) {
			return against.error
		}
		m.repo.core.batch.renew() // what it read before may be what misled us
		left, err := m.repo.remaining(updates)
		switch {
		case err != nil:
			return errors.Join(err, failure)
		case len(left) == 0:
			return m.repo.syncRefs(updates)
		case time.Since(begun) > patience:
			return m.repo.stuck(append(left, m.alone.lock()...), failure)
		}
		updates = left
		time.Sleep(pause/2 + rand.N(pause))
	}
}

// outlive returns a context that ends a while after its parent does.
func outlive(parent context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	stop := context.AfterFunc(parent, func() {
		time.AfterFunc(by, func() { cancel(context.Cause(parent)) })
	})
	return ctx, func() { stop(); cancel(nil) }
}

func checkUpdates(format string, updates []RefUpdate) error {
	for _, u := range updates {
		switch {
		case !strings.HasPrefix(u.Ref, "refs/") || strings.ContainsAny(u.Ref, "\x00\n "):
			return fmt.Errorf("ref %q: %w", u.Ref, ErrBadName)
		case u.New == "" && u.Old == "":
			return fmt.Errorf("ref %q: neither an old nor a new value", u.Ref)
		case u.New != "" && !IsID(format, u.New), u.Old != "" && !IsID(format, u.Old):
			return fmt.Errorf("ref %q: %q to %q are not object ids", u.Ref, u.Old, u.New)
		}
	}
	return nil
}

// remaining reads the refs again, in a process of its own, and returns the
// updates that are still to be made.
func (r *Repo) remaining(updates []RefUpdate) ([]RefUpdate, error) {
	names := make([]string, len(updates))
	for i, u := range updates {
		names[i] = u.Ref
	}
	refs, err := r.Refs(names...)
	if err != nil {
		return nil, err
	}
	now := map[string]string{}
	for _, ref := range refs {
		if ref.Err != nil && slices.Contains(names, ref.Name) {
			return nil, fmt.Errorf("ref %q: %w", ref.Name, ref.Err)
		}
		now[ref.Name] = ref.ID
	}
	var left []RefUpdate
	for _, u := range updates {
		switch now[u.Ref] {
		case u.New:
		case u.Old:
			left = append(left, u)
		default:
			return nil, &ErrMoved{Ref: u.Ref, Now: now[u.Ref]}
		}
	}
	return left, nil
}

// stuck says why nothing moved.
func (r *Repo) stuck(left []RefUpdate, failure error) error {
	paths := []string{filepath.Join(r.core.commonDir, "packed-refs.lock"), filepath.Join(r.core.commonDir, "reftable", "tables.list.lock")}
	for _, u := range left {
		paths = append(paths, filepath.Join(r.core.commonDir, filepath.FromSlash(u.Ref)+".lock"))
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			return &StaleLockError{Path: path, Since: time.Since(info.ModTime()), Err: failure}
		}
	}
	return failure
}

// syncRefs makes the names of moved refs durable: git syncs the files, not their
// directories, of which some may be new. Elsewhere than in the files backend
// there is nothing to sync.
func (r *Repo) syncRefs(updates []RefUpdate) error {
	var dirs []string
	for _, u := range updates {
		for ref := path.Dir(u.Ref); ref != "."; ref = path.Dir(ref) {
			dir := filepath.Join(r.core.commonDir, filepath.FromSlash(ref))
			if !slices.Contains(dirs, dir) && (u.Old == "" || ref == path.Dir(u.Ref)) {
				dirs = append(dirs, dir)
			}
		}
	}
	if err := sideBySide(dirs, syncDir); err != nil {
		return fmt.Errorf("making the refs durable: %w", err)
	}
	return nil
}
