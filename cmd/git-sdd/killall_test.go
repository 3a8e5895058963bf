//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// killerSource is laid over the packages whose moments have names: at one of them it
// kills one of the processes of a drive. No file of git-sdd itself can do that.
const killerSource = `package %s

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func init() {
	dir := os.Getenv("KILL_DIR")
	if dir == "" || len(os.Args) < 2 {
		return
	}
	who := os.Args[1]
	if who == "__child" {
		who = os.Args[2]
	}
	mine := filepath.Join(dir, who+"-"+strconv.Itoa(os.Getpid()))
	os.WriteFile(mine, []byte(strconv.Itoa(os.Getpid())), 0o644)
	os.Rename(mine, filepath.Join(dir, who)) // never read half: process 0 would be the group of the tests
	atCrashPoint = func(name string) {
		if name != os.Getenv("KILL_POINT") {
			return
		}
		passed, err := os.OpenFile(filepath.Join(dir, "passed"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			panic(err)
		}
		passed.Write([]byte("."))
		info, _ := passed.Stat()
		passed.Close()
		if strconv.FormatInt(info.Size(), 10) != os.Getenv("KILL_NTH") {
			return
		}
		kill(dir, os.Getenv("KILL_VICTIM"))
	}
}

// kill ends the victim, and itself last where it is one of them. With nobody to
// end, the moment is only made longer.
func kill(dir, victim string) {
	if victim == "nobody" {
		time.Sleep(500 * time.Millisecond)
		return
	}
	victims := map[string][]string{"group": {"-exec"}, "all": {"run", "keep", "-exec"}}[victim]
	if victims == nil {
		victims = []string{victim}
	}
	var pids []int
	for _, who := range victims {
		data, err := os.ReadFile(filepath.Join(dir, strings.TrimPrefix(who, "-")))
		if err != nil {
			continue
		}
		pid, err := strconv.Atoi(string(data))
		if err != nil || pid < 2 {
			panic("no process: " + string(data))
		}
		if who[0] == '-' {
			pid = -pid
		}
		if pid == os.Getpid() || pid == -os.Getpid() {
			pids = append(pids, pid)
		} else {
			pids = append([]int{pid}, pids...)
		}
	}
	for _, pid := range pids {
		if file, err := os.OpenFile(filepath.Join(dir, "killed"), os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
			file.Close()
		}
		syscall.Kill(pid, syscall.SIGKILL)
	}
}
`

// killable is the folder of a git-sdd that can be killed at its named moments.
var killable = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "git-sdd-killer-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for _, pkg := range []string{"agent", "controller"} {
		source := filepath.Join(dir, pkg+".go")
		if err := os.WriteFile(source, fmt.Appendf(nil, killerSource, pkg), 0o644); err != nil {
			return "", err
		}
		place, err := filepath.Abs(filepath.Join("..", "..", "internal", pkg, "killer.go"))
		if err != nil {
			return "", err
		}
		overlay.Replace[place] = source
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, data, 0o644); err != nil {
		return "", err
	}
	return build("killable", "-overlay", list)
})

// moments are the named points of a drive, as the sources list them.
func moments(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, file := range []string{"../../internal/controller/crash.go", "../../internal/agent/crash.go"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(data), "crashPoints = [...]string{")
		list, _, _ := strings.Cut(rest, "\n}")
		for line := range strings.SplitSeq(list, "\n") {
			if _, name, ok := strings.Cut(line, `"`); ok {
				all = append(all, strings.TrimSuffix(name, `",`))
			}
		}
	}
	return all
}

// recording is an agent that does what it is asked, and says that it was there.
// Two of them at once, or one too many, is what must never happen. Asked to, it
// first loses every report, or first writes one that nobody can read.
const recording = `cat >/dev/null
if ! mkdir "$WHO/lock" 2>/dev/null; then
	read -r other <"$WHO/pid"
	kill -0 "$other" 2>/dev/null && ! grep -q ') Z ' "/proc/$other/stat" 2>/dev/null && echo "$GIT_SDD_DISPATCH beside $other" >>"$WHO/twice"
fi
echo $$ >"$WHO/pid"
case $GIT_SDD_PROMPT in
*.repair-*) echo "$GIT_SDD_DISPATCH" >>"$WHO/repaired" ;;
*) echo "$GIT_SDD_DISPATCH" >>"$WHO/started" ;;
esac
if test "$LOSE" && mkdir "$WHO/$(basename "$GIT_SDD_REPORT")" 2>/dev/null; then
	rmdir "$WHO/lock"
	exit 1
fi
if test "$SPOIL" && mkdir "$WHO/$(basename "$GIT_SDD_REPORT")" 2>/dev/null; then
	echo "It is done." >"$GIT_SDD_REPORT"
	rmdir "$WHO/lock"
	exit
fi
case $GIT_SDD_REPORT in
*/implementer-*) child done work.txt ;;
*) child pass ;;
esac
rmdir "$WHO/lock"
`

// The controller, the keeper, the child, its group and all of them at once are
// killed at every named moment of a drive. Whatever is called next, the run ends
// with every task done, no child started twice without a ruling, and everything
// verified.
func TestKilledEverywhere(t *testing.T) {
	victims := []string{"run", "keep", "exec", "group", "all"}
	killed := map[string]int{}
	var ruled, cases int
	for i, moment := range moments(t) {
		for j, victim := range victims {
			for k, nth := range []string{"1", "2", "3"} {
				if os.Getenv("GIT_SDD_LONG") == "" && (k != i%3 || j != i%len(victims)) {
					continue // one victim of each moment every day
				}
				mode := []string{"proven", "stop"}[(i+j+k)%2]
				t.Run(moment+"/"+victim+"/"+nth+"/"+mode, func(t *testing.T) {
					did, rulings := newKill(t, mode).drive(moment, victim, nth)
					if did {
						killed[victim]++
						killed[moment]++
					}
					cases++
					ruled += rulings
				})
			}
		}
		if killed[moment] == 0 && cases == (i+1)*len(victims)*3 {
			t.Errorf("nobody was killed at %q", moment)
		}
		t.Logf("%-50s %d kills", moment, killed[moment])
	}
	all := 0
	for _, victim := range victims {
		all += killed[victim]
		t.Logf("%-50s %d kills", victim, killed[victim])
	}
	if all == 0 {
		t.Error("nobody was killed")
	}
	t.Logf("%d drives, %d kills, %d children handed out again by a human", cases, all, ruled)
}

