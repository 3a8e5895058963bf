package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// A bound is tested at its limit, which is taken, and one past it, which is
// refused for the stated reason.
type bound struct {
	name   string
	limit  int
	reason string
	try    func(t *testing.T, n int) error
}

func TestBounds(t *testing.T) {
	for _, b := range []bound{
		{"tasks", 256, "at most 256", func(_ *testing.T, n int) error {
			return tryInit(initOf(strings.Fields(strings.Repeat("fast ", n))...))
		}},
		{"title", 256, "at most 256", func(_ *testing.T, n int) error {
			in := initOf("fast")
			in.Tasks[0].Title = Opt(strings.Repeat("ü", n))
			return tryInit(in)
		}},
		{"reason", 256, "at most 256", func(t *testing.T, n int) error {
			return begin(t, "fast").try(RecoveryRulingRecorded{strings.Repeat("€", n), "a receipt"}, nil)
		}},
		{"receipt", 256, "at most 256", func(t *testing.T, n int) error {
			return begin(t, "fast").try(RecoveryRulingRecorded{"a note", strings.Repeat("𝄞", n)}, nil)
		}},
		{"branch", 256, "at most 256", func(_ *testing.T, n int) error {
			in := initOf("fast")
			in.Branch = strings.Repeat("b", n)
			return tryInit(in)
		}},
		{"base ref", 256, "at most 256", func(_ *testing.T, n int) error {
			in := initOf("fast")
			in.BaseRef = strings.Repeat("b", n)
			return tryInit(in)
		}},
		{"session id", 256, "at most 256", func(t *testing.T, n int) error {
			r := begin(t, "fast").ready()
			r.do(ImplementDispatchIntended{r.intent(tier.Implementer)})
			return r.try(DispatchStarted{strings.Repeat("s", n)}, nil)
		}},
		{"expected outcome", 256, "at most 256", tryIntent(func(in *Intent, n int) { in.ExpectedOutcome = strings.Repeat("o", n) })},
		{"prompt", 384 << 10, "at most 393216", tryIntent(func(in *Intent, n int) { in.RenderedPrompt = Blob(strings.Repeat("p", n)) })},
		{"bootstrap", 384 << 10, "at most 393216", tryIntent(func(in *Intent, n int) { in.Bootstrap = Blob(strings.Repeat("p", n)) })},
		{"path of an intent", 4096, "at most 4096", tryIntent(func(in *Intent, n int) { in.BriefPath = pathOf("/w/.git-sdd/run/", n) })},
		{"worktree", 4096, "at most 4096", func(_ *testing.T, n int) error {
			in := initOf("fast")
			in.Worktree = pathOf("/", n)
			return tryInit(in)
		}},
		{"path of a ruling", 4096, "at most 4096", func(t *testing.T, n int) error {
			r := rulingRun(t)
			return r.try(RulingRecorded{Ruling{Decision: "widen", Reason: "because", DispatchKey: r.key(), Paths: []string{pathOf("", n)}}}, nil)
		}},
		{"note of a concern", 256, "at most 256", func(t *testing.T, n int) error {
			r := begin(t, "fast").ready().implemented()
			return r.try(ImplementerStatusRecorded{Work{Status: StatusDoneWithConcerns, Concerns: []Concern{{"scope", strings.Repeat("n", n)}}}}, nil)
		}},
		{"finding id", 64, "1 to 64", tryFinding(func(f *Finding, n int) { f.ID = strings.Repeat("F", n) })},
		{"finding summary", 256, "at most 256", tryFinding(func(f *Finding, n int) { f.Summary = strings.Repeat("ü", n) })},
		{"finding location", 1024, "at most 1024", tryFinding(func(f *Finding, n int) { f.Location = Opt(strings.Repeat("l", n)) })},
		{"location in bytes", 512, "at most 1024", tryFinding(func(f *Finding, n int) { f.Location = Opt(strings.Repeat("ü", n)) })},
		{"verdict location", 1024, "at most 1024", tryVerdict(func(v *Verdict, n int) { v.Location = strings.Repeat("l", n) })},
		{"verdict evidence", 256, "at most 256", tryVerdict(func(v *Verdict, n int) { v.Evidence = strings.Repeat("e", n) })},
		{"evidence of a resolution", 256, "at most 256", func(t *testing.T, n int) error {
			r := begin(t, "fast").ready().reviewed("T1:F-1 Minor").rereviewing()
			r.do(RereviewFinished{r.review().judging("STILL_PRESENT", "T1:F-1")})
			return r.try(TaskParkRulingRecorded{"it may stay", []Resolution{{"T1:F-1", "parked", strings.Repeat("e", n)}}}, nil)
		}},
		{"findings of one review", 256, "256 findings", func(t *testing.T, n int) error {
			r := begin(t, "fast").ready().reviewing()
			return r.try(TaskReviewFinished{r.review(findingsUpTo(0, n)...)}, nil)
		}},
		{"findings of the run", 256, "256 findings", func(t *testing.T, n int) error {
			r := begin(t, "fast").ready().reviewed(specs(200)...).rereviewing()
			rev := r.review(findingsUpTo(200, n)...)
			for _, f := range r.s.view.Findings {
				rev = rev.judging(Resolved, f.ID)
			}
			return r.try(RereviewFinished{rev}, nil)
		}},
		{"rulings", 256, "256 rulings", func(t *testing.T, n int) (err error) {
			s := begin(t, "fast").s
			for i := range n {
				ruling := RulingRecorded{Ruling{Decision: "contracts", Reason: "newer", Blob: Opt(digestB)}}
				if s, err = Apply(s, Input{At: instant(i), Event: ruling}); err != nil {
					return err
				}
			}
			return nil
		}},
		{"recorded file", 64 << 10, "at most 65536", func(_ *testing.T, n int) error {
			frame := len(`{"type":"plan-invalid","reason":""}`)
			_, err := DecodeRecord([]byte(`{"type":"plan-invalid","reason":"` + strings.Repeat("r", n-frame) + `"}`))
			return err
		}},
		{"context attempts", 2, "2 context attempts", func(t *testing.T, n int) error {
			r := begin(t, "fast").ready().implemented()
			for i := range n {
				r.do(ImplementerStatusRecorded{Work{Status: StatusNeedsContext, Reason: "what is it"}})
				if i < maxContext {
					r.refuse(ContextLimitReached{"it did not help"}, fmt.Sprintf("had %d of its 2", i))
				}
				if err := r.try(ContextDispatchIntended{r.intent(tier.Implementer)}, nil); err != nil {
					r.do(ContextLimitReached{"it did not help"}).in(TaskBlocked)
					return err
				}
				r.start().do(ImplementerFinished{r.report()})
			}
			return nil
		}},
	} {
		t.Run(b.name, func(t *testing.T) {
			if err := b.try(t, b.limit); err != nil {
				t.Errorf("%d: %v", b.limit, err)
			}
			if err := b.try(t, b.limit+1); err == nil || !strings.Contains(err.Error(), b.reason) {
				t.Errorf("%d: %v, want a refusal for %q", b.limit+1, err, b.reason)
			}
		})
	}
}

