package git

import (
	"errors"
	"strings"
	"testing"
)

// What lies between two commits has the same name on another base, and another one
// as soon as anything of it differs.
func TestChangeIDs(t *testing.T) {
	long := strings.Repeat("long ", 40<<10)
	filler := strings.Repeat("filler\n", 20)
	for _, init := range [][]string{nil, {"--object-format=sha256"}} {
		f := newFixture(t, init...)
		root := f.git("rev-parse", "HEAD")
		r := f.open()
		f.write("a", "one\n"+filler+"if x:\n    y\nz\n")
		first := f.commit("first")
		change := func(base, path, content string) Span {
			f.git("checkout", "-q", base)
			f.write(path, content)
			return Span{base, f.commit("change")}
		}
		f.write("a", filler+"one\n"+filler+"if x:\n    y\nz\n")
		f.write("elsewhere", "x\n")
		moved := f.commit("further down, on another base")
		same := change(first, "a", "one\n"+filler+"if x:\n    y\n    w\nz\n")
		again := change(moved, "a", filler+"one\n"+filler+"if x:\n    y\n    w\nz\n")
		others := map[string]Span{
			"white space":             change(first, "a", "one\n"+filler+"if x:\n    y\nw\nz\n"),
			"context":                 change(moved, "a", filler+"one\n"+filler+"if x:\n  y\n    w\nz\n"),
			"a name":                  change(first, "b", "one\n"+filler+"if x:\n    y\n    w\nz\n"),
			"no end of line":          change(first, "a", "one\n"+filler+"if x:\n    y\n    w\nz"),
			"binary":                  change(first, "bin", "\x00\x01"),
			"binary, another content": change(first, "bin", "\x00\x02"),
			"a long line":             change(first, "long", long+"x\n"),
			"a long line, its end":    change(first, "long", long+"y\n"),
			"back":                    {same.Head, same.Base},
			"a line like git's own":   change(first, "c", strings.Repeat(root+" "+root+"\nindex 1..2\n@@ -1 +1 @@\n", 2)),
			"everything":              {r.ObjectID("tree", nil), first},
		}
		f.git("hash-object", "-w", "-t", "tree", "--stdin")
		spans := []Span{same, again, {first, first}, same}
		for _, s := range others {
			spans = append(spans, s)
		}
		ids, err := r.ChangeIDs(spans)
		if err != nil {
			t.Fatal(err)
		}
		if ids[same] == "" || ids[same] != ids[again] {
			t.Errorf("on another base the same change is %q, not %q", ids[again], ids[same])
		}
		if ids[Span{first, first}] != "" {
			t.Errorf("nothing is called %q", ids[Span{first, first}])
		}
		seen := map[string]string{ids[same]: "the change"}
		for name, s := range others {
			if id := ids[s]; id == "" || seen[id] != "" {
				t.Errorf("%s: called %q as %s is", name, id, seen[id])
			}
			seen[ids[s]] = name
			if alone, err := r.ChangeIDs([]Span{s}); err != nil || alone[s] != ids[s] {
				t.Errorf("%s: %q, alone %q, %v", name, ids[s], alone[s], err)
			}
		}
		if _, err := r.ChangeIDs([]Span{{root, strings.Repeat("1", len(root))}}); !errors.Is(err, ErrMissing) {
			t.Errorf("a commit that is not here: %v", err)
		}
		if _, err := r.ChangeIDs([]Span{{root, "HEAD"}}); !errors.Is(err, ErrBadName) {
			t.Errorf("no object id: %v", err)
		}
	}
}
