package verify

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// checkShelved holds the paths that a ruling shelves to its commit, where that is
// here and always pinned, and to the patch. The two are not compared line by line: how a patch is
// written is the user's git's affair.
func (c *check) checkShelved(n int, r machine.Ruling) error {
	patch, err := c.tree.file(string(r.Artifact))
	if err != nil && !errors.Is(err, ledger.ErrNoFile) {
		return err
	}
	if bytes.HasPrefix(patch, []byte("The patch has ")) {
		return nil // it is too large for the ledger; the commit holds it
	}
	for _, p := range r.Paths {
		if plainPath(p) && !bytes.Contains(append([]byte{'\n'}, patch...), fmt.Appendf(nil, "\ndiff --git a/%s b/%s\n", p, p)) {
			c.res.add(n, "ruling", "%q was shelved, and the patch does not hold it", p)
		}
	}
	if r.Blob == "" {
		c.res.add(n, "unattested", "%s names no commit", r.Decision)
		return nil
	}
	commit := string(r.Blob)
	c.attested.hold(commit)
	return c.checkSnapshot(n, commit, r.Paths)
}

// plainPath reports whether git writes a path into a patch as it is.
func plainPath(p string) bool {
	return !strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' })
}

func (c *check) checkSnapshot(n int, commit string, paths []string) error {
	changed, err := c.repo.ChangedPaths(commit+"^", commit)
	var failed *git.CmdError
	if errors.As(err, &failed) && c.ctx.Err() == nil {
		return nil // it is not here; that is told with the pins
	}
	if err != nil {
		return err
	}
	for _, p := range paths {
		if !slices.Contains(changed, p) {
			c.res.add(n, "ruling", "%q was shelved, and commit %s does not hold it", p, commit)
		}
	}
	return nil
}
