package evidence

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A place is a repository that a test drives with git itself.
type place struct {
	t   testing.TB
	dir string
}

func newPlace(t testing.TB) place {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull} {
		if tt, ok := t.(interface{ Setenv(string, string) }); ok {
			tt.Setenv(name, value)
		}
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{t, dir}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "user.name", "A Tester"}, {"config", "user.email", "tester@example.org"}, {"config", "gc.auto", "0"}} {
		p.git(args...)
	}
	return p
}

func (p place) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

func (p place) write(name, contents string) {
	p.t.Helper()
	full := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(contents), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) commit(message string) string {
	p.t.Helper()
	p.git("add", "-A")
	p.git("commit", "-q", "--allow-empty", "-m", message)
	return p.git("rev-parse", "HEAD")
}

func (p place) open() *git.Repo {
	p.t.Helper()
	repo, err := git.Open(context.Background(), p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { repo.Close() })
	return repo
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// TestCompareCounts holds lines, sizes and kinds against what was done.
func TestCompareCounts(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", numbered(30))
	p.write("bin", "a\x00b")
	p.write("tricky", "keep\n-- a/old\n")
	base := p.commit("base")
	p.git("mv", "a.txt", "b.txt")
	p.write("b.txt", numbered(28)+"diff --git a/x b/x\n@@ -1 +1 @@\n")
	p.write("bin", "a\x00bcdef")
	p.write("tricky", "keep\n++ b/new\n")
	head := p.commit("head")
	d, err := Compare(p.open(), base, head, DiffOptions{Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	want := []FileChange{
		{Change: git.Change{Status: 'R', Old: "a.txt", New: "b.txt"}, Added: 2, Removed: 2},
		{Change: git.Change{Status: 'M', Old: "bin", New: "bin"}, Binary: true, OldSize: 3, NewSize: 7},
		{Change: git.Change{Status: 'M', Old: "tricky", New: "tricky"}, Added: 1, Removed: 1},
	}
	if len(d.Files) != len(want) {
		t.Fatalf("%d files, want %d", len(d.Files), len(want))
	}
	for i, f := range d.Files {
		f.OldMode, f.NewMode, f.OldID, f.NewID = "", "", "", ""
		if f != want[i] {
			t.Errorf("%+v, want %+v", f, want[i])
		}
	}
	if n := bytes.Count(d.Patch, []byte("\ndiff --git ")); n != 2 {
		t.Errorf("%d patches after the first:\n%s", n, d.Patch)
	}
	for _, line := range []string{" line 18\n", "-line 28\n"} {
		if !bytes.Contains(d.Patch, []byte(line)) {
			t.Errorf("ten lines of context would hold %q:\n%s", line, d.Patch)
		}
	}
	if bytes.Contains(d.Patch, []byte("\n line 17\n")) {
		t.Errorf("more than ten lines of context:\n%s", d.Patch)
	}
}

// TestCompareCuts holds that patches are kept whole or not at all, at every
// limit, and that what was left out is counted all the same.
func TestCompareCuts(t *testing.T) {
	p := newPlace(t)
	p.write("link", "a file\n")
	base := p.commit("base")
	p.write("a.txt", numbered(20))
	p.write("b.txt", numbered(500)+strings.Repeat("x", 200_000)+"\n")
	p.write("c.txt", numbered(20))
	if err := os.Remove(filepath.Join(p.dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("c.txt", filepath.Join(p.dir, "link")); err != nil {
		t.Fatal(err)
	}
	head := p.commit("head")
	repo := p.open()
	whole, err := Compare(repo, base, head, DiffOptions{Limit: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int64{0, 1, 100, 400, 600, 900, 2000, int64(len(whole.Patch)) - 1, int64(len(whole.Patch))} {
		d, err := Compare(repo, base, head, DiffOptions{Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(d.Patch)) > limit {
			t.Errorf("limit %d: %d bytes", limit, len(d.Patch))
		}
		patches, kept := bytes.Count(append([]byte("\n"), d.Patch...), []byte("\ndiff --git ")), 0
		for i, f := range d.Files {
			if f.Added != whole.Files[i].Added || f.Removed != whole.Files[i].Removed {
				t.Errorf("limit %d: %s counts %d and %d", limit, f.New, f.Added, f.Removed)
			}
			if !f.LeftOut {
				kept += map[bool]int{false: 1, true: 2}[f.Status == 'T']
			}
		}
		if patches != kept || len(d.Patch) > 0 && d.Patch[len(d.Patch)-1] != '\n' {
			t.Errorf("limit %d: %d patches of %d that should be there", limit, patches, kept)
		}
	}
}

// TestCompareKeeps holds that only what is wanted is kept.
func TestCompareKeeps(t *testing.T) {
	p := newPlace(t)
	base := p.commit("base")
	p.write("a.txt", "a\n")
	p.write("b.txt", "b\n")
	head := p.commit("head")
	d, err := Compare(p.open(), base, head, DiffOptions{Limit: 1 << 20, Keep: func(c git.Change) bool { return c.New == "b.txt" }})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Files) != 2 || d.Files[0].Added != 1 || d.Files[0].LeftOut || bytes.Contains(d.Patch, []byte("a.txt")) || !bytes.Contains(d.Patch, []byte("+b\n")) {
		t.Errorf("%+v\n%s", d.Files, d.Patch)
	}
}

// TestCompareIsFlat holds that a change of 150 MB in one line costs no memory.
func TestCompareIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 150 MB")
	}
	p := newPlace(t)
	base := p.commit("base")
	p.write("big.txt", strings.Repeat("0123456789abcde", 10<<20))
	p.write("small.txt", "small\n")
	head := p.commit("head")
	repo := p.open()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := Compare(repo, base, head, DiffOptions{Limit: 1 << 20})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if !d.Files[0].LeftOut || d.Files[1].LeftOut || !bytes.Contains(d.Patch, []byte("+small\n")) {
		t.Errorf("%+v", d.Files)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("%d bytes were allocated for a limit of 1 MiB", grown)
	}
}

func TestCommits(t *testing.T) {
	p := newPlace(t)
	p.write("base.txt", "0\n")
	base := p.commit("base")
	p.git("switch", "-q", "-c", "work")
	p.write("own.txt", "1\n")
	own := p.commit("own\n\nThe reason.\n")
	p.git("switch", "-q", "main")
	p.write("base.txt", "1\n")
	theirs := p.commit("theirs")
	p.git("switch", "-q", "work")
	p.git("merge", "-q", "--no-edit", "main")
	head := p.git("rev-parse", "HEAD")
	repo := p.open()
	for _, ref := range []string{"main", "refs/heads/gone"} {
		commits, err := Commits(repo, base, head, ref)
		if err != nil {
			t.Fatal(err)
		}
		from := map[string]bool{}
		for _, c := range commits {
			from[c.ID] = c.FromBase
			if c.ID == own && (c.Body != "The reason.\n" || len(c.Paths) != 1 || c.Paths[0] != "own.txt") {
				t.Errorf("%+v", c)
			}
		}
		if len(from) != 3 || from[own] || from[head] || from[theirs] != (ref == "main") {
			t.Errorf("%s: %v", ref, from)
		}
	}
	if commits, err := Commits(repo, head, head, "main"); err != nil || commits != nil {
		t.Errorf("an empty range: %v, %v", commits, err)
	}
}
