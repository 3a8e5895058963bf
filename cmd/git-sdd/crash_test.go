//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A killer is a shop in which commands are killed.
type killer struct {
	shop
	run    string
	kills  int
	locked int  // commands that found a lock which a killed git had left
	litter int  // locks of runs that never came to be: they stand in nobody's way
	felled bool // everything that the last command had started was killed too
}

// killed reports whether a process ended by SIGKILL.
func killed(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

// revision is that of the run, read by plain git; -1 where there is none yet.
func (k *killer) revision() int {
	k.Helper()
	if k.run == "" || k.try("git", "show-ref", "--quiet", "refs/sdd/"+k.run).exit != 0 {
		return -1
	}
	n, err := strconv.Atoi(k.git("rev-list", "--count", "refs/sdd/"+k.run))
	if err != nil {
		k.Fatal(err)
	}
	return n - 1
}

// whole demands that after a kill the repository is sound and the run stands at
// a whole revision, the old one or one that the command led to. What git-sdd had
// started may outlive it by a moment.
func (k *killer) whole(before int) {
	k.Helper()
	k.kills++
	for range 100 {
		if len(k.locks()) == 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	for _, lock := range k.locks() {
		if !k.felled {
			k.Fatalf("a lock is left though its git was not killed: %s", lock)
		}
		if name := strings.TrimSuffix(filepath.Base(lock), ".lock"); !strings.HasPrefix(name, "start-") && !slices.Contains(k.runs(), name) {
			k.litter++
			k.must("rm", lock)
		}
	}
	k.fsck()
	after := k.revision()
	if after < before || after > before+4 {
		k.Fatalf("the run went from revision %d to %d", before, after)
	}
	if after >= 0 {
		var head struct{ Revision int }
		k.read(k.git("cat-file", "blob", "refs/sdd/"+k.run+":state.json"), &head)
		if head.Revision != after {
			k.Fatalf("the state of revision %d says %d", after, head.Revision)
		}
	}
}

func (k *killer) locks() []string {
	k.Helper()
	found, err := filepath.Glob(filepath.Join(k.dir, ".git", "refs", "sdd*", "*.lock"))
	if err != nil {
		k.Fatal(err)
	}
	return found
}

// repairLine is what git-sdd says last when it refuses.
var repairLine = regexp.MustCompile(`(?m)^git-sdd: repair: (rm '.*\.lock')$`)

// again repeats a command that was killed. It succeeds, or what it came for is
// done; a lock that a killed git left is told with the command that removes it.
func (k *killer) again(words []string) answer {
	k.Helper()
	a := k.try(words...)
	if repair := repairLine.FindStringSubmatch(a.stderr); a.exit == lost && repair != nil && k.felled {
		k.locked++
		k.must("sh", "-c", repair[1])
		a = k.try(words...)
	}
	k.felled = false
	over := a.exit == unknown && k.over()
	if a.exit != won && a.exit != pointless && a.exit != lost && !over {
		k.Fatalf("%q repeated: exit %d\n%s%s", words, a.exit, a.stdout, a.stderr)
	}
	return a
}

// unknown is the exit of a command that finds no live run: after the end of one.
const unknown = 7

func (k *killer) over() bool {
	k.Helper()
	return strings.Contains(k.git("log", "-1", "--format=%B", "refs/sdd/"+k.run), "\nSdd-Phase: COMPLETE\n")
}

// The ways of killing: the process, its process group, and everything that it
// started.
var ways = []func(pid int){
	func(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) },
	func(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) },
	func(pid int) {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // it starts nothing more
		for _, p := range append(descendants(pid), pid) {
			_ = syscall.Kill(p, syscall.SIGKILL)
		}
	},
}

// descendants lists the processes that a process has started, and they, and so on.
func descendants(pid int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if parent, err := strconv.Atoi(string(fields[1])); err == nil {
			children[parent] = append(children[parent], child)
		}
	}
	var all []int
	for todo := children[pid]; len(todo) > 0; todo = todo[1:] {
		all = append(all, todo[0])
		todo = append(todo, children[todo[0]]...)
	}
	return all
}

// killAfter runs a command and kills it after a while, unless it has ended.
func (k *killer) killAfter(words []string, pause time.Duration, kill func(pid int)) (took time.Duration, wasKilled bool) {
	k.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		k.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return time.Since(begun), killed(err)
	case <-time.After(pause):
		kill(cmd.Process.Pid)
		return time.Since(begun), killed(<-ended)
	}
}

