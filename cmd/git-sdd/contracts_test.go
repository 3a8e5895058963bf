package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/verify"
)

// A run that was started under other role contracts goes no further until a human
// says so: what children are told changes with them.
func TestOtherContracts(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": twoTasks})
	run := s.start("plan.md")
	f := newForger(s, run)
	other := strings.Repeat("ab", 32)
	first := parsed(f.pages[0].files["event.json"].data)
	if !replace(&first, []string{"event", "tool", "contracts"}, func(any) (any, bool) { return other, true }) {
		t.Fatal("the first event names no contracts")
	}
	f.write(0, f.rebuilt(0, encoded(first)))
	if res := f.verifyFrom(nil); res.Outcome != verify.Verified {
		t.Fatalf("started under other contracts: %+v", res)
	}

	before := s.tip(run)
	for _, words := range [][]string{{"dispatch"}, {"decide", "contracts"}} { // the second gives no reason
		a := s.try(append([]string{"git", "sdd"}, words...)...)
		if a.exit == 0 || s.tip(run) != before {
			t.Errorf("%q: exit %d, the run at %s, it was at %s", words, a.exit, s.tip(run), before)
		}
	}
	var refused struct {
		Error struct{ Kind, Repair string }
	}
	s.read(s.try("git", "sdd", "dispatch", "--json").stdout, &refused)
	if refused.Error.Kind != "waiting" || refused.Error.Repair != "git sdd decide contracts --reason <reason>" {
		t.Errorf("dispatch: %+v", refused.Error)
	}

	// A raw ruling names the contracts of the program that records it, or none.
	s.write(".git/ruling.json", `{"type":"ruling-recorded","decision":"contracts","reason":"others","dispatchKey":null,"finding":null,"paths":[],"blob":"`+strings.Repeat("ab", 32)+`","artifact":null}`)
	now := fmt.Sprint(len(f.pages) - 1)
	if a := s.try("git", "sdd", "record", ".git/ruling.json", "--expected-revision", now); a.exit != 2 || !strings.Contains(a.stderr, "the ruling names") || s.tip(run) != before {
		t.Errorf("contracts of nobody: exit %d, %s", a.exit, a.stderr)
	}

	s.git("sdd", "decide", "contracts", "--reason", "the new ones were read")
	s.git("sdd", "dispatch")
	if a := s.try("git", "sdd", "decide", "contracts", "--reason", "again"); a.exit == 0 {
		t.Error("the contracts that are in force were ruled on again")
	}
	if res := f.verifyFrom(nil); res.Outcome != verify.Verified {
		t.Errorf("after the ruling: %+v", res)
	}
	s.fsck()
}
