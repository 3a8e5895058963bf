package git

import (
	"fmt"
	"strings"
)

// A StatusEntry is a path that is not as HEAD has it, or that git does not track
// and was not told to ignore.
type StatusEntry struct {
	Path      string // relative to the top, with slashes; a nested repository ends in one
	Index     byte   // how the index differs from HEAD: one of ".MTADU", "?" when untracked
	WorkTree  byte   // how the work tree differs from the index, the same way
	Submodule string // git's four characters, "N..." for what is no submodule

	// What the index holds and how the work tree's file is: octal modes, "000000"
	// for no file, and the id of the staged blob. An unmerged path has the ids of
	// its three stages, joined by commas; an untracked one has none of these.
	IndexMode, IndexID, WorkMode string
}

// Untracked reports whether git does not track the path.
func (e StatusEntry) Untracked() bool { return e.Index == '?' }

// statusArgs asks for everything and leaves nothing to the user's settings.
var statusArgs = []string{
	"status", "--porcelain=v2", "-z", "--no-renames",
	"--untracked-files=all", "--ignored=no", "--ignore-submodules=none", "--no-ahead-behind",
}

// Status returns every path that differs from HEAD in index or work tree or is
// untracked and not ignored, in git's order. It takes no lock and writes
// nothing, the index not even refreshed.
func (r *Repo) Status() ([]StatusEntry, error) {
	if r.WorkTree() == "" {
		return nil, ErrNoWorkTree
	}
	res, err := r.run(call{args: statusArgs})
	if err != nil {
		return nil, err
	}
	return parseStatus(string(res.stdout))
}

// statusFields is the number of blanks before the path, by the kind of line.
var statusFields = map[byte]int{'1': 8, 'u': 10, '?': 1}

// parseStatus reads the second porcelain format with NUL as the end of a line.
// There are no renames in it, because none were asked for.
func parseStatus(output string) ([]StatusEntry, error) {
	var entries []StatusEntry
	for _, line := range zeroTerminated([]byte(output)) {
		if strings.HasPrefix(line, "# ") {
			continue // a header that a setting asked for
		}
		e, err := parseStatusLine(line)
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func parseStatusLine(line string) (StatusEntry, error) {
	bad := fmt.Errorf("git status answered %q", line)
	if line == "" || statusFields[line[0]] == 0 {
		return StatusEntry{}, bad
	}
	n := statusFields[line[0]]
	parts := strings.SplitN(line, " ", n+1)
	if len(parts) != n+1 || len(parts[0]) != 1 || parts[n] == "" {
		return StatusEntry{}, bad
	}
	if parts[0] == "?" {
		return StatusEntry{Path: parts[n], Index: '?', WorkTree: '?', Submodule: "N..."}, nil
	}
	if len(parts[1]) != 2 || len(parts[2]) != 4 {
		return StatusEntry{}, bad
	}
	e := StatusEntry{Path: parts[n], Index: parts[1][0], WorkTree: parts[1][1], Submodule: parts[2]}
	if parts[0] == "u" {
		e.IndexMode, e.IndexID, e.WorkMode = "unmerged", strings.Join(parts[7:10], ","), parts[6]
	} else {
		e.IndexMode, e.IndexID, e.WorkMode = parts[4], parts[7], parts[5]
	}
	return e, nil
}

// Ignored returns those of the paths, relative to the top, that git was told to
// ignore and does not track.
func (r *Repo) Ignored(paths []string) ([]string, error) {
	if r.WorkTree() == "" {
		return nil, ErrNoWorkTree
	}
	if len(paths) == 0 {
		return nil, nil
	}
	for _, path := range paths {
		if err := checkPath(strings.TrimSuffix(path, "/")); err != nil {
			return nil, err
		}
	}
	in := strings.NewReader(strings.Join(paths, "\x00") + "\x00")
	env := []string{"GIT_LITERAL_PATHSPECS=0"} // check-ignore takes paths, and refuses to be told so
	res, err := r.run(call{args: []string{"check-ignore", "-z", "--stdin"}, env: env, stdin: in, fine: []int{1}})
	return zeroTerminated(res.stdout), err
}
