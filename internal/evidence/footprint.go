package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A Footprint is all of a repository that a program could write to by naming it:
// refs, HEAD, index and work tree, and git's own settings. It is taken before and
// after something ran that should have touched none of it.
type Footprint struct {
	Observation
	refs   map[string]string
	config string
}

// ledgerRefs are ours, and other commands may move them at any time.
var ledgerRefs = []string{"refs/sdd/", "refs/sdd-pins/", "refs/sdd-rulings/", "refs/sdd-remotes/"}

// Footprints looks at the repository now.
func Footprints(repo *git.Repo) (Footprint, error) {
	o, err := Observe(repo)
	if err != nil {
		return Footprint{}, err
	}
	f := Footprint{Observation: o, refs: map[string]string{}}
	refs, err := repo.Refs("refs/")
	if err != nil {
		return Footprint{}, err
	}
	for _, ref := range refs {
		if !startsWithAny(ref.Name, ledgerRefs) {
			f.refs[ref.Name] = ref.ID
		}
	}
	f.config, err = settingsDigest(repo)
	return f, err
}

func startsWithAny(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// settingsDigest names the contents of the repository's own settings.
func settingsDigest(repo *git.Repo) (string, error) {
	h := sha256.New()
	for _, path := range []string{filepath.Join(repo.CommonDir(), "config"), filepath.Join(repo.GitDir(), "config.worktree")} {
		data, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		fmt.Fprintf(h, "%d\n%s", len(data), data)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Since names what is not as the earlier footprint had it.
func (f Footprint) Since(earlier Footprint) []string {
	all := differing(f.refs, earlier.refs)
	if f.Head != earlier.Head || f.Branch != earlier.Branch {
		all = append(all, "HEAD")
	}
	if f.config != earlier.config {
		all = append(all, "git's settings of the repository")
	}
	for _, path := range f.Changed(earlier.Observation) {
		all = append(all, fmt.Sprintf("%q in the work tree", path))
	}
	return all
}

// differing returns the names that stand for something else in the two maps, or
// only in one of them, in their order.
func differing(now, earlier map[string]string) []string {
	var names []string
	for name, id := range now {
		if earlier[name] != id {
			names = append(names, name)
		}
	}
	for name := range earlier {
		if _, ok := now[name]; !ok {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}
