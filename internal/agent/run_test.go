package agent

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary play the children, and the program that keeps
// them.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == HiddenCommand {
		if err := Hidden(context.Background(), os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if role := os.Getenv("PLAY"); role != "" {
		play(role)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is what a child does.
func play(role string) {
	what, arg, _ := strings.Cut(role, " ")
	switch what {
	case "say":
		fmt.Println(arg)
	case "exit":
		n, _ := strconv.Atoi(arg)
		os.Exit(n)
	case "echo":
		var in bytes.Buffer
		_, _ = in.ReadFrom(os.Stdin)
		fmt.Print(in.String())
	case "hang":
		fmt.Print(arg)
		time.Sleep(time.Hour)
	case "babble":
		for {
			fmt.Println("still here")
			time.Sleep(20 * time.Millisecond)
		}
	case "flood":
		n, _ := strconv.Atoi(arg)
		line := bytes.Repeat([]byte("0123456789abcde\n"), 4096)
		for n > 0 {
			k, _ := os.Stdout.Write(line[:min(n, len(line))])
			n -= k
		}
	case "fork": // a grandchild that holds the outputs open
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{"PLAY=hang "}
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		_ = os.WriteFile(arg, []byte(strconv.Itoa(cmd.Process.Pid)), 0o644)
	}
}

func child(role string) Command {
	return Command{
		Argv: []string{os.Args[0]}, Env: append(os.Environ(), "PLAY="+role),
		Timeout: time.Minute, Idle: time.Minute, Grace: 300 * time.Millisecond,
	}
}

func run(t *testing.T, c Command) Result {
	t.Helper()
	res, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestRun(t *testing.T) {
	if res := run(t, child("exit 3")); res.Cause != Exited || res.Exit != 3 || res.Straggle {
		t.Errorf("%+v", res)
	}
	c := child("echo")
	c.Stdin = []byte("the whole prompt\nwithout a last newline")
	if res := run(t, c); string(res.Tail) != string(c.Stdin) || res.Output != int64(len(c.Stdin)) {
		t.Errorf("%+v", res)
	}
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		role  string
		limit func(*Command)
		want  Cause
	}{
		{"babble", func(c *Command) { c.Timeout = 300 * time.Millisecond }, TimedOut},
		{"hang ", func(c *Command) { c.Idle = 300 * time.Millisecond }, WentIdle},
		{"babble", func(c *Command) { c.Signal = sent(Interrupt) }, Interrupted},
		{"babble", func(c *Command) { c.Signal = sent(Kill) }, Interrupted},
	} {
		c := child(test.role)
		test.limit(&c)
		res := run(t, c)
		if res.Cause != test.want || res.Exit != -1 && res.Cause != Interrupted {
			t.Errorf("%s: %+v", test.role, res)
		}
		if res.Took > 20*time.Second {
			t.Errorf("%s: took %s", test.role, res.Took)
		}
	}
}

func sent(s Signal) <-chan Signal {
	c := make(chan Signal, 1)
	c <- s
	return c
}

func TestNotStarted(t *testing.T) {
	c := child("")
	c.Argv = []string{filepath.Join(t.TempDir(), "missing")}
	if res, err := Run(t.Context(), c); err == nil || res.Cause != NotStarted {
		t.Errorf("%+v, %v", res, err)
	}
	for _, lame := range []Command{{}, {Argv: []string{"true"}, Idle: 1}, {Argv: []string{"true"}, Timeout: 1}} {
		if _, err := Run(t.Context(), lame); err == nil {
			t.Errorf("%+v was run without bounds", lame)
		}
	}
}

// A grandchild that outlives the child is killed, and does not hold anybody up.
func TestStraggler(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	res := run(t, child("fork "+pid))
	if res.Cause != Exited || res.Exit != 0 || !res.Straggle || res.Escaped {
		t.Errorf("%+v", res)
	}
	data, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(string(data))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Second); sameProcess(n, startTime(n)) && startTime(n) != "ended"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the grandchild is still there")
		}
	}
}

