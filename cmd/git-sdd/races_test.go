package main

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// What a race may end with.
const (
	won       = 0
	pointless = 2 // there was nothing left to do
	lost      = 3
)

// rounds is how often a race is run: less under -short.
func rounds(n int) int {
	if testing.Short() {
		return max(n/10, 3)
	}
	return n
}

// race lets all commands go at the same moment: each waits in a shell until all
// are there.
func (s shop) race(commands ...[]string) []answer {
	s.Helper()
	answers := make([]answer, len(commands))
	gates := make([]io.WriteCloser, len(commands))
	runners := make([]*exec.Cmd, len(commands))
	var stdout, stderr = make([]bytes.Buffer, len(commands)), make([]bytes.Buffer, len(commands))
	for i, words := range commands {
		cmd := exec.Command("sh", append([]string{"-c", `read -r gate; exec "$@"`, "sh"}, words...)...)
		cmd.Stdout, cmd.Stderr = &stdout[i], &stderr[i]
		gate, err := cmd.StdinPipe()
		if err != nil {
			s.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			s.Fatal(err)
		}
		gates[i], runners[i] = gate, cmd
	}
	for _, gate := range gates {
		_ = gate.Close()
	}
	for i, cmd := range runners {
		_ = cmd.Wait()
		answers[i] = answer{args: commands[i], exit: cmd.ProcessState.ExitCode(), stdout: stdout[i].String(), stderr: stderr[i].String()}
	}
	return answers
}

// exits demands that each answer has one of the exits, and returns those with
// the first of them.
func (s shop) exits(answers []answer, allowed ...int) []answer {
	s.Helper()
	var first []answer
	for _, a := range answers {
		if !slices.Contains(allowed, a.exit) {
			s.Errorf("%q: exit %d, want one of %d\n%s%s", a.args, a.exit, allowed, a.stdout, a.stderr)
		}
		if a.exit == allowed[0] {
			first = append(first, a)
		}
	}
	return first
}

// packing packs refs all the time until the test ends, and then says that it did.
func (s shop) packing() (stop func()) {
	quit, packed := make(chan struct{}), 0
	var done sync.WaitGroup
	done.Go(func() {
		for {
			select {
			case <-quit:
				return
			case <-time.After(5 * time.Millisecond):
			}
			if exec.Command("git", "-C", s.dir, "pack-refs", "--all").Run() == nil {
				packed++
			}
		}
	})
	return func() {
		s.Helper()
		close(quit)
		done.Wait()
		if packed == 0 {
			s.Error("refs were never packed")
		}
	}
}

func (s shop) start(plan string) (run string) {
	s.Helper()
	var started struct{ Run string }
	s.sdd(&started, "start", plan)
	return started.Run
}

// tip is the commit that a run's ref leads to.
func (s shop) tip(run string) string {
	s.Helper()
	return s.git("rev-parse", "--verify", "refs/sdd/"+run)
}

// Eight processes record the same event after the same revision, beside
// `git pack-refs`: one wins, seven are told so and change nothing.
func TestEightRecorders(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	run := s.start("plan.md")
	event := filepath.Join(s.TempDir(), "event.json")
	s.write(event, `{"type":"recovery-ruling-recorded","reason":"eight at once","receipt":"none"}`)
	stop := s.packing()
	defer func() {
		stop()
		s.fsck()
	}()
	const first = 3 // what start leaves behind
	for round := range rounds(100) {
		before := s.tip(run)
		words := []string{"git-sdd", "record", event, "--expected-revision", fmt.Sprint(first + round), "--json"}
		answers := s.race(slices.Repeat([][]string{words}, 8)...)
		winners := s.exits(answers, won, lost)
		if len(winners) != 1 {
			t.Fatalf("round %d: %d winners", round, len(winners))
		}
		var says struct{ Commit string }
		s.read(winners[0].stdout, &says)
		if after := s.tip(run); after != says.Commit || s.git("rev-parse", after+"^") != before {
			t.Fatalf("round %d: the winner says %s, and the run went from %s to %s", round, says.Commit, before, after)
		}
		for _, a := range answers {
			if a.exit == lost && !strings.Contains(a.stdout, `"kind":"contended"`) {
				t.Fatalf("round %d: who lost says\n%s%s", round, a.stdout, a.stderr)
			}
		}
	}
	if v := s.replay(run); v.Revision != first+rounds(100) {
		t.Errorf("the run is at revision %d after %d rounds", v.Revision, rounds(100))
	}
}