// A kill is a run that one process of is killed.
type kill struct {
	shop
	run string
	who string // the folder in which agents say that they were there
}

func newKill(t *testing.T, mode string) kill {
	t.Helper()
	bin, err := killable()
	if err != nil {
		t.Fatal(err)
	}
	ladder, err := os.ReadFile(filepath.Join("..", "..", "testdata", "drive", "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	s := shopWith(t, bin, map[string]string{"plan.md": onePlan})
	who := t.TempDir()
	agent := filepath.Join(who, "agent.sh")
	s.write(agent, recording)
	t.Setenv("WHO", who)
	s.write(filepath.Join(".git", "git-sdd.toml"), string(ladder)+"\n[run]\nambiguous = \""+mode+"\"\n")
	t.Setenv("AGENT", agent)
	return kill{shop: s, run: s.start("plan.md"), who: who}
}

// agent is the script that the run's children are.
func (k kill) agent() string { return filepath.Join(k.who, "agent.sh") }

// drive has one process killed, then goes on until the run is over. It reports
// whether anybody was killed, and how often a human had to rule.
func (k kill) drive(moment, victim, nth string) (killed bool, rulings int) {
	k.Helper()
	dir := k.TempDir()
	for name, value := range map[string]string{"KILL_DIR": dir, "KILL_POINT": moment, "KILL_VICTIM": victim, "KILL_NTH": nth} {
		os.Setenv(name, value)
	}
	if strings.Contains(moment, "child lost") {
		k.Setenv("LOSE", "each child once")
	}
	if strings.Contains(moment, "repair") {
		k.Setenv("SPOIL", "each child once")
	}
	first := k.try("git-sdd", "run", "--json")
	for _, name := range []string{"KILL_DIR", "KILL_POINT", "KILL_VICTIM", "KILL_NTH"} {
		os.Unsetenv(name)
	}
	_, err := os.Stat(filepath.Join(dir, "killed"))
	killed = err == nil
	if first.exit == -1 && !killed {
		k.Fatalf("the first drive died of itself: %s", first.stderr)
	}
	rulings = k.goOn()
	k.check()
	return killed, rulings
}

// goOn drives on, and rules where a human must.
func (k kill) goOn() (rulings int) {
	k.Helper()
	for range 12 {
		a := k.try("git-sdd", "run", "--json")
		var n struct {
			Action    string
			Decisions []struct{ Decision string }
		}
		if a.exit == 7 { // over already
			return rulings
		}
		if a.exit != 0 && a.exit != 5 && a.exit != 6 {
			k.Fatalf("exit %d\n%s%s", a.exit, a.stdout, a.stderr)
		}
		k.sdd(&n, "next")
		switch {
		case n.Action == "done":
			return rulings
		case n.Action == "spawn":
			k.must("git-sdd", "decide", "lost", "--reason", "by the test: nothing started")
		case n.Action == "await":
			k.must("git-sdd", "decide", "lost", "--receipt", "the test killed it", "--reason", "by the test")
		case slices.ContainsFunc(n.Decisions, func(d struct{ Decision string }) bool { return d.Decision == "leftovers" }):
			k.must("git-sdd", "decide", "leftovers", "keep", "--reason", "by the test")
		default:
			k.must("git-sdd", "decide", "reissue", "--reason", "by the test")
			rulings++
		}
	}
	k.Fatal("the run does not end")
	return rulings
}

// check demands that everything is as if nobody had been killed, but for what
// rulings say.
func (k kill) check() {
	k.Helper()
	if v := k.replay(k.run); v.Phase.String() != "COMPLETE" {
		k.Errorf("the run ended %s", v.Phase)
	}
	var verdict struct{ Outcome string }
	k.sdd(&verdict, "verify", "--run", k.run)
	if verdict.Outcome != "verified" {
		k.Errorf("verify says %s", verdict.Outcome)
	}
	k.fsck()
	if twice, err := os.ReadFile(filepath.Join(k.who, "twice")); err == nil {
		k.Errorf("two children at once: %s", twice)
	}
	rulings := strings.Count(k.git("log", "--format=%s", "refs/sdd/"+k.run), "ruling reissue")
	data, err := os.ReadFile(filepath.Join(k.who, "started"))
	if err != nil {
		k.Fatal(err)
	}
	starts, keys := 0, map[string]bool{}
	for key := range strings.Lines(string(data)) {
		starts, keys[key] = starts+1, true
	}
	if again := starts - len(keys); len(keys) != 3 || again > rulings {
		k.Errorf("%d children were started for %d dispatches, with %d rulings that hand one out again", starts, len(keys), rulings)
	}
	if data, err := os.ReadFile(filepath.Join(k.who, "repaired")); err == nil {
		for key := range keys {
			if n := strings.Count(string(data), key); n > 2 {
				k.Errorf("%s was asked %d times to correct its report", strings.TrimSpace(key), n)
			}
		}
	}
	if left := k.git("worktree", "list"); strings.Contains(left, "copies") {
		k.Errorf("a copy is left: %s", left)
	}
}
