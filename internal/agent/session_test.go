package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// announced is a session that is ready to start: its child plays the role.
func announced(t *testing.T, role string, change func(*Spec)) (Sessions, Spec) {
	t.Helper()
	dir := t.TempDir()
	s := NewSessions(filepath.Join(dir, "sessions"))
	prompt := filepath.Join(dir, "prompt.md")
	if err := os.WriteFile(prompt, []byte("do it\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("do it\n"))
	spec := Spec{
		Session: "s-1", Run: "run", Revision: 4, DispatchKey: "key", Role: "implementer", Argv: []string{os.Args[0]}, Dir: dir,
		PromptPath: prompt, PromptSHA256: hex.EncodeToString(sum[:]), Stdin: StdinPrompt, ReportPath: filepath.Join(dir, "report.md"), ReportLimit: 100,
		TimeoutMS: 60_000, IdleMS: 60_000, GraceMS: 300,
	}
	if change != nil {
		change(&spec)
	}
	if err := s.Announce(spec); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PLAY", role)
	return s, spec
}

func keep(t *testing.T, s Sessions, id string) Record {
	t.Helper()
	k, err := StartKeeper(s, id, os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-k.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("the keeper does not end")
	}
	rec, err := s.Read(id)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestSessionEnds(t *testing.T) {
	s, _ := announced(t, "exit 7", nil)
	rec := keep(t, s, "s-1")
	if standing, _ := rec.Stands(); standing != Ended || rec.End.Exit != 7 || rec.End.Cause != Exited || rec.PID == 0 || rec.DispatchKey != "key" {
		t.Errorf("%s: %+v", standing, rec)
	}
	if k, err := StartKeeper(s, "s-1", os.Environ()); err != nil {
		t.Fatal(err)
	} else {
		<-k.Done()
	}
	again, err := s.Read("s-1")
	if err != nil || *again.End != *rec.End {
		t.Errorf("the session ran twice: %+v, %v", again, err)
	}
}

func TestSessionNeverStarts(t *testing.T) {
	for name, change := range map[string]func(*Spec){
		"missing program":  func(spec *Spec) { spec.Argv = []string{"/missing/program"} },
		"missing prompt":   func(spec *Spec) { spec.PromptPath += "x" },
		"another prompt":   func(spec *Spec) { spec.PromptSHA256 = strings.Repeat("0", 64) },
		"missing folder":   func(spec *Spec) { spec.Dir = "/missing/folder" },
		"without a limit":  func(spec *Spec) { spec.TimeoutMS = 0 },
		"without argument": func(spec *Spec) { spec.Argv = []string{""} },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := announced(t, "say hello", change)
			rec := keep(t, s, "s-1")
			if standing, _ := rec.Stands(); standing != NeverStarted || rec.End.Detail == "" {
				t.Errorf("%s: %+v", standing, rec.End)
			}
		})
	}
}

// Of a keeper and somebody who rules the session out exactly one wins.
func TestRuledOutOnce(t *testing.T) {
	for range 10 {
		s, spec := announced(t, "say hello", nil)
		var ruled Record
		var both sync.WaitGroup
		both.Go(func() { ruled, _ = s.RuleOut(spec, "by a test") })
		rec := keep(t, s, "s-1")
		both.Wait()
		if ruled.PID != rec.PID {
			t.Errorf("ruled out: %+v, recorded: %+v", ruled, rec)
		}
	}
	s, spec := announced(t, "say hello", nil)
	if _, err := s.RuleOut(spec, "by a test"); err != nil {
		t.Fatal(err)
	}
	if rec := keep(t, s, "s-1"); rec.End == nil || rec.End.Cause != NotStarted || rec.End.Detail != "by a test" {
		t.Errorf("%+v", rec.End)
	}
}

func TestSessionReports(t *testing.T) {
	text := ReportBegin + "\nSTATUS: DONE\n" + ReportEnd
	s, spec := announced(t, "say "+text, func(spec *Spec) { spec.ReportMarked = true })
	keep(t, s, "s-1")
	if data, err := os.ReadFile(spec.ReportPath); err != nil || string(data) != "STATUS: DONE\n" {
		t.Errorf("%q, %v", data, err)
	}
	path, err := s.LogPath("s-1")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != text+"\n" {
		t.Errorf("the log has %q, %v", data, err)
	}
}

func TestSessionInput(t *testing.T) {
	for stdin, want := range map[string]string{StdinPrompt: "do it\n", StdinNothing: ""} {
		s, _ := announced(t, "echo", func(spec *Spec) { spec.Stdin = stdin })
		keep(t, s, "s-1")
		path, _ := s.LogPath("s-1")
		if data, err := os.ReadFile(path); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", stdin, data, err)
		}
	}
}

