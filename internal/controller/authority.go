package controller

import (
	"path/filepath"
	"slices"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
)

// began is the commit at which the first task began, false before that.
func (r *run) began() (commit string, known bool) {
	if len(r.view.Evidence.Tasks) == 0 || r.view.Evidence.Tasks[0].Base == nil {
		return "", false
	}
	return r.view.Evidence.Tasks[0].Base.Commit, true
}

// trackedAtStart is the content of the tracked settings where the first task
// began, before any worker could change it: nil for no such file, false before
// the first dispatch.
func (r *run) trackedAtStart() ([]byte, bool) {
	began, known := r.began()
	if !known {
		return nil, false
	}
	o, err := r.c.repo.Object(began + ":" + settingsName)
	if err != nil || o.Type != "blob" || len(o.Data) > config.MaxSource {
		return nil, true
	}
	return o.Data, true
}

// mayRun refuses a pinned gate that nobody lets run here. A pin is read from the
// ledger, which anybody can write who can write to the clone: its commands run
// only where the user's own settings still say the same, or where the tracked
// content that says it is trusted (architecture: trust). Again is the command that
// goes on then.
func (r *run) mayRun(g config.Gate, again string) error {
	own, err := r.c.settings()
	if err != nil {
		return err
	}
	if now, ok := own.Pin().Gate(g.Name); ok && now.Layer != config.Tracked && slices.Equal(now.Command, g.Command) {
		return nil
	}
	if g.Layer != config.Tracked {
		return fault.New(fault.Refused, "put the command back into your settings, then "+again+"; or git sdd abandon --reason <reason>",
			"gate %q of this run is %q, and your settings do not say so any more", g.Name, g.Command)
	}
	known, err := r.c.trustedBlobs()
	if err != nil {
		return err
	}
	asks := ""
	for _, content := range r.trackedContents() {
		if !r.c.defines(content, g) {
			continue
		}
		id := r.c.repo.BlobID(content)
		if slices.Contains(known, id) {
			return nil
		}
		if asks == "" {
			asks = " --blob " + id
		}
	}
	return fault.New(fault.Waiting, "git sdd trust"+asks, "gate %q is %q, from the tracked %s, which is not trusted in this clone", g.Name, g.Command, settingsName)
}

// trackedContents are those of the tracked settings that a run may go back to: as
// they were where the work began, and as they lie in the work tree.
func (r *run) trackedContents() [][]byte {
	var all [][]byte
	if then, ok := r.trackedAtStart(); ok && then != nil {
		all = append(all, then)
	}
	if data, err := readBounded(filepath.Join(r.view.Worktree, settingsName), config.MaxSource+1); err == nil {
		all = append(all, data)
	}
	return all
}

// defines reports whether a tracked content gives the gate this very command.
func (c *Controller) defines(content []byte, g config.Gate) bool {
	gates, err := c.trackedGates(content)
	return err == nil && slices.ContainsFunc(gates, func(k config.Gate) bool {
		return k.Name == g.Name && slices.Equal(k.Command, g.Command)
	})
}
