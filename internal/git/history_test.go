package git

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAncestry(t *testing.T) {
	f := newFixture(t)
	root := f.git("rev-parse", "HEAD")
	f.write("a", "1\n")
	left := f.commit("left")
	f.git("checkout", "-q", "-b", "other", root)
	f.write("b", "1\n")
	right := f.commit("right")
	f.git("checkout", "-q", "--orphan", "alone")
	alone := f.commit("alone")
	r := f.open()
	if base, err := r.MergeBase(left, right); err != nil || base != root {
		t.Errorf("MergeBase = %s, %v", base, err)
	}
	if _, err := r.MergeBase(left, alone); !errors.Is(err, ErrNone) {
		t.Errorf("unrelated: %v", err)
	}
	for _, tt := range []struct {
		a, b string
		want bool
	}{{root, left, true}, {left, left, true}, {left, root, false}, {left, right, false}, {alone, left, false}} {
		if got, err := r.IsAncestor(tt.a, tt.b); err != nil || got != tt.want {
			t.Errorf("IsAncestor(%s, %s) = %v, %v", tt.a, tt.b, got, err)
		}
	}
	missing := strings.Repeat("1", 40)
	if _, err := r.IsAncestor(missing, left); err == nil {
		t.Error("a missing commit is no ancestor, it said")
	}
	for _, spec := range []string{"", "--all", "^x", "a..b", "a\nb"} {
		if _, err := r.MergeBase(spec, left); !errors.Is(err, ErrBadName) {
			t.Errorf("%q: %v", spec, err)
		}
	}
}

// Nothing of the user's has a say in what a range holds: not a check of
// signatures that hangs, not a graft, not a replacement.
func TestCommits(t *testing.T) {
	f := newFixture(t)
	base := f.git("rev-parse", "HEAD")
	first := f.commit("one: a subject\nthat goes on\n\nA body.\n\nTrailer: x")
	f.git("-c", "user.name=Zoë", "-c", "user.email=z@example.org", "commit", "-q", "--allow-empty", "-m", "two", "--date", "2026-01-02T03:04:05+0130")
	second := f.git("rev-parse", "HEAD")
	f.git("config", "log.showSignature", "true")
	f.git("config", "gpg.program", f.script("gpg", "sleep 60"))
	f.write(".git/info/grafts", second+"\n")
	f.git("replace", first, base)
	r := f.open()
	got, err := r.Commits(base, second)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if c := got[0]; c.ID != first || c.Subject != "one: a subject that goes on" || c.Body != "A body.\n\nTrailer: x\n" || !slices.Equal(c.Parents, []string{base}) {
		t.Errorf("%+v", c)
	}
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 90*60))
	if c := got[1]; c.ID != second || c.AuthorName != "Zoë" || c.AuthorEmail != "z@example.org" || !c.AuthorTime.Equal(when) || !slices.Equal(c.Parents, []string{first}) {
		t.Errorf("%+v", c)
	}
	if ancestor, err := r.IsAncestor(base, second); err != nil || !ancestor {
		t.Errorf("the graft had a say: %v, %v", ancestor, err)
	}
	if none, err := r.Commits(second, base); err != nil || len(none) != 0 {
		t.Errorf("backwards: %v, %v", none, err)
	}
}

