package machine

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// strictWalks are walks through the places where this machine is stricter than
// others, through the events that others do not have, and along the bounds. The
// tests of the rules go deeper; these are for who compares two machines.
var strictWalks = []struct {
	id    string
	tasks string
	walk  func(*run)
}{
	{"strict-1-fixed-needs-a-verdict", "standard", func(r *run) {
		r.ready().reviewed("T1:F-1 Critical", "T1:F-2 Minor")
		r.refuse(FixDispatchIntended{r.intent(tier.Fixer), resolved("T1:F-1 fixed")}, "no verdict RESOLVED")
		r.rereviewing().do(RereviewFinished{r.review().judging("STILL_PRESENT", "T1:F-1").judging(Resolved, "T1:F-2")})
		r.refuse(NextFixDispatchIntended{r.intent(tier.Fixer), resolved("T1:F-1 fixed")}, "no verdict RESOLVED")
		r.do(NextFixDispatchIntended{r.intent(tier.Fixer), resolved("T1:F-2 fixed")})
	}},
	{"strict-1-a-final-review-resolves", "standard", func(r *run) {
		r.ready().reviewing()
		r.do(TaskReviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-1 Minor")}}, ReviewApproved{})
		r.finalReviewing().refuse(FinalReviewFinished{r.review(found("FINAL:F-1 Minor")...).judging(Resolved, "FINAL:F-1")}, "no finding")
		r.do(FinalReviewFinished{r.review().judging(Resolved, "T1:F-1")})
		r.refuse(FinalComplete{}, "is open").do(FinalComplete{resolved("T1:F-1 fixed")})
	}},
	{"strict-2-verdicts-are-whole", "standard", func(r *run) {
		r.ready().reviewed("T1:F-1 Critical", "T1:F-2 Minor").rereviewing()
		for _, ids := range []string{"", "T1:F-1", "T1:F-1 T1:F-1", "T1:F-1 T1:F-2 T1:F-2", "T1:F-1 T1:F-2 T1:F-3"} {
			r.refuse(RereviewFinished{r.review().judging(Resolved, strings.Fields(ids)...)}, "")
		}
		r.do(RereviewFinished{r.review().judging(Resolved, "T1:F-2", "T1:F-1")}, RereviewApproved{resolved("T1:F-1 fixed")})
		r.finalReviewing().refuse(FinalReviewFinished{r.review().judging(Resolved, "T1:F-2", "T1:F-2")}, "twice")
		r.refuse(FinalReviewFinished{r.review().judging(Resolved, "T1:F-2", "T1:F-1")}, "is fixed")
		r.do(FinalReviewFinished{r.review()}).finalRereviewing()
		r.refuse(FinalRereviewFinished{r.review()}, "1 are open").do(FinalRereviewFinished{r.review().judging(Resolved, "T1:F-2")})
	}},
	{"strict-3-ids-are-unique", "standard fast", func(r *run) {
		r.ready().reviewed("T1:F-1 Critical").rereviewing()
		r.refuse(RereviewFinished{r.review(found("T1:F-1 Minor")...).judging(Resolved, "T1:F-1")}, "never changes")
		r.do(RereviewFinished{r.review(found("T1:F-1 Critical")...).judging("STILL_PRESENT", "T1:F-1")}) // a mention
		r.rereviewing().do(RereviewFinished{r.review().judging(Resolved, "T1:F-1")}, RereviewApproved{resolved("T1:F-1 fixed")}, NextTaskReady{})
		r.reviewing().refuse(TaskReviewFinished{r.review(found("T1:F-1 Critical")...)}, "recorded by task 1")
		r.do(TaskReviewFinished{r.review(found("T2:F-1 Minor")...)})
	}},
	{"strict-4-a-minor-is-work", "standard", func(r *run) {
		r.ready().reviewing().do(TaskReviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-1 Minor")}})
		r.refuse(FixDispatchIntended{r.intent(tier.Fixer), resolved("T1:F-1 parked")}, "nothing needs work")
		r.do(FixDispatchIntended{Intent: r.intent(tier.Fixer)})
	}},
	{"strict-5-nothing-twice", "standard", func(r *run) {
		skipped := r.ready().intent(tier.Implementer)
		skipped.Attempt, skipped.DispatchKey = 2, DispatchKey(r.s.view.RunID, 1, tier.Implementer, 2, 0)
		r.refuse(ImplementDispatchIntended{skipped}, "attempt is 2").implemented()
		r.refuse(ImplementerStatusRecorded{Work{Status: StatusDoneWithConcerns, Concerns: []Concern{{"style", "odd"}}}}, "concern kind")
		r.do(ImplementerStatusRecorded{Work{Status: StatusDone}}, TaskReviewDispatchIntended{r.intent(tier.TaskReviewer)}).start()
		r.do(TaskReviewFinished{r.review()}, ReviewApproved{}).finalReviewing().do(FinalReviewFinished{r.review()})
		r.refuse(FinalReviewFinished{r.review()}, "pinned already")
		r.refuse(FinalFixDispatchIntended{Intent: r.intent(tier.FinalFixer)}, "nothing needs work").do(FinalComplete{})
	}},
	{"strict-5-256-findings", "standard", func(r *run) {
		r.ready().reviewing().refuse(TaskReviewFinished{r.review(findingsUpTo(0, 257)...)}, "256 findings")
		r.do(TaskReviewFinished{r.review(findingsUpTo(0, 256)...)})
	}},
	{"strict-6-good-axes-do-not-complete", "standard", func(r *run) {
		r.ready().reviewing().do(TaskReviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-1 Important")}})
		r.refuse(ReviewApproved{}, "Important and open").rereviewing()
		r.do(RereviewFinished{Review{r.report(), SpecPass, QualityApproved, nil, found("T1:F-2 Critical")}.judging(Resolved, "T1:F-1")})
		r.refuse(RereviewApproved{resolved("T1:F-1 fixed")}, "Critical and open")
	}},
	{"strict-7-load-bearing-is-fixed-only", "standard", func(r *run) {
		r.ready().reviewed("T1:F-1 Important", "T1:F-2 Minor", "T1:F-3 Minor", "T1:F-4 Minor").rereviewing()
		r.do(RereviewFinished{r.review().judging("STILL_PRESENT", "T1:F-1", "T1:F-2", "T1:F-3", "T1:F-4")})
		for i, disposition := range []string{"parked", "out-of-scope", "cannot-verify"} {
			r.refuse(TaskParkRulingRecorded{"it may stay", resolved("T1:F-1 " + disposition)}, "can only be fixed")
			r.do(TaskParkRulingRecorded{"it may stay", resolved("T1:F-" + string(rune('2'+i)) + " " + disposition)})
			r.refuse(TaskParkRulingRecorded{"it may not", resolved("T1:F-" + string(rune('2'+i)) + " parked")}, "never changes again")
		}
	}},
	{"strict-8-a-lost-child", "standard", func(r *run) {
		r.ready().do(ImplementDispatchIntended{r.intent(tier.Implementer)}).refuse(ChildLost{"gone", "no such process"}, "").start()
		r.refuse(ChildLost{Reason: "gone"}, "receipt is missing").do(ChildLost{"gone", "no such process"})
		r.do(DispatchRulingRecorded{Decision: "reissue", Reason: "again"}).start().do(ChildLost{"gone", "no such process"})
		r.do(DispatchRulingRecorded{"adopt", "found", "s-77"}, ImplementerFinished{r.report()})
	}},
	{"strict-8-an-inadmissible-child", "standard", func(r *run) {
		r.ready().reviewed("T1:F-1 Critical").do(FixDispatchIntended{Intent: r.intent(tier.Fixer)}).start()
		r.do(FixerFinished{r.report(), Work{Status: StatusDone}}).refuse(FixerFinished{r.report(), Work{Status: StatusDone}}, "pinned already")
		r.refuse(ChildInadmissible{"of another tier"}, "pinned already").refuse(ChildLost{"gone", "no such process"}, "pinned already")
		r.do(RereviewDispatchIntended{r.intent(tier.ReReviewer)}).start().do(ChildInadmissible{"of another tier"})
		r.refuse(RecoveryRulingRecorded{"a note", "a receipt"}, "the run has ended")
	}},
	{"strict-8-a-run-that-moves-and-ends", "standard", func(r *run) {
		r.ready().do(ImplementDispatchIntended{r.intent(tier.Implementer)})
		r.refuse(RunRelocated{"v", "/v", "/v/run", "moved", "mv"}, "not absolute")
		r.do(RunRelocated{"/v", "/v", "/v/run", "moved", "mv"}).start()
		r.refuse(ImplementerFinished{"/w/.git-sdd/run/report.md"}, "beneath").do(ImplementerFinished{"/v/run/report.md"})
		r.refuse(RunAbandoned{}, "reason is missing").do(RunAbandoned{"enough"}).refuse(RunAbandoned{"enough"}, "the run has ended")
	}},
	{"new-final-fixer-finished", "standard", func(r *run) {
		r.ready().completed().finalReviewing().do(FinalReviewFinished{r.review(found("FINAL:F-1 Minor")...)})
		r.do(FinalFixDispatchIntended{Intent: r.intent(tier.FinalFixer)}).start()
		r.refuse(FinalFixerFinished{r.report(), Work{Status: StatusBlocked}}, "gives no reason")
		r.do(FinalFixerFinished{r.report(), Work{Status: StatusBlocked, Reason: "cannot"}})
		r.refuse(FinalFixerFinished{r.report(), Work{Status: StatusDone}}, "pinned already").do(FinalFixerBlocked{"it says so"})
	}},
	{"new-rulings", "standard", func(r *run) {
		r.ready().reviewed("T1:F-1 Critical").do(FixDispatchIntended{Intent: r.intent(tier.Fixer)}).start()
		rule := func(ruling Ruling) Event {
			ruling.Reason = "because"
			return RulingRecorded{ruling}
		}
		key := r.key()
		r.do(
			rule(Ruling{Decision: "accept-empty", DispatchKey: key}), rule(Ruling{Decision: "fix-proceed", DispatchKey: key}),
			rule(Ruling{Decision: "leftovers-keep", DispatchKey: key}), rule(Ruling{Decision: "leftovers-shelve", DispatchKey: key, Artifact: "artifacts/task-1/leftovers.patch"}),
			rule(Ruling{Decision: "contracts", Blob: Opt(digestB)}), rule(Ruling{Decision: "widen", DispatchKey: key, Paths: []string{"b.go"}}),
			rule(Ruling{Decision: "guard-ok", DispatchKey: key, Paths: []string{"Makefile"}, Blob: Opt(objectB)}), rule(Ruling{Decision: "guard-ok", DispatchKey: key, Finding: "T1:F-1"}),
		)
		r.refuse(rule(Ruling{Decision: "accept-empty"}), "needs dispatchKey").refuse(rule(Ruling{Decision: "accept-empty", DispatchKey: "other"}), "current dispatch")
		r.refuse(rule(Ruling{Decision: "contracts", DispatchKey: key, Blob: Opt(digestB)}), "takes no dispatchKey")
		r.refuse(rule(Ruling{Decision: "leftovers-shelve", DispatchKey: key}), "needs artifact").refuse(rule(Ruling{Decision: "widen", DispatchKey: key}), "needs paths")
		r.refuse(rule(Ruling{Decision: "guard-ok", DispatchKey: key, Finding: "T1:F-9"}), "no finding").refuse(rule(Ruling{Decision: "forget", DispatchKey: key}), "decision")
	}},
	{"bounds", "standard", func(r *run) {
		at, past := strings.Repeat("ü", MaxText), strings.Repeat("ü", MaxText+1)
		r.refuse(RecoveryRulingRecorded{past, "a receipt"}, "at most 256").do(RecoveryRulingRecorded{at, at})
		in := r.ready().intent(tier.Implementer)
		in.BriefPath = pathOf("/w/.git-sdd/run/", MaxPath+1)
		r.refuse(ImplementDispatchIntended{in}, "at most 4096")
		in.BriefPath, in.ExpectedOutcome = in.BriefPath[:MaxPath], past
		r.refuse(ImplementDispatchIntended{in}, "at most 256")
		in.ExpectedOutcome = at
		r.do(ImplementDispatchIntended{in}).refuse(DispatchStarted{past}, "at most 256").do(DispatchStarted{at}, ImplementerFinished{r.report()})
		r.do(ImplementerStatusRecorded{Work{Status: StatusDone}}, TaskReviewDispatchIntended{r.intent(tier.TaskReviewer)}).start()
		f := Finding{ID: strings.Repeat("F", MaxID), Severity: Minor, Summary: at, Location: Opt(strings.Repeat("l", MaxLocation))}
		for _, change := range []func(*Finding){func(f *Finding) { f.ID += "F" }, func(f *Finding) { f.Summary += "ü" }, func(f *Finding) { f.Location += "l" }} {
			worse := f
			change(&worse)
			r.refuse(TaskReviewFinished{r.review(worse)}, "")
		}
		r.do(TaskReviewFinished{r.review(f)})
	}},
}

// TestStrictVectors keeps strict.jsonl what the walks above do. The file is for
// others to run, so a change of it is a change of the machine: it is written
// only where there is none.
func TestStrictVectors(t *testing.T) {
	file := filepath.Join(vectors, "strict.jsonl")
	var made bytes.Buffer
	for _, w := range strictWalks {
		r := begin(t, strings.Fields(w.tasks)...)
		w.walk(r)
		made.Write(append(vectorOf(t, w.id, r), '\n'))
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && *update {
		if err := os.WriteFile(file, made.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := walkLines(t, file)
	for i, line := range bytes.Split(bytes.TrimSuffix(made.Bytes(), []byte("\n")), []byte("\n")) {
		if i >= len(want) || !bytes.Equal(line, want[i]) {
			t.Errorf("line %d of %s, %s, is another walk now", i+1, file, strictWalks[i].id)
		}
	}
}

// vectorOf returns a walk in the form of the golden ones.
func vectorOf(t *testing.T, id string, r *run) []byte {
	type step struct {
		At    Instant        `json:"at"`
		Event jsontext.Value `json:"event"`
		Note  string         `json:"note,omitzero"`
		Want  any            `json:"want"`
	}
	var steps []step
	for _, tried := range r.log {
		s := step{At: tried.at, Event: walkEvent(t, tried.event), Want: map[string]bool{"ok": false}}
		var refused *RefusedError
		if errors.As(tried.err, &refused) {
			s.Note = refused.Reason
		} else {
			s.Want = summary(&tried.after.view)
		}
		steps = append(steps, s)
	}
	init := walkInit{initOf(), instant(0)}
	init.Tasks = r.s.view.Tasks
	line, err := json.Marshal(struct {
		ID           string   `json:"id"`
		Init         walkInit `json:"init"`
		InitialRunID string   `json:"initialRunId"`
		Steps        []step   `json:"steps"`
	}{id, init, r.s.view.RunID, steps}, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// walkEvent returns an event as walks write it: texts in full, and nothing where
// there is nothing.
func walkEvent(t *testing.T, e Event) jsontext.Value {
	row := kinds[e.Kind()]
	whole, err := row.event.encode(row.name, e, json.WithMarshalers(json.MarshalToFunc(func(enc *jsontext.Encoder, b Blob) error {
		return enc.WriteToken(jsontext.String(string(b)))
	})))
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(whole, &members); err != nil {
		t.Fatal(err)
	}
	for name, value := range members {
		if empty := string(value) == "null" || string(value) == "[]"; empty && name != "findings" {
			delete(members, name)
		}
	}
	short, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return short
}
