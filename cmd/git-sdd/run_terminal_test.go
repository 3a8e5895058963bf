//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/git-sdd/git-sdd/internal/agent"
)

// talking is an agent that takes a while over its first dispatch and says what a
// terminal must never be told raw.
const talking = `cat >/dev/null
case $GIT_SDD_REPORT in
*/implementer-*)
	if test "$DOES" = wait; then
		trap 'echo asked >>"$(dirname "$AGENT")/asked"; exit 1' INT
		echo ready
		while :; do sleep 0.05; done
	elif test "$DOES" = stay; then
		trap '' INT TERM
		echo ready
		while :; do sleep 0.05; done
	fi
	printf '\033[31mreading \033]0;title\007\346\274\242\345\255\227%s\033[0m\n' "$(printf 'word%s ' 1 2 3 4 5 6 7 8 9 10 11 12 13 14)"
	sleep 1.8
	exec child done work.txt ;;
*) exec child pass ;;
esac
`

// A driven is `git sdd run` with a person before it.
type driven struct {
	*exec.Cmd
	shop
	own    *os.File // the person's side of the terminal
	got    chan string
	stdout string // the file that standard output goes to; "" for the terminal
}

// driving starts `git sdd run` at a terminal of 80 columns, with settings of the
// environment beside the test's own.
func (s shop) driving(redirected bool, env []string, args ...string) *driven {
	s.Helper()
	own, theirs, err := pty.Open()
	if err != nil {
		s.Skipf("no terminal to be had: %v", err)
	}
	s.Cleanup(func() { own.Close() })
	if err := pty.Setsize(own, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		s.Fatal(err)
	}
	d := &driven{Cmd: exec.Command("git", append([]string{"sdd", "run"}, args...)...), shop: s, own: own, got: make(chan string, 1)}
	d.Env = append(append(os.Environ(), "TERM=xterm"), env...)
	d.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	d.Stdin, d.Stdout, d.Stderr = theirs, theirs, theirs
	if redirected {
		d.stdout = filepath.Join(s.TempDir(), "stdout")
		file, err := os.Create(d.stdout)
		if err != nil {
			s.Fatal(err)
		}
		defer file.Close()
		d.Stdout = file
	}
	if err := d.Start(); err != nil {
		s.Fatal(err)
	}
	theirs.Close()
	kill := time.AfterFunc(30*time.Second, func() { _ = d.Process.Kill() })
	s.Cleanup(func() { kill.Stop() })
	go func() {
		shown, _ := io.ReadAll(own) // ends with EIO when the last process is gone
		d.got <- strings.ReplaceAll(string(shown), "\r\n", "\n")
	}()
	return d
}

// ended waits for the end and returns what was shown. Git ends by the very signal
// that ended git-sdd: exit -1.
func (d *driven) ended(exit int) string {
	d.Helper()
	shown := <-d.got
	_ = d.Wait()
	if got := d.ProcessState.ExitCode(); got != exit {
		d.Errorf("exit %d, want %d:\n%s", got, exit, shown)
	}
	return shown
}

// says waits until so many children of the run have said something.
func (d *driven) says(text string, children int) {
	d.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		logs, _ := filepath.Glob(filepath.Join(".git", "git-sdd", "sessions", "*.log"))
		n := 0
		for _, log := range logs {
			if data, err := os.ReadFile(log); err == nil && strings.Contains(string(data), text) {
				n++
			}
		}
		if n == children {
			return
		}
	}
	d.Fatalf("%d children do not say %q", children, text)
}

const erase = "\r\x1b[K"

// screen is what is left of a text at a terminal that obeys no other sequence
// than the one that takes a line away, and the lines that were taken away.
func screen(t *testing.T, shown string) (left string, live []string) {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(shown) {
		parts := strings.Split(line, erase)
		live = append(live, parts[:len(parts)-1]...)
		b.WriteString(parts[len(parts)-1])
	}
	live = append(live, "")
	live = strings.FieldsFunc(strings.Join(live, "\x00"), func(r rune) bool { return r == 0 })
	if bad := raw(b.String() + strings.Join(live, "")); bad != "" {
		t.Errorf("shows %s raw:\n%q", bad, shown)
	}
	return b.String(), live
}

// wideAs counts the columns of a text whose wide letters are Chinese.
func wideAs(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0x2e80 {
			n++
		}
	}
	return n
}

func newDriven(t *testing.T) shop {
	t.Helper()
	rungs, err := ladder()
	if err != nil {
		t.Fatal(err)
	}
	s := newShop(t, map[string]string{"plan.md": onePlan})
	agent := filepath.Join(t.TempDir(), "agent.sh")
	s.write(agent, talking)
	t.Setenv("AGENT", agent)
	s.write(filepath.Join(".git", "git-sdd.toml"), string(rungs))
	s.start("plan.md")
	return s
}

// whoRuns is how every live line begins; on a busy machine reviewers have one too.
var whoRuns = regexp.MustCompile(`^     (implementer of task 1 \(fast\)|task-reviewer of task 1 \(standard\)|final reviewer \(frontier\)), `)

