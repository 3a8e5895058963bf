package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTouchedNamesWhatEachCommitChanged(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q", "-b", "main")
	run("commit", "-q", "--allow-empty", "-m", "root")
	run("branch", "base")
	write("a")
	write("dir/ü b")
	run("add", ".")
	run("commit", "-q", "-m", "two files")
	run("mv", "a", "c")
	run("commit", "-q", "-m", "rename")
	run("commit", "-q", "--allow-empty", "-m", "empty")
	run("switch", "-q", "-c", "side", "base")
	write("side")
	run("add", ".")
	run("commit", "-q", "-m", "side")
	run("switch", "-q", "main")
	run("merge", "-q", "--no-ff", "-m", "merge", "side")
	write("\nodd")
	run("add", ".")
	run("commit", "-q", "-m", "odd name")
	write(".gitignore")
	write("built/x")
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("built/\n"), 0o644); err != nil {
		t.Fatal(err)
	}

	repo, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	got, err := repo.Touched("base", "main")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"two files": {"a", "dir/ü b"}, "rename": {"a", "c"}, "empty": nil, "side": {"side"}, "merge": {"side"}, "odd name": {"\nodd"},
	}
	if len(got) != len(want) {
		t.Errorf("%d commits, want %d: %+v", len(got), len(want), got)
	}
	for _, c := range got {
		if !slices.Equal(c.Paths, want[c.Subject]) {
			t.Errorf("%q touched %q, want %q", c.Subject, c.Paths, want[c.Subject])
		}
	}
	ignored, err := repo.IgnoredFiles()
	if err != nil || !slices.Equal(ignored, []string{"built/"}) {
		t.Errorf("ignored = %q, %v", ignored, err)
	}
}

// A subject that looks like the start of another record stays a subject.
func TestTouchedForged(t *testing.T) {
	f := newFixture(t)
	base := f.tip("HEAD")
	forged := "x\x01" + strings.Repeat("1", 40) + "\x02y\x02"
	f.write("a", "1\n")
	head := f.commit(forged)
	got, err := f.open().Touched(base, head)
	if err != nil || len(got) != 1 || got[0].ID != head || got[0].Subject != forged || !slices.Equal(got[0].Paths, []string{"a"}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzParseTouched(f *testing.F) {
	f.Add("\x00ab\x00two\x00\x00\na\x00b\x00\x00cd\x00empty\x00\x00")
	f.Add("\x00ab\x00\x00\x00")
	f.Add("")
	f.Fuzz(func(t *testing.T, output string) {
		all, err := parseTouched(output)
		for _, c := range all {
			if err == nil && (!isHex(c.ID) || strings.Contains(c.Subject, "\x00")) {
				t.Errorf("%+v", c)
			}
		}
	})
}
