package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// What a command may cost. A ratio is to `git rev-parse HEAD`, a whole process
// that a slower machine slows down as much, timed in the same loop.
const (
	lookBudget   = 6
	recordBudget = 10
	flatBudget   = 1.3 // how much more a large repository may cost than a small one
)

// A gauge is one command of every step, called directly.
type gauge struct {
	name    string
	budget  float64
	command func(*stall) *exec.Cmd
}

var gauges = []gauge{
	{"next", lookBudget, func(s *stall) *exec.Cmd { return s.command("next") }},
	{"status", lookBudget, func(s *stall) *exec.Cmd { return s.command("status") }},
	{"record", recordBudget, func(s *stall) *exec.Cmd {
		s.revision++
		cmd := s.command("record", "--expected-revision", fmt.Sprint(s.revision-1))
		cmd.Stdin = strings.NewReader(`{"type":"recovery-ruling-recorded","reason":"measured","receipt":"none"}`)
		return cmd
	}},
}

func BenchmarkNext(b *testing.B)   { gauges[0].small(b) }
func BenchmarkStatus(b *testing.B) { gauges[1].small(b) }
func BenchmarkRecord(b *testing.B) { gauges[2].small(b) }

// A stall is a repository with a run that waits for a dispatch, and the program.
type stall struct {
	shop
	program  string
	revision int // of the run
}

func newStall(b testing.TB, grow func(*stall)) *stall {
	b.Helper()
	s := &stall{shop: newShop(b, map[string]string{"plan.md": onePlan})}
	program, err := exec.LookPath("git-sdd")
	if err != nil {
		b.Fatal(err)
	}
	s.program = program
	if grow != nil {
		grow(s)
	}
	if s.git("for-each-ref", "refs/sdd/") == "" {
		s.start("plan.md")
	}
	var now waiting
	s.sdd(&now, "next")
	if now.Action != "dispatch" {
		b.Fatalf("the run waits for %q", now.Action)
	}
	s.revision = now.Revision
	return s
}

func (s *stall) command(args ...string) *exec.Cmd {
	cmd := exec.Command(s.program, args...)
	cmd.Dir = s.dir
	return cmd
}

// timed runs a command to its end.
func (s *stall) timed(cmd *exec.Cmd) time.Duration {
	s.Helper()
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(begun)
	if err != nil {
		s.Fatalf("%q: %v\n%s", cmd.Args, err, out)
	}
	return took
}

func (s *stall) revParse() time.Duration {
	s.Helper()
	cmd := exec.Command("git", "rev-parse", "HEAD")
	cmd.Dir = s.dir
	return s.timed(cmd)
}

// small measures a command in a repository that holds nothing else.
func (g gauge) small(b *testing.B) {
	s := newStall(b, nil)
	var ours, gits []time.Duration
	for b.Loop() {
		gits = append(gits, s.revParse())
		ours = append(ours, s.timed(g.command(s)))
	}
	b.ReportMetric(0, "ns/op") // of the loop: says nothing
	b.ReportMetric(float64(median(ours).Microseconds())/1000, "ms")
	judge(b, "x-rev-parse", ours, gits, g.budget)
}

// against measures a command in a large repository and a small one in turn.
func (g gauge) against(b *testing.B, large, small *stall) {
	var ours, others, gits []time.Duration
	for b.Loop() {
		gits = append(gits, large.revParse())
		ours = append(ours, large.timed(g.command(large)))
		others = append(others, small.timed(g.command(small)))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(median(ours).Microseconds())/1000, "ms")
	b.ReportMetric(float64(median(ours))/float64(median(gits)), "x-rev-parse")
	judge(b, "x-small", ours, others, flatBudget)
}

// judge reports the ratio of the medians. Too much is an error only when nine
// loops of ten say so: what else the machine was doing in one is no evidence.
func judge(b *testing.B, unit string, ours, theirs []time.Duration, budget float64) {
	b.Helper()
	b.ReportMetric(float64(median(ours))/float64(median(theirs)), unit)
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = float64(ours[i]) / float64(theirs[i])
	}
	slices.Sort(ratios)
	if best := ratios[len(ratios)/10]; best > budget {
		b.Errorf("nine loops of ten cost %.2f %s or more, and %.1f are allowed", best, unit, budget)
	}
}

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// The same where everything that may grow has grown: what a step costs does not
// depend on how long the run is, how many there are, or how large the project is.
func BenchmarkFlat(b *testing.B) {
	for _, large := range []struct {
		name string
		grow func(*stall)
	}{
		{"revisions=10000", func(s *stall) { s.growRun(10_000) }},
		{"runs=10000", func(s *stall) { s.growRuns(10_000) }},
		{"files=100000", func(s *stall) { s.growFiles(100_000) }},
	} {
		b.Run(large.name, func(b *testing.B) {
			little := newStall(b, nil)
			grown := newStall(b, large.grow)
			for _, g := range gauges {
				b.Run(g.name, func(b *testing.B) { g.against(b, grown, little) })
			}
		})
	}
}
