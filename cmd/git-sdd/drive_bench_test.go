//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// What a drive may cost beside its children: in times of `git rev-parse HEAD`,
// for each transition and again for each dispatch.
const driveBudget = 15

// quickAgent does as little as an agent can.
const quickAgent = `cat >/dev/null
case $GIT_SDD_REPORT in
*/implementer-*)
	git commit --quiet --allow-empty --message work
	printf 'STATUS: DONE\nCHANGES:\n- none: it is a measurement\nTESTS:\n- true: passed\nCOMMIT: %s\n' "$(git rev-parse HEAD)" ;;
*/final-*) printf 'SPEC: PASS\nQUALITY: APPROVED\nFINDINGS: none\nLEDGER RECONCILIATION: none\n' ;;
*) printf 'SPEC: PASS\nQUALITY: APPROVED\nFINDINGS: none\n' ;;
esac >"$GIT_SDD_REPORT"
`

// A ride is what one drive took.
type ride struct {
	wall, children, checkouts time.Duration
	transitions, dispatches   int
	rss                       int64 // most memory of the drive or of any process that it waited for
}

// ladder is read once: a shop leaves the folder of the tests.
var ladder = sync.OnceValues(func() ([]byte, error) {
	return os.ReadFile(filepath.Join("..", "..", "testdata", "drive", "config.toml"))
})

// ridden drives a plan of so many tasks to its end.
func ridden(tb testing.TB, tasks, files int) (ride, shop) {
	tb.Helper()
	ladder, err := ladder()
	if err != nil {
		tb.Fatal(err)
	}
	var plan strings.Builder
	plan.WriteString("# Plan\n")
	for n := range tasks {
		fmt.Fprintf(&plan, "\n## Task %d: Write %d\n\n**Implementer tier:** Fast\n\n- [ ] Write it.\n", n+1, n+1)
	}
	all := map[string]string{"plan.md": plan.String()}
	for n := range files {
		all[fmt.Sprintf("file-%d.txt", n)] = fmt.Sprintln("file", n)
	}
	s := newShop(tb, all)
	agent := filepath.Join(tb.TempDir(), "agent.sh")
	s.write(agent, quickAgent)
	tb.Setenv("AGENT", agent)
	s.write(filepath.Join(".git", "git-sdd.toml"), string(ladder))
	s.start("plan.md")
	cmd := exec.Command("git-sdd", "run", "--json")
	begun := time.Now()
	out, err := cmd.Output()
	r := ride{wall: time.Since(begun)}
	if err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.rss = usage.Maxrss
	}
	var told struct {
		Phase       string
		Transitions []struct{}
	}
	s.read(string(out), &told)
	if told.Phase != "COMPLETE" {
		tb.Fatalf("the drive ended in %s", told.Phase)
	}
	r.transitions = len(told.Transitions)
	r.count(s)
	return r, s
}

// count adds up what the children themselves took, and what the worktrees of the
// reviewers would take alone.
func (r *ride) count(s shop) {
	s.Helper()
	var all struct {
		Sessions []struct {
			Role      string
			StartedAt time.Time
			End       struct{ At time.Time }
		}
	}
	s.sdd(&all, "sessions")
	reviews := 0
	for _, c := range all.Sessions {
		r.dispatches++
		r.children += c.End.At.Sub(c.StartedAt)
		if c.Role != "implementer" {
			reviews++
		}
	}
	place := filepath.Join(s.TempDir(), "copy")
	var quickest time.Duration
	for range 3 { // what else the machine does must not count as checkout
		begun := time.Now()
		s.git("worktree", "add", "--quiet", "--detach", place)
		s.git("worktree", "remove", "--force", place)
		if took := time.Since(begun); quickest == 0 || took < quickest {
			quickest = took
		}
	}
	r.checkouts = quickest * time.Duration(reviews)
}

// BenchmarkDrive measures what git-sdd itself adds to a run in a repository of a
// thousand files.
func BenchmarkDrive(b *testing.B) {
	var own, allowed, checkouts []time.Duration
	for b.Loop() {
		r, s := ridden(b, 3, 1000)
		var gits []time.Duration
		for range 20 {
			begun := time.Now()
			s.git("rev-parse", "HEAD")
			gits = append(gits, time.Since(begun))
		}
		own = append(own, r.wall-r.children-r.checkouts)
		allowed = append(allowed, time.Duration(driveBudget*(r.transitions+r.dispatches))*median(gits))
		checkouts = append(checkouts, r.checkouts)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(median(own).Milliseconds()), "ms-own")
	b.ReportMetric(float64(median(checkouts).Milliseconds()), "ms-checkouts")
	judge(b, "x-allowed", own, allowed, 1)
}

// Driving on and on takes no more memory than driving a little.
func TestDriveMemory(t *testing.T) {
	if os.Getenv("GIT_SDD_LONG") == "" {
		t.Skip("500 children take minutes; GIT_SDD_LONG=1 starts them")
	}
	var few, many ride
	t.Run("few", func(t *testing.T) { few, _ = ridden(t, 5, 0) })
	t.Run("many", func(t *testing.T) { many, _ = ridden(t, 250, 0) })
	if many.dispatches < 500 || many.rss > few.rss*3/2 {
		t.Errorf("%d children: %d KiB at most; %d children: %d KiB", few.dispatches, few.rss, many.dispatches, many.rss)
	}
	t.Logf("%d children: %d KiB; %d children: %d KiB, %s", few.dispatches, few.rss, many.dispatches, many.rss, many.wall)
}
