package machine

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// swap returns the document with one part replaced, which must be in it once.
func swap(t *testing.T, data []byte, from, to string) []byte {
	t.Helper()
	if n := bytes.Count(data, []byte(from)); n != 1 {
		t.Fatalf("%q stands %d times in\n%s", from, n, data)
	}
	return bytes.Replace(data, []byte(from), []byte(to), 1)
}

func TestDecodeStateRefusesOtherForms(t *testing.T) {
	data := EncodeState(begin(t, "fast").s)
	for _, row := range []struct{ from, to, reason string }{
		{`{"ambiguous`, ` {"ambiguous`, "canonical form, from byte 0 on"},
		{`"worktree":"/w"}`, `"worktree":"/w"}` + "\n", "canonical form"},
		{`"fixRound":0`, `"fixRound": 0`, "canonical form"},
		{`"fixRound":0`, `"fixRound":0e0`, "does not fit there"},
		{`"fixRound":0`, `"fixRound":-0`, "canonical form"},
		{`"fixRound":0`, `"fixRound":0.0`, "does not fit there"},
		{`"fixRound":0`, `"fixRound":"0"`, "does not fit there"},
		{`"branch":"feat/x"`, `"branch":"feat\/x"`, "canonical form"},
		{`"branch":"feat/x"`, `"branch":"fe\u0061t/x"`, "canonical form"},
		{`"branch":"feat/x"`, `"branch":"feat/x","branch":"feat/x"`, "stands twice"},
		{`"branch":"feat/x"`, `"branch":"feat/` + "\xff" + `"`, "invalid UTF-8"},
		{`"branch":"feat/x",`, ``, "branch is missing"},
		{`"dispatch":null,`, ``, "canonical form"},
		{`"findings":[],`, ``, "canonical form"},
		{`"findings":[]`, `"findings":null`, "canonical form"},
		{`"attempts":{}`, `"attempts":null`, "canonical form"},
		{`"mode":null`, `"mode":""`, "an empty string"},
		{`"mode":null`, `"mode":7`, "neither a string nor null"},
		{`"mode":null`, `"mode":null,"moods":null`, "is not a member here"},
		{`"mode":null`, `"Mode":null`, "is not a member here"},
		{`"phase":"CAPABILITY_CHECK"`, `"phase":"capability_check"`, "is not a phase"},
		{`"phase":"CAPABILITY_CHECK"`, `"phase":null`, "phase"},
		{`git-sdd/state/1`, `git-sdd/state/0`, "schema \"git-sdd/state/0\" is not"},
		{`git-sdd/state/1`, `git-sdd/state/01`, "is not git-sdd/state/1"},
		{`git-sdd/state/1`, `git-sdd/event/1`, "is not git-sdd/state/1"},
		{`git-sdd/state/1`, `git-sdd/event/2`, "is not git-sdd/state/1"},
		{`"schema":"git-sdd/state/1",`, ``, "schema \"\" is not"},
	} {
		_, err := DecodeState(swap(t, data, row.from, row.to))
		if err == nil || !strings.Contains(err.Error(), row.reason) || errors.Is(err, ErrNewer) {
			t.Errorf("%s for %s: %v, want %q", row.to, row.from, err, row.reason)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
	}
	for _, text := range []string{"", "null", "{}", "[]", "7", "{", `"x"`} {
		if _, err := DecodeState([]byte(text)); err == nil {
			t.Errorf("%q is read as a state", text)
		}
	}
}

func TestNewerDocuments(t *testing.T) {
	c := story(t)
	state := EncodeState(c.s)
	event, err := EncodeEvent(c.docs[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, newer := range []string{"2", "10", "999999"} {
		if _, err := DecodeState(swap(t, state, `"git-sdd/state/1"`, `"git-sdd/state/`+newer+`","shape":"unknown"`)); !errors.Is(err, ErrNewer) {
			t.Errorf("state %s: %v", newer, err)
		}
		if _, err := DecodeEvent(swap(t, event, `"git-sdd/event/1"`, `"git-sdd/event/`+newer+`","shape":"unknown"`), c.read); !errors.Is(err, ErrNewer) {
			t.Errorf("event %s: %v", newer, err)
		}
	}
}

// A state that no run can be in is not read, however well it is formed.
func TestDecodeStateHoldsTheInvariants(t *testing.T) {
	runs := everyPhase(t)
	pinned := runs[RereviewRunning]
	pinned.do(RereviewFinished{pinned.review(found("T1:F-2 Minor")...).judging(Resolved, "T1:F-1")})
	pinned.do(RulingRecorded{Ruling{Decision: "guard-ok", Reason: "fine", DispatchKey: pinned.key(), Finding: "T1:F-1"}})
	one, two := 1, 2
	for i, row := range []struct {
		phase  Phase
		change func(*View)
	}{
		{CapabilityCheck, func(v *View) { v.RunID = "x" }},
		{CapabilityCheck, func(v *View) { v.Revision = -1 }},
		{CapabilityCheck, func(v *View) { v.CreatedAt = "2026-09-01" }},
		{CapabilityCheck, func(v *View) { v.UpdatedAt = "2020-01-01T00:00:00.000Z" }},
		{CapabilityCheck, func(v *View) { v.Worktree = "w" }},
		{CapabilityCheck, func(v *View) { v.Tasks = []InitTask{} }},
		{CapabilityCheck, func(v *View) { v.CurrentTask = 0 }},
		{CapabilityCheck, func(v *View) { v.CurrentTask = 2 }},
		{CapabilityCheck, func(v *View) { v.CurrentImplementerTier = "fast" }},
		{CapabilityCheck, func(v *View) { v.ContextAttempts = 3 }},
		{CapabilityCheck, func(v *View) { v.FixRound = 6 }},
		{CapabilityCheck, func(v *View) { v.RecoveryRulings = 1 }},
		{CapabilityCheck, func(v *View) { v.StatusPinned = "FINE" }},
		{CapabilityCheck, func(v *View) { v.Mode = "exact" }},
		{CapabilityCheck, func(v *View) { v.PlanValidated = true }},
		{CapabilityCheck, func(v *View) { v.BlockedReason = "because" }},
		{CapabilityCheck, func(v *View) { v.Phase = CapabilityBlocked }},
		{CapabilityCheck, func(v *View) { v.Attempts["task-1:implementer"] = 0 }},
		{CapabilityCheck, func(v *View) { v.Attempts["task-2:implementer"] = 1 }},
		{CapabilityCheck, func(v *View) { v.Attempts["task-1:fixer"] = 1 }},
		{CapabilityCheck, func(v *View) { v.Attempts["task-1:fixer:round-6"] = 1 }},
		{CapabilityCheck, func(v *View) { v.ReviewOutcome = pinned.s.View().ReviewOutcome }},
		{PlanValidate, func(v *View) { v.Mode = "" }},
		{PlanValidate, func(v *View) { v.Mode = "loose" }},
		{PlanValidate, func(v *View) { v.Dispatch = pinned.s.View().Dispatch }},
		{PreflightDecisionRequired, func(v *View) { v.PlanValidated = false }},
		{WorkspaceReady, func(v *View) { v.Phase = ImplementResult }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Role = "reviewer" }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Task = 2 }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Round = &one }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Tier = "fast" }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Attempt = 2 }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.DispatchKey += "0" }},
		{ImplementDispatchIntent, func(v *View) { v.Attempts["task-1:implementer"] = 2 }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.PromptPath = "/elsewhere" }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.ExpectedOutcome = "" }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.IntentRevision = v.Revision + 1 }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.SessionID, v.Dispatch.StartedAt = "s", Opt(instant(1)) }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Prompt.Path = "artifacts/prompt.md" }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Prompt.Bytes = MaxPrompt + 1 }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Prompt.SHA256 = "" }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Bootstrap.Bytes = 0 }},
		{ImplementDispatchIntent, func(v *View) { v.Dispatch.Report = &PinnedReport{Path: v.Dispatch.stem() + ".report.md"} }},
		{ImplementDispatchIntent, func(v *View) { v.Evidence.Tasks = []TaskEvidence{} }},
		{ImplementDispatchIntent, func(v *View) { v.Phase = TaskReviewDispatchIntent }},
		{ImplementRunning, func(v *View) { v.Dispatch.SessionID = "" }},
		{ImplementRunning, func(v *View) { v.Dispatch.StartedAt = "" }},
		{ImplementRunning, func(v *View) { v.Dispatch.StartedAt = "yesterday" }},
		{ImplementRunning, func(v *View) { v.Dispatch = nil }},
		{ImplementResult, func(v *View) { v.Dispatch.Report = nil }},
		{ImplementResult, func(v *View) { v.Dispatch.Report.Path = "artifacts/report.md" }},
		{ImplementResult, func(v *View) { v.Dispatch.Report.Bytes = &one }},
		{ImplementResult, func(v *View) { v.Dispatch.Report.Status = "FINE" }},
		{ImplementResult, func(v *View) { v.Phase = TaskComplete }},
		{DispatchAmbiguous, func(v *View) { v.AmbiguousIntentPhase = "" }},
		{DispatchAmbiguous, func(v *View) { v.AmbiguousIntentPhase = "FIX_DISPATCH_INTENT" }},
		{DispatchAmbiguous, func(v *View) { v.AmbiguousIntentPhase = "TASK_REVIEW_RUNNING" }},
		{DispatchAmbiguous, func(v *View) { v.AmbiguousIntentPhase = "SOMEWHERE" }},
		{DispatchAmbiguous, func(v *View) { v.Phase = TaskReviewRunning }},
		{FixRunning, func(v *View) { v.Dispatch.Round = nil }},
		{FixRunning, func(v *View) { v.FixRound = 2 }},
		{FixRunning, func(v *View) { v.Findings[0].Task = 2 }},
		{FixRunning, func(v *View) { v.Findings[0].Task = finalScope }},
		{FixRunning, func(v *View) { v.Findings[0].LoadBearing = false }},
		{FixRunning, func(v *View) { v.Findings[0].Severity = "Grave" }},
		{FixRunning, func(v *View) { v.Findings[0].Disposition = "" }},
		{FixRunning, func(v *View) { v.Findings[0].Disposition, v.Findings[0].Evidence = "parked", "seen" }},
		{FixRunning, func(v *View) { v.Findings[0].Disposition, v.Findings[0].Evidence = Fixed, "seen" }},
		{FixRunning, func(v *View) { v.Findings[0].Verdict = Resolved }},
		{FixRunning, func(v *View) { v.Findings[0].Evidence = "seen" }},
		{FixRunning, func(v *View) { v.Findings = append(v.Findings, v.Findings[0]) }},
		{FixRunning, func(v *View) { v.ReviewOutcome = pinned.s.View().ReviewOutcome }},
		{RereviewRunning, func(v *View) { v.ReviewOutcome = nil }},
		{RereviewRunning, func(v *View) { v.ReviewOutcome.Pinned = false }},
		{RereviewRunning, func(v *View) { v.ReviewOutcome.SpecStatus = "" }},
		{RereviewRunning, func(v *View) { v.ReviewOutcome.Revision = v.Revision + 1 }},
		{RereviewRunning, func(v *View) { v.ReviewOutcome.ReportPath = "/elsewhere" }},
		{RereviewRunning, func(v *View) { v.Rulings[0].Decision = "forget" }},
		{RereviewRunning, func(v *View) { v.Rulings[0].Revision = 0 }},
		{RereviewRunning, func(v *View) { v.Rulings[0].DispatchKey = "" }},
		{RereviewRunning, func(v *View) { v.Rulings[0].Finding = "T1:F-9" }},
		{RereviewRunning, func(v *View) { v.Rulings[0].Paths = []string{"/a"} }},
		{RereviewRunning, func(v *View) { v.Rulings = append(v.Rulings, v.Rulings[0]) }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks[0].Reviews[1].Round = nil }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks[0].Reviews[0].Round = &one }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks[0].Reviews[0].Role = "fixer" }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks[0].Reviews[0].Spec = "x" }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks[0].Reviews[1].Revision = 1 }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks[0].Head = &CommitRef{} }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks[0].PatchID = "x" }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks[0].Task = 2 }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks = append(v.Evidence.Tasks, v.Evidence.Tasks[0]) }},
		{RereviewRunning, func(v *View) { v.Evidence.Tasks[0].Reviews[1].Round = &two; v.FixRound = 9 }},
		{FinalFixRunning, func(v *View) { v.ReviewOutcome = nil }},
		{FinalFixRunning, func(v *View) { v.ReviewOutcome.Pinned = true }},
		{FinalFixRunning, func(v *View) { v.Evidence.Final = nil }},
		{FinalFixRunning, func(v *View) { v.Evidence.Final.ImplementerSession = "two\nlines" }},
		{FinalFixRunning, func(v *View) { v.Tasks = append(v.Tasks, InitTask{Number: 2, ImplementerTier: "fast"}) }},
	} {
		v := runs[row.phase].s.View()
		row.change(&v)
		s := State{v}
		if _, err := DecodeState(EncodeState(s)); err == nil {
			t.Errorf("row %d: a state in %s is read that no run can be in", i, row.phase)
		} else if strings.Contains(err.Error(), "canonical") {
			t.Errorf("row %d: only its form is refused: %v", i, err)
		}
	}
}

