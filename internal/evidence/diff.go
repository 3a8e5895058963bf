package evidence

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A FileChange is one path of a range, with what its patch says.
type FileChange struct {
	git.Change
	Added, Removed int  // lines; 0 where the content is binary
	Binary         bool // then the sizes are known
	OldSize        int64
	NewSize        int64 // bytes; -1 where git does not have the content
	LeftOut        bool  // its patch did not fit
}

// A Diff is what lies between two commits, as git sees it.
type Diff struct {
	Files   []FileChange // every change, in git's order, also those that were not kept
	Patch   []byte       // whole patches of files, one after the other
	Partial bool         // too many candidates to look for every rename
}

// DiffOptions say how much of a diff is kept.
type DiffOptions struct {
	Limit int64                 // bytes of patches
	Keep  func(git.Change) bool // whose patches are kept; nil for all
}

// Compare reads the difference between two commits. Patches are kept whole or
// not at all, in git's order, as long as they fit; the others are counted and
// forgotten while git still writes them, so that no more than the limit is ever
// held, however large a file or a line is.
func Compare(repo *git.Repo, base, head string, o DiffOptions) (Diff, error) {
	var d Diff
	found, err := repo.Compare(base, head, func(changes []git.Change, patches *bufio.Reader) error {
		for _, c := range changes {
			d.Files = append(d.Files, FileChange{Change: c})
		}
		p := patchReader{d: &d, o: o, owners: git.Patches(changes), at: -1}
		return p.read(patches)
	})
	d.Partial = found.Partial
	if err != nil {
		return Diff{}, err
	}
	return d, d.measure(repo)
}

// A patchReader goes through git's patches line by line.
type patchReader struct {
	d      *Diff
	o      DiffOptions
	owners []int // of each patch, the index of its change

	at    int  // the patch that is read
	start int  // where its bytes begin in d.Patch
	keep  bool // they still fit, and are wanted
	hunk  bool // within a hunk, where a line's first byte says what it is
}

var (
	patchBegin  = []byte("diff --git ")
	hunkBegin   = []byte("@@ ")
	binaryBegin = []byte("Binary files ")
)

func (p *patchReader) read(patches *bufio.Reader) error {
	begins := true // of a line, and not of a further part of a long one
	for {
		part, err := patches.ReadSlice('\n')
		if len(part) > 0 {
			if err := p.part(part, begins); err != nil {
				return err
			}
			begins = part[len(part)-1] == '\n'
		}
		switch {
		case errors.Is(err, io.EOF):
			if p.at+1 != len(p.owners) {
				return fmt.Errorf("git made %d patches for %d", p.at+1, len(p.owners))
			}
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// part takes a line, or a part of one that is longer than the buffer.
func (p *patchReader) part(part []byte, begins bool) error {
	if begins && bytes.HasPrefix(part, patchBegin) {
		if err := p.next(); err != nil {
			return err
		}
	}
	if p.at < 0 {
		return fmt.Errorf("git's patches begin with %q", part[:min(len(part), 80)])
	}
	if begins {
		p.count(part)
	}
	if !p.keep {
		return nil
	}
	if int64(len(p.d.Patch)+len(part)) > p.o.Limit {
		p.d.Patch, p.keep = p.d.Patch[:p.start], false
		p.file().LeftOut = true
		return nil
	}
	p.d.Patch = append(p.d.Patch, part...)
	return nil
}

// next begins a patch. Two of one change are kept or left out together.
func (p *patchReader) next() error {
	p.at++
	if p.at >= len(p.owners) {
		return fmt.Errorf("git made more than %d patches", len(p.owners))
	}
	p.hunk = false
	if p.at == 0 || p.owners[p.at] != p.owners[p.at-1] {
		p.start = len(p.d.Patch)
	}
	p.keep = !p.file().LeftOut && (p.o.Keep == nil || p.o.Keep(p.file().Change))
	return nil
}

func (p *patchReader) file() *FileChange { return &p.d.Files[p.owners[p.at]] }

// count reads a line for what it says of the file. Within a hunk every line of
// content has a mark before it, so that no content can pass for a header.
func (p *patchReader) count(line []byte) {
	switch {
	case bytes.HasPrefix(line, hunkBegin):
		p.hunk = true
	case !p.hunk:
		p.file().Binary = p.file().Binary || bytes.HasPrefix(line, binaryBegin)
	case line[0] == '+':
		p.file().Added++
	case line[0] == '-':
		p.file().Removed++
	}
}

// measure finds the sizes of what cannot be shown.
func (d *Diff) measure(repo *git.Repo) error {
	var ids []string
	var sizes []*int64
	for i := range d.Files {
		f := &d.Files[i]
		if !f.Binary {
			continue
		}
		for _, side := range []struct {
			id   string
			size *int64
		}{{f.OldID, &f.OldSize}, {f.NewID, &f.NewSize}} {
			if !git.Null(side.id) {
				ids, sizes = append(ids, side.id), append(sizes, side.size)
			}
		}
	}
	return repo.Infos(ids, func(i int, info git.Info, err error) error {
		*sizes[i] = info.Size
		if errors.Is(err, git.ErrMissing) {
			*sizes[i] = -1
			return nil
		}
		return err
	})
}
