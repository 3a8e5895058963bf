package machine

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// A chronicle is a run with everything that is stored of it.
type chronicle struct {
	*run
	docs   []Document
	states []State
	texts  map[string][]byte // what documents refer to, by path
}

func chronicleOf(t testing.TB, init Init) *chronicle {
	s, err := New(init, instant(0))
	if err != nil {
		t.Fatal(err)
	}
	c := &chronicle{run: &run{t: t, s: s}, texts: map[string][]byte{}}
	c.keep(init, nil)
	return c
}

func (c *chronicle) keep(e Event, facts Facts) {
	by := By{Name: "Ada Ü. Lovelace", Email: "ada@example.org", Via: ways[len(c.docs)%len(ways)]}
	c.docs = append(c.docs, Document{Revision: c.s.Revision(), At: c.s.view.UpdatedAt, By: by, Event: e, Facts: facts})
	c.states = append(c.states, c.s)
	texts, err := Texts(e)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, text := range texts {
		c.texts[text.Path] = text.Data
	}
}

func (c *chronicle) record(e Event, facts Facts) {
	c.t.Helper()
	if err := c.try(e, facts); err != nil {
		c.t.Fatal(err)
	}
	c.keep(e, facts)
}

func (c *chronicle) read(ref BlobRef) ([]byte, error) {
	data, ok := c.texts[ref.Path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

func commit(n int) *CommitRef {
	digit := string(rune('0' + n))
	return &CommitRef{Commit: strings.Repeat(digit, 40), Tree: strings.Repeat(digit, 39) + "f"}
}

func blobAt(path string, size int) *BlobRef {
	return &BlobRef{Path: path, Bytes: size, SHA256: digestB}
}

func intentFacts(base, head int) IntentFacts {
	exit := 1
	return IntentFacts{
		Base: commit(base), Head: commit(head), Branch: "feat/x", Observed: blobAt("artifacts/task-1/observed.txt", 12), Brief: blobAt("artifacts/task-1/brief.md", 34),
		Gates: []GateFact{{Name: "test", Command: []string{"make", "test"}, Commit: objectA, Tree: objectB, Outcome: "failed", Exit: &exit, DurationMS: 1234, Runs: 2, Output: blobAt("artifacts/task-1/gate.txt", 56)}},
		Model: "asked/model", Thinking: "high",
	}
}

func finishedFacts(base, head, patch int) FinishedFacts {
	return FinishedFacts{Base: commit(base), Head: commit(head), PatchID: Opt(strings.Repeat(string(rune('0'+patch)), 40)), Branch: "feat/x", Report: blobAt("artifacts/report.md", 78), Gates: []GateFact{}}
}

// story is a run of two tasks with about everything in it.
func story(t testing.TB) *chronicle {
	init := initOf("standard", "fast")
	init.Tasks[0].Title, init.Tasks[1].Title, init.Tasks[1].Audit = "Über \"quotes\" & <tags> \\ 𝄞", "The second", true
	init.Tool, init.Settings = &Tool{Version: "1.0.0", Contracts: digestA}, Opt(digestB)
	c := chronicleOf(t, init)
	dispatch := func(e Event, facts Facts) {
		c.record(e, facts)
		c.record(DispatchStarted{"session \"7\""}, StartedFacts{Model: "used/model", Thinking: "low"})
	}
	c.record(CapabilityConfirmed{"tiered"}, CapabilityFacts{Ladder: "external"})
	c.record(PlanValid{digestA}, nil)
	c.record(PreflightConflict{"uncommitted changes"}, PreflightFacts{Reasons: []string{"a.go is modified"}})
	c.record(PreflightApproved{"they are mine"}, PreflightFacts{Reasons: []string{}})
	dispatch(ImplementDispatchIntended{c.intent(tier.Implementer)}, intentFacts(1, 1))
	c.record(ImplementerFinished{c.report()}, finishedFacts(1, 2, 1))
	c.record(ImplementerStatusRecorded{Work{Status: StatusNeedsContext, Reason: "what is it"}}, nil)
	c.record(RulingRecorded{Ruling{Decision: "leftovers-keep", Reason: "useful", DispatchKey: c.key(), Paths: []string{"b.go"}}}, nil)
	c.record(ContextDispatchIntended{c.intent(tier.Implementer)}, intentFacts(2, 2))
	c.record(DispatchWindowCrossed{"a crash"}, nil)
	c.record(DispatchRulingRecorded{"adopt", "found it", "s-9"}, nil)
	c.record(ImplementerFinished{c.report()}, finishedFacts(1, 3, 2))
	c.record(ImplementerStatusRecorded{Work{Status: StatusDoneWithConcerns, Concerns: []Concern{{"scope", "wide"}}}}, nil)
	c.record(ConcernRulingRecorded{"proceed", "wide is right"}, nil)
	dispatch(TaskReviewDispatchIntended{c.intent(tier.TaskReviewer)}, intentFacts(1, 3))
	c.record(TaskReviewFinished{c.review(found("T1:F-1 Critical", "T1:F-2 Minor")...)}, finishedFacts(1, 3, 2))
	dispatch(FixDispatchIntended{Intent: c.intent(tier.Fixer)}, nil)
	c.record(ChildLost{"gone", "no such process"}, nil)
	c.record(DispatchRulingRecorded{Decision: "reissue", Reason: "again"}, nil)
	c.record(DispatchStarted{"s-10"}, StartedFacts{})
	c.record(RunRelocated{"/v", "/v", "/v/.git-sdd/run", "another disk", "mv"}, nil)
	c.record(FixerFinished{c.report(), Work{Status: StatusDone}}, finishedFacts(1, 4, 3)) // leaves the session of the implementer
	dispatch(RereviewDispatchIntended{c.intent(tier.ReReviewer)}, intentFacts(3, 4))
	c.record(RereviewFinished{c.review().judging(Resolved, "T1:F-1").judging("STILL_PRESENT", "T1:F-2")}, finishedFacts(3, 4, 4))
	c.record(RereviewApproved{resolved("T1:F-1 fixed")}, nil)
	c.record(NextTaskReady{}, nil)
	dispatch(ImplementDispatchIntended{c.intent(tier.Implementer)}, intentFacts(4, 4))
	c.record(ImplementerFinished{c.report()}, finishedFacts(4, 5, 5))
	c.record(ImplementerStatusRecorded{Work{Status: StatusDone}}, nil)
	dispatch(TaskReviewDispatchIntended{c.intent(tier.TaskReviewer)}, intentFacts(4, 6))
	c.record(TaskReviewFinished{c.review()}, finishedFacts(4, 6, 6))
	c.record(ReviewApproved{}, nil)
	dispatch(FinalReviewDispatchIntended{c.intent(tier.Final)}, intentFacts(0, 6))
	c.record(FinalReviewFinished{c.review(found("FINAL:F-1 Important")...)}, finishedFacts(0, 6, 7))
	dispatch(FinalFixDispatchIntended{c.intent(tier.FinalFixer), resolved("T1:F-2 parked")}, intentFacts(0, 6))
	c.record(FinalFixerFinished{c.report(), Work{Status: StatusDone}}, finishedFacts(0, 7, 8))
	dispatch(FinalRereviewDispatchIntended{c.intent(tier.FinalReReviewer)}, intentFacts(6, 7))
	c.record(FinalRereviewFinished{c.review().judging(Resolved, "FINAL:F-1")}, finishedFacts(6, 7, 9))
	c.record(FinalComplete{resolved("FINAL:F-1 fixed")}, nil)
	c.in(Complete)
	return c
}

// TestStoredFormNeverChanges holds what is written today against what was
// written when the form was fixed. A ledger outlives the program that wrote it:
// when this test fails the code is wrong, unless the schemas got new numbers.
// The file is written only where there is none.
func TestStoredFormNeverChanges(t *testing.T) {
	file := filepath.Join(vectors, "stored.jsonl")
	c := story(t)
	var written bytes.Buffer
	for i, d := range c.docs {
		event, err := EncodeEvent(d)
		if err != nil {
			t.Fatal(err)
		}
		written.Write(append(event, '\n'))
		written.Write(append(EncodeState(c.states[i]), '\n'))
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && *update {
		if err := os.WriteFile(file, written.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := walkLines(t, file)
	for i, line := range bytes.Split(bytes.TrimSuffix(written.Bytes(), []byte("\n")), []byte("\n")) {
		if i >= len(want) || !bytes.Equal(line, want[i]) {
			t.Fatalf("line %d of %s is written otherwise now:\n%s", i+1, file, line)
		}
	}
}

// TestStoredFormReplays reads the fixed form and comes to the same states.
func TestStoredFormReplays(t *testing.T) {
	c := story(t)
	lines := walkLines(t, filepath.Join(vectors, "stored.jsonl"))
	if len(lines) != 2*len(c.docs) {
		t.Fatalf("%d lines for %d documents", len(lines), len(c.docs))
	}
	var s State
	for i := 0; i < len(lines); i += 2 {
		d, err := DecodeEvent(lines[i], c.read)
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if init, ok := d.Event.(Init); ok {
			s, err = New(init, d.At)
		} else {
			s, err = Apply(s, Input{At: d.At, Event: d.Event, Facts: d.Facts})
		}
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if got := EncodeState(s); !bytes.Equal(got, lines[i+1]) {
			t.Fatalf("line %d replays to\n%s", i+2, got)
		}
	}
}

// What facts said is in the evidence at the end.
func TestFactsBecomeEvidence(t *testing.T) {
	patch := func(n int) Opt { return Opt(strings.Repeat(string(rune('0'+n)), 40)) }
	one := 1
	got := story(t).s.View()
	revision := func(i int) int {
		reviews := got.Evidence.Tasks[0].Reviews
		reviews = append(append(reviews[:2:2], got.Evidence.Tasks[1].Reviews...), got.Evidence.Final.Reviews...)
		return reviews[i].Revision
	}
	want := Evidence{
		Tasks: []TaskEvidence{
			{1, WorkEvidence{commit(1), commit(4), patch(3), "s-9", []ReviewEvidence{
				{revision(0), "task-reviewer", nil, commit(1), commit(3), patch(2), SpecPass, "CHANGES_REQUESTED"},
				{revision(1), "re-reviewer", &one, commit(3), commit(4), patch(4), SpecPass, QualityApproved},
			}}},
			{2, WorkEvidence{commit(4), commit(6), patch(6), "session \"7\"", []ReviewEvidence{
				{revision(2), "task-reviewer", nil, commit(4), commit(6), patch(6), SpecPass, QualityApproved},
			}}},
		},
		Final: &WorkEvidence{commit(0), commit(7), patch(8), "session \"7\"", []ReviewEvidence{
			{revision(3), "final", nil, commit(0), commit(6), patch(7), SpecPass, "CHANGES_REQUESTED"},
			{revision(4), "final-re-reviewer", nil, commit(6), commit(7), patch(9), SpecPass, QualityApproved},
		}},
	}
	if diff := cmp.Diff(want, got.Evidence); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for i, kind := range []Kind{KindTaskReviewFinished, KindRereviewFinished, KindTaskReviewFinished, KindFinalReviewFinished, KindFinalRereviewFinished} {
		if e := story(t).docs[revision(i)].Event; e.Kind() != kind {
			t.Errorf("review %d has the revision of %s", i, e.Kind())
		}
	}
}

// What facts say of the dispatch is in it while it stands.
func TestFactsOfADispatch(t *testing.T) {
	c := story(t)
	for i, d := range c.docs {
		v := c.states[i].View()
		switch facts := d.Facts.(type) {
		case IntentFacts:
			if v.Dispatch.Model != facts.Model || v.Dispatch.Thinking != facts.Thinking || v.Dispatch.IntentRevision != i {
				t.Errorf("revision %d: %+v", i, v.Dispatch)
			}
		case StartedFacts:
			if v.Dispatch.StartedAt != Opt(d.At) || facts.Model != "" && v.Dispatch.Model != facts.Model {
				t.Errorf("revision %d: %+v", i, v.Dispatch)
			}
		case FinishedFacts:
			r := v.Dispatch.Report
			if *r.Bytes != facts.Report.Bytes || string(r.SHA256) != facts.Report.SHA256 || r.Path != v.Dispatch.stem()+".report.md" {
				t.Errorf("revision %d: %+v", i, r)
			}
		}
	}
}

// Facts never decide: without them the same events lead the same way.
func TestFactsAreNotJudged(t *testing.T) {
	c := story(t)
	s, err := New(c.docs[0].Event.(Init), instant(0))
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range c.docs[1:] {
		if s, err = Apply(s, Input{At: d.At, Event: d.Event}); err != nil || s.Phase() != c.states[i+1].Phase() {
			t.Fatalf("revision %d: %v, %s", i+1, err, s.Phase())
		}
	}
}

func TestFactsThatCannotBeStored(t *testing.T) {
	bad := func(change func(*IntentFacts)) IntentFacts {
		f := intentFacts(1, 1)
		change(&f)
		return f
	}
	for _, facts := range []IntentFacts{
		bad(func(f *IntentFacts) { f.Base.Commit = "HEAD" }), bad(func(f *IntentFacts) { f.Head.Tree = "" }),
		bad(func(f *IntentFacts) { f.Model = "a\nb" }), bad(func(f *IntentFacts) { f.Thinking = Opt(strings.Repeat("x", 257)) }),
		bad(func(f *IntentFacts) { f.Branch = "\xff" }), bad(func(f *IntentFacts) { f.Brief.SHA256 = "x" }), bad(func(f *IntentFacts) { f.Observed.Path = "/etc/passwd" }),
		bad(func(f *IntentFacts) { f.Gates[0].DurationMS = 1 << 53 }), bad(func(f *IntentFacts) { f.Gates[0].Runs = -1 }),
		bad(func(f *IntentFacts) { f.Gates[0].Output.Bytes = -1 }), bad(func(f *IntentFacts) { *f.Gates[0].Exit = 1 << 60 }),
		bad(func(f *IntentFacts) { f.Gates[0].Command = []string{"\xff"} }),
	} {
		r := begin(t, "standard").ready()
		e := ImplementDispatchIntended{r.intent(tier.Implementer)}
		if err := r.try(e, facts); err == nil {
			t.Errorf("%+v are taken", facts)
		}
		if _, err := EncodeEvent(Document{Revision: 1, At: instant(1), By: By{Via: "run"}, Event: e, Facts: facts}); err == nil {
			t.Errorf("%+v are written", facts)
		}
	}
}
