package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// lockReason says whose a checkout is, for whoever finds it later.
func lockReason() string {
	return fmt.Sprintf("%s, process %d on %s", checkoutReason, os.Getpid(), hostName())
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(name), "-")
}

// Leftovers removes the checkouts that an earlier process of ours left behind:
// those whose process is gone, on this host, and that hold nothing but what was
// checked out. It returns the folders of the others whose process is gone; what
// is in those is for a human to look at. Before it looks into one, noted is given
// the note that was left with it.
func (r *Repo) Leftovers(noted func(note string)) (kept []string) {
	admin := filepath.Join(r.CommonDir(), "worktrees")
	entries, err := os.ReadDir(admin)
	if err != nil {
		return nil // the usual case: no worktree at all
	}
	for _, e := range entries {
		c, abandoned := r.abandoned(filepath.Join(admin, e.Name()))
		if !abandoned {
			continue
		}
		if note, err := os.ReadFile(filepath.Join(c.around, noteName)); err == nil {
			noted(string(note))
		}
		if !c.untouched() || c.Remove() != nil {
			kept = append(kept, c.dir)
		}
	}
	return kept
}

// Abandoned returns the folders of the checkouts that [Repo.Leftovers] would look
// at, and touches none.
func (r *Repo) Abandoned() []string {
	admin := filepath.Join(r.CommonDir(), "worktrees")
	entries, err := os.ReadDir(admin)
	if err != nil {
		return nil
	}
	var dirs []string
	for _, e := range entries {
		if c, abandoned := r.abandoned(filepath.Join(admin, e.Name())); abandoned {
			dirs = append(dirs, c.dir)
		}
	}
	return dirs
}

// abandoned reads whether a linked worktree is a checkout of ours whose process
// is gone.
func (r *Repo) abandoned(admin string) (*Checkout, bool) {
	reason, err := os.ReadFile(filepath.Join(admin, "locked"))
	if err != nil {
		return nil, false
	}
	rest, ours := strings.CutPrefix(strings.TrimSpace(string(reason)), checkoutReason+", process ")
	number, host, ok := strings.Cut(rest, " on ")
	pid, err := strconv.Atoi(number)
	if !ours || !ok || err != nil || host != hostName() || alive(pid) {
		return nil, false
	}
	dir, ok := registered(admin)
	around := filepath.Dir(dir)
	if !ok || !strings.HasPrefix(filepath.Base(around), "git-sdd-") {
		return nil, false
	}
	return &Checkout{repo: r, dir: dir, around: around}, true
}

// registered is where git believes that a linked worktree is.
func registered(admin string) (dir string, ok bool) {
	link, err := os.ReadFile(filepath.Join(admin, "gitdir"))
	if err != nil {
		return "", false
	}
	dir = filepath.Dir(strings.TrimSpace(string(link)))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(admin, dir)
	}
	return dir, true
}

// untouched reports whether a checkout holds what was checked out and no more,
// or never got that far.
func (c *Checkout) untouched() bool {
	entries, err := os.ReadDir(c.dir)
	if err != nil || len(entries) == 1 && entries[0].Name() == ".git" {
		return true
	}
	out, err := c.inside("status", "--porcelain", "--untracked-files=all", "--ignore-submodules=none")
	return err == nil && len(out) == 0
}
