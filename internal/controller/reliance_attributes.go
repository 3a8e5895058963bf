package controller

import (
	"path"
	"slices"

	"github.com/git-sdd/git-sdd/internal/git"
)

// attributesName is the file by which git decides what it writes into a work tree
// for the content of others: line ends, encodings, filters.
const attributesName = ".gitattributes"

func isAttributes(p string) bool { return path.Base(p) == attributesName }

// reshaped reports whether attributes at a path reach any of the files that the
// gate relies on: their content may be the same, and what the gate reads is not.
func (x reliance) reshaped(attributes string, tree listing) bool {
	dir, _ := path.Split(attributes)
	return isAttributes(attributes) && tree.any(dir, x.holds)
}

// reshapable is what attributes could reach, empty where the changes hold none.
func (r *run) reshapable(changes []git.Change) (listing, error) {
	if !slices.ContainsFunc(changes, func(c git.Change) bool { return isAttributes(c.Old) || isAttributes(c.New) }) {
		return listing{}, nil
	}
	return r.c.listing(r.view.MergeBase)
}
