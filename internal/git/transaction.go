package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
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
	if err := checkUpdates(r.ObjectFormat(), updates); err != nil {
		return err
	}
	if err := r.ctx.Err(); err != nil {
		return context.Cause(r.ctx)
	}
	ctx, cancel := outlive(r.ctx, grace)
	defer cancel()
	r = r.WithContext(ctx)
	for begun, pause := time.Now(), 2*time.Millisecond; ; pause = min(2*pause, longestPause) {
		failure := r.updateRefs(updates)
		if failure == nil {
			return r.syncRefs(updates)
		}
		left, err := r.remaining(updates)
		switch {
		case err != nil:
			return errors.Join(err, failure)
		case len(left) == 0:
			return r.syncRefs(updates)
		case time.Since(begun) > patience:
			return r.stuck(left, failure)
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

// updateRefs is one try: one process.
func (r *Repo) updateRefs(updates []RefUpdate) error {
	env, err := r.movingEnv()
	if err != nil {
		return err
	}
	var in bytes.Buffer
	in.WriteString("start\x00")
	for _, u := range updates {
		switch {
		case u.New == "":
			fmt.Fprintf(&in, "delete %s\x00%s\x00", u.Ref, u.Old)
		case u.Old == "":
			fmt.Fprintf(&in, "create %s\x00%s\x00", u.Ref, u.New)
		default:
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", u.Ref, u.New, u.Old)
		}
	}
	in.WriteString("prepare\x00commit\x00")
	args := append(slices.Clone(durable), "-c", "core.hooksPath=/dev/null",
		"update-ref", "-m", "git-sdd", "--no-deref", "--create-reflog", "--stdin", "-z")
	_, err = r.run(call{args: args, stdin: &in, env: env})
	return err
}

// movingEnv names who moved a ref in its reflog, which git would otherwise work
// out from the machine's name, and switches off the hooks of git 2.54 and later
// that live in settings: `core.hooksPath` does not reach them.
func (r *Repo) movingEnv() ([]string, error) {
	name, email, err := r.Identity()
	if err != nil {
		return nil, err
	}
	config, err := r.Config()
	if err != nil {
		return nil, err
	}
	env := []string{"GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + email, "GIT_OPTIONAL_LOCKS=1"}
	return append(env, withSettings(r.core.environ, disabledHooks(config))...), nil
}

func disabledHooks(config *Config) []string {
	var keys []string
	for _, key := range config.Keys("hook.") {
		hook := key[:strings.LastIndexByte(key, '.')]
		if off := hook + ".enabled"; hook != "hook" && !slices.Contains(keys, off) {
			keys = append(keys, off)
		}
	}
	return keys
}

// withSettings returns the variables that set the given keys to false, after
// the pairs that the user passes the same way.
func withSettings(environ, keys []string) []string {
	if len(keys) == 0 {
		return nil
	}
	var count int
	_, _ = fmt.Sscan(value(environ, "GIT_CONFIG_COUNT"), &count)
	var env []string
	for i, key := range keys {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", count+i, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=false", count+i))
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", count+len(keys)))
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
		if ref.Broken && slices.Contains(names, ref.Name) {
			return nil, fmt.Errorf("ref %q: %w", ref.Name, ErrUnreadable)
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
// directories. Elsewhere than in the files backend there is nothing to sync.
func (r *Repo) syncRefs(updates []RefUpdate) error {
	seen := map[string]bool{}
	for _, u := range updates {
		dir := filepath.Join(r.core.commonDir, filepath.FromSlash(u.Ref[:strings.LastIndexByte(u.Ref, '/')]))
		if !seen[dir] {
			seen[dir] = true
			if err := syncDir(dir); err != nil {
				return fmt.Errorf("making the refs durable: %w", err)
			}
		}
	}
	return nil
}