// Commands of different kinds that all expect the same revision: one wins.
func TestMixedRecorders(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	event := filepath.Join(s.TempDir(), "event.json")
	s.write(event, `{"type":"recovery-ruling-recorded","reason":"by record","receipt":"none"}`)
	winners := map[string]int{}
	run := s.start("plan.md")
	for round := range rounds(30) {
		var w waiting
		s.sdd(&w, "status", "--run", run)
		if w.Phase == "FINAL_BLOCKED" {
			run = s.start("plan.md")
			s.sdd(&w, "status", "--run", run)
		}
		at := []string{"--run", run, "--expected-revision", fmt.Sprint(w.Revision), "--json"}
		record := append([]string{"git-sdd", "record", event}, at...)
		note := append([]string{"git-sdd", "decide", "note", "--receipt", "none", "--reason", "by note"}, at...)
		abandon := append([]string{"git-sdd", "abandon", "--reason", "by abandon"}, at...)
		dispatch := append([]string{"git-sdd", "dispatch"}, at...)
		answers := s.race(record, note, abandon, dispatch, record, note)
		first := s.exits(answers, won, lost)
		if len(first) != 1 {
			t.Fatalf("round %d: %d winners", round, len(first))
		}
		winners[first[0].args[1]]++
		var now waiting
		if s.sdd(&now, "status", "--run", run); now.Revision != w.Revision+1 {
			t.Fatalf("round %d: revision %d after %d", round, now.Revision, w.Revision)
		}
		if now.Phase != "WORKSPACE_READY" && now.Phase != "FINAL_BLOCKED" {
			s.must("git-sdd", "abandon", "--reason", "the next round", "--run", run)
		}
	}
	s.replay(run)
	s.fsck()
	t.Log(winners)
}

// Every step of a whole run is made by several processes at once, and advanced
// beside: the story is the one that a single process tells.
func TestEveryStepRaced(t *testing.T) {
	tell := func(raced bool) string {
		s := newShop(t, map[string]string{"plan.md": onePlan})
		run := s.start("plan.md")
		d := newDriver(s)
		d.findings, d.wave = true, true
		if raced {
			stop := s.packing()
			defer stop()
			d.do = s.atOnce
		}
		d.drive()
		s.fsck()
		s.replay(run)
		return s.git("log", "--format=%s", "refs/sdd/"+run)
	}
	alone := tell(false)
	if raced := tell(true); raced != alone {
		t.Errorf("many told\n%s\none told\n%s", raced, alone)
	}
}

// atOnce has three processes do the same while two go on with what is recorded.
// A dispatch may be handed out to all three, but is recorded once; a report or a
// start of a child is taken from one.
func (s shop) atOnce(words []string) {
	s.Helper()
	advance := []string{"git", "sdd", "advance"}
	answers := s.race(append(slices.Repeat([][]string{words}, 3), advance, advance)...)
	did := s.exits(answers[:3], won, pointless, lost)
	if many := words[2] == "dispatch" || words[2] == "advance"; len(did) == 0 && words[2] != "advance" || len(did) > 1 && !many {
		s.Errorf("%q succeeded %d times of 3", words, len(did))
		for _, a := range answers {
			s.Logf("%q: exit %d\n%s%s", a.args, a.exit, a.stdout, a.stderr)
		}
	}
	s.exits(answers[3:], won, pointless, lost)
}

// Dispatches at the same moment hand out the same child.
func TestDispatchedOnce(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	for range rounds(10) {
		run := s.start("plan.md")
		answers := s.race(slices.Repeat([][]string{{"git-sdd", "dispatch", "--json"}}, 4)...)
		keys := map[string]bool{}
		for _, a := range s.exits(answers, won, lost) {
			var says struct {
				DispatchKey string
				Revision    int
				Prompt      struct{ SHA256 string }
			}
			s.read(a.stdout, &says)
			keys[fmt.Sprint(says.DispatchKey, " r", says.Revision, " ", says.Prompt.SHA256)] = true
		}
		if len(keys) != 1 {
			t.Fatalf("handed out: %v", keys)
		}
		if v := s.replay(run); v.Revision != 4 {
			t.Fatalf("revision %d, want 4", v.Revision)
		}
		s.must("git-sdd", "abandon", "--reason", "the next round")
	}
	s.fsck()
}