func TestDecodeEventRefusesOtherForms(t *testing.T) {
	c := story(t)
	at := func(k Kind) []byte {
		for _, d := range c.docs {
			if d.Event.Kind() == k {
				data, err := EncodeEvent(d)
				if err != nil {
					t.Fatal(err)
				}
				return data
			}
		}
		t.Fatalf("no %s", k)
		return nil
	}
	for _, row := range []struct {
		kind             Kind
		from, to, reason string
	}{
		{KindCapabilityConfirmed, `{"at"`, ` {"at"`, "canonical form"},
		{KindCapabilityConfirmed, `"type":"capability-confirmed"`, `"type":"capability-confirmeds"`, "not an event"},
		{KindCapabilityConfirmed, `,"type":"capability-confirmed"`, ``, "type is missing"},
		{KindCapabilityConfirmed, `"type":"capability-confirmed"`, `"type":"plan-valid"`, "is not a member here"},
		{KindCapabilityConfirmed, `"mode":"tiered"`, `"mode":"tiered","more":1`, "is not a member here"},
		{KindCapabilityConfirmed, `"mode":"tiered",`, ``, "canonical form"},
		{KindCapabilityConfirmed, `{"ladder":"external"}`, `{"ladder":"external","more":1}`, "is not a member here"},
		{KindCapabilityConfirmed, `{"ladder":"external"}`, `{}`, "canonical form"},
		{KindCapabilityConfirmed, `{"ladder":"external"}`, `7`, "facts"},
		{KindCapabilityConfirmed, `,"facts":{"ladder":"external"}`, ``, "facts"},
		{KindCapabilityConfirmed, `"via":"program"`, `"via":"magic"`, "via"},
		{KindCapabilityConfirmed, `"name":"Ada`, `"name":"Ada\n`, "U+000A"},
		{KindCapabilityConfirmed, `"revision":1`, `"revision":-1`, "revision"},
		{KindCapabilityConfirmed, `"at":"2026-09-01T`, `"at":"2026-09-31T`, "calendar"},
		{KindPlanValid, `"facts":null`, `"facts":{}`, "takes no facts"},
		{KindFixDispatchIntended, `"findingResolutions":[],`, ``, "canonical form"},
		{KindFixDispatchIntended, `"bytes":29`, `"bytes":28`, "other bytes"},
		{KindFixDispatchIntended, `fixer-1-r1.prompt.md","sha256"`, `fixer-1-r2.prompt.md","sha256"`, "file does not exist"},
		{KindFixDispatchIntended, `fixer-1-r1.prompt.md","sha256"`, `implementer-1.prompt.md","sha256"`, "canonical form"},
		{KindFixDispatchIntended, `"dispatchKey":"`, `"dispatchKey":"x:`, "not a composed one"},
	} {
		_, err := DecodeEvent(swap(t, at(row.kind), row.from, row.to), c.read)
		if err == nil || !strings.Contains(err.Error(), row.reason) {
			t.Errorf("%s: %s for %s: %v, want %q", row.kind, row.to, row.from, err, row.reason)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
	}
	// Other bytes of the same length are not the prompt.
	data := at(KindFixDispatchIntended)
	if _, err := DecodeEvent(data, func(ref BlobRef) ([]byte, error) { return make([]byte, ref.Bytes), nil }); err == nil || !strings.Contains(err.Error(), "other bytes") {
		t.Errorf("forged bytes: %v", err)
	}
	// What read says is passed on.
	missing := fmt.Errorf("artifact: %w", fs.ErrNotExist)
	if _, err := DecodeEvent(data, func(BlobRef) ([]byte, error) { return nil, missing }); !errors.Is(err, missing) {
		t.Errorf("a missing artifact: %v", err)
	}
	// Who only looks gets the event without its texts.
	d, err := DecodeEvent(data, nil)
	if err != nil || d.Event.(FixDispatchIntended).RenderedPrompt != "" || d.Event.(FixDispatchIntended).Attempt != 1 {
		t.Errorf("looking gives %v: %+v", err, d.Event)
	}
}

func TestEncodeEventRefuses(t *testing.T) {
	good := Document{Revision: 1, At: instant(1), By: By{"a", "b", "run"}, Event: PlanValid{digestA}}
	for _, change := range []func(*Document){
		func(d *Document) { d.Event = nil },
		func(d *Document) { d.Event = &PlanValid{digestA} },
		func(d *Document) { d.Facts = StartedFacts{} },
		func(d *Document) { d.At = "" },
		func(d *Document) { d.Revision = -1 },
		func(d *Document) { d.By.Via = "" },
		func(d *Document) { d.By.Name = strings.Repeat("n", 257) },
		func(d *Document) { d.By.Email = "a\x00" },
		func(d *Document) { d.Event = PlanInvalidated{"\xff"} },
		func(d *Document) { d.Event = ImplementDispatchIntended{} },
	} {
		d := good
		change(&d)
		if data, err := EncodeEvent(d); err == nil {
			t.Errorf("%+v is written as %s", d, data)
		}
	}
	good.By = By{Name: strings.Repeat("n", 256), Via: "terminal"}
	if _, err := EncodeEvent(good); err != nil {
		t.Error(err)
	}
}

func TestTextsOfIntents(t *testing.T) {
	r := begin(t, "fast").ready().reviewed("T1:F-1 Critical")
	in := r.intent(tier.Fixer)
	texts, err := Texts(FixDispatchIntended{Intent: in})
	want := []StoredText{{"artifacts/task-1/fixer-1-r1.prompt.md", []byte(in.RenderedPrompt)}, {"artifacts/task-1/fixer-1-r1.bootstrap.txt", []byte(in.Bootstrap)}}
	if err != nil || fmt.Sprint(texts) != fmt.Sprint(want) {
		t.Errorf("%v, %v", texts, err)
	}
	if texts, err := Texts(PlanValid{}); err != nil || texts != nil {
		t.Errorf("%v, %v", texts, err)
	}
	for _, key := range []string{"", "x", "r:task-1:fixer:attempt-1", "r:task-1:implementer:attempt-1:round-1", "r:task-01:final:attempt-1", "r:task-1:boss:attempt-1", "r:task-1:final:attempt-1:round-1:x"} {
		if _, err := Texts(FixDispatchIntended{Intent: Intent{DispatchKey: key, RenderedPrompt: "x"}}); err == nil {
			t.Errorf("%q is a key", key)
		}
	}
}

func TestArtifactStems(t *testing.T) {
	for _, row := range []struct {
		role           tier.Role
		attempt, round int
		want           string
	}{
		{tier.Implementer, 2, 0, "artifacts/task-3/implementer-2"},
		{tier.Fixer, 1, 2, "artifacts/task-3/fixer-1-r2"},
		{tier.ReReviewer, 2, 0, "artifacts/task-3/re-reviewer-2"},
		{tier.Final, 1, 0, "artifacts/final/final-1"},
		{tier.FinalReReviewer, 1, 0, "artifacts/final/final-re-reviewer-1"},
	} {
		if got := ArtifactStem(3, row.role, row.attempt, row.round); got != row.want {
			t.Errorf("%s, not %s", got, row.want)
		}
	}
}

func TestDecodeWalkEvent(t *testing.T) {
	for _, row := range []struct{ text, reason string }{
		{`{"type":"plan-valid","planDigest":"x"}`, ""},
		{`{"type":"review-approved"}`, ""},
		{`{"type":"review-approved","findingResolutions":null}`, ""},
		{`{"type":"dispatch-ruling-recorded","decision":"reissue","reason":"r","sessionId":null}`, ""},
		{`{"type":"dispatch-ruling-recorded","decision":"reissue","reason":"r","sessionId":""}`, "an empty string"},
		{`{"type":"dispatch-ruling-recorded","decision":"reissue","reason":"r","sessionId":7}`, "neither a string nor null"},
		{`{"type":"plan-valid","planDigest":"x","at":"2026-09-01T00:00:00.000Z"}`, "does not bring its own at"},
		{`{"type":"plan-valid","planDigest":"x","at":null}`, "does not bring its own at"},
		{`{"type":"plan-valid","planDigest":"x","plan":"y"}`, "is not a member here"},
		{`{"type":"plan-valid","PlanDigest":"x"}`, "is not a member here"},
		{`{"type":"plan-valid","planDigest":"x","planDigest":"x"}`, "stands twice"},
		{`{"type":"plan-valid","planDigest":7}`, "does not fit there"},
		{`{"type":"plan-valids","planDigest":"x"}`, "not an event"},
		{`{"type":"Plan-valid","planDigest":"x"}`, "not an event"},
		{`{"type":""}`, "type is missing"},
		{`{"planDigest":"x"}`, "type is missing"},
		{`{"type":7}`, "does not fit there"},
		{`{"type":"task-review-finished","reportPath":"/r","specStatus":"PASS","qualityStatus":"APPROVED","findings":[]}`, ""},
		{`{"type":"task-review-finished","reportPath":"/r","specStatus":"PASS","qualityStatus":"APPROVED"}`, "findings is missing"},
		{`{"type":"final-rereview-finished","findings":null}`, "findings is missing"},
		{``, "EOF"}, {`null`, "type is missing"}, {`[]`, "does not fit there"}, {`{"type":"plan-valid"} {}`, "invalid character"},
		{"{\"type\":\"plan-invalid\",\"reason\":\"\xff\"}", "invalid UTF-8"},
	} {
		e, err := DecodeWalkEvent([]byte(row.text))
		if row.reason == "" && err != nil || row.reason != "" && (err == nil || !strings.Contains(err.Error(), row.reason)) {
			t.Errorf("%s: %T, %v, want %q", row.text, e, err, row.reason)
		} else if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
	}
}

// A prompt is not counted into the size of a file that brings an event.
func TestARecordedPromptIsNotCounted(t *testing.T) {
	text := `{"type":"implement-dispatch-intended","renderedPrompt":"` + strings.Repeat("p", MaxPrompt) + `"}`
	e, err := DecodeRecord([]byte(text))
	if err != nil || len(e.(ImplementDispatchIntended).RenderedPrompt) != MaxPrompt {
		t.Error(err)
	}
	for _, bad := range []string{"", "{", `{"type":"x"}`} {
		if _, err := DecodeRecord([]byte(bad)); err == nil {
			t.Errorf("%q is an event", bad)
		}
	}
}

func TestReduceRefusesWhatCannotBegin(t *testing.T) {
	line := `{"id":"w","init":{"planPath":"/w/p","planDigest":"` + digestA + `","repoRoot":"/w","worktree":"/w","runRoot":"/w/r","branch":"b","baseRef":"m","mergeBase":"` + objectA +
		`","tasks":[{"number":1,"implementerTier":"fast"}],"at":"2026-09-01T00:00:00.000Z"},"steps":[{"at":"2026-09-01T00:00:01.000Z","event":{"type":"nothing"}},{"at":"now","event":{"type":"capability-missing","reason":"r"}},` +
		`{"at":"2026-09-01T00:00:01.000Z","event":{"type":"capability-missing","reason":"r"},"note":"a note"}]}`
	out, err := Reduce([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(string(out), "\n")
	if len(answers) != 4 || !strings.HasPrefix(answers[0], `{"ok":false,"error":"\"nothing\" is not`) || !strings.HasPrefix(answers[1], `{"ok":false`) ||
		!strings.HasPrefix(answers[2], `{"ok":true,"phase":"CAPABILITY_BLOCKED","revision":1,`) || answers[3] != "" {
		t.Errorf("the answers are\n%s", out)
	}
	for _, row := range []struct{ from, to, reason string }{
		{`"id":"w"`, `"name":"w"`, "is not a member here"},
		{`"number":1`, `"number":2`, "numbered 2"},
		{`"at":"2026-09-01T00:00:00.000Z"`, `"at":"today"`, "not an instant"},
		{`"id":"w"`, `"id":"w","initialRunId":"` + digestB + `"`, "initialRunId says"},
		{`"id":"w"`, `"id":7`, "does not fit there"},
	} {
		if _, err := Reduce(swap(t, []byte(line), row.from, row.to)); err == nil || !strings.Contains(err.Error(), row.reason) {
			t.Errorf("%s: %v, want %q", row.to, err, row.reason)
		}
	}
}
