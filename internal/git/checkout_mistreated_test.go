package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever a program does to its checkout, nothing of it is left, neither the
// folder nor what git knows of it.
func TestCheckoutMistreated(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	f := newFixture(t)
	f.write("a.txt", "a\n")
	f.write("sub/b.txt", "b\n")
	first := f.commit("first")
	repo := f.open()
	for name, script := range map[string]string{
		"removed":                 `rm -rf "$PWD"`,
		"emptied":                 `rm -rf .git *`,
		"without its git file":    `rm .git`,
		"another git file":        `echo nonsense >.git`,
		"a repository of its own": `rm .git; git init -q; git add -A`,
		"unlocked":                `git worktree unlock .`,
		"unlocked and pruned":     `git worktree unlock .; d=$PWD; cd /; mv "$d" "$d-away"; git -C "$REPO" worktree prune; mv "$d-away" "$d"`,
		"moved":                   `git worktree move --force --force . ../elsewhere`,
		"moved by hand":           `mv "$PWD" "$PWD-2"`,
		"removed by git":          `git worktree remove --force --force .`,
		"on a branch":             `git switch -qc mine; git commit -q --allow-empty -m mine; git switch -q --detach; git branch -qD mine`,
		"a lock file":             `touch "$(git rev-parse --git-dir)/index.lock"`,
		"no index":                `rm "$(git rev-parse --git-dir)/index"`,
		"another worktree in it":  `git worktree add -q --detach ./inner; git worktree remove --force inner`,
		"read-only":               `chmod -R a-w .`,
		"much":                    `for d in 1 2 3 4 5 6 7 8 9; do mkdir -p deep/$d; (cd deep/$d && seq 1 200 | xargs touch); done`,
	} {
		t.Run(name, func(t *testing.T) {
			c, err := repo.Checkout(first)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", script)
			cmd.Dir = c.Dir()
			cmd.Env = append(os.Environ(), "REPO="+f.dir, "PWD="+c.Dir())
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Logf("%v: %s", err, out)
			}
			if err := c.Remove(); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
				t.Errorf("left: %v, %v", left, err)
			}
			if list := f.git("worktree", "list"); strings.Contains(list, "\n") {
				t.Errorf("still registered:\n%s", list)
				f.git("worktree", "prune")
			}
			if entries, _ := os.ReadDir(filepath.Join(f.dir, ".git", "worktrees")); len(entries) > 0 {
				t.Errorf("still known: %v", entries)
			}
		})
	}
}

// What still writes into a checkout does not keep it.
func TestCheckoutUnderFire(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	f := newFixture(t)
	f.write("sub/b.txt", "b\n")
	first := f.commit("first")
	repo := f.open()
	c, err := repo.Checkout(first)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `n=0; while mkdir -p "$0/sub/$n" && : >"$0/sub/$n/x" && test $n -lt 3000; do n=$((n+1)); done 2>/dev/null`, c.Dir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for { // until it is at work
		if entries, _ := os.ReadDir(filepath.Join(c.Dir(), "sub")); len(entries) > 20 {
			break
		}
	}
	err = c.Remove()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if err != nil {
		t.Error(err)
	}
	if list := f.git("worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("still registered:\n%s", list)
	}
}
