package controller

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/fault"
)

// copiesDir is the folder of a run's workspace in which reviewers get their
// worktrees: ignored by git like all of it, and beneath the worktree that a
// sandboxed child may read.
const copiesDir = "copies"

// addCopy makes the throwaway worktree of a child that must not write: detached,
// at the judged commit. A worker needs none.
func (d *driver) addCopy(r *run, spec agent.Spec) error {
	if roleNamed(spec.Role).Works() {
		return nil
	}
	if _, err := os.Lstat(spec.Dir); err == nil {
		return nil // of an earlier try to start this very session
	}
	head, err := r.judgedHead()
	if err != nil {
		return err
	}
	return r.site.AddCopy(spec.Dir, head)
}

// judgedHead is the commit that the current dispatch judges.
func (r *run) judgedHead() (string, error) {
	facts, err := r.intentFacts(context.Background())
	if err != nil {
		return "", err
	}
	return facts.Head.Commit, nil
}

// dropCopy removes the worktree of a reviewer that ended. What it changed there
// is named, in the child's own output as well, and harmless: nothing is ever taken
// from it.
func (d *driver) dropCopy(r *run, session string) error {
	path := filepath.Join(r.view.RunRoot, copiesDir, session)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	head, err := r.judgedHead()
	if err != nil {
		return err
	}
	changed, ours := d.changedIn(r, path, head)
	if !ours {
		return nil
	}
	if len(changed) > 0 {
		text := "the " + spoken(r.role()) + " wrote to its throwaway copy, which changes nothing: " + listed(changed)
		d.note(text)
		if err := d.c.sessions().Remark(session, text); err != nil {
			return fault.New(fault.Invalid, "make "+shellWord(d.c.repo.CommonDir())+" writable", "the output of session %s cannot be added to: %w", session, err)
		}
	}
	d.removeCopy(r, path)
	return nil
}

// removeCopy removes a copy. One that cannot be is named, and stops nothing.
func (d *driver) removeCopy(r *run, path string) {
	if err := r.site.RemoveCopy(path); err != nil {
		d.note("a copy for a reviewer could not be removed: " + err.Error())
	}
}

// sweep removes the copies that a killed drive left, if they are ours, clean,
// and nobody works in them.
func (d *driver) sweep(r *run) error {
	dir := filepath.Join(r.view.RunRoot, copiesDir)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || r.site == nil {
		return nil
	}
	if err != nil {
		return fault.New(fault.Invalid, "make "+shellWord(dir)+" readable", "the copies for reviewers cannot be listed: %w", err)
	}
	for _, e := range entries {
		if d.awaited(r, e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		rec, err := d.c.sessions().Read(e.Name())
		if err != nil {
			if _, err := d.c.sessions().Announced(e.Name()); err == nil {
				continue // it is about to begin, or will be ruled out
			}
			d.note("a copy for a reviewer is left, and nothing shows whether one works there: git worktree remove --force " + shellWord(path))
			continue
		}
		if standing, _ := rec.Stands(); standing == agent.Running || standing == agent.Unproven {
			continue
		}
		changed, ours := d.changedIn(r, path, "")
		switch {
		case !ours:
		case len(changed) > 0:
			d.note("a copy for a reviewer is left because it was changed: git worktree remove --force " + shellWord(path))
		default:
			d.removeCopy(r, path)
		}
	}
	_ = os.Remove(dir) // succeeds once it is empty
	return nil
}

// awaited reports whether the run still waits for this session's report: then
// taking it removes the copy.
func (d *driver) awaited(r *run, session string) bool {
	return r.view.Dispatch != nil && string(r.view.Dispatch.SessionID) == session && r.running()
}

// changedIn lists what differs in a copy from its commit, and "HEAD" where that is
// not the given one; "" is any. A folder that is no worktree of this repository is
// not ours.
func (d *driver) changedIn(r *run, path, head string) (changed []string, ours bool) {
	site, err := r.c.repo.At(path)
	if err != nil {
		return nil, false
	}
	defer site.Close()
	if site.WorkTree() != path || site.CommonDir() != r.c.repo.CommonDir() || site.GitDir() == site.CommonDir() {
		return nil, false
	}
	if now, err := site.Resolve("HEAD"); head != "" && (err != nil || now != head) {
		changed = append(changed, "HEAD")
	}
	entries, err := site.Status()
	if err != nil {
		return append(changed, err.Error()), true
	}
	for _, e := range entries {
		changed = append(changed, e.Path)
	}
	return changed, true
}
