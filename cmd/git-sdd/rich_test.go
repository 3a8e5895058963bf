package main

import (
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/verify"
)

// richSettings are a gate with a guard, and a ladder: a run under them records
// every kind of fact.
func richSettings() string {
	var b strings.Builder
	b.WriteString("[gate.test]\ncommand = [\"sh\", \"-c\", \"test ! -e red || grep -q fixer red\"]\nguard = [\"guard.txt\"]\n\n")
	b.WriteString("[evidence]\nprocess = [\"notes/**\"]\n\n")
	for _, tier := range []string{"economy", "fast", "standard", "advanced", "capable", "frontier"} {
		b.WriteString("[tier." + tier + "]\nprovider = \"p\"\nmodel = \"m-" + tier + "\"\nthinking = \"low\"\n\n")
	}
	return b.String()
}

// richFiles is what the repository of a rich run begins with.
func richFiles() map[string]string {
	return map[string]string{"plan.md": twoTasks, "guard.txt": "as it was\n"}
}

// richRun drives a run to its end through all that a run can meet without being
// given up: a lost child, questions and answers, concerns, leftovers, a gate that
// fails, a guard that changes, commits that come during a review, fix rounds, a
// final wave, and every ruling that goes with them.
func richRun(s shop) string {
	s.Helper()
	s.write(".git/git-sdd.toml", richSettings())
	run := s.start("plan.md")
	decide := func(words ...string) { s.Helper(); s.git(append([]string{"sdd", "decide"}, words...)...) }

	// The first child is lost, the second asks and leaves something behind.
	s.git("sdd", "dispatch")
	decide("accept-empty", "--reason", "nothing may be left to do")
	decide("note", "--receipt", "none", "--reason", "seen by a human")
	decide("lost", "--reason", "nobody knows whether it runs")
	decide("adopt", "--session", "one", "--reason", "it was seen")
	decide("lost", "--receipt", "its log ends", "--reason", "the child is gone")
	decide("reissue", "--reason", "the same once more")
	s.git("sdd", "started", "--session", "two", "--model", "p/m-fast", "--thinking", "low")
	s.must("child", "context", "the colour", "it decides")
	s.write("left.txt", "half of it\n")
	s.git("sdd", "report")
	decide("leftovers", "keep", "--reason", "the next child goes on with it")
	s.write(".git/answer.md", "Blue.\n")
	s.git("sdd", "dispatch", "--context", ".git/answer.md")
	s.git("sdd", "started", "--session", "three")
	s.must("child", "concerns", "correctness", "it may be slow", "one.txt", "red", "guard.txt")
	s.git("sdd", "report")
	decide("proceed", "--reason", "slow is fine")

	// The gate fails and a guard changed.
	decide("guard-ok", "--path", "guard.txt", "--reason", "a line more harms nobody")
	s.must("turn", "fail", "Important one.txt:1 the line is wrong", "Minor one.txt:1 it could be shorter")
	decide("widen", "--path", "docs", "--reason", "it is said there too")
	s.git("sdd", "dispatch")
	s.git("sdd", "started", "--session", "four", "--model", "p/m-fast")
	s.must("child", "concerns", "scope", "docs may follow", "one.txt", "red")
	s.git("sdd", "report")
	s.write(".git/answer.md", "They will.\n")
	decide("proceed", "--context", ".git/answer.md", "--reason", "as it stands")
	s.must("turn", "pass", "T1:F-2=STILL_PRESENT")

	// A commit comes to the branch while the review of task 2 goes on.
	s.git("sdd", "dispatch")
	s.git("sdd", "started", "--session", "a")
	s.must("child", "blocked", "no access")
	s.write("more.txt", "another half\n")
	s.git("sdd", "report")
	decide("leftovers", "shelve", "--reason", "it may serve later")
	s.must("rm", "more.txt")
	decide("enrich", "--reason", "access was given")
	s.write(".git/answer.md", "There is access now.\n")
	s.git("sdd", "dispatch", "--context", ".git/answer.md")
	s.git("sdd", "started", "--session", "five")
	s.must("child", "done", "two.txt")
	s.git("sdd", "report")
	s.git("sdd", "dispatch")
	s.git("sdd", "started", "--session", "six")
	s.write("three.txt", "by somebody else\n")
	s.git("add", "three.txt")
	s.git("commit", "--quiet", "--message", "three")
	s.must("child", "pass")
	s.git("sdd", "report")
	s.must("turn", "empty")
	s.must("turn", "pass")

	// The final review, its wave, and what a human parks.
	s.must("turn", "fail", "T1:F-2=STILL_PRESENT", "Important two.txt:1 nobody says why")
	s.must("turn", "done", "two.txt")
	s.must("turn", "pass", "T1:F-2=STILL_PRESENT")
	decide("park", "--finding", "T1:F-2", "--evidence", "a matter of taste", "--reason", "not now")
	return run
}

// A rich run is one: it ends well, and what it went through is there.
func TestRichRun(t *testing.T) {
	s := newShop(t, richFiles())
	run := richRun(s)
	v := s.replay(run)
	if v.Phase != machine.Complete {
		t.Fatalf("it ends in %s", v.Phase)
	}
	s.git("sdd", "verify", "--full")
	s.story(run)
	events := s.git("log", "--format=%(trailers:key=Sdd-Event)", "refs/sdd/"+run)
	for _, event := range []string{
		"recovery-ruling-recorded", "ruling-recorded", "child-lost", "dispatch-window-crossed", "dispatch-ruling-recorded", "context-dispatch-intended",
		"concern-ruling-recorded", "fixer-finished", "rereview-approved", "final-fixer-finished", "final-park-ruling-recorded", "final-complete",
	} {
		if !strings.Contains(events+"\n", "Sdd-Event: "+event+"\n") {
			t.Errorf("no %s is recorded:\n%s", event, events)
		}
	}
	decisions := map[string]bool{}
	for _, r := range v.Rulings {
		decisions[r.Decision] = true
	}
	for _, want := range []string{"accept-empty", "fix-proceed", "leftovers-keep", "leftovers-shelve", "widen", "guard-ok"} {
		if !decisions[want] {
			t.Errorf("nobody ruled %s", want)
		}
	}
	ids := map[string]bool{}
	for _, f := range v.Findings {
		ids[f.ID] = true
	}
	for _, want := range []string{"T1:GATE-test-1", "T2:STALE-1", "T1:F-2", "FINAL:F-1"} {
		if !ids[want] {
			t.Errorf("there is no finding %s", want)
		}
	}
}

// A verification that goes on from where an earlier one ended sees the same as one
// from the beginning, wherever that was.
func TestVerifyGoesOn(t *testing.T) {
	s := newShop(t, richFiles())
	f := newForger(s, richRun(s))
	for n := range f.pages {
		if res := f.verifyFrom(f.markAt(n)); res.Outcome != verify.Verified || len(res.Notes) > 0 || res.CodeMissing || res.Revisions != len(f.pages) {
			t.Errorf("from r%d on: %+v", n, res)
		}
		f.point(f.commits[n])
		if res := f.verifyFrom(nil); res.Outcome != verify.Verified || res.Revisions != n+1 {
			t.Errorf("up to r%d: %+v", n, res)
		}
		f.point(f.commits[len(f.commits)-1])
	}
}
