package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// refused N program args... runs a command that must be refused with that exit
// status: it says so in the house format, and no run of the repository that the
// script stands in has moved.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: refused N program args...")
	}
	before := runRefs(ts)
	exits(ts, false, args)
	saysWhy(ts, args)
	if after := runRefs(ts); after != before {
		ts.Fatalf("%s: refused, and yet it recorded something:\n%s\nwas\n%s", strings.Join(args[1:], " "), after, before)
	}
}

// traceless N program args... is refused for a command that may not even write
// a file: everything below the folder that the script stands in is as it was, the
// git directory and its objects included.
func traceless(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: traceless N program args...")
	}
	before := filesBelow(ts)
	refused(ts, false, args)
	for name, was := range filesBelow(ts) {
		if before[name] != was {
			ts.Fatalf("%s: refused, and yet it wrote %s", strings.Join(args[1:], " "), name)
		}
		delete(before, name)
	}
	for name := range before {
		ts.Fatalf("%s: refused, and yet it removed %s", strings.Join(args[1:], " "), name)
	}
}

// saysWhy demands that a refusal is two or more lines on standard error and
// nothing else or, with --json, one error document and nothing else.
func saysWhy(ts *testscript.TestScript, args []string) {
	out, said := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if slices.Contains(args, "--json") {
		exit, err := lookUp(out, "error.exit")
		if err != nil || exit != args[0] || said != "" {
			ts.Fatalf("want an error document with exit %s and a silent stderr: %v", args[0], err)
		}
		return
	}
	facts, repairs := 0, 0
	for line := range strings.Lines(said) {
		switch {
		case strings.HasPrefix(line, "git-sdd: repair: "):
			repairs++
		case strings.HasPrefix(line, "git-sdd: ") && repairs == 0:
			facts++
		default:
			ts.Fatalf("stderr has a line that is neither a fact nor a repair: %q", line)
		}
	}
	if out != "" || facts == 0 || repairs == 0 {
		ts.Fatalf("want a fact and a repair on stderr, and nothing on stdout")
	}
}

// runRefs lists what the repository has of runs, or nothing outside of one. It
// leaves the script's own output alone.
func runRefs(ts *testscript.TestScript) string {
	cmd := exec.Command("git", "for-each-ref", "refs/sdd", "refs/sdd-pins", "refs/sdd-rulings")
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.Output()
	var status *exec.ExitError
	if errors.As(err, &status) && status.ExitCode() == 128 {
		return ""
	}
	ts.Check(err)
	return string(out)
}

// filesBelow says what every file is: mode and content.
func filesBelow(ts *testscript.TestScript) map[string]string {
	top, found := ts.MkAbs("."), map[string]string{}
	ts.Check(filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = fmt.Sprintf("%x", sha256.Sum256(data))
		}
		name, err := filepath.Rel(top, path)
		found[name] = fmt.Sprint(info.Mode(), content)
		return err
	}))
	return found
}

// TestStoriesEndSound: whatever a story did to a repository in which a run was
// started, git finds it sound at the end, unless the story says what it broke.
func TestStoriesEndSound(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	recorded := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		story, _, _ := strings.Cut(string(data), "\n-- ")
		start := strings.LastIndex(story, "\nexec git-sdd start ")
		if start < 0 {
			continue
		}
		recorded++
		if end := story[start:] + "\n"; !strings.Contains(end, "\nfsck\n") && !strings.Contains(end, "\n# no fsck: ") {
			t.Errorf("%s starts a run and does not end with fsck", path)
		}
	}
	if recorded == 0 {
		t.Error("no story starts a run")
	}
}
