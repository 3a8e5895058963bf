package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestOpen(t *testing.T) {
	f := newFixture(t)
	f.write("a/b/file", "x\n")
	f.commit("files")
	f.git("branch", "topic/one")
	linked := filepath.Join(t.TempDir(), "linked tree")
	f.git("worktree", "add", "-q", linked, "topic/one")
	bare := filepath.Join(t.TempDir(), "bare.git")
	f.git("clone", "-q", "--bare", ".", bare)
	detached := filepath.Join(t.TempDir(), "detached")
	f.git("worktree", "add", "-q", "--detach", detached)
	unborn := emptyFixture(t)
	namedHead := newFixture(t)
	namedHead.git("update-ref", "refs/heads/HEAD", "HEAD")
	git := f.path(".git")

	for _, tt := range []struct {
		name, dir                                    string
		gitDir, common, workTree, prefix, headRef, b string
	}{
		{"top", f.dir, git, git, f.dir, "", "refs/heads/main", "main"},
		{"subdirectory", f.path("a", "b"), git, git, f.dir, "a/b/", "refs/heads/main", "main"},
		{"linked worktree", linked, filepath.Join(git, "worktrees", "linked-tree"), git, linked, "", "refs/heads/topic/one", "topic/one"},
		{"detached", detached, filepath.Join(git, "worktrees", "detached"), git, detached, "", "", ""},
		{"bare", bare, bare, bare, "", "", "refs/heads/main", "main"},
		{"inside .git", git, git, git, "", "", "refs/heads/main", "main"},
		{"no commit", unborn.dir, unborn.path(".git"), unborn.path(".git"), unborn.dir, "", "refs/heads/main", "main"},
		{"branch named HEAD", namedHead.dir, namedHead.path(".git"), namedHead.path(".git"), namedHead.dir, "", "refs/heads/main", "main"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := openAt(t, tt.dir)
			for _, c := range []struct{ what, got, want string }{
				{"GitDir", r.GitDir(), tt.gitDir}, {"CommonDir", r.CommonDir(), tt.common}, {"WorkTree", r.WorkTree(), tt.workTree},
				{"Prefix", r.Prefix(), tt.prefix}, {"HeadRef", r.HeadRef(), tt.headRef}, {"Branch", r.Branch(), tt.b}, {"ObjectFormat", r.ObjectFormat(), "sha1"},
			} {
				if c.got != c.want {
					t.Errorf("%s = %q, want %q", c.what, c.got, c.want)
				}
			}
			if _, err := r.Resolve("HEAD"); (err != nil) != (tt.name == "no commit") {
				t.Errorf("Resolve(HEAD): %v", err)
			}
		})
	}
}

// A hook runs with variables that name its repository; so does git when it was
// called with --git-dir, and then the path is relative.
func TestOpenByEnvironment(t *testing.T) {
	f := newFixture(t)
	f.write("sub/file", "x\n")
	f.commit("files")
	other := newFixture(t)
	for _, tt := range []struct {
		name, dir string
		env       map[string]string
		workTree  string
	}{
		{"hook", f.dir, map[string]string{"GIT_DIR": ".git"}, f.dir},
		{"from elsewhere", other.dir, map[string]string{"GIT_DIR": f.path(".git"), "GIT_WORK_TREE": f.dir}, f.dir},
		{"relative", f.path("sub"), map[string]string{"GIT_DIR": "../.git", "GIT_WORK_TREE": ".."}, f.dir},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, value := range tt.env {
				t.Setenv(name, value)
			}
			t.Chdir(tt.dir)
			r := openAt(t, ".")
			if r.WorkTree() != tt.workTree || r.GitDir() != f.path(".git") {
				t.Errorf("work tree %q of %q, want %q of %q", r.WorkTree(), r.GitDir(), tt.workTree, f.path(".git"))
			}
			status, err := r.Status()
			if err != nil || len(status) != 0 {
				t.Errorf("Status: %v, %v", status, err)
			}
			// The reading process started before the answer was known.
			if id, err := r.Resolve("HEAD"); err != nil || id != f.head() {
				t.Errorf("Resolve(HEAD) = %q, %v", id, err)
			}
			elsewhere, err := r.At(other.dir)
			if err != nil {
				t.Fatal(err)
			}
			defer elsewhere.Close()
			if elsewhere.GitDir() != other.path(".git") {
				t.Errorf("At led to %q", elsewhere.GitDir())
			}
		})
	}
}

