package argv

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// runners are the files that say what a runner does, as globs of the repository.
// They are what holds where the settings name no guard (architecture: facts,
// guards). Tests and sources are not among them: writing those is the work.
var runners = []struct {
	names []string // of programs
	globs []string
}{
	{[]string{"make", "gmake"}, []string{"GNUmakefile", "makefile", "Makefile", "**/*.mk"}},
	{[]string{"npm", "npx", "yarn", "pnpm", "bun", "bunx", "node"}, []string{
		"package.json", ".npmrc", ".yarnrc.yml", "bunfig.toml", "{jest,vitest,playwright,karma,cypress,web-test-runner}.config.*", ".mocharc.*", "tsconfig*.json",
	}},
	{[]string{"go"}, []string{"go.mod", "go.work", "vendor/modules.txt"}},
	{[]string{"cargo"}, []string{"Cargo.toml", "**/Cargo.toml", ".cargo/**", "build.rs", "**/build.rs", "rust-toolchain", "rust-toolchain.toml"}},
	{[]string{"pytest", "py.test", "tox", "nox"}, []string{"pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "noxfile.py", "conftest.py", "**/conftest.py"}},
}

// modules are the runners that stand behind "python -m".
var modules = []string{"pytest", "tox", "nox"}

// Guards returns what a command relies on: the globs of every runner that it
// calls, and every word that could be a path of the repository, in the order in
// which they appear. A command string within it, for a shell, is read too.
func Guards(command []string) (globs, paths []string) {
	g := guards{}
	g.vector(command)
	return g.globs, g.paths
}

type guards struct{ globs, paths []string }

func (g *guards) vector(words []string) {
	for i, w := range words {
		g.runner(path.Base(w), words[:i])
		if p := asPath(w); p != "" && !slices.Contains(g.paths, p) {
			g.paths = append(g.paths, p)
		}
		if i > 0 && isShell(words[0]) && isScriptFlag(words[i-1]) {
			g.script(w)
		}
	}
}

// runner adds the globs of a program that is called by this word: the first one,
// one behind another program that only starts it, or a module of python.
func (g *guards) runner(name string, before []string) {
	if len(before) > 0 && !starts(before) && !(before[len(before)-1] == "-m" && slices.Contains(modules, name)) {
		return
	}
	for _, r := range runners {
		if slices.Contains(r.names, name) {
			for _, glob := range r.globs {
				g.add(glob)
			}
		}
	}
}

// add takes a glob. Alternatives in braces stand for one glob each, because globs
// of the settings have none.
func (g *guards) add(glob string) {
	head, rest, found := strings.Cut(glob, "{")
	if !found {
		if !slices.Contains(g.globs, glob) {
			g.globs = append(g.globs, glob)
		}
		return
	}
	names, tail, _ := strings.Cut(rest, "}")
	for name := range strings.SplitSeq(names, ",") {
		g.add(head + name + tail)
	}
}

// starters are programs that start the one behind them.
var starters = []string{"env", "nice", "timeout", "time", "xvfb-run", "uv", "poetry", "pipenv", "pdm", "hatch", "bundle", "npx", "exec", "run"}

// starts reports whether everything before a word only leads up to a program.
func starts(before []string) bool {
	for i, w := range before {
		switch {
		case slices.Contains(starters, path.Base(w)), strings.HasPrefix(w, "-"), strings.Contains(w, "="):
		case i > 0 && strings.Trim(w, "0123456789.smh") == "": // the time of timeout, the level of nice
		default:
			return false
		}
	}
	return true
}

func isShell(program string) bool {
	return slices.Contains([]string{"sh", "bash", "zsh", "dash", "ksh"}, path.Base(program))
}

// isScriptFlag reports whether the next word is a command string.
func isScriptFlag(flag string) bool {
	return len(flag) > 1 && flag[0] == '-' && flag[1] != '-' && strings.HasSuffix(flag, "c")
}

func (g *guards) script(text string) { calls(text, g.vector) }

// calls reads a command string for the commands in it. One that cannot be read
// has no commands that can be told.
func calls(text string, each func(words []string)) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			var words []string
			for _, w := range call.Args {
				if text, what := word(w); what == "" {
					words = append(words, text)
				}
			}
			each(words)
		}
		return true
	})
}

// asPath is a word as a path of the repository, or "" where it can be none.
func asPath(w string) string {
	if strings.HasPrefix(w, "-") {
		_, value, found := strings.Cut(w, "=")
		if !found {
			return ""
		}
		w = value
	}
	w, _, _ = strings.Cut(w, "::") // pytest's test within a file
	if w == "" || strings.HasPrefix(w, "/") || strings.ContainsAny(w, "\x00\n") {
		return ""
	}
	p := path.Clean(w)
	if p == "." || p == ".." || strings.HasPrefix(p, "../") || strings.HasSuffix(p, "...") {
		return ""
	}
	return p
}

// Mentions returns the words of a text file that could be paths: everything
// between blanks and the marks that shells and makefiles put around words. It is
// how a script's own scripts are found.
func Mentions(text string) []string { return asPaths(strings.FieldsFunc(text, betweenWords)) }

func betweenWords(c rune) bool { return c <= ' ' || strings.ContainsRune("\"'`$(){}[]<>|&;=,@", c) }

// asPaths are the words that could be paths, each once.
func asPaths(words []string) []string {
	var all []string
	seen := map[string]bool{}
	for _, w := range words {
		if p := asPath(strings.TrimLeft(w, "/")); p != "" && !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

// readers read in the files that they are given, whatever those are called, in a
// shell and in a makefile; elsewhere they are words like any other.
var readers = []string{".", "source", "include", "-include", "sinclude"}

// Sourced returns the words of a text file that name what it has read in, or
// carried out by a shell: such a file need not look like a script to be one. The
// name of the file helps to tell what it is.
func Sourced(name, text string) []string {
	reads := readsIn(name, text)
	var all []string
	for statement := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune("\n|&;", c) }) {
		words := strings.FieldsFunc(uncommented(statement), betweenWords)
		for i, w := range words {
			switch {
			case reads && slices.Contains(readers, w):
				all = append(all, words[i+1:]...)
			case isShell(w):
				all = append(all, firstArgument(words[i+1:])...)
			}
		}
	}
	return asPaths(all)
}

// readsIn reports whether a file is one for a shell or for make: by its first
// line, or else by its ending, or for want of one.
func readsIn(name, text string) bool {
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#!") {
		return slices.ContainsFunc(strings.Fields(first[2:]), func(w string) bool { return isShell(w) || path.Base(w) == "make" })
	}
	return slices.Contains([]string{"", ".sh", ".bash", ".bats", ".mk", ".mak"}, path.Ext(name))
}

// uncommented is a line without what a shell and a makefile overlook.
func uncommented(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

// firstArgument is the first word that is no flag, if there is one.
func firstArgument(words []string) []string {
	i := slices.IndexFunc(words, func(w string) bool { return !strings.HasPrefix(w, "-") })
	if i < 0 {
		return nil
	}
	return words[i : i+1]
}
