package argv

import (
	"path"
	"slices"
	"strings"
)

// interpreters run the file that is their first argument, beside the shells.
var interpreters = []string{"python", "python3", "node", "deno", "bun", "ruby", "perl", "php", "lua", "Rscript", "tclsh"}

// Runs returns the files of the repository that a command runs, whether they are
// there or not: a program that is named by its path, and what a shell or another
// interpreter is given to read. A command string for a shell is read too.
func Runs(command []string) []string {
	var all []string
	for i := range command {
		if i > 0 && !starts(command[:i]) {
			break
		}
		name := path.Base(command[i])
		switch {
		case isShell(name) || slices.Contains(interpreters, name):
			all = append(all, interpreted(command[i+1:], isShell(name))...)
		case strings.Contains(command[i], "/"):
			if p := asPath(command[i]); p != "" {
				all = append(all, p)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// interpreted is what an interpreter is given to read, by its arguments.
func interpreted(args []string, shell bool) []string {
	for i, w := range args {
		switch {
		case shell && isScriptFlag(w) && i+1 < len(args):
			var all []string
			calls(args[i+1], func(words []string) { all = append(all, Runs(words)...) })
			return all
		case !strings.HasPrefix(w, "-"):
			if p := asPath(w); p != "" {
				return []string{p}
			}
			return nil
		case slices.Contains([]string{"-m", "-c", "-e"}, w):
			return nil // code, or a module
		}
	}
	return nil
}
