package controller

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/prompt"
)

// guardChanges compares what the run's gates rely on between the merge base and
// a head, blob by blob, renames followed, and the tracked settings with what the
// run is pinned to.
func (r *run) guardChanges(head string) ([]judge.GuardChange, error) {
	pin, err := r.pinnedSettings()
	if err != nil {
		return nil, err
	}
	var all []judge.GuardChange
	if gates := pin.Gates(); len(gates) > 0 {
		if all, err = r.changedReliance(gates, head); err != nil {
			return nil, err
		}
	}
	all = slices.DeleteFunc(all, func(c judge.GuardChange) bool { return c.Path == settingsName })
	settings, changed, err := r.settingsChange(pin, head)
	if changed {
		all = append(all, settings)
	}
	return all, err
}

func (r *run) changedReliance(gates []config.Gate, head string) ([]judge.GuardChange, error) {
	var relied []reliance
	for _, g := range gates {
		x, err := r.relianceOf(g)
		if err != nil {
			return nil, err
		}
		relied = append(relied, x)
	}
	changes, err := r.c.repo.Changes(r.view.MergeBase, head)
	if err != nil {
		return nil, err
	}
	tree, err := r.reshapable(changes)
	if err != nil {
		return nil, err
	}
	var all []judge.GuardChange
	for _, c := range changes {
		var names []string
		for _, x := range relied {
			if x.holds(c.Old) || x.holds(c.New) || x.reshaped(c.Old, tree) || x.reshaped(c.New, tree) {
				names = append(names, x.gate)
			}
		}
		if len(names) > 0 {
			all = append(all, judge.GuardChange{Path: c.New, Was: c.Old, Content: c.NewID, Mode: modeWords(c), Gates: names})
		}
	}
	return all, nil
}

// relianceOf is what a gate relies on by the merge base and by where the work
// began: what the branch already held then is no worker's to change unseen.
func (r *run) relianceOf(g config.Gate) (reliance, error) {
	x, err := r.c.relianceOf(g, r.view.MergeBase)
	if began, known := r.began(); err == nil && known && began != r.view.MergeBase {
		var then reliance
		then, err = r.c.relianceOf(g, began)
		x.globs = unique(append(x.globs, then.globs...))
		maps.Copy(x.exact, then.exact)
	}
	return x, err
}

// settingsChange compares the tracked settings of a head with those of the start.
// Only what would change the pinned settings counts, and a file that cannot be
// read any more would change all of them.
func (r *run) settingsChange(pin config.Pin, head string) (judge.GuardChange, bool, error) {
	then, known := r.trackedAtStart()
	if !known {
		return judge.GuardChange{}, false, nil
	}
	now, content := []byte(nil), strings.Repeat("0", len(head))
	if o, err := r.c.repo.Object(head + ":" + settingsName); err == nil && o.Type == "blob" {
		now, content = o.Data, o.ID
	}
	if bytes.Equal(then, now) && (then == nil) == (now == nil) {
		return judge.GuardChange{}, false, nil
	}
	sources, err := r.c.sources()
	if err != nil {
		return judge.GuardChange{}, false, err
	}
	loaded, defects := config.Load(withTracked(sources, now), nil)
	same := len(defects) == 0 && bytes.Equal(loaded.Pin().JSON(), pin.JSON())
	return judge.GuardChange{Path: settingsName, Was: settingsName, Content: content}, !same, nil
}

// guardLines is what the package says of changed guards.
func (r *run) guardLines(changes []judge.GuardChange) []prompt.GuardChange {
	var all []prompt.GuardChange
	for _, c := range changes {
		line := prompt.GuardChange{Path: c.Path, Was: c.Was, Content: c.Content, Mode: c.Mode, Gates: strings.Join(c.Gates, ", "), State: "a finding of this review, unless git sdd decide guard-ok comes first"}
		if len(c.Gates) == 0 {
			line.Gates = "every gate: it holds their settings"
		}
		if ruling, ok := c.Accepted(r.view); ok {
			line.State = "accepted by the ruling of r" + itoa(ruling.Revision)
		} else if f, ok := c.Finding(r.view); ok {
			line.State = "finding " + f.ID
		}
		all = append(all, line)
	}
	return all
}
