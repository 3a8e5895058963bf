//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

const tierless = "# Plan\n\n### Task 1: Write one\n\n- [ ] Write it.\n\n### Task 2: Write two\n\n**Implementer tier:** Capable\n\n- [ ] Write it.\n\n### Task 3: Write\u200b three\n\n- [ ] Write it.\n"

// A terminal is a process that people sit in front of: its standard input and
// error are a terminal, and its output is one or a file.
type terminal struct {
	shown  string // what the terminal got
	stdout string // what a file got
	exit   int
}

// atTerminal runs a program with the editor given as a shell command. Standard
// output goes to a file where redirected is set.
func (s shop) atTerminal(editor string, redirected bool, words ...string) terminal {
	s.Helper()
	own, theirs, err := pty.Open()
	if err != nil {
		s.Skipf("no terminal to be had: %v", err)
	}
	defer own.Close()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), "GIT_EDITOR="+editor, "TERM=xterm")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	var file *os.File
	if redirected {
		if file, err = os.Create(filepath.Join(s.TempDir(), "stdout")); err != nil {
			s.Fatal(err)
		}
		defer file.Close()
		cmd.Stdout = file
	}
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	theirs.Close()
	kill := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	shown, _ := io.ReadAll(own) // ends with EIO when the last process is gone
	if err := cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		s.Fatal(err)
	}
	t := terminal{shown: strings.ReplaceAll(string(shown), "\r\n", "\n"), exit: cmd.ProcessState.ExitCode()}
	if redirected {
		data, err := os.ReadFile(file.Name())
		if err != nil {
			s.Fatal(err)
		}
		t.stdout = string(data)
	}
	return t
}

// newTierShop is a shop whose only temporary folder is its own, so that a table
// that was left behind shows.
func newTierShop(t *testing.T) (s shop, tables func() []string) {
	s = newShop(t, map[string]string{"plan.md": tierless})
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return s, func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "git-sdd-tiers-*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
}

// TestTiersAtATerminal: one table of the tasks without a tier opens in the
// editor, with what each tier is for; what is filled in is the conversion. Nothing
// in it hides from the eye.
func TestTiersAtATerminal(t *testing.T) {
	s, tables := newTierShop(t)
	got := s.atTerminal(`f() { cp "$1" seen; sed -i "s/^1 = /1 = Fast/; s/^3 = /3 = advanced/" "$1"; }; f`, true, "git-sdd", "plan", "convert", "plan.md")
	if got.exit != 0 {
		t.Fatalf("exit %d\n%s", got.exit, got.shown)
	}
	seen, err := os.ReadFile("seen")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n1 =            # Write one\n3 =            # Write\\u{200b} three\n", "\n#   Economy   the plan holds the whole code", "\n#   Frontier  not chosen by hand",
	} {
		if !strings.Contains(string(seen), want) {
			t.Errorf("the table has no %q:\n%s", want, seen)
		}
	}
	want := s.must("git-sdd", "plan", "convert", "plan.md", "--tier-map", "1=Fast,3=Advanced")
	if got.stdout != want || want == "" {
		t.Errorf("converted to\n%s\nwant\n%s", got.stdout, want)
	}
	if !strings.Contains(got.shown, "\nthe same again: git sdd plan convert plan.md --tier-map 1=Fast,3=Advanced\n") {
		t.Errorf("the terminal does not say how to repeat it:\n%s", got.shown)
	}
	if left := tables(); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestTiersUnchosen: a table that comes back as it was, or an editor that fails,
// converts nothing and leaves nothing behind but the command to use instead.
func TestTiersUnchosen(t *testing.T) {
	s, tables := newTierShop(t)
	for _, row := range []struct{ name, editor, says string }{
		{"unchanged", "true", "git-sdd: no tier was chosen\n"},
		{"an editor that fails", "exit 7;", "exit status 7\n"},
		{"no editor", "no-such-editor-anywhere", "no tier was chosen: editor"},
	} {
		got := s.atTerminal(row.editor, true, "git-sdd", "plan", "convert", "plan.md", "-o", "out.md")
		repair := "git-sdd: repair: git sdd plan convert plan.md --tier <tier> -o out.md\n"
		if got.exit != 2 || !strings.Contains(got.shown, row.says) || !strings.HasSuffix(got.shown, repair) || got.stdout != "" {
			t.Errorf("%s: exit %d, stdout %q\n%s", row.name, got.exit, got.stdout, got.shown)
		}
		if _, err := os.Stat("out.md"); err == nil {
			t.Errorf("%s: it wrote out.md", row.name)
		}
		if left := tables(); len(left) > 0 {
			t.Errorf("%s: left behind: %q", row.name, left)
		}
	}
}

// TestTiersHalfChosen: a table with a slip is kept, and the repair uses it.
func TestTiersHalfChosen(t *testing.T) {
	s, tables := newTierShop(t)
	for _, row := range []struct{ name, edit, says string }{
		{"one left open", "s/^1 = /1 = Fast/", "task 3 has no tier behind it\n"},
		{"no such tier", "s/^1 = /1 = Swift/; s/^3 = /3 = Fast/", `"Swift" is not a tier`},
		{"a row deleted", "s/^1 = /1 = Fast/; /^3 = /d", "task 3 has no tier\n"},
	} {
		got := s.atTerminal(`sed -i "`+row.edit+`"`, true, "git-sdd", "plan", "convert", "plan.md")
		left := tables()
		if got.exit != 2 || len(left) != 1 || !strings.Contains(got.shown, row.says) {
			t.Fatalf("%s: exit %d, tables %q\n%s", row.name, got.exit, left, got.shown)
		}
		_, repair, _ := strings.Cut(got.shown, "git-sdd: repair: correct the table, then: ")
		s.write(left[0], "1 = Fast\n3 = Fast\n")
		if again := s.try("sh", "-c", repair); again.exit != 0 || strings.Count(again.stdout, "**Implementer tier:** Fast\n") != 2 {
			t.Errorf("%s: %q: exit %d\n%s", row.name, repair, again.exit, again.stderr)
		}
		if err := os.Remove(left[0]); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTiersNobodyAsked: no editor opens where the answer is given, where there
// is more to settle than tiers, or where the caller wants a report or a document.
func TestTiersNobodyAsked(t *testing.T) {
	s, _ := newTierShop(t)
	s.write("gap.md", strings.Replace(tierless, "Task 3", "Task 4", 1))
	s.write("red.md", strings.Replace(tierless, "\u200b", "\x1b[31m", 1))
	for _, row := range []struct {
		words string
		exit  int
	}{
		{"plan.md --tier Fast", 0},
		{"plan.md --tier-map 1=Fast", 2},
		{"plan.md --check", 2},
		{"plan.md --json", 2},
		{"gap.md", 2},
		{"red.md", 2},
	} {
		got := s.atTerminal(`f() { touch opened; }; f`, true, append([]string{"git-sdd", "plan", "convert"}, strings.Fields(row.words)...)...)
		if got.exit != row.exit || strings.Contains(got.shown, "\x1b") {
			t.Errorf("%s: exit %d, want %d\n%s", row.words, got.exit, row.exit, got.shown)
		}
		if _, err := os.Stat("opened"); err == nil {
			t.Fatalf("%s: the editor was opened", row.words)
		}
	}
}
