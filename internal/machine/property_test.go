package machine

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// A draw proposes events to a state, mostly ones that it takes.
type draw struct {
	rt *rapid.T
	v  View
}

// evenly draws every number below 1024 as often as any other. The library's own
// integers prefer small ones, and a walk of small numbers ends soon.
var evenly = rapid.Custom(func(t *rapid.T) (n int) {
	for range 10 {
		n *= 2
		if rapid.Bool().Draw(t, "bit") {
			n++
		}
	}
	return n
})

func (d draw) chance(percent int, name string) bool {
	return evenly.Draw(d.rt, name)*100 < percent*1024
}

func pick[T any](d draw, name string, list ...T) T { return list[evenly.Draw(d.rt, name)%len(list)] }

func (d draw) text() string {
	return pick(d, "text", "a reason", "ünï \"cödé\" \\ <&>", "x", "", "two\nlines", "Sdd-Run: 1", "---")
}

func (d draw) sound() string {
	if d.chance(3, "unsound") {
		return d.text()
	}
	return pick(d, "sound", "a reason", "ünï \"cödé\" \\ <&>", "x")
}

func (d draw) report() string {
	if d.v.Dispatch == nil || d.chance(3, "elsewhere") {
		return "/elsewhere/report.md"
	}
	return d.v.Dispatch.ReportPath
}

// intentOf is the intent that the state takes for a role, or one that is wrong
// in one place.
func (d draw) intentOf(role tier.Role) Intent {
	in := intentFor(d.v, role)
	if d.chance(90, "right intent") {
		return in
	}
	pick(d, "wrong intent",
		func() { in.Attempt++ }, func() { in.Tier = "fast" }, func() { in.DispatchKey += "x" }, func() { in.PromptPath = "p" },
		func() { in.RenderedPrompt = "" }, func() { in.BriefPath = "/w" }, func() { in.ExpectedOutcome = d.text() },
	)()
	return in
}

func (d draw) work() Work {
	w := Work{Status: pick(d, "status", append([]string{StatusDone, StatusDone}, statuses...)...)}
	if w.Status == StatusDoneWithConcerns || d.chance(5, "concerns anyway") {
		w.Concerns = []Concern{{pick(d, "concern", concernKinds...), d.sound()}}
	}
	if w.Status != StatusDone || d.chance(5, "reason anyway") {
		w.Reason = Opt(d.sound())
	}
	return w
}

func (d draw) review() Review {
	r := Review{ReportPath: d.report(), SpecStatus: pick(d, "spec", SpecPass, SpecPass, "FAIL", ""), QualityStatus: pick(d, "quality", QualityApproved, QualityApproved, "CHANGES_REQUESTED")}
	for _, f := range OpenInScope(d.v) {
		if !d.chance(5, "left out") && d.v.Dispatch.Role != tier.TaskReviewer.String() {
			r = r.judging(pick(d, "verdict", Resolved, Resolved, Resolved, "STILL_PRESENT", "REGRESSION", "NEEDS_CONTEXT"), f.ID)
		}
	}
	for range pick(d, "findings", 0, 0, 0, 1, 2) {
		id := fmt.Sprintf("%s:F-%d", ScopeOf(d.v), len(d.v.Findings)+len(r.Findings)+1)
		if len(d.v.Findings) > 0 && d.chance(10, "mention") {
			id = pick(d, "mentioned", d.v.Findings...).ID
		}
		r.Findings = append(r.Findings, Finding{ID: id, Severity: pick(d, "severity", severities...), Summary: d.sound(), Location: pick(d, "location", Opt(""), "a.go:1")})
	}
	return r
}

func (d draw) resolutions() (list []Resolution) {
	for _, f := range OpenInScope(d.v) {
		switch {
		case f.Verdict == Resolved && d.chance(95, "fixed"), d.chance(2, "claimed"):
			list = append(list, Resolution{f.ID, Fixed, d.sound()})
		case !f.LoadBearing && d.chance(50, "closed"):
			list = append(list, Resolution{f.ID, pick(d, "disposition", "parked", "out-of-scope", "cannot-verify"), d.sound()})
		}
	}
	return list
}

