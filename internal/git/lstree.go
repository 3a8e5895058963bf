package git

import (
	"fmt"
	"strings"
)

// A File is one file of a commit's tree, at whatever depth.
type File struct {
	Path string
	Mode string // octal
	ID   string
}

// Executable reports whether the file is a program.
func (f File) Executable() bool { return f.Mode == "100755" }

// Files returns every file of a commit, in git's order.
func (r *Repo) Files(commit string) ([]File, error) {
	if err := checkSpecs(commit); err != nil {
		return nil, err
	}
	res, err := r.run(call{args: []string{"ls-tree", "-r", "-z", "--full-tree", "--full-name", commit}})
	if err != nil {
		return nil, err
	}
	var all []File
	for _, line := range zeroTerminated(res.stdout) {
		head, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("git ls-tree answered %q", line)
		}
		all = append(all, File{Path: path, Mode: fields[0], ID: fields[2]})
	}
	return all, nil
}
