//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// peakFile names the file for what was measured, in the environment of the helper.
const peakFile = "GIT_SDD_TEST_PEAK"

// A process begins with the memory of the one that started it, as the system
// counts, and the tests may have grown large: a fresh helper stands between.
func init() {
	into := os.Getenv(peakFile)
	if into == "" {
		return
	}
	os.Unsetenv(peakFile)
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	begun := time.Now()
	err := cmd.Run()
	took := time.Since(begun)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	rss := int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS == "darwin" {
		rss >>= 10 // there it is counted in bytes
	}
	if err := os.WriteFile(into, fmt.Appendf(nil, "%d %d", rss, took), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// A load is what a command cost.
type load struct {
	answer
	rss  int // KiB: the most that it, or any process that it waited for, held
	took time.Duration
}

// loaded runs a program that has to end with the given status, and measures it.
func (s shop) loaded(exit int, words ...string) load {
	s.Helper()
	self, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	into := filepath.Join(s.TempDir(), "peak")
	cmd := exec.Command(self, words...)
	cmd.Env = append(os.Environ(), peakFile+"="+into)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // its status is looked at here
	l := load{answer: answer{args: words, exit: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}}
	if l.exit != exit {
		s.Fatalf("%q: exit %d, want %d\n%s%s", words, l.exit, exit, l.stdout, l.stderr)
	}
	data, err := os.ReadFile(into)
	if err != nil {
		s.Fatal(err)
	}
	rss, took, _ := strings.Cut(string(data), " ")
	nanoseconds, err := strconv.ParseInt(took, 10, 64)
	if err != nil {
		s.Fatal(err)
	}
	l.took = time.Duration(nanoseconds)
	if l.rss, err = strconv.Atoi(rss); err != nil {
		s.Fatal(err)
	}
	return l
}