// Killed at any instant, by process, by group or with all that it started, no
// command leaves anything but the old revision or a new one, and the story goes
// on to its end. Start leaves nothing, or a run that start goes on with.
func TestKilledAtRandom(t *testing.T) {
	k := &killer{shop: newShop(t, map[string]string{"plan.md": onePlan})}
	random := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	usual := map[string]time.Duration{} // what a command takes when it is let
	bombard := func(words []string, kills int) {
		verb := words[1]
		for i := range kills {
			if usual[verb] == 0 {
				usual[verb] = 40 * time.Millisecond
			}
			before := k.revision()
			pause := time.Duration(random.Int64N(int64(usual[verb] * 5 / 4)))
			way := (k.kills + i) % len(ways)
			took, wasKilled := k.killAfter(words, pause, ways[way])
			k.felled = k.felled || way == len(ways)-1
			k.found()
			if !wasKilled {
				usual[verb] = took
				return
			}
			k.whole(before)
		}
		begun := time.Now()
		k.again(words)
		usual[verb] = time.Since(begun)
	}
	for range rounds(12) {
		k.run = ""
		k.bombardStart(bombard)
		k.must("git-sdd", "abandon", "--reason", "the next round")
	}
	k.run = ""
	k.bombardStart(bombard)
	d := newDriver(k.shop)
	d.findings = true
	d.do = func(words []string) {
		if words[0] == "git" {
			words = slices.Concat([]string{"git-sdd"}, words[2:]) // git would not be what is killed
		}
		bombard(words, 3)
		k.note(bombard)
	}
	d.drive()
	k.story(k.run)
	if v := k.replay(k.run); v.Phase.String() != "COMPLETE" {
		t.Errorf("the story ends in %s", v.Phase)
	}
	t.Logf("%d kills, %d locks left in the way, %d out of it", k.kills, k.locked, k.litter)
	if k.kills == 0 {
		t.Error("nothing was killed")
	}
}

// bombardStart starts a run under fire, and demands that there is one in the end.
func (k *killer) bombardStart(bombard func([]string, int)) {
	k.Helper()
	known := len(k.runs())
	bombard([]string{"git-sdd", "start", "plan.md"}, 3)
	k.found()
	k.again([]string{"git-sdd", "start", "plan.md"})
	if all := k.runs(); len(all) != known+1 || k.revision() != 3 {
		k.Fatalf("%d runs instead of %d, the last at revision %d", len(all), known+1, k.revision())
	}
}

// note records a ruling under fire: the plumbing command of the story.
func (k *killer) note(bombard func([]string, int)) {
	k.Helper()
	var now waiting
	k.sdd(&now, "next")
	if now.Action == "done" {
		return
	}
	event := filepath.Join(k.dir, ".git", "event.json")
	k.write(event, `{"type":"recovery-ruling-recorded","reason":"under fire","receipt":"none"}`)
	bombard([]string{"git-sdd", "record", event, "--expected-revision", fmt.Sprint(now.Revision)}, 2)
	if after := k.revision(); after != now.Revision+1 {
		k.Fatalf("the ruling was recorded %d times", after-now.Revision)
	}
}

func (k *killer) runs() []string {
	k.Helper()
	return strings.Fields(k.git("for-each-ref", "--format=%(refname:lstrip=2)", "--sort=committerdate", "refs/sdd/"))
}

// found looks for the run that a start may have left: the one that has not ended.
func (k *killer) found() {
	k.Helper()
	if k.run != "" {
		return
	}
	for _, run := range k.runs() {
		if !strings.Contains(k.git("log", "-1", "--format=%B", "refs/sdd/"+run), "FINAL_BLOCKED") {
			k.run = run
		}
	}
}

// crashing is a git-sdd that kills itself at a named moment, which the
// environment tells it: built with a file more in the two packages that know such
// moments. Nothing in the program that people install reads that variable.
var crashing = sync.OnceValues(func() (string, error) {
	child, err := exec.LookPath("child")
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, name := range []string{"git", "ledger"} {
		file := filepath.Join(filepath.Dir(child), name+"_crash.txt")
		if err := os.WriteFile(file, []byte("package "+name+"\n"+crashSource), 0o644); err != nil {
			return "", err
		}
		place, err := filepath.Abs(filepath.Join("..", "..", "internal", name, "crash_named.go"))
		if err != nil {
			return "", err
		}
		replace[place] = file
	}
	overlay := filepath.Join(filepath.Dir(child), "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(overlay, data, 0o644)
	}
	if err != nil {
		return "", err
	}
	return build("crashing", "-overlay", overlay)
})

