package controller

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
)

// Health is the answer of `doctor`.
type Health struct {
	Schema   string    `json:"schema"`
	Problems []Ailment `json:"problems"` // what is left after --fix
	Fixed    []Ailment `json:"fixed"`
}

// Ailment is one thing that stands in the way, with the one command that repairs
// it.
type Ailment struct {
	Kind    string `json:"kind"` // stable identifier
	Message string `json:"message"`
	Repair  string `json:"repair"`
	Fixable bool   `json:"fixable"` // by doctor --fix: what can be made again from the ledger

	fix func() error
}

// Fault is the refusal that problems stand for, or nil when all is well.
func (h *Health) Fault() *fault.Error {
	if len(h.Problems) == 0 {
		return nil
	}
	return fault.New(fault.Refused, h.Problems[0].Repair, "%s found", counted(len(h.Problems), "problem"))
}

// Doctor looks at everything that a run rests on. With fix it does what can be
// undone: it forgets hints and removes checkouts of its own, which both are made
// again when they are needed.
func (c *Controller) Doctor(ctx context.Context, fix bool) (*Health, error) {
	out := &Health{Schema: "git-sdd/doctor/1", Problems: []Ailment{}, Fixed: []Ailment{}}
	for _, look := range []func(context.Context) ([]Ailment, error){
		c.ailingSettings, c.ailingGit, c.ailingHooks, c.ailingLocks, c.ailingHints, c.ailingCheckouts, c.ailingRuns,
	} {
		found, err := look(ctx)
		if err != nil {
			return nil, err
		}
		for _, a := range found {
			a.Fixable = a.fix != nil
			if fix && a.fix != nil {
				if err := a.fix(); err == nil {
					out.Fixed = append(out.Fixed, a)
					continue
				}
			}
			out.Problems = append(out.Problems, a)
		}
	}
	return out, nil
}

func (c *Controller) ailingSettings(context.Context) ([]Ailment, error) {
	_, err := c.settings()
	var f *fault.Error
	if err == nil {
		return nil, nil
	}
	if !errors.As(err, &f) {
		return nil, err
	}
	defects := f.Defects()
	if len(defects) == 0 {
		return []Ailment{{Kind: "settings", Message: f.Message(), Repair: f.Repair()}}, nil
	}
	var all []Ailment
	for _, d := range defects {
		all = append(all, Ailment{Kind: "settings", Message: d.Location + ": " + d.Message, Repair: d.Repair})
	}
	return all, nil
}

func (c *Controller) ailingGit(context.Context) ([]Ailment, error) {
	version, serves, err := c.repo.Version()
	if err != nil || serves {
		return nil, err
	}
	return []Ailment{{Kind: "git-version", Message: fmt.Sprintf("git is %s, %s or newer is needed", version, git.MinVersion), Repair: "install a newer git"}}, nil
}

func (c *Controller) ailingHooks(context.Context) ([]Ailment, error) {
	settings, err := c.repo.Config()
	if err != nil {
		return nil, err
	}
	path, set := settings.Get("core.hooksPath")
	if !set || path == "" || strings.HasPrefix(path, "~") {
		return nil, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.repo.WorkTree(), path)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() || path == os.DevNull {
		return nil, nil
	}
	return []Ailment{{Kind: "hooks-path", Message: fmt.Sprintf("core.hooksPath leads to %q, which is no folder: no hook runs", path), Repair: "git config --unset core.hooksPath"}}, nil
}

// lockAge is how old a lock must be to be told: a younger one is somebody's at
// work.
const lockAge = 10 * time.Second

// ailingLocks finds the locks that a killed git left where runs are kept, and where
// whoever works for one commits.
func (c *Controller) ailingLocks(context.Context) ([]Ailment, error) {
	var all []Ailment
	look := func(path string, info fs.FileInfo) {
		if age := c.now().Sub(info.ModTime()); age >= lockAge {
			all = append(all, Ailment{
				Kind: "stale-lock", Message: fmt.Sprintf("%s is %s old; if no git runs here, one that was killed left it", path, age.Round(time.Second)),
				Repair: "rm " + shellWord(path),
			})
		}
	}
	paths := []string{filepath.Join(c.repo.CommonDir(), "packed-refs.lock"), filepath.Join(c.repo.CommonDir(), "config.lock")}
	for _, dir := range c.gitDirs() {
		paths = append(paths, filepath.Join(dir, "index.lock"), filepath.Join(dir, "HEAD.lock"))
	}
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil {
			look(path, info)
		}
	}
	for _, dir := range []string{"heads", "sdd", "sdd-pins", "sdd-rulings"} {
		_ = filepath.WalkDir(filepath.Join(c.repo.CommonDir(), "refs", dir), func(path string, e fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".lock") {
				if info, err := e.Info(); err == nil {
					look(path, info)
				}
			}
			return nil // what is not there holds no lock
		})
	}
	return all, nil
}

// gitDirs returns the git directory of every worktree.
func (c *Controller) gitDirs() []string {
	dirs := []string{c.repo.CommonDir()}
	linked, _ := os.ReadDir(filepath.Join(c.repo.CommonDir(), "worktrees"))
	for _, e := range linked {
		dirs = append(dirs, filepath.Join(c.repo.CommonDir(), "worktrees", e.Name()))
	}
	return dirs
}

// ailingHints finds the hints, of every worktree, that lead to no run.
func (c *Controller) ailingHints(context.Context) ([]Ailment, error) {
	var all []Ailment
	for _, dir := range c.gitDirs() {
		path := filepath.Join(dir, "sdd-active")
		info, err := os.Lstat(path)
		if err != nil {
			continue
		}
		data := []byte{}
		if info.Mode().IsRegular() { // a pipe would never end, and leads nowhere
			if data, err = os.ReadFile(path); err != nil {
				continue
			}
		}
		id, err := ledger.ParseRunID(strings.TrimSuffix(string(data), "\n"))
		if err == nil {
			_, err = c.repo.Info(id.Ref())
		}
		if err == nil {
			continue
		}
		all = append(all, Ailment{
			Kind: "dangling-hint", Message: fmt.Sprintf("the hint %s leads to no run that is here", path),
			Repair: "git sdd doctor --fix", fix: func() error { return os.Remove(path) },
		})
	}
	return all, nil
}

// ailingCheckouts finds the worktrees of our own that outlived their process.
func (c *Controller) ailingCheckouts(context.Context) ([]Ailment, error) {
	var all []Ailment
	for _, dir := range c.repo.Abandoned() {
		all = append(all, Ailment{
			Kind: "left-over-worktree", Message: fmt.Sprintf("%s is a checkout of git-sdd whose process is gone", dir),
			Repair: "git worktree remove --force --force " + shellWord(dir),
			fix: func() error {
				c.leftCheckouts()
				if _, err := os.Lstat(dir); err == nil {
					return fmt.Errorf("%s holds what was not checked out", dir)
				}
				return nil
			},
		})
	}
	return all, nil
}
