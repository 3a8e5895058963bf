package controller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/plan"
	"github.com/git-sdd/git-sdd/internal/rehearsal"
)

// RehearseOptions is what is rehearsed: a plan, and what the children answer.
type RehearseOptions struct {
	Plan     string // its path, as it was given
	Data     []byte
	Scenario *rehearsal.Scenario
	Name     string // of the scenario, for the answer
}

// Branches of the copy: the run's own, and the one that it starts from.
const (
	rehearsalBase   = "git-sdd-rehearsal-base"
	rehearsalBranch = "git-sdd-rehearsal"
)

// Rehearse carries a plan through a whole run in a throwaway copy of the
// repository, with the loop's own commands and a scripted agent that commits for
// real. The run here, its refs and its work tree are not touched, and the copy is
// gone when it returns. It ends where the run does, or where a human must rule and
// the scenario has no ruling left. Gates are left out: they judge work.
func (c *Controller) Rehearse(ctx context.Context, o RehearseOptions) (out *Rehearsal, err error) {
	p, defects := plan.Parse(o.Data)
	if len(defects) > 0 {
		return nil, PlanFault(o.Plan, o.Data, defects)
	}
	s, err := c.rehearsalSettings()
	if err != nil {
		return nil, err
	}
	parent, err := os.MkdirTemp("", "git-sdd-rehearsal-")
	if err != nil {
		return nil, fault.New(fault.Internal, "make room in the folder for temporary files", "no place for a rehearsal: %w", err)
	}
	defer func() {
		if left := os.RemoveAll(parent); left != nil && err == nil {
			err = fault.New(fault.Internal, "rm -rf "+shellWord(parent), "the rehearsal's copy cannot be removed: %w", left)
		}
	}()
	if parent, err = filepath.Abs(parent); err != nil {
		return nil, err
	}
	if parent, err = filepath.EvalSymlinks(parent); err != nil {
		return nil, err
	}
	st := &stage{parent: c, ctx: ctx, settings: s, top: filepath.Join(parent, "repo"), script: o.Scenario, planName: c.planNameIn(o.Plan)}
	st.out = &Rehearsal{
		Schema: "git-sdd/rehearsal/1", Scenario: o.Name, Plan: RehearsedPlan{Path: o.Plan, SHA256: plan.Digest(o.Data), Tasks: len(p.Tasks())},
		Dispatches: []RehearsedDispatch{}, Questions: []RehearsedQuestion{}, Unused: []string{},
	}
	if err := st.build(o.Data); err != nil {
		return nil, err
	}
	return st.play()
}

// rehearsalSettings are those in force, without gates.
func (c *Controller) rehearsalSettings() (*config.Settings, error) {
	s, err := c.settings()
	if err != nil {
		return nil, err
	}
	var kept strings.Builder
	for _, e := range s.Entries() {
		if !strings.HasPrefix(e.Key, "gate.") {
			fmt.Fprintf(&kept, "%s = %s\n", e.Key, e.Value)
		}
	}
	loaded, defects := config.Load([]config.Source{{Layer: config.User, Name: "settings", Data: []byte(kept.String())}}, nil)
	if len(defects) > 0 {
		return nil, settingsFault(defects)
	}
	return loaded, nil
}

// planNameIn is where the plan lies in the copy: where it lies here, and at the
// top where it lies elsewhere.
func (c *Controller) planNameIn(path string) string {
	dir, err := filepath.Abs(c.opt.Dir)
	if err == nil && !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if rel, err := filepath.Rel(c.repo.WorkTree(), path); err == nil && filepath.IsLocal(rel) && c.repo.WorkTree() != "" {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(path)
}

// A stage is one rehearsal: the copy, the script, and what has happened.
type stage struct {
	parent   *Controller
	ctx      context.Context
	settings *config.Settings
	top      string // of the copy's work tree
	planName string // in it, with slashes
	script   *rehearsal.Scenario
	out      *Rehearsal
	sessions int
}

// build makes the copy, with the plan committed on the branch that the run starts
// from and nothing in the way of a clean start.
func (s *stage) build(data []byte) error {
	err := s.parent.repo.WithContext(s.ctx).Clone(s.top,
		"user.name=rehearsal", "user.email=rehearsal@localhost", "commit.gpgSign=false", "tag.gpgSign=false",
		"core.hooksPath="+filepath.Join(filepath.Dir(s.top), "no-hooks"), "gc.auto=0", "maintenance.auto=false")
	if err != nil {
		return fault.New(fault.Internal, "git fsck, then call again", "the repository cannot be copied: %w", err)
	}
	return s.inCopy(func(copied *git.Repo) error {
		if _, err := copied.Output("checkout", "--quiet", "-b", rehearsalBase); err != nil {
			return err
		}
		if err := s.write(s.planName, func([]byte) []byte { return data }); err != nil {
			return err
		}
		if _, err := copied.CommitFiles("the plan to rehearse", s.planName); err != nil {
			return err
		}
		_, err := copied.Output("checkout", "--quiet", "-b", rehearsalBranch)
		return err
	})
}

// inCopy opens the copy for something to be done in it.
func (s *stage) inCopy(do func(*git.Repo) error) error {
	copied, err := s.parent.repo.WithContext(s.ctx).At(s.top)
	if err != nil {
		return err
	}
	return errors.Join(do(copied), copied.Close())
}

// command carries out one command of the loop in the copy, as a process of its
// own would.
func (s *stage) command(do func(*Controller) error) error {
	return s.inCopy(func(copied *git.Repo) error {
		opt := Options{Dir: s.top, Via: ViaProgram, Version: s.parent.opt.Version, Env: func(string) string { return "" }}
		return do(&Controller{repo: copied, opt: opt, now: s.parent.now, loaded: s.settings})
	})
}

// write changes one file of the copy's work tree, and no file outside of it
// whatever links there are.
func (s *stage) write(name string, change func(old []byte) []byte) error {
	root, err := os.OpenRoot(s.top)
	if err != nil {
		return err
	}
	defer root.Close()
	if dir := filepath.Dir(filepath.FromSlash(name)); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	old, err := root.ReadFile(filepath.FromSlash(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return root.WriteFile(filepath.FromSlash(name), change(old), 0o666)
}
