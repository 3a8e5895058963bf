package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// buildFlags are those of the Makefile: what is measured and killed here is what
// people install.
var buildFlags = []string{"-trimpath", "-tags", "urfave_cli_no_docs,urfave_cli_no_suggest", "-ldflags", "-s -w"}

// program is the folder of git-sdd as it is built for people.
var program = sync.OnceValues(func() (string, error) { return build("built") })

// build builds git-sdd into a folder beside the commands of the scripts, which
// goes when they go.
func build(name string, flags ...string) (string, error) {
	child, err := exec.LookPath("child")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(filepath.Dir(filepath.Dir(child)), name)
	args := append(append([]string{"build", "-o", dir + string(filepath.Separator)}, buildFlags...), flags...)
	if out, err := exec.Command("go", append(args, ".")...).CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	return dir, nil
}

// A shop is a repository that no setting of the user's reaches, in which a test
// stands: on branch work, one commit from main. `git sdd` is the built program.
type shop struct {
	testing.TB
	dir string
}

func newShop(tb testing.TB, files map[string]string) shop {
	tb.Helper()
	bin, err := program()
	if err != nil {
		tb.Fatal(err)
	}
	return shopWith(tb, bin, files)
}

// shopWith is newShop with the git-sdd of another folder.
func shopWith(tb testing.TB, bin string, files map[string]string) shop {
	tb.Helper()
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "GIT_") || name == "EMAIL" {
			tb.Setenv(name, "") // so that it comes back
			os.Unsetenv(name)
		}
	}
	home := tb.TempDir()
	tb.Setenv("HOME", home)
	tb.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	tb.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	tb.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	s := shop{TB: tb, dir: tb.TempDir()}
	s.write(filepath.Join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n")
	tb.Chdir(s.dir)
	for name, text := range files {
		s.write(name, text)
	}
	s.git("init", "--quiet")
	s.git("add", "--all")
	s.git("commit", "--quiet", "--allow-empty", "--message", "first")
	s.git("switch", "--quiet", "--create", "work")
	return s
}

func (s shop) write(path, text string) {
	s.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

// An answer is what a process left.
type answer struct {
	args           []string
	exit           int // -1 when it was killed
	stdout, stderr string
}

// try runs a program, whatever it answers.
func (s shop) try(words ...string) answer {
	s.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		s.Fatal(err)
	}
	return answer{args: words, exit: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
}

// must runs a program that has to succeed, and returns what it printed.
func (s shop) must(words ...string) string {
	s.Helper()
	a := s.try(words...)
	if a.exit != 0 {
		s.Fatalf("%q: exit %d\n%s%s", words, a.exit, a.stdout, a.stderr)
	}
	return a.stdout
}

// git runs git and returns what it printed without the last newline.
func (s shop) git(args ...string) string {
	s.Helper()
	return strings.TrimSuffix(s.must(append([]string{"git"}, args...)...), "\n")
}

// sdd runs `git sdd ARGS --json` and reads its answer.
func (s shop) sdd(into any, args ...string) {
	s.Helper()
	s.read(s.git(append(append([]string{"sdd"}, args...), "--json")...), into)
}

func (s shop) read(text string, into any) {
	s.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		s.Fatalf("%v\n%s", err, text)
	}
}

// fsck demands that the repository is sound. What is merely dangling is garbage
// that git collects.
func (s shop) fsck() {
	s.Helper()
	if a := s.try("git", "fsck", "--strict", "--no-dangling", "--no-progress"); a.exit != 0 || a.stdout+a.stderr != "" {
		s.Errorf("git fsck: exit %d\n%s%s", a.exit, a.stdout, a.stderr)
	}
}

// onePlan is a plan of one task.
const onePlan = "# Plan\n\n## Task 1: Write one\n\n**Implementer tier:** Fast\n\n- [ ] Write it.\n"
