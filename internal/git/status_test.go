//go:build unix

package git

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	for _, backend := range backends[:2] {
		t.Run(backend.name, func(t *testing.T) {
			f := newFixture(t, backend.init...)
			for _, name := range []string{"edited", "staged", "both", "gone", "unstaged gone", "old", "same"} {
				f.write(name, name+"\n")
			}
			f.write(".gitignore", "ignored\n")
			f.commit("files")
			f.write("edited", "2\n")
			f.write("staged", "2\n")
			f.write("both", "2\n")
			f.git("add", "staged", "both")
			f.write("both", "3\n")
			f.git("rm", "-q", "gone")
			os.Remove(f.path("unstaged gone"))
			f.git("mv", "old", "new")
			f.write("sub dir/ün\ntracked", "x")
			f.write("ignored", "x")
			f.git("config", "status.showUntrackedFiles", "no")
			f.git("config", "status.relativePaths", "true")
			f.git("config", "status.branch", "true")
			f.git("config", "status.showStash", "true")
			f.git("config", "status.renames", "copies")
			f.git("config", "color.status", "always")
			f.git("config", "core.fsmonitor", f.script(".git/monitor", "sleep 60"))
			index, _ := os.Stat(f.path(".git", "index"))
			begun := time.Now()

			got, err := openAt(t, f.path("sub dir")).Status()
			want := []StatusEntry{
				{Path: "both", Index: 'M', WorkTree: 'M', Submodule: "N..."}, {Path: "edited", Index: '.', WorkTree: 'M', Submodule: "N..."}, {Path: "gone", Index: 'D', WorkTree: '.', Submodule: "N..."}, {Path: "new", Index: 'A', WorkTree: '.', Submodule: "N..."}, {Path: "old", Index: 'D', WorkTree: '.', Submodule: "N..."},
				{Path: "staged", Index: 'M', WorkTree: '.', Submodule: "N..."}, {Path: "unstaged gone", Index: '.', WorkTree: 'D', Submodule: "N..."}, {Path: "sub dir/ün\ntracked", Index: '?', WorkTree: '?', Submodule: "N..."},
			}
			if err != nil || !slices.Equal(brief(got), want) {
				t.Errorf("%+v, %v, want %+v", got, err, want)
			}
			if staged := got[5]; staged.IndexMode != "100644" || staged.WorkMode != "100644" || staged.IndexID != f.git("hash-object", "staged") {
				t.Errorf("%+v", staged)
			}
			if after, _ := os.Stat(f.path(".git", "index")); !after.ModTime().Equal(index.ModTime()) || time.Since(begun) > 20*time.Second {
				t.Error("the index was written, or the monitor ran")
			}
		})
	}
}

// brief leaves out of entries what most tests do not look at.
func brief(entries []StatusEntry) []StatusEntry {
	short := slices.Clone(entries)
	for i := range short {
		short[i].IndexMode, short[i].IndexID, short[i].WorkMode = "", "", ""
	}
	return short
}

