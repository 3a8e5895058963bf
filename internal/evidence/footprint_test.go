package evidence

import (
	"os"
	"path/filepath"
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
		{"a hook", func() { p.write(".git/hooks/post-commit", "#!/bin/sh\n") }, []string{"hooks of the repository"}},
		{"a hook that may run", func() { chmod(t, filepath.Join(p.dir, ".git/hooks/post-commit"), 0o755) }, []string{"hooks of the repository"}},
		{"attributes", func() { p.write(".git/info/attributes", "*.x -diff\n") }, []string{"git's settings of the repository"}},
		{"whom git-sdd trusts", func() { p.write(".git/git-sdd-trust", "x\n") }, []string{"git-sdd's settings of this clone"}},
		{"another branch", func() { p.git("switch", "-qc", "other") }, []string{"refs/heads/other", "HEAD"}},
		{"a detached head", func() { p.git("switch", "-q", "--detach") }, []string{"HEAD"}},
		{"the branch again", func() { p.git("switch", "-q", "main") }, []string{"HEAD"}},
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

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// TestFootprintsOfLedgers holds that refs of our own are told apart: others move
// them at any time.
func TestFootprintsOfLedgers(t *testing.T) {
	p := newPlace(t)
	first := p.commit("first")
	second := p.commit("second")
	p.git("update-ref", "refs/sdd/moves", first)
	p.git("update-ref", "refs/sdd-pins/goes", first)
	before, err := Footprints(p.open())
	if err != nil {
		t.Fatal(err)
	}
	p.git("update-ref", "refs/sdd/moves", second)
	p.git("update-ref", "-d", "refs/sdd-pins/goes")
	p.git("update-ref", "refs/sdd-rulings/new", first)
	after, err := Footprints(p.open())
	if err != nil {
		t.Fatal(err)
	}
	want := []Move{{"refs/sdd-pins/goes", first, ""}, {"refs/sdd-rulings/new", "", first}, {"refs/sdd/moves", first, second}}
	if d := cmp.Diff(want, after.Ledgers(before)); d != "" {
		t.Error(d)
	}
	if all := after.Since(before); len(all) > 0 {
		t.Errorf("%q", all)
	}
}