// head reads the tip of main without the variables that a test has set.
func (f fixture) head() string {
	data, err := os.ReadFile(f.path(".git", "refs", "heads", "main"))
	if err != nil {
		f.t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}

func TestOpenRefuses(t *testing.T) {
	t.Setenv("GIT_CEILING_DIRECTORIES", "/")
	_, err := Open(context.Background(), t.TempDir())
	var failed *CmdError
	if !errors.Is(err, ErrNotRepository) || !errors.As(err, &failed) || failed.Exit != 128 {
		t.Errorf("outside: %v", err)
	}
	if _, err := Open(context.Background(), filepath.Join(t.TempDir(), "gone")); err == nil || errors.Is(err, ErrNotRepository) {
		t.Errorf("missing directory: %v", err)
	}
	newline := filepath.Join(t.TempDir(), "a\nb")
	if err := os.Mkdir(newline, 0o777); err != nil {
		t.Fatal(err)
	}
	f := fixture{t: t, dir: newline}
	f.git("init", "-q")
	if _, err := Open(context.Background(), newline); !errors.Is(err, ErrNewline) {
		t.Errorf("a path with a newline was read as something: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A directory of somebody else's is git's to refuse, with git's own words.
func TestOpenDubiousOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	f := newFixture(t)
	if err := os.Chown(f.dir, 12345, 12345); err != nil {
		t.Skip(err)
	}
	if err := os.Chown(f.path(".git"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	_, err := Open(context.Background(), f.dir)
	if err == nil || errors.Is(err, ErrNotRepository) || !strings.Contains(err.Error(), "dubious ownership") {
		t.Errorf("Open: %v", err)
	}
}

func TestLocalVars(t *testing.T) {
	f := newFixture(t)
	for name := range strings.FieldsSeq(f.git("rev-parse", "--local-env-vars")) {
		if !slices.Contains(localVars, name) {
			t.Errorf("%s is a local variable of this git and not cleared", name)
		}
	}
	got := WithoutLocal([]string{"A=1", "GIT_DIR=x", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c", "GIT_TRACE=1"})
	if strings.Join(got, " ") != "A=1 GIT_TRACE=1" {
		t.Errorf("WithoutLocal left %q", got)
	}
}

// The repository is resolved once: what moves in below it later has no say.
func TestResolvedOnce(t *testing.T) {
	f := newFixture(t)
	f.write("sub/file", "x\n")
	f.commit("files")
	r := openAt(t, f.path("sub"))
	nested := fixture{t: t, dir: f.path("sub")}
	nested.git("init", "-q")
	if heads, err := r.BranchHeads(); err != nil || heads["refs/heads/main"] == "" {
		t.Errorf("BranchHeads = %v, %v", heads, err)
	}
}

func FuzzPlaceOf(f *testing.F) {
	f.Add("/r/.git\n/r/.git\n/r/.git/objects\nsha1\n\n/r\nrefs/heads/main\n--\n")
	f.Add("/r\n/r\n/r/objects\nsha256\n\n")
	f.Fuzz(func(t *testing.T, output string) {
		answer := lines([]byte(output))
		if len(answer) <= linePrefix {
			return // resolve has refused it
		}
		if p, err := placeOf(answer); err == nil && digits[p.format] == 0 {
			t.Errorf("format %q was taken", p.format)
		}
	})
}

// A git that is too old says so by what it does not know.
func TestOpenTooOld(t *testing.T) {
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	f.script("bin/git", `case "$*" in *cat-file*) echo "error: unknown option" >&2; exit 129;; esac; exec `+real+` "$@"`)
	t.Setenv("PATH", f.path("bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	if _, err := openAt(t, f.dir).Resolve("HEAD"); !errors.Is(err, ErrTooOld) || !strings.Contains(err.Error(), "git cat-file") {
		t.Errorf("%v", err)
	}
}