// TestRunAtATerminal: one live line for the child that runs, taken away again; a
// line for each thing that happened, and nothing wider than the terminal. What
// people switch off is off, and a pipe gets plain lines.
func TestRunAtATerminal(t *testing.T) {
	for name, c := range map[string]struct {
		redirected, live bool
		env, args        []string
	}{
		"terminal": {live: true},
		"NO_COLOR": {live: true, env: []string{"NO_COLOR=1"}},
		"dumb":     {env: []string{"TERM=dumb"}},
		"json":     {redirected: true, live: true, args: []string{"--json"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newDriven(t)
			d := s.driving(c.redirected, c.env, c.args...)
			left, live := screen(t, d.ended(0))
			if c.live != (len(live) > 0) {
				t.Errorf("%d live lines: %q", len(live), live)
			}
			for _, line := range live {
				if !whoRuns.MatchString(line) || wideAs(line) > 79 {
					t.Errorf("%d columns: live line %q", wideAs(line), line)
				}
			}
			if c.live && !regexp.MustCompile(`\(fast\), [1-9] s: reading \x{6f22}\x{5b57}word1 word2`).MatchString(live[0]) {
				t.Errorf("the live line does not tell time and output: %q", live[0])
			}
			for line := range strings.Lines(left) {
				if wideAs(strings.TrimSuffix(line, "\n")) > 80 {
					t.Errorf("wider than the terminal: %s", line)
				}
			}
			for _, want := range []string{
				"r4   1/1 implement-dispatch-intended -> IMPLEMENT_DISPATCH_INTENT\n",
				"     final reviewer (frontier) runs, session ",
				"     task-reviewer of task 1 (standard) ended with exit status 0, after ",
			} {
				if !strings.Contains(left, want) {
					t.Errorf("does not say %q:\n%s", want, left)
				}
			}
			d.told(left)
		})
	}
}

// told holds the summary to what happened: in words at the terminal, or as the
// one document of a file.
func (d *driven) told(left string) {
	d.Helper()
	if d.stdout != "" {
		data, err := os.ReadFile(d.stdout)
		if err != nil {
			d.Fatal(err)
		}
		var a struct{ Schema, Phase string }
		d.read(string(data), &a)
		if a.Schema != "git-sdd/run/1" || a.Phase != "COMPLETE" {
			d.Errorf("answers %s, %s", a.Schema, a.Phase)
		}
		return
	}
	summary := regexp.MustCompile(`(?m)^12 transitions in [0-9.]+ s
children: 1 implementer \(fast\), 1 task-reviewer \(standard\), 1 final reviewer
  \(frontier\)
time: ([0-9.]+\s+s\s+[A-Z_]+,\s+)*[0-9.]+\s+s\s+IMPLEMENT_RUNNING(,\s+[0-9.]+\s+s\s+[A-Z_]+)*
0 fix rounds, 0 findings, 0 repair calls

run [0-9a-f]{12}, revision 15, COMPLETE
(?s:.*)^next: nothing, the run is over$`)
	if !summary.MatchString(left) {
		d.Errorf("the summary is another one:\n%s", left)
	}
}

// TestRunPiped: whoever reads a pipe gets whole lines and nothing else, on both
// streams.
func TestRunPiped(t *testing.T) {
	s := newDriven(t)
	cmd := exec.Command("git", "sdd", "run")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.ContainsAny(string(out), "\r\x1b") || raw(string(out)) != "" {
		t.Errorf("%v: %q", err, out)
	}
	if !strings.Contains(string(out), "\n     implementer of task 1 (fast) ended with exit status 0, after ") {
		t.Errorf("says\n%s", out)
	}
	s.fsck()
}

// TestCtrlCAtATerminal: one Ctrl-C reaches git-sdd twice, from the terminal and
// from git, and is one: the child may end by itself. Another one kills it.
func TestCtrlCAtATerminal(t *testing.T) {
	type end struct{ Cause, Signal string }
	var all struct{ Sessions []struct{ End end } }
	s := newDriven(t)
	d := s.driving(false, []string{"DOES=wait"})
	d.says("ready", 1)
	if _, err := d.own.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	left, _ := screen(t, d.ended(-1))
	asked, err := os.ReadFile(filepath.Join(filepath.Dir(os.Getenv("AGENT")), "asked"))
	s.sdd(&all, "sessions")
	if err != nil || string(asked) != "asked\n" || all.Sessions[0].End != (end{"interrupted", ""}) {
		t.Errorf("asked %q, ended %+v", asked, all.Sessions[0].End)
	}
	for _, want := range []string{
		"     implementer of task 1 (fast) is asked to end; Ctrl-C again kills it\n",
		"     implementer of task 1 (fast) was interrupted (exit status 1), after ",
		"\ngit-sdd: stopped by a signal; git sdd run goes on from here\ngit-sdd: repair: git sdd run\n",
	} {
		if !strings.Contains(left, want) {
			t.Errorf("does not say %q:\n%s", want, left)
		}
	}
	if strings.Contains(left, "next: ") {
		t.Errorf("says two ways on:\n%s", left)
	}

	d = s.driving(false, []string{"DOES=stay"})
	d.says("ready", 2)
	begun := time.Now()
	for range 2 {
		if _, err := d.own.WriteString("\x03"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(700 * time.Millisecond)
	}
	left, _ = screen(t, d.ended(-1))
	s.sdd(&all, "sessions")
	if took := time.Since(begun); took >= agent.DefaultGrace || all.Sessions[1].End != (end{"interrupted", "killed"}) {
		t.Errorf("after %s it ended %+v", took, all.Sessions[1].End)
	}
	if !strings.Contains(left, "     implementer of task 1 (fast) is killed\n") {
		t.Errorf("says\n%s", left)
	}
	s.fsck()
}
