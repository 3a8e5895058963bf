package git

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
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

	cmd    *exec.Cmd // nil: not running
	stdin  io.WriteCloser
	stderr *tail
}

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
	if err := cmd.Start(); err != nil {
		return &CmdError{Args: moveArgs, Exit: -1, Err: err}
	}
	m.cmd = cmd
	return nil
}

// try is one transaction, by the process that waits or a new one.
func (m *Move) try(updates []RefUpdate) error {
	if m.cmd == nil {
		if err := m.start(); err != nil {
			return err
		}
	}
	// A process that has given up already breaks the pipe; it says why.
	_, _ = m.stdin.Write(instructions(updates))
	return m.wait()
}

func (m *Move) wait() error {
	_ = m.stdin.Close()
	err := m.cmd.Wait()
	res := result{stderr: m.stderr.bytes(), exit: exitOf(m.cmd)}
	m.cmd = nil
	return verdict(m.repo.ctx, call{args: moveArgs}, res, err)
}

// Cancel ends a move that is not wanted after all. Nothing was changed.
func (m *Move) Cancel() {
	if m.cmd != nil {
		_ = m.wait()
	}
	m.release()
}

// instructions is a whole transaction as update-ref reads it. Without the last
// word nothing happens.
func instructions(updates []RefUpdate) []byte {
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