func (d draw) ruling() Ruling {
	r := Ruling{Decision: pick(d, "decision", rulings...).decision, Reason: d.sound()}
	if d.v.Dispatch != nil && r.Decision != DecisionContracts {
		r.DispatchKey = Opt(d.v.Dispatch.DispatchKey)
	}
	switch r.Decision {
	case DecisionContracts:
		r.Blob = Opt(digestB)
	case DecisionWiden:
		r.Paths = []string{"a.go", "b/c.go"}
	case DecisionGuardOK:
		r.Paths, r.Blob = []string{"Makefile"}, Opt(objectB)
	case DecisionLeftoversShelve:
		r.Artifact = "artifacts/task-1/leftovers.patch"
	}
	return r
}

// payloads proposes the payload of each kind of event.
var payloads = [numKinds]func(draw) Event{
	KindRunInitialized:         func(d draw) Event { return initOf("fast") },
	KindRecoveryRulingRecorded: func(d draw) Event { return RecoveryRulingRecorded{d.sound(), d.sound()} },
	KindRulingRecorded:         func(d draw) Event { return RulingRecorded{d.ruling()} },
	KindRunRelocated: func(d draw) Event {
		top := pick(d, "top", "/w", "/v", "/w/deeper", "C:/w", "/", "w")
		return RunRelocated{top, top, top + "/run", d.sound(), d.sound()}
	},
	KindRunAbandoned:      func(d draw) Event { return RunAbandoned{d.sound()} },
	KindChildLost:         func(d draw) Event { return ChildLost{d.sound(), d.sound()} },
	KindChildInadmissible: func(d draw) Event { return ChildInadmissible{d.sound()} },

	KindCapabilityConfirmed: func(d draw) Event { return CapabilityConfirmed{pick(d, "mode", "exact", "tiered", "none")} },
	KindCapabilityMissing:   func(d draw) Event { return CapabilityMissing{d.sound()} },
	KindPlanValid:           func(d draw) Event { return PlanValid{pick(d, "digest", digestA, digestA, digestB)} },
	KindPlanInvalidated:     func(d draw) Event { return PlanInvalidated{d.sound()} },
	KindPlanConflict:        func(d draw) Event { return PlanConflict{pick(d, "digest", digestA, digestB)} },
	KindPreflightClean:      func(d draw) Event { return PreflightClean{} },
	KindPreflightConflict:   func(d draw) Event { return PreflightConflict{d.sound()} },
	KindPreflightApproved:   func(d draw) Event { return PreflightApproved{d.sound()} },
	KindPreflightRejected:   func(d draw) Event { return PreflightRejected{d.sound()} },

	KindImplementDispatchIntended: func(d draw) Event { return ImplementDispatchIntended{d.intentOf(tier.Implementer)} },
	KindDispatchStarted:           func(d draw) Event { return DispatchStarted{d.sound()} },
	KindDispatchMismatch:          func(d draw) Event { return DispatchMismatch{d.sound()} },
	KindDispatchWindowCrossed:     func(d draw) Event { return DispatchWindowCrossed{d.sound()} },
	KindDispatchRulingRecorded: func(d draw) Event {
		return pick(d, "ruling", DispatchRulingRecorded{"adopt", "found", "s-1"}, DispatchRulingRecorded{"reissue", "again", ""}, DispatchRulingRecorded{"reissue", "again", "s-1"})
	},

	KindImplementerFinished:       func(d draw) Event { return ImplementerFinished{d.report()} },
	KindImplementerStatusRecorded: func(d draw) Event { return ImplementerStatusRecorded{d.work()} },
	KindContextDispatchIntended:   func(d draw) Event { return ContextDispatchIntended{d.intentOf(tier.Implementer)} },
	KindContextLimitReached:       func(d draw) Event { return ContextLimitReached{d.sound()} },
	KindConcernRulingRecorded: func(d draw) Event {
		return ConcernRulingRecorded{pick(d, "decision", "proceed", "proceed", "block", ""), d.sound()}
	},

	KindTaskReviewDispatchIntended: func(d draw) Event { return TaskReviewDispatchIntended{d.intentOf(tier.TaskReviewer)} },
	KindTaskReviewFinished:         func(d draw) Event { return TaskReviewFinished{d.review()} },
	KindReviewApproved:             func(d draw) Event { return ReviewApproved{d.resolutions()} },
	KindReviewBlocked:              func(d draw) Event { return ReviewBlocked{d.sound()} },
	KindFixDispatchIntended:        func(d draw) Event { return FixDispatchIntended{d.intentOf(tier.Fixer), d.resolutions()} },
	KindFixerFinished:              func(d draw) Event { return FixerFinished{d.report(), d.work()} },
	KindFixerBlocked:               func(d draw) Event { return FixerBlocked{d.sound()} },
	KindRereviewDispatchIntended:   func(d draw) Event { return RereviewDispatchIntended{d.intentOf(tier.ReReviewer)} },
	KindRereviewFinished:           func(d draw) Event { return RereviewFinished{d.review()} },
	KindRereviewApproved:           func(d draw) Event { return RereviewApproved{d.resolutions()} },
	KindTaskParkRulingRecorded:     func(d draw) Event { return TaskParkRulingRecorded{d.sound(), d.resolutions()} },
	KindNextFixDispatchIntended:    func(d draw) Event { return NextFixDispatchIntended{d.intentOf(tier.Fixer), d.resolutions()} },
	KindRereviewBlocked:            func(d draw) Event { return RereviewBlocked{d.sound()} },
	KindNextTaskReady:              func(d draw) Event { return NextTaskReady{} },

	KindFinalReviewDispatchIntended:   func(d draw) Event { return FinalReviewDispatchIntended{d.intentOf(tier.Final)} },
	KindFinalReviewFinished:           func(d draw) Event { return FinalReviewFinished{d.review()} },
	KindFinalComplete:                 func(d draw) Event { return FinalComplete{d.resolutions()} },
	KindFinalFixDispatchIntended:      func(d draw) Event { return FinalFixDispatchIntended{d.intentOf(tier.FinalFixer), d.resolutions()} },
	KindFinalWorkBlocked:              func(d draw) Event { return FinalWorkBlocked{d.sound()} },
	KindFinalFixerFinished:            func(d draw) Event { return FinalFixerFinished{d.report(), d.work()} },
	KindFinalRereviewDispatchIntended: func(d draw) Event { return FinalRereviewDispatchIntended{d.intentOf(tier.FinalReReviewer)} },
	KindFinalFixerBlocked:             func(d draw) Event { return FinalFixerBlocked{d.sound()} },
	KindFinalRereviewFinished:         func(d draw) Event { return FinalRereviewFinished{d.review()} },
	KindFinalParkRulingRecorded:       func(d draw) Event { return FinalParkRulingRecorded{d.sound(), d.resolutions()} },
}

