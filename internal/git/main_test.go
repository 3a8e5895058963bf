package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain gives every test a git without settings and without the variables
// that a hook or an editor may have set.
func TestMain(m *testing.M) {
	for _, name := range localVars {
		os.Unsetenv(name)
	}
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, "gitconfig"),
		"GIT_AUTHOR_NAME": "", "GIT_AUTHOR_EMAIL": "", "GIT_COMMITTER_NAME": "", "GIT_COMMITTER_EMAIL": "", "EMAIL": "",
	} {
		if value == "" {
			os.Unsetenv(name)
		} else {
			os.Setenv(name, value)
		}
	}
	// No gc of git's own beside a test that is being cleared away.
	if err := os.WriteFile(filepath.Join(home, "gitconfig"), []byte("[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"), 0o644); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(home)
	os.Exit(status)
}

// A fixture is a repository that a test drives with git itself.
type fixture struct {
	t   testing.TB
	dir string
}

// newFixture makes a repository with an identity and one commit.
func newFixture(t testing.TB, init ...string) fixture {
	t.Helper()
	f := emptyFixture(t, init...)
	f.git("commit", "-q", "--allow-empty", "-m", "first")
	return f
}

func emptyFixture(t testing.TB, init ...string) fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{t: t, dir: dir}
	f.git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	f.git("config", "user.name", "A Tester")
	f.git("config", "user.email", "tester@example.org")
	return f
}

// git runs git in the repository and returns what it printed.
func (f fixture) git(args ...string) string {
	f.t.Helper()
	out, err := f.try(args...)
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

func (f fixture) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = f.dir
	out, err := cmd.CombinedOutput()
	return strings.TrimSuffix(string(out), "\n"), err
}

// write makes a file with its directories.
func (f fixture) write(path, contents string) {
	f.t.Helper()
	full := f.path(path)
	if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(contents), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

// commit makes a commit of everything and returns its id.
func (f fixture) commit(message string) string {
	f.t.Helper()
	f.git("add", "-A")
	f.git("commit", "-q", "--allow-empty", "-m", message)
	return f.git("rev-parse", "HEAD")
}

func (f fixture) path(elements ...string) string {
	return filepath.Join(append([]string{f.dir}, elements...)...)
}

// open opens the repository for the length of the test.
func (f fixture) open() *Repo {
	f.t.Helper()
	return openAt(f.t, f.dir)
}

func openAt(t testing.TB, dir string) *Repo {
	t.Helper()
	repo, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	return repo
}

// script writes a program that a test wants git to run, or not to.
func (f fixture) script(path, body string) string {
	f.t.Helper()
	f.write(path, "#!/bin/sh\n"+body+"\n")
	if err := os.Chmod(f.path(path), 0o777); err != nil {
		f.t.Fatal(err)
	}
	return f.path(path)
}

// supports skips the test where the git that is installed cannot do something.
func supports(t testing.TB, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = t.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("this git cannot %v: %s", args, out)
	}
}
