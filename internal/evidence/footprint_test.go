package evidence

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFootprints(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "a\n")
	p.commit("first")
	p.git("tag", "old")
	repo := p.open()
	for _, c := range []struct {
		name string
		do   func()
		want []string
	}{
		{"nothing", func() {}, nil},
		{"a ledger of ours", func() { p.git("update-ref", "refs/sdd/x", "HEAD") }, nil},
		{"a tag", func() { p.git("tag", "new") }, []string{"refs/tags/new"}},
		{"a tag that is gone", func() { p.git("tag", "-d", "old") }, []string{"refs/tags/old"}},
		{"the stash", func() { p.write("a.txt", "b\n"); p.git("stash") }, []string{"refs/stash"}},
		{"a file", func() { p.write("b.txt", "b\n") }, []string{`"b.txt" in the work tree`}},
		{"the index", func() { p.git("add", "b.txt") }, []string{`"b.txt" in the work tree`}},
		{"a setting", func() { p.git("config", "x.y", "z") }, []string{"git's settings of the repository"}},
		{"a commit", func() { p.git("commit", "-qm", "second") }, []string{"refs/heads/main", "HEAD", `"b.txt" in the work tree`}},
	} {
		before, err := Footprints(repo)
		if err != nil {
			t.Fatal(err)
		}
		c.do()
		after, err := Footprints(repo)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, after.Since(before)); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}