const crashSource = `
import (
	"fmt"
	"os"
	"syscall"
)

func init() {
	if os.Getenv("CRASH_POINTS") != "" {
		for _, point := range crashPoints {
			fmt.Fprintln(os.Stderr, point)
		}
	}
	at := os.Getenv("CRASH_AT")
	var pass int
	fmt.Sscan(os.Getenv("CRASH_PASS"), &pass)
	atCrashPoint = func(name string) {
		if name != at {
			return
		}
		if pass--; pass == 0 {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}
`

// crashAt runs a command that kills itself the given time that it passes a
// point, and reports whether it did.
func (k *killer) crashAt(words []string, point string, pass int) bool {
	k.Helper()
	before := k.revision()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), "CRASH_AT="+point, "CRASH_PASS="+strconv.Itoa(pass))
	out, err := cmd.CombinedOutput()
	k.found()
	if !killed(err) {
		if exit := cmd.ProcessState.ExitCode(); exit != won && exit != pointless && !(exit == unknown && k.over()) {
			k.Fatalf("%q: %v\n%s", words, err, out)
		}
		return false
	}
	k.whole(before)
	return true
}

// Killed at each moment that the writing protocol names, in every command of a
// story, the same holds.
func TestKilledAtNamedPoints(t *testing.T) {
	bin, err := crashing()
	if err != nil {
		t.Fatal(err)
	}
	k := &killer{shop: shopWith(t, bin, map[string]string{"plan.md": onePlan})}
	t.Setenv("CRASH_POINTS", "1")
	points := strings.Split(strings.TrimSpace(k.try("git-sdd", "version").stderr), "\n")
	os.Unsetenv("CRASH_POINTS")
	if len(points) < 5 {
		t.Fatalf("the points are %q", points)
	}
	passed := map[string]map[string]bool{}
	hit := func(words []string, point string, pass int) bool {
		verb := words[1]
		if passed[verb] == nil {
			passed[verb] = map[string]bool{}
		}
		crashed := k.crashAt(words, point, pass)
		passed[verb][point] = passed[verb][point] || crashed
		return crashed
	}

	start := []string{"git-sdd", "start", "plan.md"}
	for _, point := range points {
		for pass := 1; ; pass++ {
			k.run = ""
			crashed := hit(start, point, pass)
			k.again(start)
			if k.found(); k.revision() != 3 {
				t.Fatalf("started, killed at %q and started again, the run is at revision %d", point, k.revision())
			}
			if point == points[len(points)-1] && !crashed {
				break
			}
			k.must("git-sdd", "abandon", "--reason", "the next point")
			if !crashed {
				break
			}
		}
	}

	d := newDriver(k.shop)
	d.do = func(words []string) {
		words = slices.Concat([]string{"git-sdd"}, words[2:])
		for _, point := range points {
			hit(words, point, 1)
		}
		k.again(words)
		k.crashNote(points, hit)
	}
	d.drive()
	k.story(k.run)
	if v := k.replay(k.run); v.Phase.String() != "COMPLETE" {
		t.Errorf("the story ends in %s", v.Phase)
	}
	for _, verb := range []string{"start", "dispatch", "started", "report", "record"} {
		for _, point := range points {
			if !passed[verb][point] {
				t.Errorf("%s was never killed at %q", verb, point)
			}
		}
	}
	t.Logf("%d kills, %d locks left in the way, %d out of it", k.kills, k.locked, k.litter)
}

// crashNote records a ruling through every named moment.
func (k *killer) crashNote(points []string, hit func([]string, string, int) bool) {
	k.Helper()
	event := filepath.Join(k.dir, ".git", "event.json")
	k.write(event, `{"type":"recovery-ruling-recorded","reason":"through all points","receipt":"none"}`)
	var now waiting
	k.sdd(&now, "next")
	if now.Action != "dispatch" {
		return
	}
	words := []string{"git-sdd", "record", event, "--expected-revision", fmt.Sprint(now.Revision)}
	for _, point := range points {
		if k.revision() == now.Revision {
			hit(words, point, 1)
		}
	}
	k.again(words)
	if after := k.revision(); after != now.Revision+1 {
		k.Fatalf("the ruling was recorded %d times", after-now.Revision)
	}
}
