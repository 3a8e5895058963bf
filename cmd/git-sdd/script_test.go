package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary stand in for the programs that scripts start:
// git-sdd itself, and a child that plays the agents.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"git-sdd": main,
		"child":   func() { exitWith(childMain(os.Args[1:])) },
		"turn":    func() { exitWith(turnMain(os.Args[1:])) },
		"drive":   func() { exitWith(driveMain(os.Args[1:])) },
	})
}

func exitWith(err error) {
	if err == nil {
		os.Exit(0)
	}
	var status *exec.ExitError
	fmt.Fprintln(os.Stderr, err)
	if errors.As(err, &status) {
		os.Exit(status.ExitCode())
	}
	os.Exit(99)
}

// TestScripts plays every story of testdata/script against the real program and
// the real git.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		Setup:               isolate,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Deadline:            time.Now().Add(12 * time.Minute),
		Condition: func(name string) (bool, error) {
			if name == "plans" {
				return os.Getenv("GIT_SDD_PLANS") != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"waitfor":   waitfor,
			"json":      jsonIs,
			"grab":      grab,
			"fsck":      fsck,
			"repo":      repo,
			"refused":   refused,
			"traceless": traceless,
		},
	})
}

// isolate gives a script a home of its own, so that no setting of the user who
// runs the tests counts.
func isolate(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	settings := "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[core]\n\tautocrlf = false\n[gc]\n\tauto = 0\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(settings), 0o644); err != nil {
		return err
	}
	demo, err := filepath.Abs(filepath.Join("..", "..", "testdata", "demo"))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"DEMO": demo,
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "TZ": "UTC", "GIT_SDD_PLANS": os.Getenv("GIT_SDD_PLANS"),
	} {
		env.Setenv(name, value)
	}
	return nil
}

// exits N program args... runs a program and demands its exit status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var status *exec.ExitError
		if !errors.As(err, &status) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = status.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s: exit %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// waitfor FILE waits until a file is there, ten seconds at most.
func waitfor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: waitfor FILE")
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("%s did not appear within 10 s", args[0])
}

// fsck demands that the repository is sound, and that every run in it holds what
// it claims. Git prints notices on standard error too; only errors count.
func fsck(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: fsck")
	}
	err := ts.Exec("git", "fsck", "--strict", "--no-dangling")
	if text := ts.ReadFile("stderr") + ts.ReadFile("stdout"); err != nil || strings.Contains(text, "error") {
		ts.Fatalf("git fsck: %v\n%s", err, text)
	}
	verified(ts)
}

// repo DIR makes a repository of the files that stand in DIR: one commit on
// main, then a branch "work" that is checked out.
func repo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: repo DIR")
	}
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o755))
	for _, words := range [][]string{
		{"init", "--quiet"}, {"add", "--all"}, {"commit", "--quiet", "--allow-empty", "--message", "first"}, {"switch", "--quiet", "--create", "work"},
	} {
		ts.Check(ts.Exec("git", append([]string{"-C", args[0]}, words...)...))
	}
}
