package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A Footprint is all of a repository that a program could write to by naming it:
// refs, HEAD, index and work tree, settings and hooks. It is taken before and
// after something ran that should have touched none of it.
type Footprint struct {
	Observation
	refs    map[string]string
	ledgers map[string]string
	digests []string // of what digested names, in that order
}

// ledgerRefs are ours, and other commands may move them at any time: what a move
// means takes more than a look.
var ledgerRefs = []string{"refs/sdd/", "refs/sdd-pins/", "refs/sdd-rulings/", "refs/sdd-remotes/"}

// Footprints looks at the repository now. A bare one has no work tree and no
// index that could be written to.
func Footprints(repo *git.Repo) (Footprint, error) {
	f := Footprint{refs: map[string]string{}, ledgers: map[string]string{}}
	if repo.WorkTree() != "" {
		o, err := Observe(repo)
		if err != nil {
			return Footprint{}, err
		}
		f.Observation = o
	}
	branch, err := repo.BranchNow()
	if err != nil {
		return Footprint{}, err
	}
	f.Branch = branch
	refs, err := repo.Refs("refs/")
	if err != nil {
		return Footprint{}, err
	}
	for _, ref := range refs {
		if startsWithAny(ref.Name, ledgerRefs) {
			f.ledgers[ref.Name] = ref.ID
		} else {
			f.refs[ref.Name] = ref.ID
		}
	}
	for _, group := range digested {
		sum, err := digest(group.files(repo))
		if err != nil {
			return Footprint{}, err
		}
		f.digests = append(f.digests, sum)
	}
	return f, nil
}

func startsWithAny(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// digested are the files of the git directory that make git or git-sdd behave in
// another way.
var digested = []struct {
	name  string
	files func(*git.Repo) []string
}{
	{"git's settings of the repository", func(repo *git.Repo) []string {
		info := filepath.Join(repo.CommonDir(), "info")
		return []string{
			filepath.Join(repo.CommonDir(), "config"), filepath.Join(repo.GitDir(), "config.worktree"),
			filepath.Join(info, "attributes"), filepath.Join(info, "exclude"), filepath.Join(info, "grafts"), filepath.Join(info, "sparse-checkout"),
		}
	}},
	{"hooks of the repository", func(repo *git.Repo) []string {
		dir := filepath.Join(repo.CommonDir(), "hooks")
		entries, _ := os.ReadDir(dir) // no folder, no hook
		var all []string
		for _, e := range entries {
			all = append(all, filepath.Join(dir, e.Name()))
		}
		return all
	}},
	{"git-sdd's settings of this clone", func(repo *git.Repo) []string {
		return []string{filepath.Join(repo.CommonDir(), "git-sdd.toml"), filepath.Join(repo.CommonDir(), "git-sdd-trust")}
	}},
}

// digest names the contents of files. One that is not there, or is a folder, has
// none.
func digest(paths []string) (string, error) {
	h := sha256.New()
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %s %d\n", path, info.Mode(), info.Size())
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Since names what is not as the earlier footprint had it.
func (f Footprint) Since(earlier Footprint) []string {
	all := differing(f.refs, earlier.refs)
	if f.Head != earlier.Head || f.Branch != earlier.Branch {
		all = append(all, "HEAD")
	}
	for i, group := range digested {
		if f.digests[i] != earlier.digests[i] {
			all = append(all, group.name)
		}
	}
	for _, path := range f.Changed(earlier.Observation) {
		all = append(all, fmt.Sprintf("%q in the work tree", path))
	}
	return all
}

// A Move is a ref that is not where it was; From or To is "" where it was not, or
// is not any more.
type Move struct{ Ref, From, To string }

// Ledgers returns the refs of git-sdd's own that moved since the earlier
// footprint, by name.
func (f Footprint) Ledgers(earlier Footprint) []Move {
	var all []Move
	for _, name := range differing(f.ledgers, earlier.ledgers) {
		all = append(all, Move{name, earlier.ledgers[name], f.ledgers[name]})
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
