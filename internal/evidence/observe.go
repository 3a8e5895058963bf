// Package evidence gathers facts about work from Git history and the work tree:
// what a dispatch saw, what changed since, which range a report speaks of.
//
// A fact is observed by git-sdd itself and never taken from a child's word. What
// is done about it is decided elsewhere.
package evidence

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
)

// workspaceDir is the folder of materialised artifacts. It is ours and never
// part of what is observed (architecture: facts, observed).
const workspaceDir = ".git-sdd/"

// absent stands where the index or the work tree has no such path.
const absent = "-"

// schema is the first line of an encoded observation.
const schema = "git-sdd/observed/1"

// A Path is one path that differs from HEAD in index or work tree, or is
// untracked and not ignored. Index and Work are "<mode>:<content id>" or "-".
type Path struct {
	Name  string
	Index string
	Work  string
}

// An Observation is what one moment saw: HEAD, the branch, the heads of the
// other branches and the stash, and every path that is not as HEAD has it.
type Observation struct {
	Head   string
	Branch string
	Refs   map[string]string // full ref name to object name, without the observed branch
	Paths  []Path            // by name
}

// Observe looks at the repository's work tree now.
func Observe(repo *git.Repo) (Observation, error) {
	head, err := repo.Resolve("HEAD^{commit}")
	if err != nil {
		return Observation{}, err
	}
	o := Observation{Head: head, Branch: repo.Branch()}
	if o.Refs, err = repo.BranchHeads(); err != nil {
		return Observation{}, err
	}
	delete(o.Refs, "refs/heads/"+o.Branch)
	o.Refs = condensed(o.Refs)
	entries, err := repo.Status()
	if err != nil {
		return Observation{}, err
	}
	o.Paths, err = pathsOf(repo, entries)
	return o, err
}

// maxRefs is how many other branches an observation names one by one. Beyond it
// a single entry stands for all of them: the artifact must not grow with the
// repository, and that something moved is still seen.
const maxRefs = 1000

func condensed(refs map[string]string) map[string]string {
	if len(refs) <= maxRefs {
		return refs
	}
	names := make([]string, 0, len(refs))
	for name := range refs {
		names = append(names, name)
	}
	sort.Strings(names)
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%s %s\n", refs[name], name)
	}
	return map[string]string{fmt.Sprintf("(all %d)", len(refs)): hex.EncodeToString(h.Sum(nil))}
}

func pathsOf(repo *git.Repo, entries []git.StatusEntry) ([]Path, error) {
	var paths []Path
	var toHash []string
	for _, e := range entries {
		if strings.HasPrefix(e.Path, workspaceDir) {
			continue
		}
		paths = append(paths, Path{Name: e.Path, Index: indexSide(e), Work: workSide(e)})
		toHash = append(toHash, e.Path)
	}
	ids, err := repo.HashFiles(toHash)
	if err != nil {
		return nil, err
	}
	for i := range paths {
		if paths[i].Work == absent {
			continue
		}
		paths[i].Work += ":" + orAbsent(ids[i])
	}
	sort.Slice(paths, func(i, j int) bool { return paths[i].Name < paths[j].Name })
	return paths, nil
}

func indexSide(e git.StatusEntry) string {
	if e.IndexID == "" || strings.Trim(e.IndexMode, "0") == "" {
		return absent
	}
	return e.IndexMode + ":" + e.IndexID
}

// workSide is the mode of the path in the work tree; a submodule also carries
// its flags, since its content is not ours to hash.
func workSide(e git.StatusEntry) string {
	switch {
	case e.Untracked():
		return "?"
	case strings.Trim(e.WorkMode, "0") == "":
		return absent
	case strings.HasPrefix(e.Submodule, "S"):
		return e.WorkMode + "/" + e.Submodule
	}
	return e.WorkMode
}

func orAbsent(s string) string {
	if s == "" {
		return absent
	}
	return s
}

// Untracked reports whether git did not track the path.
func (p Path) Untracked() bool { return p.Index == absent && strings.HasPrefix(p.Work, "?") }