// kind prefers what leads on over what always goes, and what ends the run least.
func (d draw) kind() Kind {
	if d.chance(5, "any kind") {
		return pick(d, "kind", Kinds()...)
	}
	var on, other []Kind
	for _, k := range Legal(d.v.Phase) {
		ends := slices.ContainsFunc(Targets(d.v.Phase, k), func(p Phase) bool { return p.Terminal() && p != Complete })
		if always[k] != 0 || ends && k != KindImplementerStatusRecorded && k != KindConcernRulingRecorded {
			other = append(other, k)
		} else {
			on = append(on, k)
		}
	}
	if d.chance(4, "other kind") {
		return pick(d, "kind", other...)
	}
	return pick(d, "kind", on...)
}

func (d draw) facts(k Kind) Facts {
	if d.chance(30, "no facts") {
		return nil
	}
	n := func(name string) int { return evenly.Draw(d.rt, name) % 10 }
	for _, f := range []Facts{
		CapabilityFacts{"external"}, PreflightFacts{[]string{"a", "b"}}, intentFacts(n("base"), n("head")),
		StartedFacts{"a/model", ""}, finishedFacts(n("base"), n("head"), n("patch")),
		ProofFacts{proof()},
	} {
		if kinds[k].facts.is(f) {
			return f
		}
	}
	return nil
}

