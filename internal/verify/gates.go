package verify

import (
	"errors"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// readSettings reads the settings that the run is pinned to. Those that a later
// program wrote cannot be held against anything.
func (c *check) readSettings(n int, data []byte) error {
	pin, err := config.ParsePinned(data)
	switch {
	case errors.Is(err, config.ErrNewer):
		return errors.Join(machine.ErrNewer, err)
	case err != nil:
		c.res.add(n, "settings", "%s: %v", settingsFile, err)
		return nil
	}
	c.pin, c.pinned = pin, true
	return nil
}

// checkGatesRan: a reviewer is dispatched with every gate that the run is pinned
// to, in its pinned command, and a worker with none.
func (c *check) checkGatesRan(n int, role tier.Role, gates []machine.GateFact) {
	if !c.pinned {
		return // told already
	}
	var want, ran []string
	if !role.Works() {
		for _, g := range c.pin.Gates() {
			want = append(want, g.Name+" "+strings.Join(g.Command, "\x00"))
		}
	}
	for _, g := range gates {
		ran = append(ran, g.Name+" "+strings.Join(g.Command, "\x00"))
	}
	if !slices.Equal(want, ran) {
		c.res.add(n, "gate", "the gates of this dispatch are not those that the run is pinned to")
	}
}

// checkGates holds every run of a gate to the head that it is said to judge, and
// to what is stored of it.
func (c *check) checkGates(n int, gates []machine.GateFact, head *machine.CommitRef) error {
	for _, g := range gates {
		if g.Commit != head.Commit || g.Tree != head.Tree {
			c.res.add(n, "gate", "gate %q ran at %s, not at the head %s", g.Name, g.Commit, head.Commit)
		}
		if g.Output == nil || g.Output.Path != stemOf(c.state.View())+".gate-"+g.Name+".txt" {
			c.res.add(n, "gate", "gate %q has no output of its name", g.Name)
			continue
		}
		if err := c.checkGate(n, g); err != nil {
			return err
		}
	}
	return nil
}

// checkGate holds what is stated of a gate to what is stored of it.
func (c *check) checkGate(n int, g machine.GateFact) error {
	data, err := c.tree.file(g.Output.Path)
	if errors.Is(err, ledger.ErrNoFile) {
		return nil // told already
	}
	if err != nil {
		return err
	}
	if why := evidence.GateDiffers(data, evidence.GateSaid{
		Name: g.Name, Command: g.Command, Commit: g.Commit, Tree: g.Tree, Outcome: g.Outcome, Exit: g.Exit, Runs: g.Runs, DurationMS: g.DurationMS,
	}); why != "" {
		c.res.add(n, "gate", "gate %q: %s", g.Name, why)
	}
	return nil
}

// guarded returns what the head has changed since the merge base of the files that
// pinned settings name as guards; nothing where one of the two is not here.
func (c *check) guarded(base, head string) ([]judge.GuardChange, error) {
	var named []config.Gate
	for _, g := range c.pin.Gates() {
		if g.Guard != nil {
			named = append(named, g)
		}
	}
	if !c.pinned || len(named) == 0 {
		return nil, nil
	}
	changes, err := c.changed(base, head)
	if err != nil {
		return nil, err
	}
	var all []judge.GuardChange
	for _, k := range changes {
		var gates []string
		for _, g := range named {
			if config.MatchAny(g.Guard, k.Old) || config.MatchAny(g.Guard, k.New) {
				gates = append(gates, g.Name)
			}
		}
		// The file of the settings itself counts where it changes what is pinned,
		// which is another rule.
		if len(gates) > 0 && k.New != trackedSettings {
			all = append(all, judge.GuardChange{Path: k.New, Was: k.Old, Content: k.NewID, Gates: gates})
		}
	}
	return all, nil
}

// trackedSettings is the settings file of a repository (interfaces: settings).
const trackedSettings = "git-sdd.toml"

func (c *check) changed(base, head string) ([]git.Change, error) {
	missing := false
	err := c.repo.Infos([]string{base + "^{tree}", head + "^{tree}"}, func(_ int, _ git.Info, err error) error {
		missing = missing || errors.Is(err, git.ErrMissing)
		return ignoreMissing(err)
	})
	if err != nil || missing {
		return nil, err
	}
	changes, err := c.repo.Changes(base, head)
	var failed *git.CmdError
	if errors.As(err, &failed) && c.ctx.Err() == nil {
		return nil, nil // trees that were left out of the clone; told with the patch ids
	}
	return changes, err
}

func ignoreMissing(err error) error {
	if errors.Is(err, git.ErrMissing) {
		return nil
	}
	return err
}