// What left the child's group cannot be ended, and does not hold anybody up.
func TestEscaped(t *testing.T) {
	setsid, err := exec.LookPath("setsid")
	if err != nil {
		t.Skip("there is no setsid")
	}
	away := " sh -c 'touch away; exec sleep 6'" // it is in no group of ours once the file is there
	for script, escaped := range map[string]bool{
		setsid + away + " & until test -e away; do sleep 0.01; done":                         true,
		setsid + away + " 2>&1 & until test -e away; do sleep 0.01; done; exit 3":            true,
		setsid + away + " >/dev/null 2>&1 & until test -e away; do sleep 0.01; done; exit 3": false, // harmless: it holds nothing of ours
		"{ sleep 0.05; echo late; } & echo fine":                                             false,
	} {
		began := time.Now()
		res := run(t, Command{Argv: []string{"sh", "-c", script}, Dir: t.TempDir(), Timeout: time.Minute, Idle: time.Minute})
		if res.Cause != Exited || res.Escaped != escaped || res.Straggle || time.Since(began) > 5*time.Second {
			t.Errorf("%s: %+v", script, res)
		}
		if strings.Contains(script, "late") && string(res.Tail) != "fine\nlate\n" {
			t.Errorf("%q", res.Tail)
		}
	}
}

// Whatever a child writes, the log has its beginning and its end.
func TestFlood(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log, err := NewLog(path)
	if err != nil {
		t.Fatal(err)
	}
	const all = 64 << 20
	c := child("flood " + strconv.Itoa(all))
	c.Log = log
	res := run(t, c)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("\n[%d bytes left out]\n", all-headBytes-TailBytes)
	if res.Output != all || len(res.Tail) != TailBytes || len(data) != headBytes+len(want)+TailBytes || !bytes.Contains(data, []byte(want)) {
		t.Errorf("wrote %d, tail %d, log %d", res.Output, len(res.Tail), len(data))
	}
	if !bytes.HasPrefix(data, []byte("0123456789abcde\n")) || !bytes.HasSuffix(data, []byte("0123456789abcde\n")) {
		t.Error("the log begins or ends within a line")
	}
}

func TestQuestion(t *testing.T) {
	for text, want := range map[string]bool{
		"Do you trust the files in this folder?":   true,
		"\x1b[32mProceed? \x1b[0m":                 true,
		"Overwrite existing file [y/N]":            true,
		"Enter password for ann: ":                 true,
		"Press any key to go on":                   true,
		"mysql> ":                                  true,
		"Compiling…":                               false,
		"asked? yes\nnow running the tests":        false,
		"":                                         false,
		"ok  	example.com/x	0.1s":                  false,
		"step 1 -> ":                               false,
		"downloading https://example.com/a?b=c 12": false,
	} {
		if _, got := (Result{Cause: WentIdle, Tail: []byte(text)}).Question(); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if _, got := (Result{Cause: TimedOut, Tail: []byte(text)}).Question(); got {
			t.Errorf("%q: a question after a timeout", text)
		}
	}
}

func TestMarked(t *testing.T) {
	for _, test := range []struct {
		name, in, want string
		found          bool
	}{
		{"none", "hello\n", "", false},
		{"one", "x\n" + ReportBegin + "\nSTATUS: DONE\n" + ReportEnd + "\ny\n", "STATUS: DONE\n", true},
		{"the last", ReportBegin + "\na\n" + ReportEnd + "\n" + ReportBegin + "\nb\n" + ReportEnd, "b\n", true},
		{"never closed", ReportBegin + "\na\n", "", false},
		{"begun anew", ReportBegin + "\na\n" + ReportBegin + "\nb\n" + ReportEnd + "\n", "b\n", true},
		{"within a line", "say " + ReportBegin + "\na\n" + ReportEnd + "\n", "", false},
		{"crlf", ReportBegin + "\r\na\r\n" + ReportEnd + "\r\n", "a\r\n", true},
		{"too long", ReportBegin + "\n" + strings.Repeat("z\n", 100) + ReportEnd + "\n", strings.Repeat("z\n", 16), true},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			m := NewMarked(32)
			for in := test.in; in != ""; in = in[min(size, len(in)):] {
				_, _ = m.Write([]byte(in[:min(size, len(in))]))
			}
			if got, found := m.Text(); string(got) != test.want || found != test.found {
				t.Errorf("%s in pieces of %d: %q, %v", test.name, size, got, found)
			}
		}
	}
}

func FuzzMarked(f *testing.F) {
	f.Add([]byte(ReportBegin+"\na\n"+ReportEnd+"\n"), 3)
	f.Fuzz(func(t *testing.T, in []byte, size int) {
		if size < 1 {
			return
		}
		whole, pieces := NewMarked(64), NewMarked(64)
		_, _ = whole.Write(in)
		for rest := in; len(rest) > 0; rest = rest[min(size, len(rest)):] {
			_, _ = pieces.Write(rest[:min(size, len(rest))])
		}
		a, foundA := whole.Text()
		b, foundB := pieces.Text()
		if !bytes.Equal(a, b) || foundA != foundB || len(a) > 64 {
			t.Errorf("%q whole, %q in pieces of %d", a, b, size)
		}
	})
}
