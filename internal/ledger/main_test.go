package ledger

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/git"
)

// TestMain gives every test a git without settings.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	os.Setenv("XDG_CONFIG_HOME", home)
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	os.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(home, "gitconfig"))
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"} {
		os.Unsetenv(name)
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
	t    testing.TB
	dir  string
	head string // its only commit
}

func newFixture(t testing.TB, init ...string) fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{t: t, dir: dir}
	f.git(append([]string{"init", "-q", "-b", "main"}, init...)...)
	f.git("config", "user.name", "A Tester")
	f.git("config", "user.email", "tester@example.org")
	f.git("commit", "-q", "--allow-empty", "-m", "first")
	f.head = f.git("rev-parse", "HEAD")
	return f
}

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

func (f fixture) path(elements ...string) string {
	return filepath.Join(append([]string{f.dir}, elements...)...)
}

func (f fixture) open() *git.Repo {
	f.t.Helper()
	return openAt(f.t, f.dir)
}

func openAt(t testing.TB, dir string) *git.Repo {
	t.Helper()
	repo, err := git.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	return repo
}

// fsck fails the test unless the repository is whole and strict about it.
func (f fixture) fsck() {
	f.t.Helper()
	if out, err := f.try("fsck", "--strict", "--no-dangling", "--connectivity-only"); err != nil || out != "" {
		f.t.Errorf("fsck --connectivity-only: %v\n%s", err, out)
	}
	if out, err := f.try("fsck", "--strict", "--no-dangling"); err != nil || out != "" {
		f.t.Errorf("fsck: %v\n%s", err, out)
	}
}

func supports(t testing.TB, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = t.TempDir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("this git cannot %v: %s", args, out)
	}
}

// backends are the kinds of repository that a run must live in.
var backends = []struct {
	name string
	init []string
}{
	{"files", nil},
	{"sha256", []string{"--object-format=sha256"}},
	{"reftable", []string{"--ref-format=reftable"}},
}

// idOf returns the run id that consists of one byte's digits.
func idOf(b byte) RunID {
	id, err := ParseRunID(strings.Repeat(fmt.Sprintf("%02x", b), 32))
	if err != nil {
		panic(err)
	}
	return id
}

// firstEntry is a valid revision 0.
func firstEntry() Entry {
	return Entry{
		At: "2026-09-01T00:00:00.123Z", Event: "run-initialized", Phase: "CAPABILITY_CHECK", Task: "1", Subject: "start: plan.md",
		State: []byte(`{"revision":0}`), EventDoc: []byte(`{"event":0}`), Files: map[string][]byte{"plan.md": []byte("# Plan\r\n")},
	}
}

// entry is a valid revision n.
func entry(n int) Entry {
	return Entry{
		Revision: n, At: fmt.Sprintf("2026-09-01T00:%02d:%02d.456Z", n/60, n%60), Event: "note-taken", Phase: "IMPLEMENT_RUNNING", Task: "2",
		Subject: fmt.Sprintf("task 2: step %d", n), State: fmt.Appendf(nil, `{"revision":%d}`, n), EventDoc: fmt.Appendf(nil, `{"event":%d}`, n),
	}
}

// must fails the test over an error that must not be.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// story writes a run of the given number of revisions and returns its tip.
func (f fixture) story(repo *git.Repo, id RunID, revisions int) Tip {
	f.t.Helper()
	tip := must(Create(context.Background(), repo, id, firstEntry()))(f.t)
	for n := 1; n < revisions; n++ {
		tip = must(Append(context.Background(), repo, tip, entry(n)))(f.t)
	}
	return tip
}

// write makes a file.
func (f fixture) write(path, contents string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(path)), 0o777); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path(path), []byte(contents), 0o666); err != nil {
		f.t.Fatal(err)
	}
}
