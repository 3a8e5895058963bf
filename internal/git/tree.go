package git

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// A Mode is the kind of a tree's entry, as git numbers it.
type Mode uint32

// The modes that git-sdd writes.
const (
	ModeFile = Mode(filemode.Regular)
	ModeTree = Mode(filemode.Dir)
)

// A TreeEntry is one name in a tree.
type TreeEntry struct {
	Mode Mode
	Name string // one path component
	ID   string
}

// order is the name as git sorts it: a directory as though it ended in a slash.
func (e TreeEntry) order() string {
	if e.Mode == ModeTree {
		return e.Name + "/"
	}
	return e.Name
}

// EncodeTree returns the bytes that git writes for the entries: what a reader
// compares with to see that a tree is in the one form that it has.
func EncodeTree(format string, entries []TreeEntry) ([]byte, error) {
	return encodeTree(format, entries)
}

// encodeTree writes a tree's bytes, sorted as git wants them.
func encodeTree(format string, entries []TreeEntry) ([]byte, error) {
	sorted := slices.SortedFunc(slices.Values(entries), func(a, b TreeEntry) int { return strings.Compare(a.order(), b.order()) })
	seen := make(map[string]bool, len(sorted))
	var out bytes.Buffer
	for _, e := range sorted {
		raw, err := hex.DecodeString(e.ID)
		switch {
		case err != nil || !IsID(format, e.ID):
			return nil, fmt.Errorf("%q is not an object id", e.ID)
		case !isEntryName(e.Name):
			return nil, fmt.Errorf("%q cannot be a name in a tree", e.Name)
		case seen[e.Name]:
			return nil, fmt.Errorf("%q stands twice in a tree", e.Name)
		}
		seen[e.Name] = true
		fmt.Fprintf(&out, "%o %s\x00", uint32(e.Mode), e.Name)
		out.Write(raw)
	}
	return out.Bytes(), nil
}

func isEntryName(name string) bool {
	switch {
	case name == "", name == ".", name == "..", strings.EqualFold(name, ".git"):
		return false
	}
	return !strings.ContainsAny(name, "/\x00")
}

// ParseTree reads a tree's bytes. Order and names are taken as they stand: git
// has checked what it stored.
func ParseTree(format string, data []byte) ([]TreeEntry, error) {
	width := digits[format] / 2
	var entries []TreeEntry
	for len(data) > 0 {
		mode, rest, okMode := bytes.Cut(data, []byte{' '})
		name, rest, okName := bytes.Cut(rest, []byte{0})
		number, err := strconv.ParseUint(string(mode), 8, 32)
		if !okMode || !okName || err != nil || len(name) == 0 || len(rest) < width {
			return nil, fmt.Errorf("entry %d of the tree is cut or malformed", len(entries)+1)
		}
		entries = append(entries, TreeEntry{Mode: Mode(number), Name: string(name), ID: hex.EncodeToString(rest[:width])})
		data = rest[width:]
	}
	return entries, nil
}
