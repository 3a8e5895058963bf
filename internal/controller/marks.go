package controller

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/verify"
)

// A mark says up to which commit this very program verified a run in this clone,
// so that the next verification goes on from there. It lies beside the refs that
// it speaks of, in the common directory: whoever can write it can also write the
// refs, the objects and the program, so it gives away nothing that was safe. It
// The pins are another chain: where they are not the ones of then, or go on from
// them, all is looked at again. It travels nowhere: a fresh clone, and CI with it, begins at the root, and --full
// does so here. A mark counts only for a commit that is still in the chain, and
// a commit's id is the digest of everything before it.
type mark struct {
	Schema   string `json:"schema"`
	Program  string `json:"program"`
	Commit   string `json:"commit"`
	Revision int    `json:"revision"`
	Pins     string `json:"pins"` // what held the code then, "" for nothing
}

const markSchema = "git-sdd/verified/1"

// maxMark bounds a mark, in bytes; a path is the longest of it.
const maxMark = 64 << 10

func (c *Controller) markPath(id ledger.RunID) string {
	return filepath.Join(c.repo.CommonDir(), "git-sdd", "verified", id.String())
}

// program identifies the executable that runs: another build may check more.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d %s", info.Size(), info.ModTime().UnixNano(), path)
}

// readMark returns where an earlier verification ended, or nil. Any doubt begins
// at the root.
func (c *Controller) readMark(id ledger.RunID) *verify.Mark {
	path := c.markPath(id)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxMark {
		return nil // a pipe would never end
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var m mark
	if json.Unmarshal(data, &m) != nil || m.Schema != markSchema || m.Program == "" || m.Program != program() || m.Revision < 0 || !c.holdsPins(id, m.Pins) {
		return nil
	}
	return &verify.Mark{Commit: m.Commit, Revision: m.Revision}
}

// holdsPins reports whether the run's pins are still those that were verified, or
// go on from them.
func (c *Controller) holdsPins(id ledger.RunID, verified string) bool {
	now := c.pinsOf(id)
	if now == verified {
		return true
	}
	if now == "" || verified == "" {
		return false
	}
	after, err := c.repo.IsAncestor(verified, now)
	return err == nil && after
}

// pinsOf is where the run's pins end, "" where it has none here.
func (c *Controller) pinsOf(id ledger.RunID) string {
	tip, err := c.repo.Resolve(id.PinRef())
	if err != nil {
		return ""
	}
	return tip
}

// writeMark remembers a verification that held, with the pins from before it. A mark that cannot be written
// costs the next verification its time, nothing else.
func (c *Controller) writeMark(id ledger.RunID, res verify.Result, pins string) {
	if res.Outcome != verify.Verified {
		_ = os.Remove(c.markPath(id))
		return
	}
	data, err := json.Marshal(mark{Schema: markSchema, Program: program(), Commit: res.Tip, Revision: res.Revisions - 1, Pins: pins})
	if err != nil {
		return
	}
	path := c.markPath(id)
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if closeErr := tmp.Close(); err == nil && closeErr == nil {
		_ = os.Rename(tmp.Name(), path)
	}
}