// Of starts at the same moment on one worktree and branch one makes a run. Those
// of the same plan may join it in its gates; those of another are refused.
func TestStartedOnce(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan, "other.md": strings.Replace(onePlan, "one", "two", 2)})
	for round := range rounds(12) {
		one, other := []string{"git-sdd", "start", "plan.md", "--json"}, []string{"git-sdd", "start", "other.md", "--json"}
		answers := s.race(one, other, one, other, one, other)
		runs := map[string]bool{}
		for _, a := range s.exits(answers, won, pointless, lost) {
			var says struct{ Run string }
			s.read(a.stdout, &says)
			runs[says.Run] = true
		}
		if len(runs) != 1 {
			t.Fatalf("round %d: started %v", round, runs)
		}
		var all struct {
			Runs []struct{ Run, Phase string }
		}
		s.sdd(&all, "ls")
		live := 0
		for _, r := range all.Runs {
			if r.Phase != "FINAL_BLOCKED" {
				live++
			}
		}
		if live != 1 || len(all.Runs) != round+1 {
			t.Fatalf("round %d: %d runs, %d of them live", round, len(all.Runs), live)
		}
		if refs := strings.Fields(s.git("for-each-ref", "--format=%(refname)", "refs/sdd/", "refs/sdd-pins/")); len(refs) != 2*(round+1) {
			t.Fatalf("round %d: refs of other kinds: %q", round, refs)
		}
		for run := range runs {
			if v := s.replay(run); v.Phase.String() != "WORKSPACE_READY" || v.Revision != 3 {
				t.Fatalf("round %d: %s at revision %d", round, v.Phase, v.Revision)
			}
		}
		s.must("git-sdd", "abandon", "--reason", "the next round")
	}
	if locks, err := filepath.Glob(".git/refs/sdd*/*.lock"); err != nil || len(locks) > 0 {
		t.Errorf("locks are left: %v, %v", locks, err)
	}
	s.fsck()
}

// Starts in two worktrees have nothing to do with each other.
func TestStartedBeside(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	there := filepath.Join(s.TempDir(), "there")
	s.git("worktree", "add", "--quiet", "-b", "there", there)
	for range rounds(5) {
		answers := s.race([]string{"git-sdd", "start", "plan.md"}, []string{"git-sdd", "-C", there, "start", "plan.md"})
		if len(s.exits(answers, won)) != 2 {
			t.FailNow()
		}
		s.must("git-sdd", "abandon", "--reason", "the next round")
		s.must("git-sdd", "-C", there, "abandon", "--reason", "the next round")
	}
}

// A report that was recorded has succeeded, even where another process goes on
// from there before this one can.
func TestReportOvertaken(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	overtaken := 0
	for range rounds(20) {
		s.git("reset", "--quiet", "--hard", "main")
		s.start("plan.md")
		d := newDriver(s)
		for w := d.next(); w.Action != "await"; w = d.next() {
			d.step(w)
		}
		d.report(d.next())
		quit := make(chan struct{})
		var others sync.WaitGroup
		for range 3 {
			others.Go(func() {
				for range 200 {
					select {
					case <-quit:
						return
					default:
						_ = exec.Command("git-sdd", "advance").Run()
					}
				}
			})
		}
		var says struct {
			Transitions []struct{ Event string }
			Action      string
		}
		a := s.try("git-sdd", "report", "--json")
		close(quit)
		others.Wait()
		if a.exit != 0 {
			t.Fatalf("exit %d\n%s", a.exit, a.stdout)
		}
		s.read(a.stdout, &says)
		if n := len(says.Transitions); n == 0 || says.Transitions[0].Event != "implementer-finished" || says.Action != "dispatch" && says.Action != "advance" {
			t.Fatalf("%+v", says)
		} else if n == 1 {
			overtaken++
		}
		s.must("git-sdd", "abandon", "--reason", "the next round")
	}
	t.Logf("%d of %d were overtaken", overtaken, rounds(20))
	s.fsck()
}