func TestPathExists(t *testing.T) {
	f := newFixture(t)
	f.write("dir/file name", "x")
	f.commit("files")
	r := openAt(t, f.path("dir"))
	for path, want := range map[string]bool{"dir": true, "dir/file name": true, "file name": false, "dir/none": false} {
		if got, err := r.PathExists("HEAD", path); err != nil || got != want {
			t.Errorf("%q: %v, %v", path, got, err)
		}
	}
	for _, path := range []string{"", "/dir", "dir/", "./dir", "../x", "dir//file name", "a\nb"} {
		if _, err := r.PathExists("HEAD", path); !errors.Is(err, ErrBadName) {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := r.PathExists(strings.Repeat("1", 40), "dir"); !errors.Is(err, ErrMissing) {
		t.Errorf("missing commit: %v", err)
	}
}

// hostile sets everything of the user's that could change what a diff says.
func (f fixture) hostile() {
	external := f.script("external", "echo fake; sleep 60")
	for key, value := range map[string]string{
		"diff.external": external, "diff.bad.command": external, "diff.bad.textconv": external, "diff.bad.binary": "true",
		"diff.noprefix": "true", "diff.mnemonicPrefix": "true", "diff.algorithm": "patience", "diff.context": "0", "diff.interHunkContext": "9",
		"diff.renames": "copies", "diff.orderFile": f.path("external"), "diff.ignoreSubmodules": "all", "diff.submodule": "log", "diff.relative": "true",
		"diff.wsErrorHighlight": "all", "diff.colorMoved": "zebra", "color.ui": "always", "color.diff": "always", "core.quotePath": "false", "diff.suppressBlankEmpty": "true",
		"core.pager": external, "core.attributesFile": f.path("attributes"),
	} {
		f.git("config", key, value)
	}
	f.write("attributes", "* diff=bad\n")
}

func TestPatchID(t *testing.T) {
	for _, backend := range backends[:2] {
		t.Run(backend.name, func(t *testing.T) {
			f := newFixture(t, backend.init...)
			lines := strings.Repeat("line\n", 30)
			f.write("a file", lines+"end\n")
			f.write("moved", lines)
			base := f.commit("base")
			f.write("a file", "start\n"+lines+"end\n")
			f.write("bin", "\x00\x01\x02")
			f.git("mv", "moved", "moved here")
			head := f.commit("change")
			want, err := f.open().PatchID(base, head)
			if err != nil || !IsID(f.open().ObjectFormat(), want) {
				t.Fatalf("%q, %v", want, err)
			}
			if same, err := f.open().PatchID(head, head); err != nil || same != "" {
				t.Errorf("no change: %q, %v", same, err)
			}

			f.hostile()
			f.write(".gitattributes", "* -diff\n")
			t.Setenv("GIT_EXTERNAL_DIFF", f.path("external"))
			t.Setenv("GIT_DIFF_OPTS", "--unified=0")
			r := openAt(t, f.path())
			if got, err := r.PatchID(base, head); err != nil || got != want {
				t.Errorf("with a user's settings %q, %v, want %q", got, err, want)
			}
			os.Remove(f.path(".gitattributes"))

			// The same change on another base is the same patch.
			f.git("checkout", "-q", "-b", "elsewhere", base)
			f.write("other", "x\n")
			f.git("add", "other")
			f.git("commit", "-q", "-m", "other")
			f.git("-c", "diff.external=", "cherry-pick", head)
			rebased, err := r.PatchID("elsewhere~1", "elsewhere")
			if err != nil || rebased != want {
				t.Errorf("rebased %q, %v, want %q", rebased, err, want)
			}
			f.write("a file", "start!\n"+lines+"end\n")
			f.git("add", "a file")
			f.git("commit", "-q", "-m", "else")
			if other, err := r.PatchID("elsewhere~2", "elsewhere"); err != nil || other == want || other == "" {
				t.Errorf("another change %q, %v", other, err)
			}
			if _, err := r.PatchID(base, "nothing"); err == nil {
				t.Error("a patch of a missing commit")
			}
		})
	}
}

func TestChangedPaths(t *testing.T) {
	f := newFixture(t)
	f.write("old name", strings.Repeat("same\n", 50))
	f.write("kept", "x\n")
	f.write("mode", "x\n")
	base := f.commit("base")
	f.git("mv", "old name", "new\nname")
	f.write("dir/ünï", "x\n")
	f.git("update-index", "--chmod=+x", "mode")
	f.git("add", "-A")
	f.git("update-index", "--chmod=+x", "mode")
	f.git("commit", "-q", "-m", "change")
	f.hostile()
	got, err := openAt(t, f.path("dir")).ChangedPaths(base, "HEAD")
	if want := []string{"dir/ünï", "mode", "new\nname", "old name"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if none, err := f.open().ChangedPaths(base, base); err != nil || len(none) != 0 {
		t.Errorf("%q, %v", none, err)
	}
}

func TestDefaultBase(t *testing.T) {
	f := newFixture(t)
	head := f.tip("HEAD")
	r := f.open()
	remote := func(name, branch string) {
		f.git("update-ref", "refs/remotes/"+name+"/"+branch, head)
		f.git("symbolic-ref", "refs/remotes/"+name+"/HEAD", "refs/remotes/"+name+"/"+branch)
	}
	for _, step := range []struct {
		name string
		do   func()
		want string
	}{
		{"main", func() { f.git("branch", "master") }, "refs/heads/main"},
		{"one remote", func() { remote("up", "trunk") }, "refs/remotes/up/trunk"},
		{"two remotes", func() { remote("fork", "dev") }, "refs/heads/main"},
		{"origin", func() { remote("origin", "next") }, "refs/remotes/origin/next"},
		{"dangling origin", func() { f.git("update-ref", "-d", "refs/remotes/origin/next") }, "refs/heads/main"},
		{"master", func() { f.git("checkout", "-q", "-b", "topic"); f.git("branch", "-D", "-q", "main") }, "refs/heads/master"},
		{"none", func() { f.git("branch", "-D", "-q", "master") }, ""},
	} {
		step.do()
		got, err := r.DefaultBase()
		if got != step.want || (err != nil) != (step.want == "") || step.want == "" && !errors.Is(err, ErrNone) {
			t.Errorf("%s: %q, %v, want %q", step.name, got, err, step.want)
		}
	}
}

func TestBranchHeads(t *testing.T) {
	f := newFixture(t)
	f.write("f", "1\n")
	f.commit("f")
	f.git("branch", "other")
	f.git("tag", "v1")
	f.write("f", "2\n")
	f.git("stash", "-q")
	got, err := f.open().BranchHeads()
	if err != nil || len(got) != 3 || got["refs/heads/other"] != f.tip("HEAD") || got["refs/stash"] != f.tip("refs/stash") {
		t.Errorf("%v, %v", got, err)
	}
}

// Many spans at once are each what it is alone, whatever they have in common: the
// same trees under other commits, the same first tree, no difference at all.
func TestPatchIDs(t *testing.T) {
	for _, init := range [][]string{nil, {"--object-format=sha256"}} {
		f := newFixture(t, init...)
		root := f.git("rev-parse", "HEAD")
		ids := []string{root}
		for _, content := range []string{"1\n", "1\n2\n", "1\n", "1\n2\n3\n"} {
			f.write("a", content)
			ids = append(ids, f.commit("a "+content))
		}
		ids = append(ids, f.git("commit-tree", "-p", root, "-m", "again", ids[2]+"^{tree}"))
		f.write("bin", "\x00\x01")
		ids = append(ids, f.commit("binary"))
		r := f.open()
		var spans []Span
		for _, base := range ids {
			for _, head := range ids {
				spans = append(spans, Span{base, head})
			}
		}
		spans = append(spans, Span{r.ObjectID("tree", nil), ids[3]}, spans[1])
		f.git("hash-object", "-w", "-t", "tree", "--stdin")
		got, err := r.PatchIDs(spans)
		if err != nil {
			t.Fatal(err)
		}
		differ := 0
		for _, s := range spans {
			want, err := r.PatchID(s.Base, s.Head)
			if err != nil {
				t.Fatal(err)
			}
			if got[s] != want {
				t.Errorf("%v: %q, alone %q", s, got[s], want)
			}
			if want != "" {
				differ++
			}
		}
		if differ == 0 || len(got) != len(spans)-1 {
			t.Errorf("%d of %d spans differ, %d ids", differ, len(spans), len(got))
		}
		if none, err := r.PatchIDs(nil); err != nil || len(none) > 0 {
			t.Errorf("of nothing: %v, %v", none, err)
		}
		missing := strings.Repeat("1", len(root))
		if _, err := r.PatchIDs([]Span{{root, missing}}); !errors.Is(err, ErrMissing) {
			t.Errorf("a commit that is not here: %v", err)
		}
		for _, name := range []string{"HEAD", "", "--all", root[:8]} {
			if _, err := r.PatchIDs([]Span{{root, name}}); !errors.Is(err, ErrBadName) {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}

// A parent that is no object is no commit's.
func TestParentsAreObjects(t *testing.T) {
	id := strings.Repeat("a", 40)
	head := "tree " + id + "\nparent %s\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nx\n"
	for parent, ok := range map[string]bool{id: true, "HEAD": false, "": false, id[:39] + "\x00": false, "--all": false, strings.ToUpper(id): false} {
		if _, err := ParseCommit(id, []byte(strings.Replace(head, "%s", parent, 1))); (err == nil) != ok {
			t.Errorf("%q: %v", parent, err)
		}
	}
}
