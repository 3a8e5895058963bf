package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A copy has the commit that is checked out, no hook and no change of its own;
// what is done in it stays there.
func TestClone(t *testing.T) {
	f := newFixture(t)
	if err := os.WriteFile(filepath.Join(f.dir, "a"), []byte("a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f.git("add", "a")
	f.git("commit", "-q", "-m", "a")
	for name, data := range map[string]string{"b": "untracked\n", "a": "changed\n", ".git/hooks/pre-commit": "#!/bin/sh\nexit 1\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(f.dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte(data), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	before := f.git("for-each-ref") + f.git("status", "--porcelain") + f.git("config", "--list", "--local")

	repo, err := Open(context.Background(), f.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	dir := filepath.Join(t.TempDir(), "copy")
	if err := repo.Clone(dir, "user.name=Copy", "user.email=copy@example.org"); err != nil {
		t.Fatal(err)
	}
	clone, err := repo.At(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer clone.Close()
	if got, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(got) != "a\n" {
		t.Errorf("a is %q in the copy, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b")); !os.IsNotExist(err) {
		t.Errorf("an untracked file came along: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "new"), []byte("new\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	id, err := clone.CommitFiles("new", "new")
	if err != nil {
		t.Fatal(err)
	}
	author, err := clone.Output("show", "-s", "--format=%an %s", id)
	if err != nil || strings.TrimSpace(string(author)) != "Copy new" {
		t.Errorf("the commit is %q, %v", author, err)
	}
	if after := f.git("for-each-ref") + f.git("status", "--porcelain") + f.git("config", "--list", "--local"); after != before {
		t.Errorf("the repository was\n%s\nand is\n%s", before, after)
	}
	if _, err := repo.Object(id); err == nil {
		t.Error("the copy's commit is in the repository")
	}
}
