package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// localVars are the variables that tie a process to one repository, as
// `git rev-parse --local-env-vars` lists them. They are written down because a
// process start costs as much as a whole read; a test holds the list against
// the git that is installed.
var localVars = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_CONFIG",
	"GIT_CONFIG_PARAMETERS",
	"GIT_CONFIG_COUNT",
	"GIT_OBJECT_DIRECTORY",
	"GIT_DIR",
	"GIT_WORK_TREE",
	"GIT_IMPLICIT_WORK_TREE",
	"GIT_GRAFT_FILE",
	"GIT_INDEX_FILE",
	"GIT_NO_REPLACE_OBJECTS",
	"GIT_REPLACE_REF_BASE",
	"GIT_PREFIX",
	"GIT_INTERNAL_SUPER_PREFIX",
	"GIT_SHALLOW_FILE",
	"GIT_COMMON_DIR",
}

// meddling are the user's variables that would change what a question means.
var meddling = []string{
	"GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS",
	"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
	"GIT_NAMESPACE", "GIT_ATTR_SOURCE", "GIT_DEFAULT_HASH", "GIT_REF_PARANOIA",
}

// fixed is what every child gets: English without translation, no question
// asked, no replaced or grafted history, no fetch behind our back, no lock taken
// by a read. GIT_ALLOW_PROTOCOL stops the lazy fetch of a git before 2.44,
// which does not know GIT_NO_LAZY_FETCH.
var fixed = []string{
	"LC_ALL=C",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_GRAFT_FILE=" + os.DevNull,
	"GIT_NO_LAZY_FETCH=1",
	"GIT_ALLOW_PROTOCOL=none",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_LITERAL_PATHSPECS=1",
	"GIT_ADVICE=0",
	"GIT_PAGER=cat",
}

// WithoutLocal returns the environment without every variable that ties a
// process to one repository: for work in any other repository, for gates and
// for agents.
func WithoutLocal(environ []string) []string { return without(environ, localVars) }

func without(environ, names []string) []string {
	kept := make([]string, 0, len(environ)+len(fixed))
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !slices.Contains(names, name) && !isConfigPair(name, names) {
			kept = append(kept, entry)
		}
	}
	return kept
}

// isConfigPair reports whether the variable belongs to a GIT_CONFIG_COUNT that
// is being removed: git's own list leaves the pairs out, and they mean nothing
// without the count.
func isConfigPair(name string, names []string) bool {
	pair := strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
	return pair && slices.Contains(names, "GIT_CONFIG_COUNT")
}

// asked is the environment in which git resolves the repository: the user's
// own, so that GIT_DIR and `git -c` count, made quiet.
func asked(environ []string, dir string) []string {
	kept := without(environ, append(names(fixed), append(meddling, "PWD")...))
	return append(append(kept, fixed...), "PWD="+dir)
}

// pinned turns the environment of the opening into one that leads to the
// resolved repository from everywhere. Naming GIT_DIR also spares git the
// search and the check of the owner, which the opening has passed.
func pinned(environ []string, p place, dir string) []string {
	env := without(environ, []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "PWD"})
	env = append(env, "GIT_DIR="+p.gitDir, "PWD="+p.home())
	if p.workTree != "" {
		env = append(env, "GIT_WORK_TREE="+p.workTree)
	}
	if value(environ, "GIT_COMMON_DIR") != "" {
		env = append(env, "GIT_COMMON_DIR="+p.commonDir)
	}
	if objects := value(environ, "GIT_OBJECT_DIRECTORY"); objects != "" {
		env = append(env, "GIT_OBJECT_DIRECTORY="+absolute(dir, objects))
	}
	return env
}

// home is the directory in which every later child runs.
func (p place) home() string {
	if p.workTree != "" {
		return p.workTree
	}
	return p.gitDir
}

// value returns the variable's last value, as a child would see it.
func value(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
			return v
		}
	}
	return ""
}

func names(environ []string) []string {
	list := make([]string, 0, len(environ))
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		list = append(list, name)
	}
	return list
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
