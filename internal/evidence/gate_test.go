package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/agent"
)

func shell(script string) Gate {
	return Gate{Name: "g", Command: []string{"sh", "-c", script}, Timeout: 20 * time.Second}
}

// TestRunGate holds what counts as passed, failed, flaky and neither.
func TestRunGate(t *testing.T) {
	p := newPlace(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	mark := filepath.Join(t.TempDir(), "mark")
	p.write("ok.sh", "#!/bin/sh\necho fine\n")
	p.write("bad-interpreter", "#!/no/such/program\n")
	for _, name := range []string{"ok.sh", "bad-interpreter"} {
		if err := os.Chmod(filepath.Join(p.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	head := p.commit("head")
	p.write("ok.sh", "#!/bin/sh\nexit 9\n") // what is not committed is not there
	short := shell("sleep 60")
	short.Timeout = 300 * time.Millisecond
	for _, c := range []struct {
		name    string
		gate    Gate
		outcome string
		exit    int // -1 for none
		runs    int
		tail    string
	}{
		{"passes", shell("echo fine"), GatePassed, 0, 1, "fine\n"},
		{"fails", shell("echo no >&2; exit 3"), GateFailed, 3, 2, "no\n"},
		{"is flaky", shell("test -e " + mark + " || { touch " + mark + "; echo first; exit 1; }"), GateFlaky, 0, 2, "first\n"},
		{"says 127 on purpose", shell("exit 127"), GateFailed, 127, 2, ""},
		{"dies of a signal", shell("kill -SEGV $$"), GateFailed, -1, 2, ""},
		{"is a script of the commit", Gate{"g", []string{"./ok.sh"}, time.Minute}, GatePassed, 0, 1, "fine\n"},
		{"is no script of the commit", Gate{"g", []string{"./missing.sh"}, time.Minute}, GateError, -1, 1, "./missing.sh cannot be started: "},
		{"is missing", Gate{"g", []string{"no-such-program-anywhere"}, time.Minute}, GateError, -1, 1, "no-such-program-anywhere cannot be started: "},
		{"has no interpreter", Gate{"g", []string{"./bad-interpreter"}, time.Minute}, GateError, -1, 1, ""},
		{"hangs", short, GateError, -1, 1, ""},
		{"passes and leaves a process", shell("sleep 60 & echo fine"), GatePassed, 0, 1, "fine\n"},
		{"passes and leaves a daemon that holds its output", shell("setsid sleep 5 & echo fine"), GatePassed, 0, 1, "fine\n"},
		{"reads its input", shell("cat"), GatePassed, 0, 1, ""},
	} {
		began := time.Now()
		res, err := RunGate(context.Background(), p.open(), c.gate, head)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		exit := -1
		if e := res.Exit(); e != nil {
			exit = *e
		}
		if res.Outcome != c.outcome || exit != c.exit || len(res.Runs) != c.runs || !strings.HasPrefix(string(res.Telling().Tail), c.tail) {
			t.Errorf("%s: %s, exit %d, %d runs, %q", c.name, res.Outcome, exit, len(res.Runs), res.Telling().Tail)
		}
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("%s took %s", c.name, took)
		}
		if res.Tree != p.git("rev-parse", head+"^{tree}") || (res.Why == "") != (c.outcome != GateError) {
			t.Errorf("%s: tree %s, why %q", c.name, res.Tree, res.Why)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if list := p.git("worktree", "list"); strings.Contains(list, "\n") {
		t.Errorf("still registered:\n%s", list)
	}
}

// TestRunGateIsAlone holds what a gate sees: its checkout, and nothing of the
// place where git-sdd runs, a hook above all.
func TestRunGateIsAlone(t *testing.T) {
	p := newPlace(t)
	head := p.commit("head")
	repo := p.open()
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(p.dir, ".git"), "GIT_INDEX_FILE": filepath.Join(p.dir, ".git", "index"), "GIT_WORK_TREE": p.dir,
		"GIT_SDD_DISPATCH": "key", "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z", "GIT_PREFIX": "sub/", "KEPT": "yes",
	} {
		t.Setenv(name, value)
	}
	res, err := RunGate(context.Background(), repo, shell(`env | grep -E '^(GIT_(DIR|INDEX_FILE|WORK_TREE|SDD_.*|AUTHOR_.*|PREFIX))=' && exit 1; test "$KEPT" = yes && test "$PWD" = "$(pwd)" && test "$(git rev-parse --show-toplevel)" = "$PWD"`), head)
	if err != nil || res.Outcome != GatePassed {
		t.Errorf("%v, %s: %s", err, res.Outcome, res.Telling().Tail)
	}
}

// TestRunGateIsBounded holds that 100 MB of output cost a tail and a hash.
func TestRunGateIsBounded(t *testing.T) {
	p := newPlace(t)
	head := p.commit("head")
	const size = 100 << 20
	res, err := RunGate(context.Background(), p.open(), shell("head -c 104857600 /dev/zero"), head)
	if err != nil || res.Outcome != GatePassed {
		t.Fatal(err, res.Outcome)
	}
	h := sha256.New()
	for chunk, left := make([]byte, 1<<20), size; left > 0; left -= len(chunk) {
		h.Write(chunk)
	}
	run := res.Telling()
	if run.Output != size || run.SHA256 != hex.EncodeToString(h.Sum(nil)) || len(run.Tail) != agent.TailBytes {
		t.Errorf("%d bytes, sha256 %s, tail of %d", run.Output, run.SHA256, len(run.Tail))
	}
	if n := len(res.Encode()); n > agent.TailBytes+1024 {
		t.Errorf("the artifact has %d bytes", n)
	}
}

func TestRunGateStops(t *testing.T) {
	p := newPlace(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	head := p.commit("head")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	_, err := RunGate(ctx, p.open(), shell("sleep 60"), head)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestGateEncodes(t *testing.T) {
	r := GateResult{Gate: Gate{Name: "test", Command: []string{"make", "a b"}}, Commit: "c0", Tree: "7e", Outcome: GateFlaky, Runs: []GateRun{
		{agent.Result{Cause: agent.Exited, Exit: 2, Output: 9, Tail: []byte("no\n"), Took: 1500 * time.Millisecond, Straggle: true}, "aa"},
		{agent.Result{Cause: agent.Exited, Exit: 0, Output: 4, Tail: []byte("yes\n"), Took: time.Millisecond, Escaped: true}, "bb"},
	}}
	want := "gate test: flaky\ncommand [\"make\" \"a b\"]\ncommit c0\ntree 7e\n" +
		"run 1: exit 2, 1500 ms, 9 bytes of output, sha256 aa\nrun 2: exit 0, 1 ms, 4 bytes of output, sha256 bb\n" +
		"run 1 left processes behind; they were ended\nrun 2 left a process outside its group that held on to the output; it was cut off and may still run\n" +
		"output, the last 3 bytes:\n\nno\n"
	if got := string(r.Encode()); got != want {
		t.Errorf("%s", got)
	}
	if !slices.Equal([]string{r.Ended()}, []string{"exit 0"}) || r.Took() != 1501*time.Millisecond {
		t.Errorf("%s, %s", r.Ended(), r.Took())
	}
}
