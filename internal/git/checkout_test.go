package git

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// files lists what stands below a folder, git's own file left out.
func files(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != ".git" {
			name, _ := filepath.Rel(dir, path)
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

func TestCheckoutIsTheCommit(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f := newFixture(t)
	f.write("a.txt", "a\n")
	f.write("sub/b.txt", "b\n")
	first := f.commit("first")
	f.write("a.txt", "changed\n")
	f.commit("second")
	f.write("untracked.txt", "x\n")
	f.write("a.txt", "uncommitted\n")
	f.git("sparse-checkout", "set", "nothing")
	f.script(".git/hooks/post-checkout", "touch "+f.path("hook-ran"))
	repo := f.open()
	before := f.git("status", "--porcelain")
	c, err := repo.Checkout(first)
	if err != nil {
		t.Fatal(err)
	}
	if got := files(t, c.Dir()); got != "a.txt sub/b.txt" {
		t.Errorf("the checkout holds %q", got)
	}
	if data, _ := os.ReadFile(filepath.Join(c.Dir(), "a.txt")); string(data) != "a\n" {
		t.Errorf("a.txt is %q", data)
	}
	if filepath.Base(c.Dir()) != filepath.Base(f.dir) {
		t.Errorf("the work tree is called %q", c.Dir())
	}
	if head := runIn(t, c.Dir(), "rev-parse", "HEAD"); head != first {
		t.Errorf("HEAD is %s", head)
	}
	if tree, err := c.Tree(); err != nil || tree != f.git("rev-parse", first+"^{tree}") {
		t.Errorf("tree %s, %v", tree, err)
	}
	// What a program may do to it, and what a program may have made read-only.
	locked := filepath.Join(c.Dir(), "cache")
	for _, err := range []error{os.Mkdir(locked, 0o755), os.WriteFile(filepath.Join(locked, "f"), nil, 0o444), os.Chmod(locked, 0o555), os.Remove(filepath.Join(c.Dir(), ".git"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Remove(); err != nil {
		t.Error(err)
	}
	nothingLeft(t, f, c)
	if after := f.git("status", "--porcelain"); after != before {
		t.Errorf("the user's work tree was touched:\n%s", after)
	}
	if _, err := os.Stat(f.path("hook-ran")); err == nil {
		t.Error("a hook of the user's ran")
	}
}

func runIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func nothingLeft(t *testing.T, f fixture, c *Checkout) {
	t.Helper()
	if list := f.git("worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("a worktree is still registered:\n%s", list)
	}
	if _, err := os.Stat(c.around); err == nil {
		t.Errorf("%s is still there", c.around)
	}
}

// TestCheckoutWithinHook holds that the variables of a hook, which name the
// user's own index, reach nothing.
func TestCheckoutWithinHook(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f := newFixture(t)
	f.write("a.txt", "a\n")
	f.commit("first")
	f.git("worktree", "add", "-q", f.path("linked"), "-b", "linked")
	index := f.path(".git", "worktrees", "linked", "index")
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_DIR", f.path(".git", "worktrees", "linked"))
	t.Setenv("GIT_INDEX_FILE", index)
	t.Setenv("GIT_WORK_TREE", f.path("linked"))
	repo, err := Open(context.Background(), f.path("linked"))
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	c, err := repo.Checkout("HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if got := files(t, c.Dir()); got != "a.txt" {
		t.Errorf("the checkout holds %q", got)
	}
	if err := c.Remove(); err != nil {
		t.Error(err)
	}
	if after, _ := os.ReadFile(index); string(after) != string(before) {
		t.Error("the user's index was written")
	}
}

func TestCheckoutTakesAndDrops(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f := newFixture(t)
	f.write("a.txt", "old\n")
	f.write("gone.txt", "gone\n")
	base := f.commit("base")
	f.write("a.txt", "new\n")
	f.write("[x]*.txt", "odd\n")
	f.git("rm", "-q", "gone.txt")
	head := f.commit("head")
	c, err := f.open().Checkout(base)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Remove()
	if err := c.Take(head, []string{"a.txt", "[x]*.txt"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Drop([]string{"gone.txt", "never.txt"}); err != nil {
		t.Fatal(err)
	}
	if tree, err := c.Tree(); err != nil || tree != f.git("rev-parse", head+"^{tree}") {
		t.Errorf("tree %s, %v; want that of the head", tree, err)
	}
}

// TestLeftovers holds whose checkouts are removed: ours, abandoned, untouched.
func TestLeftovers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f := newFixture(t)
	f.write("a.txt", "a\n")
	f.commit("first")
	repo := f.open()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	gone := fmt.Sprintf("%s, process %d on %s", checkoutReason, dead.Process.Pid, hostName())
	for _, c := range []struct {
		name, reason, touch string
		left, kept          bool
	}{
		{"ours and clean", gone, "", false, false},
		{"at work", "", "", true, false},
		{"ours and dirty", gone, "a.txt", true, true},
		{"ours with a new file", gone, "new.txt", true, true},
		{"of another host", strings.Replace(gone, hostName(), "elsewhere", 1), "", true, false},
		{"somebody else's", "keep it", "", true, false},
	} {
		k, err := repo.Checkout("HEAD")
		if err != nil {
			t.Fatal(err)
		}
		admin := runIn(t, k.Dir(), "rev-parse", "--absolute-git-dir")
		if c.reason != "" {
			if err := os.WriteFile(filepath.Join(admin, "locked"), []byte(c.reason+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if c.touch != "" {
			if err := os.WriteFile(filepath.Join(k.Dir(), c.touch), []byte("x"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		k.Note(c.name)
		var noted string
		kept := repo.Leftovers(func(note string) { noted = note })
		if abandoned := !c.left || c.kept; (noted == c.name) != abandoned {
			t.Errorf("%s: noted %q", c.name, noted)
		}
		if _, err := os.Stat(k.Dir()); (err == nil) != c.left || (len(kept) == 1) != c.kept {
			t.Errorf("%s: left %t, kept %v", c.name, err == nil, kept)
		}
		if err := k.Remove(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		nothingLeft(t, f, k)
	}
}

// TestRemovalCutShort holds that a removal that did not come to its end is
// brought to it later.
func TestRemovalCutShort(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	f := newFixture(t)
	f.write("a.txt", "a\n")
	f.commit("first")
	repo := f.open()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	k, err := repo.Checkout("HEAD")
	if err != nil {
		t.Fatal(err)
	}
	reason := fmt.Sprintf("%s, process %d on %s\n", checkoutReason, dead.Process.Pid, hostName())
	if err := os.WriteFile(filepath.Join(k.admin, "locked"), []byte(reason), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(k.around, k.around+"-gone"); err != nil {
		t.Fatal(err)
	}
	if kept := repo.Leftovers(func(string) {}); len(kept) > 0 {
		t.Errorf("kept %v", kept)
	}
	nothingLeft(t, f, k)
	if left, _ := filepath.Glob(filepath.Join(tmp, "git-sdd-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}
