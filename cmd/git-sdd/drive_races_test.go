//go:build unix

package main

import (
	"strings"
	"testing"
)

// Several drives of one run at once: however they meet, each child starts once,
// and the run ends as if one had driven it.
func TestDrivesAtOnce(t *testing.T) {
	k := newKill(t, "stop")
	drive := []string{"git-sdd", "run", "--json"}
	for _, a := range k.race(drive, drive, drive) {
		// one that was overtaken says so, or finds that nothing lives here any more
		if a.exit != 0 && a.exit != 3 && a.exit != 7 {
			t.Errorf("exit %d\n%s%s", a.exit, a.stdout, a.stderr)
		}
	}
	if rulings := k.goOn(); rulings != 0 {
		t.Errorf("%d rulings were needed", rulings)
	}
	k.check()
}

// A child that moves the pins before its start is recorded is found out, and what
// it put there is not taken for the run's own.
func TestPinsMovedEarly(t *testing.T) {
	k := newKill(t, "stop")
	agent := `cat >/dev/null
echo "$GIT_SDD_DISPATCH" >>"$WHO/started"
git update-ref refs/sdd-pins/$GIT_SDD_RUN main
child done work.txt`
	k.write(k.agent(), agent)
	for name, value := range map[string]string{"KILL_DIR": t.TempDir(), "KILL_POINT": "drive: child started, not recorded", "KILL_VICTIM": "nobody", "KILL_NTH": "1"} {
		t.Setenv(name, value)
	}
	a := k.try("git-sdd", "run", "--json")
	var refused struct {
		Error struct{ Kind, Message, Repair string }
	}
	k.read(a.stdout, &refused)
	if a.exit != 4 || !strings.HasSuffix(refused.Error.Message, "the ref that holds its work was moved") {
		t.Fatalf("exit %d\n%s", a.exit, a.stdout)
	}
	repair, _, _ := strings.Cut(refused.Error.Repair, ", then ")
	k.must("sh", "-c", repair)
	k.write(k.agent(), recording)
	k.must("git-sdd", "run", "--json")
	k.check()
}