func TestSessionInterrupted(t *testing.T) {
	s, _ := announced(t, "babble", nil)
	k, err := StartKeeper(s, "s-1", os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { _, err := s.Read("s-1"); return err == nil })
	if rec, _ := s.Read("s-1"); !rec.Kept() {
		t.Errorf("nobody keeps %+v", rec)
	}
	k.Ask(Interrupt)
	<-k.Done()
	if rec, err := s.Read("s-1"); err != nil || rec.End == nil || rec.End.Cause != Interrupted {
		t.Errorf("%+v, %v", rec, err)
	}
}

func waitFor(t *testing.T, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ready(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited for 20 seconds")
		}
	}
}

func TestNamesStayInside(t *testing.T) {
	s := NewSessions(t.TempDir())
	for _, id := range []string{"", ".", "..", "../x", "a/b", "-x", "a..b", strings.Repeat("a", 129)} {
		if _, err := s.Read(id); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := s.Read("absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

// A remark stands once and on a line of its own, whatever the child wrote last.
func TestRemark(t *testing.T) {
	for _, said := range []string{"", "half a line", "a line\n"} {
		s := NewSessions(t.TempDir())
		path, err := s.LogPath("one")
		if err != nil {
			t.Fatal(err)
		}
		if said != "" {
			if err := os.WriteFile(path, []byte(said), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			if err := s.Remark("one", "it wrote"); err != nil {
				t.Fatal(err)
			}
		}
		want := "[git-sdd: it wrote]\n"
		if said != "" {
			want = strings.TrimSuffix(said, "\n") + "\n" + want
		}
		if got, err := os.ReadFile(path); string(got) != want {
			t.Errorf("after %q: %q, %v", said, got, err)
		}
	}
}

func TestList(t *testing.T) {
	s, spec := announced(t, "exit 0", nil)
	keep(t, s, "s-1")
	spec.Session = "s-2"
	if err := s.Announce(spec); err != nil {
		t.Fatal(err)
	}
	if ids, err := s.List(); err != nil || !slices.Equal(ids, []string{"s-1", "s-2"}) {
		t.Errorf("%q, %v", ids, err)
	}
	if ids, err := NewSessions(filepath.Join(t.TempDir(), "none")).List(); err != nil || len(ids) > 0 {
		t.Errorf("%q, %v", ids, err)
	}
}

// What is said of a process counts on its host, in its boot, with its start time.
func TestStands(t *testing.T) {
	me := Record{Schema: RecordSchema, Host: hostName(), BootID: bootID(), PID: os.Getpid(), StartTime: startTime(os.Getpid())}
	for _, test := range []struct {
		name   string
		change func(*Record)
		want   Standing
	}{
		{"this process", func(*Record) {}, Running},
		{"another host", func(r *Record) { r.Host = "elsewhere" }, Unproven},
		{"an end", func(r *Record) { r.End = &End{Cause: Exited} }, Ended},
		{"an end elsewhere", func(r *Record) { r.Host, r.End = "elsewhere", &End{Cause: Exited} }, Ended},
		{"ruled out", func(r *Record) { r.End = &End{Cause: NotStarted} }, NeverStarted},
		{"no process", func(r *Record) { r.PID = 1 << 22; r.StartTime = "1" }, Ended},
		{"only the keeper", func(r *Record) { r.KeeperPID, r.KeeperStart, r.PID = r.PID, r.StartTime, 1<<22 }, Running},
	} {
		r := me
		test.change(&r)
		if got, why := r.Stands(); got != test.want || why == "" {
			t.Errorf("%s: %s, %s", test.name, got, why)
		}
	}
	if bootID() != "" {
		r := me
		r.BootID = "another"
		if got, _ := r.Stands(); got != Ended {
			t.Errorf("another boot: %s", got)
		}
		r = me
		r.PID, r.StartTime = os.Getpid(), "1"
		if sameProcess(r.PID, r.StartTime) {
			t.Error("a process with another start time is the same")
		}
	}
}

func TestCrashPointsAreNamed(t *testing.T) {
	data, err := os.ReadFile("keep.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range crashPoints {
		if n := strings.Count(string(data), `crashPoint("`+name+`")`); n != 1 {
			t.Errorf("%q is passed %d times", name, n)
		}
	}
}
