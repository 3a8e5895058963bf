//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What the dispatch of a review may cost where the range or the project is large.
// The time is that beyond what the dispatch takes in a small project, in times of
// the git commands that it cannot do without; all are timed in the same loop. The
// memory is that of git, or what the largest artifacts take.
const (
	packageBudget = 1.5
	packageMemory = 96 << 10 // KiB
)

// A bulk is a project that is large in one way, with a range to review.
type bulk struct {
	name string
	grow func(*stall)
	// what git itself needs, in the order in which it is run
	inside [][]string
}

var (
	gitDiff = []string{
		"--bare", "diff-tree", "-r", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "-M50%", "-l1000", "--raw", "-z", "-p",
		"--diff-algorithm=myers", "--indent-heuristic", "--unified=10", "main", "work",
	}
	gitStatus = []string{"--no-optional-locks", "status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=all", "--no-ahead-behind"}
)

var bulks = []bulk{
	{"renames=2000", func(s *stall) { s.growChanges(2000, 2000, 400) }, [][]string{gitDiff}},
	{"paths=65000", func(s *stall) { s.growChanges(65_000, 20, 20) }, [][]string{gitDiff, gitStatus}},
	{"changed=20000", func(s *stall) { s.growChanges(20_000, 20_000, 5) }, [][]string{gitDiff, gitStatus}},
}

// growChanges gives the project so many files of so many lines; on the branch some
// of them are changed by a line, and every other one of these is moved as well.
func (s *stall) growChanges(files, changed, lines int) {
	s.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var w, work stream
	w.commit("refs/heads/main", "refs/heads/main^0", "many files", time.Unix(1_700_000_000, 0))
	work.commit("refs/heads/work", "refs/heads/main^0", "many changes", time.Unix(1_700_000_001, 0))
	for n := range files {
		var text strings.Builder
		for range lines {
			fmt.Fprintf(&text, "%016x and what follows\n", random.Uint64())
		}
		name := fmt.Sprintf("d%03d/f%03d.txt", n/1000, n%1000)
		w.file(name, text.String())
		if n >= changed {
			continue
		}
		if n%2 == 0 {
			fmt.Fprintf(&work, "D %s\n", name)
			name = fmt.Sprintf("e%03d/g%03d.txt", n/1000, n%1000)
		}
		work.file(name, text.String()+"one line more\n")
	}
	s.fastImport(&w)
	s.git("reset", "--quiet", "--hard", "main")
	s.start("plan.md")
	s.git("sdd", "dispatch")
	s.git("sdd", "started", "--session", "one")
	s.fastImport(&work)
	s.git("reset", "--quiet", "--hard", "work")
	s.must("child", "done", "answer.txt")
	s.git("sdd", "report")
}

// inside runs what git itself needs, and returns how long all of it took and the
// most memory that one command held.
func (s *stall) inside(commands [][]string) (took time.Duration, rss int) {
	s.Helper()
	for _, args := range commands {
		dir := s.dir
		if args[0] == "--bare" {
			dir = filepath.Join(dir, ".git")
		}
		l := s.loaded(0, append([]string{"sh", "-c", `cd "$0" && exec git "$@" >/dev/null`, dir}, args...)...)
		took, rss = took+l.took, max(rss, l.rss)
	}
	return took, rss
}

// rehearse dispatches a review as far as that can be done again and again.
func (s *stall) rehearse() load {
	s.Helper()
	return s.loaded(0, "git-sdd", "-C", s.dir, "dispatch", "--dry-run")
}

func BenchmarkPackage(b *testing.B) {
	for _, k := range bulks {
		b.Run(k.name, func(b *testing.B) {
			little := newStall(b, func(s *stall) { s.growChanges(10, 10, 20) })
			s := newStall(b, k.grow)
			var all, fixed, beyond, gits []time.Duration
			var held, gitHeld int
			for b.Loop() {
				took, rss := s.inside(k.inside)
				large, small := s.rehearse(), little.rehearse()
				gits, all, fixed = append(gits, took), append(all, large.took), append(fixed, small.took)
				beyond = append(beyond, max(large.took-small.took, 0))
				held, gitHeld = max(held, large.rss), max(gitHeld, rss)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(median(all).Milliseconds()), "ms")
			b.ReportMetric(float64(median(fixed).Milliseconds()), "ms-small")
			b.ReportMetric(float64(median(gits).Milliseconds()), "ms-git")
			b.ReportMetric(float64(held)/1024, "MiB")
			b.ReportMetric(float64(gitHeld)/1024, "MiB-git")
			judge(b, "x-git", beyond, gits, packageBudget)
			if held > max(gitHeld*11/10, packageMemory) {
				b.Errorf("the dispatch held %d KiB, git alone %d", held, gitHeld)
			}
		})
	}
}
