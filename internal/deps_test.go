// Package internal holds the test that keeps the house in order.
package internal

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers is the order of the house. Each line is a package, the packages of this
// module that it may import, and behind "|" the outside packages that it owns.
// A package that owns an outside package is the only one to import it.
//
// This is a statement of policy. DO NOT CHANGE THIS DATA TO FIX BUILDS. If a
// package needs what it may not import, what it needs is in the wrong place.
const layers = `
# PURE: same input, same output, for ever
fault      :
tier       :
plan       : tier                                      | github.com/yuin/goldmark github.com/sergi/go-diff
report     : tier
machine    : tier                                      | github.com/go-json-experiment/json
prompt     : tier report
judge      : tier plan report machine prompt
coverage   :
nearest    :
argv       :                                           | mvdan.cc/sh/v3
config     : tier nearest argv                        | github.com/BurntSushi/toml github.com/pelletier/go-toml/v2 github.com/go-json-experiment/json
preset     :
snippet    :
rehearsal  : tier plan

# IO: one kind of outside world each, no policy
git        :                                           | github.com/go-git/go-git/v5/plumbing os/exec
agent      :                                           | os/exec

# STORE
ledger     : git
workspace  : git
evidence   : git agent
verify     : fault tier plan report machine prompt judge config git ledger evidence

# LOOP
controller : fault tier plan report machine prompt judge coverage config argv rehearsal git ledger workspace evidence verify agent

# CLI
cli        : fault tier plan report machine nearest preset snippet rehearsal git controller | github.com/urfave/cli/v2 golang.org/x/term github.com/go-json-experiment/json
`

// pure packages may import none of these: they let the world in.
var (
	pure   = []string{"fault", "tier", "plan", "report", "machine", "prompt", "judge", "coverage", "nearest", "config", "preset", "snippet", "argv", "rehearsal"}
	impure = []string{"os", "os/exec", "io/fs", "io/ioutil", "path/filepath", "time", "net", "net/http", "math/rand", "math/rand/v2", "crypto/rand", "log", "log/slog", "context", "runtime", "syscall", "unsafe"}
)

// Bounds of a file and of a function, in lines. Tests may be longer.
const (
	maxFile     = 300
	maxFunction = 60
)

const module = "github.com/git-sdd/git-sdd/"

// A rule is one line of layers.
type rule struct {
	imports []string // packages of this module
	owns    []string // outside packages, or the paths that they begin with
}

func readLayers(t *testing.T) (map[string]rule, []string) {
	t.Helper()
	rules, order := map[string]rule{}, []string{}
	for line := range strings.SplitSeq(layers, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, ok := strings.Cut(line, ":")
		if !ok {
			t.Fatalf("layers: no colon in %q", line)
		}
		name = strings.TrimSpace(name)
		imports, owns, _ := strings.Cut(rest, "|")
		r := rule{imports: strings.Fields(imports), owns: strings.Fields(owns)}
		for _, i := range r.imports {
			if _, above := rules[i]; !above {
				t.Errorf("layers: %s may import %s, which does not stand above it", name, i)
			}
		}
		if _, again := rules[name]; again {
			t.Errorf("layers: %s stands twice", name)
		}
		rules[name], order = r, append(order, name)
	}
	return rules, order
}

// A source is one parsed file that is no test.
type source struct {
	pkg  string // the folder below internal
	path string
	file *ast.File
	set  *token.FileSet
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	for _, root := range []string{".", filepath.Join("..", "cmd"), filepath.Join("..", "hooks")} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			all = append(all, source{pkg: filepath.ToSlash(filepath.Dir(path)), path: path, file: f, set: set})
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if len(all) == 0 {
		t.Fatal("no sources found")
	}
	return all
}

func importsOf(s source) []string {
	var paths []string
	for _, i := range s.file.Imports {
		paths = append(paths, strings.Trim(i.Path.Value, `"`))
	}
	return paths
}

