package git

import "strings"

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
		"-c", "core.quotePath=false", "-c", "log.showSignature=false", "log", "-z", "--format=%x01%H%x02%s%x02", "--name-only", "--no-renames",
		"--no-ext-diff", "--no-textconv", "--diff-merges=first-parent", "--root", head, "^" + base, "--",
	}})
	if err != nil {
		return nil, err
	}
	var all []Touched
	for _, part := range strings.Split(string(res.stdout), "\x01")[1:] {
		id, rest, _ := strings.Cut(part, "\x02")
		subject, names, _ := strings.Cut(rest, "\x02")
		t := Touched{ID: id, Subject: subject}
		for name := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(names, "\x00"), "\n"), "\x00") {
			if name != "" {
				t.Paths = append(t.Paths, name)
			}
		}
		all = append(all, t)
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
