package controller

import (
	"path"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
)

// attributesName is the file by which git decides what it writes into a work tree
// for the content of others: line ends, encodings, filters.
const attributesName = ".gitattributes"

func isAttributes(p string) bool { return path.Base(p) == attributesName }

// reshaped reports whether attributes at a path reach any of the files that the
// gate relies on: their content may be the same, and what the gate reads is not.
func (x reliance) reshaped(attributes string, files []git.File) bool {
	dir, _ := path.Split(attributes)
	return isAttributes(attributes) && slices.ContainsFunc(files, func(f git.File) bool {
		return strings.HasPrefix(f.Path, dir) && x.holds(f.Path)
	})
}

// reshapable lists the files that attributes could reach, where the changes hold
// any attributes.
func (r *run) reshapable(changes []git.Change) ([]git.File, error) {
	if !slices.ContainsFunc(changes, func(c git.Change) bool { return isAttributes(c.Old) || isAttributes(c.New) }) {
		return nil, nil
	}
	return r.c.repo.Files(r.view.MergeBase)
}