// TestLayers holds every import to the layers.
func TestLayers(t *testing.T) {
	rules, _ := readLayers(t)
	for _, s := range sources(t) {
		if strings.HasPrefix(s.pkg, "..") {
			continue
		}
		r, known := rules[s.pkg]
		if !known {
			t.Errorf("%s: package %s stands in no layer", s.path, s.pkg)
			continue
		}
		for _, path := range importsOf(s) {
			if err := r.allows(path, rules); err != nil {
				t.Errorf("%s: %v", s.path, err)
			}
		}
	}
}

func (r rule) allows(path string, rules map[string]rule) error {
	if own, ok := strings.CutPrefix(path, module+"internal/"); ok {
		if !slices.Contains(r.imports, own) {
			return fmt.Errorf("imports %s, which its layer does not allow", own)
		}
		return nil
	}
	if slices.ContainsFunc(r.owns, func(owned string) bool { return covers(owned, path) }) {
		return nil
	}
	for name, other := range rules {
		if slices.ContainsFunc(other.owns, func(owned string) bool { return covers(owned, path) }) {
			return fmt.Errorf("imports %s, which belongs to %s", path, name)
		}
	}
	if strings.Contains(path, ".") && !strings.HasPrefix(path, module) {
		return fmt.Errorf("imports %s, which no package owns", path)
	}
	return nil
}

// covers reports whether an owned path is path or stands above it.
func covers(owned, path string) bool {
	return path == owned || strings.HasPrefix(path, owned+"/")
}

// TestLayersAreNeeded refuses a permission that nobody uses: it would rot into
// an invitation.
func TestLayersAreNeeded(t *testing.T) {
	rules, order := readLayers(t)
	used := map[string][]string{}
	for _, s := range sources(t) {
		used[s.pkg] = append(used[s.pkg], importsOf(s)...)
	}
	for _, name := range order {
		if used[name] == nil {
			continue // not built yet
		}
		for _, owned := range rules[name].owns {
			if !slices.ContainsFunc(used[name], func(path string) bool { return covers(owned, path) }) {
				t.Errorf("layers: %s owns %s and does not import it", name, owned)
			}
		}
	}
}

// TestPurePackages keeps the world out of the core.
func TestPurePackages(t *testing.T) {
	for _, s := range sources(t) {
		if !slices.Contains(pure, s.pkg) {
			continue
		}
		for _, path := range importsOf(s) {
			if slices.Contains(impure, path) {
				t.Errorf("%s: a pure package imports %s", s.path, path)
			}
		}
	}
}

// TestSizes keeps files and functions small enough to be read whole.
func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		if n := s.set.File(s.file.Pos()).LineCount(); n > maxFile {
			t.Errorf("%s has %d lines, at most %d", s.path, n, maxFile)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1; n > maxFunction {
				t.Errorf("%s: %s has %d lines, at most %d", s.set.Position(f.Pos()), f.Name.Name, n, maxFunction)
			}
		}
	}
}

// TestOneExit: main is one line, and nothing else ends the process.
func TestOneExit(t *testing.T) {
	seen := false
	for _, s := range sources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := call.X.(*ast.Ident)
			if ok && pkg.Name == "os" && call.Sel.Name == "Exit" && s.pkg != "../cmd/git-sdd" {
				t.Errorf("%s: os.Exit outside of main", s.set.Position(n.Pos()))
			}
			return true
		})
		if s.pkg != "../cmd/git-sdd" {
			continue
		}
		seen = true
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && (f.Name.Name != "main" || len(f.Body.List) != 1) {
				t.Errorf("%s: main is one line, and the package has no other function", s.set.Position(f.Pos()))
			}
		}
	}
	if !seen {
		t.Error("cmd/git-sdd was not found")
	}
}

// TestNoDrawers: a package is named after what it is, never after what does not
// fit elsewhere.
func TestNoDrawers(t *testing.T) {
	for _, s := range sources(t) {
		for _, name := range []string{"util", "utils", "common", "types", "helpers", "misc", "internal"} {
			if slices.Contains(strings.Split(s.pkg, "/"), name) {
				t.Errorf("%s: %s is no name for a package", s.path, name)
			}
		}
	}
}
