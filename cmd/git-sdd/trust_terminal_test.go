//go:build unix

package main

import (
	"errors"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// answering runs a program at a terminal where one line was typed already.
func (s shop) answering(line string, words ...string) terminal {
	s.Helper()
	own, theirs, err := pty.Open()
	if err != nil {
		s.Skipf("no terminal to be had: %v", err)
	}
	defer own.Close()
	if _, err := own.WriteString(line + "\n"); err != nil {
		s.Fatal(err)
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
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
	return terminal{shown: strings.ReplaceAll(string(shown), "\r\n", "\n"), exit: cmd.ProcessState.ExitCode()}
}

// TestTrustAsks holds what a person is shown and asked before the commands of a
// tracked file may run, and that only a yes is one.
func TestTrustAsks(t *testing.T) {
	s := newShop(t, map[string]string{"git-sdd.toml": "[gate.test]\ncommand = [\"sh\", \"-c\", \"echo \\u001b[31mred; true\"]\n"})
	for _, c := range []struct {
		answer string
		exit   int
	}{{"", 5}, {"n", 5}, {"yep", 5}, {"Y", 0}} {
		got := s.answering(c.answer, "git-sdd", "trust")
		if got.exit != c.exit || !strings.Contains(got.shown, "git-sdd.toml (") || !strings.Contains(got.shown, " would run:\n  test: sh -c ") ||
			!strings.Contains(got.shown, "Let these commands run in this clone? [y/N]") || strings.Contains(got.shown, "\x1b[31m") {
			t.Errorf("%q: exit %d\n%s", c.answer, got.exit, got.shown)
		}
		if trusted := s.try("git", "sdd", "gate", "run").exit == 0; trusted != (c.exit == 0) {
			t.Errorf("%q: the gate ran: %v", c.answer, trusted)
		}
	}
	if again := s.answering("", "git-sdd", "trust"); again.exit != 0 || strings.Contains(again.shown, "[y/N]") {
		t.Errorf("what is trusted is asked again: exit %d\n%s", again.exit, again.shown)
	}
	s.write("git-sdd.toml", "[gate.test]\ncommand = [\"true\"]\n")
	if again := s.answering("n", "git-sdd", "trust"); again.exit != 5 || !strings.Contains(again.shown, "test: true") {
		t.Errorf("a changed file is not asked for: exit %d\n%s", again.exit, again.shown)
	}
}
