//go:build unix

package ledger

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// long asks for the rounds that a judge wants to see, not those of every day.
func long() bool { return os.Getenv("GIT_SDD_LONG") != "" }

func rounds(short, all int) int {
	if long() {
		return all
	}
	return short
}

func killed(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

// Killed at any named moment, the run is as it was or one whole step further,
// the repository is whole, and the next write is an ordinary one.
func TestCrash(t *testing.T) {
	moved := map[string]int{"ledger: refs moved, objects not looked at again": 1}
	for _, point := range crashPoints {
		t.Run(point, func(t *testing.T) {
			f := newFixture(t)
			if err := f.startChild(0, childCrash+"="+point).Wait(); !killed(err) {
				t.Fatalf("the first child was not killed: %v", err)
			}
			f.fsck()
			_, err := Load(ctx, f.open(), idOf(1))
			if got := err == nil; got != (moved[point] == 1) || !got && !errors.Is(err, ErrNoRun) {
				t.Errorf("after the creation: %v", err)
			}
			if moved[point] == 0 {
				f.story(f.open(), idOf(1), 1)
			}
			if err := f.startChild(1, childCrash+"="+point).Wait(); !killed(err) {
				t.Fatalf("the second child was not killed: %v", err)
			}
			f.fsck()
			run := must(Load(ctx, f.open(), idOf(1)))(t)
			if run.Tip.Revision() != moved[point] {
				t.Errorf("the run is at revision %d", run.Tip.Revision())
			}
			must(Append(ctx, f.open(), run.Tip, entry(run.Tip.Revision()+1)))(t)
			f.fsck()
		})
	}
}

// Every crash point lies on the way of a write.
func TestCrashPointsAreReached(t *testing.T) {
	f := newFixture(t)
	var seen []string
	defer func() { atCrashPoint = nil }()
	atCrashPoint = func(name string) { seen = append(seen, name) }
	f.story(f.open(), idOf(1), 1)
	if !slices.Equal(seen, crashPoints[:]) {
		t.Errorf("passed %q, want %q", seen, crashPoints)
	}
}

// The same without named moments: killed with everything it started, whenever.
func TestKilledAnywhere(t *testing.T) {
	f := newFixture(t)
	f.story(f.open(), idOf(1), 1)
	last := 0
	for round := range rounds(12, 200) {
		cmd := f.startChild(last + 1)
		time.Sleep(rand.N(40 * time.Millisecond))
		_ = cmd.Process.Kill()
		err := cmd.Wait()
		// What the child had started may outlive it, and still be whole.
		for range 50 {
			if locks, _ := filepath.Glob(f.path(".git", "refs", "sdd*", "*.lock")); len(locks) == 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if locks, _ := filepath.Glob(f.path(".git", "refs", "sdd*", "*.lock")); len(locks) > 0 {
			t.Fatalf("round %d: locks are left: %v", round, locks)
		}
		run := must(Load(ctx, f.open(), idOf(1)))(t)
		now := run.Tip.Revision()
		if now != last && now != last+1 || err == nil && now != last+1 {
			t.Fatalf("round %d: revision %d after %d, the child: %v", round, now, last, err)
		}
		last = must(Append(ctx, f.open(), run.Tip, entry(now+1)))(t).Revision()
	}
	f.fsck()
	if n, err := f.walk(idOf(1)); err != nil || n != last+1 {
		t.Errorf("%d revisions, %v", n, err)
	}
}

// crowd has n processes write the same revision, all after all have read, and
// returns how they ended.
func (f fixture) crowd(n, revision int) []int {
	f.t.Helper()
	gate := f.t.TempDir()
	children := make([]*exec.Cmd, n)
	for i := range children {
		children[i] = f.startChild(revision, childGate+"="+gate)
	}
	for ready := 0; ready < n; time.Sleep(time.Millisecond) {
		entries, err := os.ReadDir(gate)
		if err != nil {
			f.t.Fatal(err)
		}
		ready = len(entries)
	}
	if err := os.WriteFile(filepath.Join(gate, "open"), nil, 0o666); err != nil {
		f.t.Fatal(err)
	}
	statuses := make([]int, n)
	for i, cmd := range children {
		_ = cmd.Wait()
		statuses[i] = cmd.ProcessState.ExitCode()
	}
	return statuses
}

// pack packs all refs again and again until the function that it returns is
// called, which says how often.
func (f fixture) pack() func() int {
	stop, stopped := make(chan struct{}), make(chan struct{})
	n := 0
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := f.try("pack-refs", "--all"); err == nil {
				n++
			}
		}
	}()
	return sync.OnceValue(func() int {
		close(stop)
		<-stopped
		return n
	})
}

// Of eight processes that write after the same revision one wins and seven are
// told so, while refs are being packed beside them.
func TestContention(t *testing.T) {
	f := newFixture(t)
	tip := f.story(f.open(), idOf(1), 1)
	stopPacking := f.pack()
	defer stopPacking()
	for round := range rounds(3, 100) {
		statuses := f.crowd(8, tip.Revision()+1)
		slices.Sort(statuses)
		if want := []int{childWon, childMoved, childMoved, childMoved, childMoved, childMoved, childMoved, childMoved}; !slices.Equal(statuses, want) {
			t.Fatalf("round %d: the processes ended with %v", round, statuses)
		}
		run := must(Load(ctx, f.open(), idOf(1)))(t)
		if run.Tip.Revision() != tip.Revision()+1 {
			t.Fatalf("round %d: revision %d after %d", round, run.Tip.Revision(), tip.Revision())
		}
		tip = run.Tip
	}
	if n := stopPacking(); n == 0 {
		t.Error("refs were never packed")
	}
	f.fsck()
	if n, err := f.walk(idOf(1)); err != nil || n != tip.Revision()+1 {
		t.Errorf("%d revisions, %v", n, err)
	}
	if out := f.git("log", "--format=%P", idOf(1).PinRef()); strings.Count(out, f.head) != 1 {
		t.Errorf("the same commit is pinned more than once:\n%s", out)
	}
}
