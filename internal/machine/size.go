package machine

import "fmt"

// unbounded holds the events that the bound on the state does not refuse
// (contract: payload rules, at most 256 tasks).
var unbounded = [numKinds]bool{
	KindRunAbandoned: true, KindReviewBlocked: true, KindRereviewBlocked: true, KindFixerBlocked: true,
	KindFinalWorkBlocked: true, KindFinalFixerBlocked: true,
}

// checkSize refuses a transition whose state would not fit into state.json.
// Only a state that might be too large is written out to be measured.
func checkSize(kind Kind, v *View) error {
	if unbounded[kind] || v.sizeAtMost() <= MaxState {
		return nil
	}
	data, err := canonical(v)
	if err != nil {
		return err
	}
	if len(data) > MaxState {
		return fmt.Errorf("the state would have %d bytes, at most %d are allowed", len(data), MaxState)
	}
	return nil
}

// Bytes that canonical JSON spends at most on one element beside its strings:
// member names, numbers, hex of known length, punctuation.
const (
	viewFrame    = 8192
	taskFrame    = 128
	attemptFrame = 32
	findingFrame = 320
	rulingFrame  = 512
	workFrame    = 1024
	reviewFrame  = 1024
)

// sizeAtMost returns a number that the length of state.json does not exceed. It
// is above it by a factor of about two: a byte of a string takes at most two,
// because no recorded string holds a control character.
func (v *View) sizeAtMost() int {
	n := viewFrame + 2*(len(v.PlanPath)+len(v.RepoRoot)+len(v.Worktree)+len(v.RunRoot)+len(v.Branch)+len(v.BaseRef)+len(v.BlockedReason))
	if v.Tool != nil {
		n += 2 * len(v.Tool.Version)
	}
	if d := v.Dispatch; d != nil {
		n += 2 * (len(d.PromptPath) + len(d.ReportPath) + len(d.BriefPath) + len(d.ExpectedOutcome) + len(d.SessionID) + len(d.Model) + len(d.Thinking))
	}
	if v.ReviewOutcome != nil {
		n += 2 * len(v.ReviewOutcome.ReportPath)
	}
	for i := range v.Tasks {
		n += taskFrame + 2*len(v.Tasks[i].Title)
	}
	for key := range v.Attempts {
		n += attemptFrame + len(key)
	}
	for i := range v.Findings {
		f := &v.Findings[i]
		n += findingFrame + len(f.ID) + 2*(len(f.Summary)+len(f.Location)+len(f.Evidence))
	}
	for i := range v.Rulings {
		n += rulingFrame + len(v.Rulings[i].DispatchKey)
		for _, p := range v.Rulings[i].Paths {
			n += 2*len(p) + 3
		}
	}
	return n + v.Evidence.sizeAtMost()
}

func (e *Evidence) sizeAtMost() (n int) {
	for i := range e.Tasks {
		n += e.Tasks[i].sizeAtMost()
	}
	if e.Final != nil {
		n += e.Final.sizeAtMost()
	}
	return n
}

func (w *WorkEvidence) sizeAtMost() int {
	return workFrame + 2*len(w.ImplementerSession) + reviewFrame*len(w.Reviews)
}
