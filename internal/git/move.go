package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Move is a transaction over refs whose process is running already and has not
// been told what to move: it holds no lock. Whoever starts one applies or cancels
// it.
type Move struct {
	repo    *Repo // with a context that outlives the command's for a while
	parent  context.Context
	release context.CancelFunc
	alone   Alone

	cmd      *exec.Cmd // nil: not running
	stdin    io.WriteCloser
	stdout   io.Reader
	stderr   *tail
	prepared bool // the process was told what to move, and not yet to do it
}

// An Alone makes a move the only one of its kind while it looks whether it may
// be made: two processes that each see no reason against it must not both go on.
type Alone struct {
	// Ref is in full, never exists, and is locked by every move of the kind.
	Ref string
	// Check is asked while the lock is held. Its error ends the move, unmade.
	Check func() error
}

// lock is the ref as [Repo.stuck] looks for locks.
func (a Alone) lock() []RefUpdate {
	if a.Ref == "" {
		return nil
	}
	return []RefUpdate{{Ref: a.Ref}}
}

// Alone says under what lock and check the move is made.
func (m *Move) Alone(a Alone) { m.alone = a }

// StartMove starts the process of a transaction, so that it is ready by the time
// the objects are durable.
func (r *Repo) StartMove() (*Move, error) {
	if r.ctx.Err() != nil {
		return nil, context.Cause(r.ctx)
	}
	ctx, cancel := outlive(r.ctx, grace)
	m := &Move{repo: r.WithContext(ctx), parent: r.ctx, release: cancel}
	if err := m.start(); err != nil {
		cancel()
		return nil, err
	}
	return m, nil
}

var moveArgs = append(slices.Clone(durable),
	"update-ref", "-m", "git-sdd", "--no-deref", "--create-reflog", "--stdin", "-z")

func (m *Move) start() error {
	env, err := m.repo.movingEnv()
	if err != nil {
		return err
	}
	cmd := command(m.repo.ctx, m.repo.core.home(), append(slices.Clone(m.repo.core.environ), env...), moveArgs)
	m.stderr = &tail{}
	cmd.Stderr = m.stderr
	if m.stdin, err = cmd.StdinPipe(); err != nil {
		return fmt.Errorf("starting git update-ref: %w", err)
	}
	if m.stdout, err = cmd.StdoutPipe(); err != nil {
		return fmt.Errorf("starting git update-ref: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return &CmdError{Args: moveArgs, Exit: -1, Err: err}
	}
	m.cmd = cmd
	return nil
}

// Prepare has git lock the refs and look at them, without waiting for it, while
// the caller does what must be done before they move. The objects must be in
// place. [Move.Apply] with the same updates makes the move.
func (m *Move) Prepare(updates []RefUpdate) {
	if m.cmd == nil || checkUpdates(m.repo.ObjectFormat(), updates) != nil {
		return // Apply says why
	}
	// A process that has given up already breaks the pipe; it says why.
	_, _ = m.stdin.Write(preparation(m.alone.Ref, updates))
	m.prepared = true
}

// An unmade is what the check of an [Alone] says against a move.
type unmade struct{ error }

// try is one transaction, by the process that waits or a new one.
func (m *Move) try(updates []RefUpdate) error {
	if m.cmd == nil {
		if err := m.start(); err != nil {
			return err
		}
	}
	if !m.prepared {
		m.Prepare(updates)
	}
	if m.locked() {
		if err := m.look(updates); err != nil {
			_ = m.wait() // without the last word nothing happens
			return err
		}
		_, _ = m.stdin.Write([]byte("commit\x00"))
	}
	return m.wait()
}

// look is the last one before the move, while nobody else can move the refs.
//
// Git has compared the old values, and not reliably. It reads packed-refs to see
// whether the ids could be names of refs as well, waits for the locks, and takes a
// file that was packed meanwhile for the one that it knows, if inode, size and
// second agree: beside a loop of `git pack-refs`, one in some 20 contended moves
// was won by two processes.
func (m *Move) look(updates []RefUpdate) error {
	if m.alone.Check != nil {
		if err := m.alone.Check(); err != nil {
			return unmade{err}
		}
	}
	packed := slices.DeleteFunc(slices.Clone(updates), m.isLoose)
	if len(packed) == 0 {
		return nil
	}
	return m.witness(packed)
}

// isLoose reports whether the ref is a file of its own with the old value, which
// then counts, whatever is packed. No is no answer: a ref may be packed, or kept
// in another way altogether.
func (m *Move) isLoose(u RefUpdate) bool {
	data, err := os.ReadFile(filepath.Join(m.repo.core.commonDir, filepath.FromSlash(u.Ref)))
	return err == nil && u.Old != "" && string(data) == u.Old+"\n"
}

// witness has a process look that has read nothing before, so that it has
// nothing to confuse.
func (m *Move) witness(updates []RefUpdate) error {
	fresh := newBatch(m.repo.ctx, m.repo.core.home(), m.repo.core.environ)
	defer func() { _ = fresh.close() }()
	requests := make([]string, len(updates))
	for i, u := range updates {
		requests[i] = "info " + u.Ref
	}
	return fresh.ask(requests, func(i int, now answer) error {
		if now.err != nil && !errors.Is(now.err, ErrMissing) {
			return now.err
		}
		if now.id != updates[i].Old {
			return fmt.Errorf("ref %q is at %q, not at %q", updates[i].Ref, now.id, updates[i].Old)
		}
		return nil
	})
}

// locked waits until git holds the locks, or has failed to get them.
func (m *Move) locked() bool {
	answers := bufio.NewScanner(m.stdout)
	for answers.Scan() {
		if answers.Text() == "prepare: ok" {
			return true
		}
	}
	return false
}

func (m *Move) wait() error {
	_ = m.stdin.Close()
	err := m.cmd.Wait()
	res := result{stderr: m.stderr.bytes(), exit: exitOf(m.cmd)}
	m.cmd, m.prepared = nil, false
	return verdict(m.repo.ctx, call{args: moveArgs}, res, err)
}

// Cancel ends a move that is not wanted after all. Nothing was changed.
func (m *Move) Cancel() {
	if m.cmd != nil {
		_ = m.wait()
	}
	m.release()
}

// preparation is a transaction as update-ref reads it, all but the last word,
// without which nothing happens. The ref alone, if any, is locked and does not
// exist.
func preparation(alone string, updates []RefUpdate) []byte {
	var in bytes.Buffer
	in.WriteString("start\x00")
	if alone != "" {
		fmt.Fprintf(&in, "verify %s\x00\x00", alone)
	}
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
	in.WriteString("prepare\x00")
	return in.Bytes()
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