func tryInit(in Init) error {
	s, err := New(in, instant(0))
	if err != nil {
		return err
	}
	return checkStoredState(s)
}

// pathOf returns a normalized path of n bytes.
func pathOf(root string, n int) string { return root + strings.Repeat("p", n-len(root)) }

func tryIntent(change func(*Intent, int)) func(*testing.T, int) error {
	return func(t *testing.T, n int) error {
		r := begin(t, "fast").ready()
		in := r.intent(tier.Implementer)
		change(&in, n)
		return r.try(ImplementDispatchIntended{in}, nil)
	}
}

func tryFinding(change func(*Finding, int)) func(*testing.T, int) error {
	return func(t *testing.T, n int) error {
		r := begin(t, "fast").ready().reviewing()
		f := found("T1:F-1 Minor")
		change(&f[0], n)
		return r.try(TaskReviewFinished{r.review(f...)}, nil)
	}
}

func tryVerdict(change func(*Verdict, int)) func(*testing.T, int) error {
	return func(t *testing.T, n int) error {
		r := begin(t, "fast").ready().reviewed("T1:F-1 Minor").rereviewing()
		rev := r.review().judging(Resolved, "T1:F-1")
		change(&rev.Verdicts[0], n)
		return r.try(RereviewFinished{rev}, nil)
	}
}

func findingsUpTo(from, n int) []Finding { return found(specs(n)[from:]...) }

func specs(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("T1:F-%d Minor", i+1))
	}
	return list
}

// The longest key of a run whose ids have their fixed length stays far below
// the bound, so the bound is tested where it stands.
func TestBoundOfADispatchKey(t *testing.T) {
	if err := checkKey("dispatchKey", strings.Repeat("k", MaxKey)); err != nil {
		t.Error(err)
	}
	if err := checkKey("dispatchKey", strings.Repeat("k", MaxKey+1)); err == nil {
		t.Error("a key of 241 bytes is taken")
	}
	if key := DispatchKey(digestA, MaxTasks, tier.Fixer, maxInteger, tier.MaxRounds); len(key) > MaxKey {
		t.Errorf("a composed key has %d bytes", len(key))
	}
}

