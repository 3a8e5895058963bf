//go:build unix

package main

import "testing"

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
