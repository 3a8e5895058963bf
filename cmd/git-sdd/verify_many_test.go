package main

import (
	"strings"
	"testing"
	"time"
)

// Of many runs one is broken: it is named, every other one still verifies, and
// the whole takes no time to speak of.
func TestVerifyMany(t *testing.T) {
	const runs, broken = 50, 24
	s := newStall(t, func(s *stall) { s.growRuns(runs - 1) })
	ids := strings.Fields(s.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/sdd/"))
	var all struct {
		Outcome string
		Runs    []struct{ Run, Outcome string }
	}
	verify := append([]string{"git-sdd", "verify", "--full", "--json"}, ids...)
	s.read(s.must(verify...), &all)
	if all.Outcome != "verified" || len(all.Runs) != runs {
		t.Fatalf("%s, %d runs", all.Outcome, len(all.Runs))
	}
	ref := "refs/sdd/" + ids[broken]
	s.git("update-ref", ref, s.git("commit-tree", "-p", ref, "-m", "forged", ref+"^{tree}"))
	begun := time.Now()
	a := s.try(verify...)
	took := time.Since(begun)
	if a.exit != 4 {
		t.Fatalf("exit %d\n%s%s", a.exit, a.stdout, a.stderr)
	}
	s.read(a.stdout, &all)
	if all.Outcome != "failed" || len(all.Runs) != runs {
		t.Fatalf("%s, %d runs", all.Outcome, len(all.Runs))
	}
	for i, run := range all.Runs {
		if want := map[bool]string{true: "failed", false: "verified"}[i == broken]; run.Outcome != want || run.Run != ids[i] {
			t.Errorf("run %d, %s: %s, want %s", i, run.Run, run.Outcome, want)
		}
	}
	t.Logf("%d runs in %s", runs, took.Round(time.Millisecond))
}