// fullState returns a state whose stored form has exactly n bytes. It stands
// where a review asks for changes, so that both ways on are there.
func fullState(t *testing.T, n int) *run {
	r := rulingRun(t)
	r.do(RereviewDispatchIntended{r.intent(tier.ReReviewer)}).start()
	r.do(RereviewFinished{r.review().judging("STILL_PRESENT", "T1:F-1")})
	s := r.s
	long := pathOf("", MaxPath)
	for len(EncodeState(s)) < n-2*MaxPath-1024 {
		left := n - 2*MaxPath - 1024 - len(EncodeState(s))
		var paths []string
		for range max(1, min(left/MaxPath, 50)) {
			paths = append(paths, long)
		}
		s = mustRule(t, s, r.key(), paths)
	}
	frame := len(EncodeState(mustRule(t, s, r.key(), []string{"p"}))) - 1
	rest := n - frame
	paths := []string{pathOf("", min(rest, MaxPath))}
	for rest -= len(paths[0]); rest > 0; rest -= len(paths[len(paths)-1]) + 3 {
		paths = append(paths, pathOf("", min(rest-3, MaxPath)))
	}
	r.s = mustRule(t, s, r.key(), paths)
	if got := len(EncodeState(r.s)); got != n {
		t.Fatalf("the state has %d bytes, not %d", got, n)
	}
	return r
}

func mustRule(t *testing.T, s State, key Opt, paths []string) State {
	t.Helper()
	next, err := Apply(s, Input{At: s.view.UpdatedAt, Event: RulingRecorded{Ruling{Decision: "widen", Reason: "because", DispatchKey: key, Paths: paths}}})
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func TestBoundOfTheState(t *testing.T) {
	s := fullState(t, MaxState).s
	if _, err := DecodeState(EncodeState(s)); err != nil {
		t.Errorf("a state of the full size: %v", err)
	}
	note := Input{At: s.view.UpdatedAt, Event: RecoveryRulingRecorded{"a note", "a receipt"}}
	full, err := Apply(s, note) // one digit of the revision and of the count stay as many
	if err != nil || len(EncodeState(full)) != MaxState {
		t.Errorf("at the bound: %v, %d bytes", err, len(EncodeState(full)))
	}
	ruling := Ruling{Decision: "contracts", Reason: "newer", Blob: Opt(digestB)}
	if _, err := Apply(s, Input{At: s.view.UpdatedAt, Event: RulingRecorded{ruling}}); err == nil || !strings.Contains(err.Error(), "at most 1048576") {
		t.Errorf("past the bound: %v", err)
	}
}

// One byte more than the bound is refused, and no fewer.
func TestBoundOfTheStateIsExact(t *testing.T) {
	s := fullState(t, MaxState-600).s
	key := Opt(s.view.Dispatch.DispatchKey)
	grown := func(n int) Event {
		return RulingRecorded{Ruling{Decision: "widen", Reason: "because", DispatchKey: key, Paths: []string{pathOf("", n)}}}
	}
	one := len(EncodeState(mustRule(t, s, key, []string{"p"})))
	for past := range 2 {
		next, err := Apply(s, Input{At: s.view.UpdatedAt, Event: grown(1 + MaxState - one + past)})
		if (err != nil) != (past == 1) {
			t.Errorf("%d past the bound: %v (%d bytes)", past, err, len(EncodeState(next)))
		}
	}
}

// A run can always end, however large its state is.
func TestAFullStateCanStillEnd(t *testing.T) {
	r := fullState(t, MaxState)
	worst := strings.Repeat("\U0010ffff", MaxText)
	for _, e := range []Event{RunAbandoned{worst}, RereviewBlocked{worst}} {
		next, err := Apply(r.s, Input{At: r.s.view.UpdatedAt, Event: e})
		if err != nil {
			t.Errorf("%T: %v", e, err)
			continue
		}
		data := EncodeState(next)
		if len(data) <= MaxState {
			t.Fatalf("%T leaves %d bytes, which tests nothing", e, len(data))
		}
		if _, err := DecodeState(data); err != nil {
			t.Errorf("%T: %v", e, err)
		}
	}
	for k, exempt := range unbounded {
		name := Kind(k).String()
		if want := name == "run-abandoned" || strings.HasSuffix(name, "-blocked"); k > 0 && exempt != want {
			t.Errorf("%s is bound by the size of the state: %t", name, !exempt)
		}
	}
}

func TestDecodeStateRefusesWhatIsTooLarge(t *testing.T) {
	s := fullState(t, MaxState).s
	s.view.Branch += "x"
	if _, err := DecodeState(EncodeState(s)); err == nil || !strings.Contains(err.Error(), "1048577 bytes, at most 1048576") {
		t.Errorf("a state past its bound: %v", err)
	}
	if _, err := DecodeState(make([]byte, MaxState+endingSlack+1)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("too many bytes: %v", err)
	}
}
