package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The commands that a controller calls at every step, called directly, as ratios
// to `git rev-parse HEAD` timed in the same loop. The targets are 6 for reading
// and 10 for a durable write.

func BenchmarkNext(b *testing.B)   { compare(b, newBench(b).plain("next")) }
func BenchmarkStatus(b *testing.B) { compare(b, newBench(b).plain("status")) }

func BenchmarkRecord(b *testing.B) {
	r := newBench(b)
	revision := 3
	compare(b, func() *exec.Cmd {
		cmd := r.command("record", "--expected-revision", fmt.Sprint(revision))
		cmd.Stdin = strings.NewReader(`{"type":"recovery-ruling-recorded","reason":"measured","receipt":"none"}`)
		revision++
		return cmd
	})
}

// A bench is a built program in a repository with a run that waits for its first
// dispatch.
type bench struct {
	b       *testing.B
	program string
	dir     string
}

func newBench(b *testing.B) bench {
	b.Helper()
	r := bench{b: b, program: filepath.Join(b.TempDir(), "git-sdd"), dir: b.TempDir()}
	home := b.TempDir()
	b.Setenv("HOME", home)
	b.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	b.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	// The module's caches stay where they are: HOME is only for git's settings.
	r.must(exec.Command("git", "config", "--global", "user.name", "Ada"))
	r.must(exec.Command("git", "config", "--global", "user.email", "ada@example.com"))
	r.must(exec.Command("git", "config", "--global", "init.defaultBranch", "main"))
	build := exec.Command("go", "build", "-trimpath", "-tags", "urfave_cli_no_docs,urfave_cli_no_suggest", "-ldflags", "-s -w", "-o", r.program, ".")
	build.Env = append(os.Environ(), goCaches...)
	r.must(build)

	plan := "## Task 1: Write one\n\n**Implementer tier:** Fast\n\n- [ ] Write it.\n"
	if err := os.WriteFile(filepath.Join(r.dir, "plan.md"), []byte(plan), 0o644); err != nil {
		b.Fatal(err)
	}
	for _, words := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "first"}, {"switch", "-qc", "work"}} {
		r.must(exec.Command("git", append([]string{"-C", r.dir}, words...)...))
	}
	r.must(r.command("start", "plan.md"))
	return r
}

// goCaches keep the build from filling new caches below the HOME of a bench.
var goCaches = func() []string {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		return nil
	}
	dirs := strings.Split(strings.TrimSpace(string(out)), "\n")
	return []string{"GOCACHE=" + dirs[0], "GOMODCACHE=" + dirs[1], "GOPATH=" + dirs[2]}
}()

func (r bench) command(args ...string) *exec.Cmd {
	cmd := exec.Command(r.program, args...)
	cmd.Dir = r.dir
	return cmd
}

func (r bench) plain(args ...string) func() *exec.Cmd {
	return func() *exec.Cmd { return r.command(args...) }
}

func (r bench) must(cmd *exec.Cmd) {
	r.b.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		r.b.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// compare runs a command and `git rev-parse HEAD` in turn.
func compare(b *testing.B, command func() *exec.Cmd) {
	var ours, git time.Duration
	for b.Loop() {
		cmd := command()
		git += timed(b, headOf(cmd.Dir))
		ours += timed(b, cmd)
	}
	b.ReportMetric(float64(ours)/float64(git), "x-rev-parse")
	b.ReportMetric(float64(ours.Microseconds())/float64(b.N), "µs/command")
}

func headOf(dir string) *exec.Cmd {
	cmd := exec.Command("git", "rev-parse", "HEAD")
	cmd.Dir = dir
	return cmd
}

func timed(b *testing.B, cmd *exec.Cmd) time.Duration {
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	spent := time.Since(begin)
	if err != nil {
		b.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return spent
}
