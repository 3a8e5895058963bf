package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSnapshotTouchesNothing(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write("kept", "1\n")
	write("edited", "1\n")
	write("gone", "1\n")
	git("add", ".")
	git("commit", "-q", "-m", "root")
	write("edited", "2\n")
	write("new *", "x\x00y")
	write("other", "not asked for\n")
	if err := os.Remove(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	before := git("status", "--porcelain")

	repo, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	id, err := repo.Snapshot("leftovers\n", Ident{Name: "A", Email: "a@example.org", When: time.Unix(1, 0)}, []string{"edited", "new *", "gone"})
	if err != nil {
		t.Fatal(err)
	}
	if after := git("status", "--porcelain"); after != before {
		t.Errorf("status was\n%sand is\n%s", before, after)
	}
	if got := git("diff-tree", "-r", "--name-status", "HEAD", id); got != "M\tedited\nD\tgone\nA\tnew *\n" {
		t.Errorf("the snapshot holds\n%s", got)
	}
	patch, err := repo.Patch("HEAD", id)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(patch), "GIT binary patch") || !strings.Contains(string(patch), "+2\n") {
		t.Errorf("the patch is\n%s", patch)
	}
}