// TestRandomWalks holds the laws of the machine over runs of any kind:
//
//   - a refused event changes nothing, nor does an accepted one the state before;
//   - an accepted one leads where the table says, one revision on, and to a
//     state that reads back;
//   - what is documented reads back, and replaying it gives the same states.
func TestRandomWalks(t *testing.T) {
	met := map[Phase]int{}
	rapid.Check(t, func(rt *rapid.T) {
		tiers := rapid.SliceOfN(rapid.SampledFrom([]string{"economy", "standard", "capable", "frontier"}), 1, 3).Draw(rt, "tiers")
		c := chronicleOf(t, initOf(tiers...))
		for range 20 + evenly.Draw(rt, "steps")%100 {
			if c.s.Phase().Terminal() {
				break
			}
			d := draw{rt, c.s.View()}
			k := d.kind()
			e, facts, before := payloads[k](d), d.facts(k), c.s
			if err := c.try(e, facts); err != nil {
				continue
			}
			c.keep(e, facts)
			met[c.s.Phase()]++
			if !slices.Contains(Targets(before.Phase(), k), c.s.Phase()) || c.s.Revision() != before.Revision()+1 {
				t.Fatalf("%s leads from %s to %s, revision %d", k, before.Phase(), c.s.Phase(), c.s.Revision())
			}
			checkLaws(t, before.View(), c.s.View())
		}
		replay(t, c)
	})
	for _, p := range Phases() {
		if met[p] == 0 && p != CapabilityCheck {
			t.Logf("no walk met %s", p)
		}
	}
}

// checkLaws holds what is true from one state to the next.
func checkLaws(t *testing.T, before, after View) {
	t.Helper()
	if after.RunID != before.RunID || after.PlanDigest != before.PlanDigest || after.UpdatedAt < before.UpdatedAt || after.CreatedAt != before.CreatedAt {
		t.Fatalf("what pins the run changed: %+v", after)
	}
	if len(after.Findings) < len(before.Findings) || len(after.Rulings) < len(before.Rulings) || after.RecoveryRulings < before.RecoveryRulings {
		t.Fatalf("something recorded is gone")
	}
	for i, f := range before.Findings {
		now := after.Findings[i]
		if now.ID != f.ID || now.Severity != f.Severity || now.Task != f.Task || now.Summary != f.Summary {
			t.Fatalf("finding %+v became %+v", f, now)
		}
		if f.Disposition != Open && now.Disposition != f.Disposition {
			t.Fatalf("finding %s left %s", f.ID, f.Disposition)
		}
		if now.Disposition == Fixed && now.Verdict != Resolved || now.LoadBearing && now.Disposition != Open && now.Disposition != Fixed {
			t.Fatalf("finding %+v", now)
		}
	}
	for key, n := range before.Attempts {
		if after.Attempts[key] < n || after.Attempts[key] > n+1 {
			t.Fatalf("attempts of %s went from %d to %d", key, n, after.Attempts[key])
		}
	}
	if after.Phase == TaskComplete || after.Phase == Complete {
		if !AxesGood(after) || slices.ContainsFunc(OpenInScope(after), func(f Recorded) bool { return f.LoadBearing || after.Phase == Complete }) {
			t.Fatalf("%s with work left: %+v", after.Phase, after.Findings)
		}
	}
}

func replay(t *testing.T, c *chronicle) {
	t.Helper()
	var s State
	for i, d := range c.docs {
		data, err := EncodeEvent(d)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEvent(data, c.read)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if !reflect.DeepEqual(d, back) { // a list that is not there reads back as an empty one
			if diff := cmp.Diff(d, back, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("the document reads back differently: %s", diff)
			}
		}
		if init, ok := back.Event.(Init); ok {
			s, err = New(init, back.At)
		} else {
			s, err = Apply(s, Input{At: back.At, Event: back.Event, Facts: back.Facts})
		}
		if err != nil || !bytes.Equal(EncodeState(s), EncodeState(c.states[i])) {
			t.Fatalf("revision %d does not replay: %v", i, err)
		}
	}
}
