package verify

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
)

// The names in the tree of every revision (architecture: the ledger).
const (
	stateFile    = "state.json"
	eventFile    = "event.json"
	planFile     = "plan.md"
	settingsFile = "artifacts/settings.json"
)

// artifactForm is every name that may lie beneath artifacts/.
var artifactForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^artifacts/(settings\.json|(task-[1-9][0-9]{0,2}|final)/(brief\.md|` +
		`proof-[1-9][0-9]*-[a-z0-9][a-z0-9-]{0,31}-(head|control)\.txt|` +
		`(implementer|task-reviewer|fixer|re-reviewer|final|final-fixer|final-re-reviewer)-[1-9][0-9]*(-r[1-5])?` +
		`\.(prompt\.md|bootstrap\.txt|context\.md|package\.md|observed\.txt|report\.md|answer\.md|shelved\.patch|output-[1-9][0-9]*\.txt|refused-[1-9][0-9]*\.md|gate-[a-z0-9][a-z0-9-]{0,31}\.txt)))$`)
})

// A tree is the content of the last revision: every artifact by its path. Only
// what changed since the revision before is read.
type tree struct {
	repo  *git.Repo
	dirs  map[string]string // folder to tree id, "" for the root
	files map[string]string // path to blob id
}

// load reads a revision's whole tree, when a walk begins in the middle.
func (t *tree) load(commit string) error {
	root, err := t.repo.TreeOf(commit)
	if err != nil {
		return fmt.Errorf("%w: tree of %s: %w", ledger.ErrIncomplete, commit, err)
	}
	_, err = t.next(root, func(string, string) {})
	return err
}

// next moves on to the root tree of a revision and returns the artifacts that it
// added.
// What is not of the layout, and what changed or vanished, is told.
func (t *tree) next(root string, tell func(kind, message string)) ([]string, error) {
	was := t.files
	r := reading{tree: tree{repo: t.repo, dirs: map[string]string{}, files: map[string]string{}}, old: t, tell: tell}
	if err := r.dir("", root); err != nil {
		return nil, err
	}
	*t = r.tree
	var added []string
	for path, id := range t.files {
		switch old, ok := was[path]; {
		case path == stateFile || path == eventFile:
		case !ok:
			added = append(added, path)
		case old != id:
			tell("tree", fmt.Sprintf("%s changed; later revisions only add", path))
		}
	}
	for path := range was {
		if _, ok := t.files[path]; !ok {
			tell("tree", fmt.Sprintf("%s vanished; later revisions only add", path))
		}
	}
	for _, path := range []string{stateFile, eventFile, planFile, settingsFile} {
		if t.files[path] == "" {
			tell("tree", fmt.Sprintf("%s is missing", path))
		}
	}
	slices.Sort(added)
	return added, nil
}

// A reading is one revision's tree while it is read.
type reading struct {
	tree
	old  *tree
	tell func(kind, message string)
}

// dir reads one folder, or takes it over from the revision before when its id is
// the same.
func (r *reading) dir(name, id string) error {
	r.dirs[name] = id
	if name != "" && r.old.dirs[name] == id {
		r.takeOver(name)
		return nil
	}
	o, err := r.repo.Object(id)
	switch {
	case errors.Is(err, git.ErrMissing):
		return fmt.Errorf("%w: tree %s", ledger.ErrIncomplete, id)
	case err != nil:
		return fmt.Errorf("%w: tree %s: %w", ledger.ErrCorrupt, id, err)
	case o.Type != "tree" || r.repo.ObjectID("tree", o.Data) != id:
		return fmt.Errorf("%w: %s is not the tree of that name", ledger.ErrCorrupt, id)
	}
	entries, err := git.ParseTree(r.repo.ObjectFormat(), o.Data)
	if err != nil {
		return fmt.Errorf("%w: tree %s: %w", ledger.ErrCorrupt, id, err)
	}
	if same, err := git.EncodeTree(r.repo.ObjectFormat(), entries); err != nil || !bytes.Equal(same, o.Data) {
		r.tell("tree", fmt.Sprintf("the tree %q is not in the form in which git writes it", name))
	}
	seen := map[string]bool{}
	for _, e := range entries {
		path := name + e.Name
		if seen[e.Name] {
			r.tell("tree", fmt.Sprintf("%q stands twice", path))
		}
		seen[e.Name] = true
		if err := r.entry(path, e); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) entry(path string, e git.TreeEntry) error {
	switch {
	case e.Mode == git.ModeTree && isFolder(path):
		return r.dir(path+"/", e.ID)
	case e.Mode == git.ModeFile && isFile(path):
		r.files[path] = e.ID
	default:
		r.tell("tree", fmt.Sprintf("%q with mode %o is not of the layout", path, e.Mode))
	}
	return nil
}

func isFolder(path string) bool {
	return path == "artifacts" || path == "artifacts/final" || folderForm().MatchString(path)
}

var folderForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^artifacts/task-[1-9][0-9]{0,2}$`)
})

func isFile(path string) bool {
	return path == stateFile || path == eventFile || path == planFile || artifactForm().MatchString(path)
}

func (r *reading) takeOver(dir string) {
	for path, id := range r.old.files {
		if strings.HasPrefix(path, dir) {
			r.files[path] = id
		}
	}
	for sub, id := range maps.Clone(r.old.dirs) {
		if strings.HasPrefix(sub, dir) {
			r.dirs[sub] = id
		}
	}
}

// file reads one file of the revision.
func (t *tree) file(path string) ([]byte, error) {
	id := t.files[path]
	if id == "" {
		return nil, fmt.Errorf("%w: %s", ledger.ErrNoFile, path)
	}
	o, err := t.repo.Object(id)
	if errors.Is(err, git.ErrMissing) {
		return nil, fmt.Errorf("%w: %s", ledger.ErrIncomplete, path)
	}
	if err == nil && !t.holds(path, o.Data) {
		return nil, fmt.Errorf("%w: %s is not the object of its name", ledger.ErrCorrupt, path)
	}
	return o.Data, err
}

// holds reports whether the bytes are what the tree has at the path: git gives
// out what a loose object's file holds, whatever its name.
func (t *tree) holds(path string, data []byte) bool {
	return t.repo.ObjectID("blob", data) == t.files[path]
}
