package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newWorkspace(t *testing.T) (*Workspace, string) {
	t.Helper()
	top := t.TempDir()
	w, err := At(top, Root(top, "0123456789ab"))
	if err != nil {
		t.Fatal(err)
	}
	return w, top
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestEnsureHidesItself(t *testing.T) {
	w, top := newWorkspace(t)
	for range 2 {
		if err := w.Ensure(); err != nil {
			t.Fatal(err)
		}
		if got := read(t, filepath.Join(top, Dir, ".gitignore")); got != "*\n" {
			t.Errorf(".gitignore = %q", got)
		}
		if err := os.Remove(filepath.Join(top, Dir, ".gitignore")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRestoreWritesWhatIsMissingOrDiffers(t *testing.T) {
	w, _ := newWorkspace(t)
	const artifact = "artifacts/task-1/brief.md"
	path := w.Path(artifact)
	for _, before := range []string{"", "edited", "right"} {
		if before != "" {
			if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Restore(artifact, []byte("right")); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != "right" {
			t.Errorf("after %q: %q", before, got)
		}
	}
	if got, err := w.Artifact(path); err != nil || got != artifact {
		t.Errorf("Artifact(%q) = %q, %v", path, got, err)
	}
	if got, err := w.Artifact(filepath.Join(w.root, "..", "x")); err == nil {
		t.Errorf("a path outside the run root gave %q", got)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	w, top := newWorkspace(t)
	outside := t.TempDir()
	victim := filepath.Join(outside, "brief.md")
	if err := os.WriteFile(victim, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := w.Ensure(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, w.Path("artifacts/task-1")); err != nil {
		t.Fatal(err)
	}
	if err := w.Restore("artifacts/task-1/brief.md", []byte("ours")); err == nil {
		t.Error("a linked folder was followed")
	}
	if err := os.MkdirAll(w.Path("artifacts/task-2"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, w.Path("artifacts/task-2/brief.md")); err != nil {
		t.Fatal(err)
	}
	if err := w.Restore("artifacts/task-2/brief.md", []byte("ours")); err != nil {
		t.Errorf("a linked file is to be replaced: %v", err)
	}
	if got := read(t, victim); got != "mine" {
		t.Errorf("a file outside was written: %q", got)
	}

	other := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(other, Dir)); err != nil {
		t.Fatal(err)
	}
	linked, err := At(other, Root(other, "0123456789ab"))
	if err != nil {
		t.Fatal(err)
	}
	if err := linked.Ensure(); err == nil {
		t.Errorf("a linked %s of %s was followed", Dir, top)
	}
}

func TestAtRefusesAnyOtherRoot(t *testing.T) {
	for _, root := range []string{"/w/.git-sdd", "/w/.git-sdd/a/b", "/x/.git-sdd/a", "/w/.sdd/a"} {
		if _, err := At("/w", root); err == nil {
			t.Errorf("At(/w, %s) succeeded", root)
		}
	}
}

func TestKeepNeverOverwrites(t *testing.T) {
	w, _ := newWorkspace(t)
	report := w.Path("artifacts/task-1/implementer-1.report.md")
	seen := map[string]bool{}
	for _, text := range []string{"one", "two", "one"} {
		path, err := w.Keep(report, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != text {
			t.Errorf("%s holds %q, want %q", path, got, text)
		}
		seen[path] = true
	}
	if len(seen) != 2 {
		t.Errorf("kept %d files, want 2: the same bytes once", len(seen))
	}
	taken := strings.TrimSuffix(report, ".md") + ".refused-3.md"
	if err := os.Mkdir(taken, 0o755); err != nil {
		t.Fatal(err)
	}
	if path, err := w.Keep(report, []byte("three")); err != nil || path == taken || read(t, path) != "three" {
		t.Errorf("kept in %s, %v", path, err)
	}
}