func TestStatusConflict(t *testing.T) {
	f := newFixture(t)
	f.write("f", "base\n")
	f.commit("base")
	f.git("checkout", "-q", "-b", "other")
	f.write("f", "other\n")
	f.commit("other")
	f.git("checkout", "-q", "main")
	f.write("f", "main\n")
	f.commit("main")
	if _, err := f.try("merge", "other"); err == nil {
		t.Fatal("no conflict")
	}
	got, err := f.open().Status()
	if err != nil || !slices.Equal(brief(got), []StatusEntry{{Path: "f", Index: 'U', WorkTree: 'U', Submodule: "N..."}}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// A submodule that the user's settings would hide is seen all the same.
func TestStatusSubmodule(t *testing.T) {
	inner := newFixture(t)
	inner.write("f", "1\n")
	inner.commit("f")
	f := newFixture(t)
	f.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
	f.commit("submodule")
	f.git("config", "submodule.mod.ignore", "all")
	sub := fixture{t: t, dir: f.path("mod")}
	sub.write("f", "2\n")
	r := f.open()
	got, err := r.Status()
	if err != nil || !slices.Equal(brief(got), []StatusEntry{{Path: "mod", Index: '.', WorkTree: 'M', Submodule: "S.M."}}) {
		t.Errorf("edited within: %+v, %v", got, err)
	}
	sub.git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qam", "more")
	got, err = r.Status()
	if err != nil || !slices.Equal(brief(got), []StatusEntry{{Path: "mod", Index: '.', WorkTree: 'M', Submodule: "SC.."}}) {
		t.Errorf("moved: %+v, %v", got, err)
	}
	if ids, err := r.HashFiles([]string{"mod"}); err != nil || ids[0] != sub.git("rev-parse", "HEAD") {
		t.Errorf("its content is %v, %v", ids, err)
	}
}

func TestStatusBare(t *testing.T) {
	f := newFixture(t)
	bare := f.path("bare.git")
	f.git("clone", "-q", "--bare", ".", bare)
	r := openAt(t, bare)
	if _, err := r.Status(); !errors.Is(err, ErrNoWorkTree) {
		t.Errorf("Status: %v", err)
	}
	if _, err := r.HashFiles([]string{"x"}); !errors.Is(err, ErrNoWorkTree) {
		t.Errorf("HashFiles: %v", err)
	}
	if _, err := r.Ignored([]string{"x"}); !errors.Is(err, ErrNoWorkTree) {
		t.Errorf("Ignored: %v", err)
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add("1 .M N... 100644 100644 100644 aa bb a path\x00? un tracked\x00")
	f.Add("u UU N... 100644 100644 100644 100644 a b c f\x00# branch.oid x\x00")
	f.Add("2 R. N... 1 2 3 a b R100 new\x00old\x00")
	f.Add("! ignored\x00\x00")
	f.Fuzz(func(t *testing.T, output string) {
		entries, err := parseStatus(output)
		for _, e := range entries {
			if err == nil && (e.Path == "" || !strings.Contains(output, e.Path)) {
				t.Errorf("%+v", e)
			}
		}
	})
}

func TestHashFiles(t *testing.T) {
	for _, backend := range backends[:2] {
		t.Run(backend.name, func(t *testing.T) {
			f := newFixture(t, backend.init...)
			f.git("config", "core.autocrlf", "true")
			f.write(".gitattributes", "* text=auto\n")
			f.write("crlf", "a\r\nb\r\n")
			f.write("empty", "")
			f.write("big", strings.Repeat("0123456789", 100_000))
			f.write("dir/new\nline", "x")
			if err := os.Symlink("../outside", f.path("link")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(f.path("dir"), f.path("dirlink")); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(f.path("pipe"), 0o666); err != nil {
				t.Fatal(err)
			}
			nested := fixture{t: t, dir: f.path("nested")}
			f.write("nested/f", "x")
			nested.git("init", "-q")
			r := f.open()
			git := func(contents string) string {
				cmd := exec.Command("git", "hash-object", "--no-filters", "--stdin")
				cmd.Dir, cmd.Stdin = f.dir, strings.NewReader(contents)
				out, err := cmd.Output()
				if err != nil {
					t.Fatal(err)
				}
				return strings.TrimSpace(string(out))
			}
			want := map[string]string{
				"crlf": git("a\r\nb\r\n"), "empty": git(""), "big": git(strings.Repeat("0123456789", 100_000)), "dir/new\nline": git("x"),
				"link": git("../outside"), "dirlink": git(f.path("dir")), "pipe": SpecialFile, "dir": SpecialFile, "nested/": SpecialFile,
				"none": "", "empty/beneath": "", "none/beneath": "",
			}
			for path, id := range want {
				got, err := r.HashFiles([]string{path})
				if err != nil || len(got) != 1 || got[0] != id {
					t.Errorf("%q: %q, %v, want %q", path, got, err, id)
				}
			}
			for _, path := range []string{"../x", "/etc/passwd", "", "a//b"} {
				if _, err := r.HashFiles([]string{path}); !errors.Is(err, ErrBadName) {
					t.Errorf("%q: %v", path, err)
				}
			}
		})
	}
}

func TestIgnored(t *testing.T) {
	f := newFixture(t)
	f.write(".gitignore", "*.log\nbuild/\n")
	f.write("kept.log", "x")
	f.git("add", "-f", "kept.log")
	f.write("build/x", "x")
	f.write("a\n.log", "x")
	r := f.open()
	got, err := r.Ignored([]string{"x.log", "kept.log", "build/x", "src", "a\n.log"})
	if want := []string{"x.log", "build/x", "a\n.log"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err := r.Ignored([]string{"src"}); err != nil || len(got) != 0 {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := r.Ignored(nil); err != nil || len(got) != 0 {
		t.Errorf("%q, %v", got, err)
	}
}
