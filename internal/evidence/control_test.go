package evidence

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/git"
)

// TestRunControl holds that a control is the commit with what was taken and
// dropped, in every one of its runs, and that its tree says so.
func TestRunControl(t *testing.T) {
	p := newPlace(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	p.write("answer", "0\n")
	p.write("old_test", "old\n")
	base := p.commit("base")
	p.write("answer", "42\n")
	p.write("new_test", "grep -q 42 answer\n")
	p.git("rm", "--quiet", "old_test")
	head := p.commit("head")
	k := Control{Commit: base, From: head, Take: []string{"new_test"}, Drop: []string{"old_test"}}
	res, err := RunControl(context.Background(), p.open(), shell("ls; sh new_test"), k)
	if err != nil || res.Outcome != GateFailed || len(res.Runs) != 2 || res.Commit != base {
		t.Fatalf("%v: %+v", err, res)
	}
	for _, run := range res.Runs {
		if string(run.Tail) != "answer\nnew_test\n" {
			t.Errorf("the control holds %q", run.Tail)
		}
	}
	if res.Tree == p.git("rev-parse", base+"^{tree}") || !strings.Contains(p.git("ls-tree", "--name-only", res.Tree), "new_test") {
		t.Errorf("the control has the tree %s", res.Tree)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := RunControl(context.Background(), p.open(), shell("true"), Control{Commit: base, From: head, Take: []string{"never"}}); err == nil {
		t.Error("a path that is not there was taken")
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestFootprintsOfABareRepository holds that one without a work tree has refs and
// settings to look at.
func TestFootprintsOfABareRepository(t *testing.T) {
	p := newPlace(t)
	p.commit("head")
	bare := filepath.Join(t.TempDir(), "bare.git")
	if out, err := exec.Command("git", "clone", "--quiet", "--bare", p.dir, bare).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repo, err := git.Open(context.Background(), bare)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	before, err := Footprints(repo)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "-C", bare, "branch", "stray").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	after, err := Footprints(repo)
	if got := after.Since(before); err != nil || !slices.Equal(got, []string{"refs/heads/stray"}) {
		t.Errorf("%v: %q", err, got)
	}
}
