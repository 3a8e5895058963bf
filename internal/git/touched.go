package git

import (
	"fmt"
	"strings"
)

// A Touched is a commit with the paths that it changed against its first parent.
type Touched struct {
	ID      string
	Subject string
	Paths   []string
}

// Touched returns the commits of head that are not in base, newest first, each
// with the paths it changed against its first parent: both ends of a rename, and
// for a merge what it brought in.
func (r *Repo) Touched(base, head string) ([]Touched, error) {
	if err := checkSpecs(base, head); err != nil {
		return nil, err
	}
	res, err := r.run(call{args: []string{
		"-c", "log.showSignature=false", "log", "-z", "--format=%x00%H%x00%s%x00", "--name-only", "--no-renames",
		"--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--diff-merges=first-parent", "--root", head, "^" + base, "--",
	}})
	if err != nil {
		return nil, err
	}
	return parseTouched(string(res.stdout))
}

// parseTouched reads records of "NUL id NUL subject NUL NUL", then LF and the
// names where there are any, each with a NUL. No name is empty and no subject
// holds a NUL: whatever a commit says of itself, it cannot pass for another one.
func parseTouched(output string) ([]Touched, error) {
	var all []Touched
	fields := strings.Split(strings.TrimSuffix(output, "\x00"), "\x00")
	for len(fields) >= 4 && fields[0] == "" && fields[3] == "" && isHex(fields[1]) {
		t := Touched{ID: fields[1], Subject: fields[2]}
		for fields = fields[4:]; len(fields) > 0 && fields[0] != ""; fields = fields[1:] {
			t.Paths = append(t.Paths, fields[0])
		}
		if len(t.Paths) > 0 {
			t.Paths[0] = strings.TrimPrefix(t.Paths[0], "\n")
		}
		all = append(all, t)
	}
	if len(fields) > 1 || len(fields) == 1 && fields[0] != "" {
		return nil, fmt.Errorf("git log answered %q", fields)
	}
	return all, nil
}

// IgnoredFiles returns what lies in the work tree and git was told to ignore,
// whole directories as one name with a final slash.
func (r *Repo) IgnoredFiles() ([]string, error) {
	if r.WorkTree() == "" {
		return nil, ErrNoWorkTree
	}
	res, err := r.run(call{args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"}})
	return zeroTerminated(res.stdout), err
}
