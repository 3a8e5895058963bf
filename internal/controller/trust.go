package controller

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
)

// trustName is the file of this clone that holds the contents of tracked
// settings whose gates may run, one object name a line (architecture: trust). A
// line "-<object name>" takes back what stands above it. Lines are only ever
// added, so that no two commands at once undo each other.
const trustName = "git-sdd-trust"

// Trusted is the answer of `trust`.
type Trusted struct {
	Schema  string        `json:"schema"`
	Blob    string        `json:"blob"`
	Trusted bool          `json:"trusted"`
	Gates   []TrustedGate `json:"gates"`
}

// TrustedGate is a command that trust lets run.
type TrustedGate struct {
	Name    string   `json:"name"`
	Command []string `json:"command"`
	Guard   []string `json:"guard"` // null where the defaults of the runner hold
	Timeout string   `json:"timeout"`
}

// TrustOptions say which content of the tracked settings is meant.
type TrustOptions struct {
	Blob   string // its object name; "" for the file as it lies in the work tree
	Look   bool   // say what is there and record nothing
	Revoke bool   // take the trust back
}

// Trust records that the gates of a tracked settings file may run, for exactly
// this content: a changed file asks again.
func (c *Controller) Trust(_ context.Context, o TrustOptions) (*Trusted, error) {
	if !o.Look {
		if err := c.refuseChild(); err != nil {
			return nil, err
		}
	}
	id, data, err := c.settingsBlob(o.Blob)
	if err != nil {
		return nil, err
	}
	gates, err := c.trackedGates(data)
	if err != nil {
		return nil, err
	}
	known, err := c.trustedBlobs()
	if err != nil {
		return nil, err
	}
	out := &Trusted{Schema: "git-sdd/trust/1", Blob: id, Trusted: slices.Contains(known, id), Gates: []TrustedGate{}}
	for _, g := range gates {
		out.Gates = append(out.Gates, TrustedGate{g.Name, g.Command, g.Guard, (time.Duration(g.TimeoutMS) * time.Millisecond).String()})
	}
	if o.Look || out.Trusted != o.Revoke {
		return out, nil
	}
	out.Trusted = !o.Revoke
	if o.Revoke {
		id = revoked + id
	}
	return out, c.addTrust(id)
}

// settingsBlob returns the content that is meant, and its object name.
func (c *Controller) settingsBlob(id string) (string, []byte, error) {
	var here []byte
	if top := c.repo.WorkTree(); top != "" {
		data, err := readBounded(filepath.Join(top, settingsName), config.MaxSource+1)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", nil, fault.New(fault.Invalid, "make "+settingsName+" readable", "the settings cannot be read: %w", err)
		}
		here = data
	}
	hereID := c.repo.BlobID(here)
	if id == "" && here == nil {
		return "", nil, fault.New(fault.Invalid, "git sdd config list --show-origin", "there is no %s in the work tree: nothing asks for trust", settingsName)
	}
	if id == "" || id == hereID && here != nil {
		return hereID, here, nil
	}
	if !git.IsID(c.repo.ObjectFormat(), id) {
		return "", nil, fault.New(fault.Invalid, "git sdd trust --blob "+hereID, "%q is not a full object name", id)
	}
	o, err := c.repo.Object(id)
	if err != nil || o.Type != "blob" || len(o.Data) > config.MaxSource {
		return "", nil, fault.New(fault.Invalid, "git sdd trust", "%s is no content of %s that is here", short(id), settingsName)
	}
	return id, o.Data, nil
}

// trackedGates returns the gates whose command a tracked content gives.
func (c *Controller) trackedGates(data []byte) ([]config.Gate, error) {
	sources, err := c.sources()
	if err != nil {
		return nil, err
	}
	// By itself, so that no other layer hides what the file would run; with the
	// others where it leaves something to them.
	loaded, defects := config.Load(withTracked(nil, data), nil)
	if len(defects) > 0 {
		loaded, defects = config.Load(withTracked(sources, data), nil)
	}
	if len(defects) > 0 {
		return nil, settingsFault(defects)
	}
	var gates []config.Gate
	for _, g := range loaded.Pin().Gates() {
		if g.Layer == config.Tracked {
			gates = append(gates, g)
		}
	}
	return gates, nil
}

// trustedBlobs reads the trusted contents, oldest first.
func (c *Controller) trustedBlobs() ([]string, error) {
	data, err := os.ReadFile(filepath.Join(c.repo.CommonDir(), trustName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, "make "+shellWord(filepath.Join(c.repo.CommonDir(), trustName))+" readable", "what is trusted cannot be read: %w", err)
	}
	var ids []string
	for line := range strings.SplitSeq(string(data), "\n") {
		id, back := strings.CutPrefix(strings.TrimSpace(line), revoked)
		if !git.IsID(c.repo.ObjectFormat(), id) {
			continue
		}
		ids = slices.DeleteFunc(ids, func(k string) bool { return k == id })
		if !back {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// revoked begins a line that takes trust back.
const revoked = "-"

// addTrust adds one line in one write. One that was cut short before it, or
// written by hand without an end, is ended first.
func (c *Controller) addTrust(line string) error {
	path := filepath.Join(c.repo.CommonDir(), trustName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		if info, failed := f.Stat(); failed == nil && info.Size() > 0 {
			last := []byte{0}
			if _, failed := f.ReadAt(last, info.Size()-1); failed == nil && last[0] != '\n' {
				line = "\n" + line
			}
		}
		_, err = f.WriteString(line + "\n")
		err = errors.Join(err, f.Sync(), f.Close())
	}
	if err != nil {
		return fault.New(fault.Invalid, "make "+shellWord(path)+" writable", "trust cannot be recorded: %w", err)
	}
	return nil
}