// Path returns what was seen of one path; ok is false where it was as HEAD had
// it, or ignored.
func (o Observation) Path(name string) (p Path, ok bool) {
	for _, p := range o.Paths {
		if p.Name == name {
			return p, true
		}
	}
	return Path{}, false
}

// WithoutUntracked returns the observation without one path that git does not
// track, if it was seen.
func (o Observation) WithoutUntracked(name string) Observation {
	o.Paths = slices.DeleteFunc(slices.Clone(o.Paths), func(p Path) bool { return p.Name == name && p.Untracked() })
	return o
}

// Encode writes the observation as the artifact that a dispatch stores.
func (o Observation) Encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nhead %s\nbranch %s\n", schema, o.Head, strconv.Quote(o.Branch))
	names := make([]string, 0, len(o.Refs))
	for name := range o.Refs {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(&b, "ref %s %s\n", o.Refs[name], strconv.Quote(name))
	}
	for _, p := range o.Paths {
		fmt.Fprintf(&b, "path %s %s %s\n", p.Index, p.Work, strconv.Quote(p.Name))
	}
	return b.Bytes()
}

// Decode reads an observation back. A line that Encode would not write is an
// error with its number.
func Decode(data []byte) (Observation, error) {
	o := Observation{Refs: map[string]string{}}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		if err := o.decodeLine(n, lines.Text()); err != nil {
			return Observation{}, fmt.Errorf("observation line %d: %w", n, err)
		}
	}
	if o.Head == "" {
		return Observation{}, fmt.Errorf("observation has no head")
	}
	return o, nil
}

func (o *Observation) decodeLine(n int, line string) error {
	if n == 1 {
		if line != schema {
			return fmt.Errorf("%q is not %s", line, schema)
		}
		return nil
	}
	key, rest, _ := strings.Cut(line, " ")
	fields := strings.SplitN(rest, " ", 3)
	last, err := unquoteLast(key, fields)
	if err != nil {
		return err
	}
	switch {
	case key == "head" && len(fields) == 1:
		o.Head = fields[0]
	case key == "branch" && len(fields) >= 1:
		o.Branch, err = strconv.Unquote(rest)
	case key == "ref" && len(fields) >= 2:
		o.Refs[last] = fields[0]
	case key == "path" && len(fields) == 3:
		o.Paths = append(o.Paths, Path{Name: last, Index: fields[0], Work: fields[1]})
	default:
		return fmt.Errorf("%q is not a line of an observation", line)
	}
	return err
}

// unquoteLast returns the quoted name that ends a ref or path line.
func unquoteLast(key string, fields []string) (string, error) {
	first := map[string]int{"ref": 1, "path": 2}[key]
	if first == 0 || len(fields) <= first {
		return "", nil
	}
	return strconv.Unquote(strings.Join(fields[first:], " "))
}

// Beyond returns the names of the paths that are not as HEAD has them now and
// were not just so in the earlier observation: what somebody left uncommitted.
func (o Observation) Beyond(earlier Observation) []string {
	stood := map[Path]bool{}
	for _, p := range earlier.Paths {
		stood[p] = true
	}
	var names []string
	for _, p := range o.Paths {
		if !stood[p] {
			names = append(names, p.Name)
		}
	}
	return names
}

// Changed returns the names of the paths that are not as the earlier
// observation saw them, those included that now are as HEAD has them.
func (o Observation) Changed(earlier Observation) []string {
	names := append(o.Beyond(earlier), onlyIn(earlier, o)...)
	sort.Strings(names)
	return compact(names)
}

func onlyIn(a, b Observation) []string {
	has := map[string]bool{}
	for _, p := range b.Paths {
		has[p.Name] = true
	}
	var names []string
	for _, p := range a.Paths {
		if !has[p.Name] {
			names = append(names, p.Name)
		}
	}
	return names
}

func compact(sorted []string) []string {
	out := sorted[:0]
	for i, s := range sorted {
		if i == 0 || s != sorted[i-1] {
			out = append(out, s)
		}
	}
	return out
}

// MovedRefs names the other branches, and the stash, that are not where the
// earlier observation saw them. Worktrees share them, so this is told and
// refuses nothing.
func (o Observation) MovedRefs(earlier Observation) []string { return differing(o.Refs, earlier.Refs) }
