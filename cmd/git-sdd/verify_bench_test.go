package main

import (
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/machine"
)

// longRun makes a run of many revisions as the program would have recorded it:
// a finished start, then notes, packed as a clone has it.
func longRun(s shop, revisions int) string {
	s.Helper()
	run := s.start("plan.md")
	f := newForger(s, run)
	last := f.pages[len(f.pages)-1]
	state, err := machine.DecodeState(last.files["state.json"].data)
	if err != nil {
		s.Fatal(err)
	}
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	var pages []page
	for n := len(f.pages); n < revisions; n++ {
		at = at.Add(1500 * time.Millisecond)
		doc := machine.Document{
			Revision: n, At: machine.Instant(at.Format("2006-01-02T15:04:05.000Z")),
			By:    machine.By{Name: "Ada", Email: "ada@example.com", Via: "program"},
			Event: machine.RecoveryRulingRecorded{Reason: fmt.Sprintf("note %d", n), Receipt: "none"},
		}
		event, err := machine.EncodeEvent(doc)
		if err != nil {
			s.Fatal(err)
		}
		was := last.copy()
		was.message = fmt.Sprintf("note recorded (r%d)\n\nx\n\n", n) + trailersOf(last.message)
		p, next, ok := f.replayed(state, was, event)
		if !ok {
			s.Fatalf("revision %d cannot be made", n)
		}
		pages, state, last = append(pages, p), next, p
	}
	f.write(len(f.pages), pages)
	s.git("repack", "-adq")
	s.git("prune-packed", "-q")
	return run
}

func trailersOf(message string) string {
	for i := len(message) - 2; i > 0; i-- {
		if message[i] == '\n' && message[i+1] == '\n' {
			return message[i+2:]
		}
	}
	return message
}

// The target is 2,000 revisions a second, whatever the length: linear.
func BenchmarkVerify(b *testing.B) {
	for _, revisions := range []int{500, 2000} {
		b.Run(fmt.Sprint(revisions), func(b *testing.B) {
			s := newShop(b, map[string]string{"plan.md": onePlan})
			run := longRun(s, revisions)
			var took time.Duration
			for b.Loop() {
				begun := time.Now()
				s.must("git-sdd", "verify", "--full", run)
				took += time.Since(begun)
			}
			b.ReportMetric(float64(revisions*b.N)/took.Seconds(), "revisions/s")
		})
	}
}

// The target is ten times `git rev-parse HEAD`.
func BenchmarkVerifyAgain(b *testing.B) {
	again := gauge{"verify", verifyBudget, func(s *stall) *exec.Cmd { return s.command("verify") }}
	s := newStall(b, func(s *stall) { longRun(s.shop, 1000) })
	s.timed(again.command(s)) // from the first revision
	var ours, gits []time.Duration
	for b.Loop() {
		gits = append(gits, s.revParse())
		ours = append(ours, s.timed(again.command(s)))
	}
	b.ReportMetric(0, "ns/op")
	judge(b, "x-rev-parse", ours, gits, again.budget)
}

const verifyBudget = 10
