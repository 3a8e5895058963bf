package controller

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/argv"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/git"
)

// A reliance is the files that a gate relies on to say what it says: what the
// checked must not change unseen.
type reliance struct {
	gate  string
	globs []string
	exact map[string]bool
}

func (x reliance) holds(p string) bool { return x.exact[p] || config.MatchAny(x.globs, p) }

// relianceOf is what the settings name as a gate's guard; where they say nothing,
// the files of its runner, the paths in its command, and every script that one of
// these mentions at the given commit.
func (c *Controller) relianceOf(g config.Gate, commit string) (reliance, error) {
	x := reliance{gate: g.Name, globs: g.Guard, exact: map[string]bool{}}
	if g.Guard != nil {
		return x, nil
	}
	tree, err := c.listing(commit)
	if err != nil {
		return x, err
	}
	var words []string
	x.globs, words = argv.Guards(g.Command)
	top := slices.Clone(x.globs)
	for _, w := range words {
		switch {
		case tree.folders[w]: // "make -C sub": the runner's files are in there
			for _, glob := range top {
				if !strings.Contains(glob, "/") {
					x.globs = append(x.globs, w+"/"+glob)
				}
			}
		case strings.Contains(w, "/") || tree.files[w].Path != "":
			x.exact[w] = true
		}
	}
	for _, p := range argv.Runs(g.Command) { // also where nobody wrote it yet
		x.exact[p] = true
	}
	for _, p := range slices.Collect(maps.Keys(x.exact)) {
		if _, err := c.land(&x, tree, p); err != nil {
			return x, err
		}
	}
	return x, c.follow(&x, tree)
}

// unguarded adds a word about every gate on whose checks anybody may lay hands
// unseen: the settings name no guard, or its command none that could be one, or
// what they name is not there, which is how a guard is misspelt.
func (c *Controller) unguarded(notes []string, gates []config.Gate, commit string) ([]string, error) {
	var tree listing
	for _, g := range gates {
		x, err := c.relianceOf(g, commit)
		if err == nil && len(g.Guard) > 0 {
			tree, err = c.listing(commit)
		}
		if err != nil {
			return notes, err
		}
		if len(x.globs)+len(x.exact) == 0 {
			notes = append(notes, "gate "+g.Name+" has no guard: what it relies on can be changed unseen; name it below [gate."+g.Name+"], such as guard = [\"ci/**\"]")
			continue
		}
		for _, glob := range g.Guard {
			if !tree.any("", func(p string) bool { return config.Match(glob, p) }) {
				notes = append(notes, fmt.Sprintf("gate %s guards no file by %q: %s has none of that name", g.Name, glob, short(commit)))
			}
		}
	}
	return notes, nil
}

// A listing is a commit's files by their paths, and its folders.
type listing struct {
	files   map[string]git.File
	folders map[string]bool
}

// listing lists a commit once for all gates: it may have many files.
func (c *Controller) listing(commit string) (listing, error) {
	if l, ok := c.listed[commit]; ok {
		return l, nil
	}
	files, err := c.repo.Files(commit)
	if err != nil {
		return listing{}, err
	}
	if c.listed == nil {
		c.listed = map[string]listing{}
	}
	c.listed[commit] = newListing(files)
	return c.listed[commit], nil
}

// any reports whether a file whose path begins so is one that is looked for.
func (l listing) any(prefix string, wanted func(path string) bool) bool {
	for p := range l.files {
		if strings.HasPrefix(p, prefix) && wanted(p) {
			return true
		}
	}
	return false
}

func newListing(files []git.File) listing {
	l := listing{files: make(map[string]git.File, len(files)), folders: map[string]bool{}}
	for _, f := range files {
		l.files[f.Path] = f
		for dir := path.Dir(f.Path); dir != "." && !l.folders[dir]; dir = path.Dir(dir) {
			l.folders[dir] = true
		}
	}
	return l
}

// The bounds of what is followed: how far from the command, how many files, and
// how large a script may be to be read.
const (
	maxDepth  = 5
	maxFollow = 200
	maxScript = 1 << 20
)

// follow adds the scripts that guarded files mention, and what those mention. A
// file that is no program, has no ending of a script and is not read in by one is
// data: the work itself.
func (c *Controller) follow(x *reliance, tree listing) error {
	var level []string
	for p := range tree.files {
		if x.holds(p) {
			level = append(level, p)
		}
	}
	for depth := 0; depth < maxDepth && len(level) > 0 && len(x.exact) < maxFollow; depth++ {
		slices.Sort(level)
		var next []string
		for _, p := range level[:min(len(level), maxFollow)] {
			found, err := c.mentioned(x, tree, p)
			if err != nil {
				return err
			}
			next = append(next, found...)
		}
		level = next
	}
	return nil
}

// mentioned adds the scripts that one guarded file mentions, or where it leads as
// a link, and returns them.
func (c *Controller) mentioned(x *reliance, tree listing, p string) (found []string, err error) {
	at, err := c.land(x, tree, p)
	if err != nil {
		return nil, err
	}
	text, err := c.script(tree.files[at])
	if err != nil {
		return nil, err
	}
	readIn := argv.Sourced(at, text)
	for _, m := range append(argv.Mentions(text), readIn...) {
		for _, candidate := range []string{m, path.Join(path.Dir(p), m), path.Join(path.Dir(at), m)} {
			if len(x.exact) >= maxFollow {
				return found, nil
			}
			_, file, err := c.through(tree, candidate)
			f, known := tree.files[file]
			switch {
			case err != nil:
				return nil, err
			case !known && slices.Contains(readIn, m): // nobody wrote it yet
				x.exact[candidate] = true
				continue
			case !known || x.holds(file) && x.holds(candidate) || !isScript(f) && !slices.Contains(readIn, m):
				continue
			}
			if _, err := c.land(x, tree, candidate); err != nil {
				return nil, err
			}
			found = append(found, file)
		}
	}
	return found, nil
}

// script reads a file that may be a script; "" for what is too large to be one.
func (c *Controller) script(f git.File) (string, error) {
	if f.Mode != "100644" && f.Mode != "100755" {
		return "", nil
	}
	info, err := c.repo.Info(f.ID)
	if err != nil || info.Size > maxScript {
		return "", err
	}
	o, err := c.repo.Object(f.ID)
	return string(o.Data), err
}

var scriptEndings = []string{".sh", ".bash", ".bats", ".mk", ".mak"}

func isScript(f git.File) bool {
	return f.Path != "" && (f.Executable() || slices.Contains(scriptEndings, path.Ext(f.Path)))
}
