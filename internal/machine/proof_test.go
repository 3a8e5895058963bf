package machine

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// proof is what was recorded of a gate that tells good from bad.
func proof() *Proof {
	zero, two := 0, 2
	command := []string{"make", "test"}
	return &Proof{
		Name: "test", Outcome: "discriminates", Why: "red on the merge base with 2 test files of the head",
		Head:      &GateFact{Name: "test", Command: command, Commit: objectA, Tree: objectB, Outcome: "passed", Exit: &zero, DurationMS: 5, Runs: 1, Output: blobAt("artifacts/task-1/proof-1-test-head.txt", 9)},
		Control:   &GateFact{Name: "test", Command: command, Commit: objectB, Tree: objectA, Outcome: "failed", Exit: &two, DurationMS: 7, Runs: 2, Output: blobAt("artifacts/task-1/proof-1-test-control.txt", 9)},
		Base:      commit(1),
		TestCount: 3, Tests: []string{"a_test.go", "testdata/x"},
	}
}

func proofDocument(p *Proof) Document {
	return Document{
		Revision: 1, At: instant(1), By: By{Name: "Ada", Email: "ada@example.org", Via: "program"},
		Event: RecoveryRulingRecorded{Reason: "gate prove test: discriminates", Receipt: "seen"}, Facts: ProofFacts{p},
	}
}

// TestProofIsStored holds that a proof comes back as it was recorded, with and
// without what did not run, and that a note of a human still has no facts.
func TestProofIsStored(t *testing.T) {
	nothing := &Proof{Name: "test", Outcome: "cannot tell", Why: "no test file changed", Base: commit(1), Tests: []string{}}
	for _, facts := range []Facts{ProofFacts{proof()}, ProofFacts{nothing}, nil} {
		want := proofDocument(nil)
		want.Facts = facts
		data, err := EncodeEvent(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeEvent(data, func(BlobRef) ([]byte, error) { return nil, nil })
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%v\n%s", err, d)
		}
		if facts == nil && !bytes.Contains(data, []byte(`"facts":null`)) {
			t.Errorf("a note is written as %s", data)
		}
	}
}

// TestProofForms is the table of what no proof may hold.
func TestProofForms(t *testing.T) {
	r := begin(t, "fast")
	many := make([]string, MaxProofTests+1)
	for i := range many {
		many[i] = fmt.Sprintf("t/%04d", i)
	}
	for _, c := range []struct {
		change func(*Proof)
		reason string // "" where it is taken
	}{
		{func(*Proof) {}, ""},
		{func(p *Proof) { p.Outcome = "proves" }, "none of discriminates"},
		{func(p *Proof) { p.Name = "" }, "name of the proof is missing"},
		{func(p *Proof) { p.Why = "" }, "why of the proof is missing"},
		{func(p *Proof) { p.Why = strings.Repeat("w", MaxText+1) }, "at most 256"},
		{func(p *Proof) { p.Why = "two\nlines" }, "control character"},
		{func(p *Proof) { p.Tests = many[:MaxProofTests]; p.TestCount = MaxProofTests }, ""},
		{func(p *Proof) { p.Tests = many; p.TestCount = len(many) }, "lists 257 tests, at most 256"},
		{func(p *Proof) { p.TestCount = 1 }, "testCount"},
		{func(p *Proof) { p.Tests = []string{"b", "a"} }, "test 2 is not sorted"},
		{func(p *Proof) { p.Tests = []string{"a", "a"} }, "test 2 is not sorted"},
		{func(p *Proof) { p.Tests = []string{"../a"} }, "within the repository"},
		{func(p *Proof) { p.Head.Commit = "HEAD" }, "commit of a gate"},
		{func(p *Proof) { p.Control.Tree = "" }, "tree of a gate"},
		{func(p *Proof) { p.Control.Output.SHA256 = "0" }, "sha256 of output of a gate"},
		{func(p *Proof) { p.Base = &CommitRef{Commit: "main"} }, "commit of base"},
		{func(p *Proof) { p.Head, p.Control, p.Base = nil, nil, nil }, ""},
	} {
		p := proof()
		c.change(p)
		_, err := EncodeEvent(proofDocument(p))
		branch := *r
		applied := branch.try(RecoveryRulingRecorded{"a note", "a receipt"}, ProofFacts{p})
		for _, got := range []error{err, applied} {
			if (c.reason == "") != (got == nil) || got != nil && !strings.Contains(got.Error(), c.reason) {
				t.Errorf("%+v: %v, want %q", p, got, c.reason)
			}
		}
	}
	if _, err := EncodeEvent(proofDocument(nil)); err == nil || !strings.Contains(err.Error(), "proof is missing") {
		t.Errorf("facts without a proof: %v", err)
	}
	if err := r.try(PlanValid{digestA}, ProofFacts{proof()}); err == nil {
		t.Error("another event takes a proof")
	}
}

func TestProofPath(t *testing.T) {
	v := begin(t, "fast", "fast").s.View()
	if got := ProofPath(v, 12, "test", "head"); got != "artifacts/task-1/proof-12-test-head.txt" {
		t.Error(got)
	}
	v = story(t).s.View()
	if got := ProofPath(v, 50, "a-1", "control"); got != "artifacts/final/proof-50-a-1-control.txt" {
		t.Error(got)
	}
}
