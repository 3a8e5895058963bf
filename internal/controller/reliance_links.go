package controller

import (
	"path"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
)

// maxLinks is how many links in a row are gone along, as a system does.
const maxLinks = 40

// symlink is the mode of a file that says where another one is.
const symlink = "120000"

// through goes along the symbolic links of a commit, those of folders included:
// which of them a path passes, and the path to which they lead, "" where that is
// outside the commit.
func (c *Controller) through(tree listing, p string) (links []string, at string, err error) {
	for len(links) < maxLinks {
		link, rest := tree.firstLink(p)
		if link == "" {
			return links, p, nil
		}
		links = append(links, link)
		target, err := c.linkTarget(tree.files[link])
		if err != nil {
			return nil, "", err
		}
		p = path.Join(path.Dir(link), target, rest)
		if target == "" || path.IsAbs(target) || p == "." || p == ".." || strings.HasPrefix(p, "../") {
			return links, "", nil
		}
	}
	return links, "", nil
}

// firstLink is the first part of a path that is a link, and what follows it.
func (l listing) firstLink(p string) (link, rest string) {
	for i := range len(p) + 1 {
		if i == len(p) || p[i] == '/' {
			if f, ok := l.files[p[:i]]; ok && f.Mode == symlink {
				return p[:i], strings.TrimPrefix(p[i:], "/")
			}
		}
	}
	return "", ""
}

// linkTarget is what a link says; "" for what is too long to be one.
func (c *Controller) linkTarget(f git.File) (string, error) {
	info, err := c.repo.Info(f.ID)
	if err != nil || info.Size > maxScript {
		return "", err
	}
	o, err := c.repo.Object(f.ID)
	return string(o.Data), err
}

// land adds a path to what is relied on, with every link that it passes and the
// file to which they lead, and returns that file.
func (c *Controller) land(x *reliance, tree listing, p string) (at string, err error) {
	links, at, err := c.through(tree, p)
	if err != nil {
		return "", err
	}
	for _, held := range append(links, p, at) {
		if held != "" {
			x.exact[held] = true
		}
	}
	return at, nil
}
