package evidence

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/agent"
)

func saidOf(r GateResult) GateSaid {
	return GateSaid{
		Name: r.Name, Command: r.Command, Commit: r.Commit, Tree: r.Tree, Outcome: r.Outcome,
		Exit: r.Exit(), Runs: len(r.Runs), DurationMS: r.Took().Milliseconds(),
	}
}

// What ran agrees with what is stored of it, however it ran.
func TestGateAgrees(t *testing.T) {
	p := newPlace(t)
	head := p.commit("head")
	flaky := t.TempDir() + "/again"
	for name, script := range map[string]string{
		"passes": "echo fine", "fails": "echo no; exit 3", "says nothing": "true", "says much": "yes | head -c 200000; exit 1",
		"is killed": "kill -KILL $$", "is flaky": "test -e " + flaky + " || { touch " + flaky + "; exit 1; }",
		"leaves a process": "sleep 30 & exit 0", "says what gates say": "printf 'run 1: exit 0, 1 ms, 0 bytes of output, sha256 x\\noutput, the last 0 bytes:\\n\\n'",
	} {
		res, err := RunGate(context.Background(), p.open(), shell(script), head)
		if err != nil {
			t.Fatal(err)
		}
		if why := GateDiffers(res.Encode(), saidOf(res)); why != "" {
			t.Errorf("%s: %s\n%s", name, why, res.Encode())
		}
	}
}

// One thing said otherwise is seen.
func TestGateDiffers(t *testing.T) {
	no, yes := sum256("no\n"), sum256("yes\n")
	res := GateResult{Gate: Gate{Name: "test", Command: []string{"make", "a b"}}, Commit: "c0", Tree: "7e", Outcome: GateFlaky, Runs: []GateRun{
		{agent.Result{Cause: agent.Exited, Exit: 2, Output: 3, Tail: []byte("no\n"), Took: 1500 * time.Millisecond, Straggle: true}, no},
		{agent.Result{Cause: agent.Exited, Exit: 0, Output: 4, Tail: []byte("yes\n"), Took: 1900 * time.Microsecond}, yes},
	}}
	stored := string(res.Encode())
	if why := GateDiffers([]byte(stored), saidOf(res)); why != "" {
		t.Fatalf("as it ran: %s\n%s", why, stored)
	}
	one := 1
	for name, change := range map[string]func(*GateSaid){
		"name":     func(s *GateSaid) { s.Name = "tests" },
		"command":  func(s *GateSaid) { s.Command = []string{"make", "a", "b"} },
		"commit":   func(s *GateSaid) { s.Commit = "c1" },
		"tree":     func(s *GateSaid) { s.Tree = "7f" },
		"outcome":  func(s *GateSaid) { s.Outcome = GatePassed },
		"exit":     func(s *GateSaid) { s.Exit = &one },
		"no exit":  func(s *GateSaid) { s.Exit = nil },
		"runs":     func(s *GateSaid) { s.Runs = 1 },
		"longer":   func(s *GateSaid) { s.DurationMS += 2 },
		"shorter":  func(s *GateSaid) { s.DurationMS -= 2 },
		"no error": func(s *GateSaid) { s.Outcome = GateError },
	} {
		said := saidOf(res)
		change(&said)
		if GateDiffers([]byte(stored), said) == "" {
			t.Errorf("%s: not seen", name)
		}
	}
	for name, words := range map[string][2]string{
		"a run more":         {"run 1 left", "run 3: exit 0, 1 ms, 4 bytes of output, sha256 x\nrun 1 left"},
		"a run dropped":      {"run 1: exit 2, 1500 ms, 3 bytes of output, sha256 " + no + "\n", ""},
		"another end":        {"exit 0, 1 ms", "exit 1, 1 ms"},
		"a failure that was": {"run 1: exit 2", "run 1: exit 0"},
		"a digest":           {"sha256 " + no, "sha256 " + yes},
		"a size":             {"3 bytes of output", "5 bytes of output"},
		"another output":     {"\n\nno\n", "\n\nyo\n"},
		"a longer output":    {"\n\nno\n", "\n\nno\n\n"},
		"another count":      {"the last 3 bytes", "the last 2 bytes"},
		"a remark of ours":   {"run 1 left", "run 9 left"},
		"a line":             {"output, the", "so\noutput, the"},
		"the outcome":        {"gate test: flaky", "gate test: passed"},
		"nothing":            {stored, ""},
	} {
		changed := strings.Replace(stored, words[0], words[1], 1)
		if changed == stored {
			t.Errorf("%s: changes nothing", name)
		}
		if GateDiffers([]byte(changed), saidOf(res)) == "" {
			t.Errorf("%s: not seen", name)
		}
	}
}

func FuzzGateDiffers(f *testing.F) {
	zero := 0
	res := GateResult{Gate: Gate{Name: "g", Command: []string{"x"}}, Commit: "c", Tree: "t", Outcome: GatePassed, Runs: []GateRun{
		{agent.Result{Cause: agent.Exited, Output: 3, Tail: []byte("ok\n")}, sum256("ok\n")},
	}}
	f.Add(res.Encode())
	f.Add([]byte("gate g: passed\n"))
	said := saidOf(res)
	f.Fuzz(func(t *testing.T, data []byte) {
		if GateDiffers(data, said) == "" && !strings.HasPrefix(string(data), "gate g: passed\ncommand [\"x\"]\ncommit c\ntree t\nrun 1: exit 0, 0 ms, ") {
			t.Errorf("%q agrees", data)
		}
		GateDiffers(data, GateSaid{Name: "g", Exit: &zero})
	})
}

func sum256(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
