package machine

import (
	"strings"
	"testing"
)

// The estimate must not lie below the size, or a state could be stored that is
// not read any more. Every list is filled alone, so that none hides behind the
// slack of another, with characters that are escaped.
func TestTheEstimateIsNeverTooLow(t *testing.T) {
	quotes := func(n int) string { return strings.Repeat(`"`, n) }
	text := Opt(quotes(MaxText))
	long := "/" + quotes(MaxPath-1)
	for name, fill := range map[string]func(*View){
		"pins": func(v *View) {
			v.PlanPath, v.RepoRoot, v.Worktree, v.RunRoot, v.Branch, v.BaseRef, v.BlockedReason = long, long, long, long, string(text), string(text), text
			v.Tool.Version = string(text)
		},
		"dispatch": func(v *View) {
			d := v.Dispatch
			d.PromptPath, d.ReportPath, d.BriefPath, d.ExpectedOutcome, d.SessionID, d.Model, d.Thinking = long, long, long, string(text), text, text, text
			v.ReviewOutcome.ReportPath = long
		},
		"tasks": func(v *View) {
			for len(v.Tasks) < MaxTasks {
				v.Tasks = append(v.Tasks, InitTask{Number: 256, Title: text, ImplementerTier: "frontier", Audit: false})
			}
		},
		"attempts": func(v *View) {
			for n := range 256 * 11 {
				v.Attempts[attemptsKey(n, 1, 0)] = maxInteger
			}
		},
		"findings": func(v *View) {
			for len(v.Findings) < MaxFindings {
				v.Findings = append(v.Findings, Recorded{
					ID: strings.Repeat("F", MaxID), Task: MaxTasks, Severity: "Important", Summary: string(text), Location: Opt(quotes(MaxLocation)),
					Disposition: "cannot-verify", Verdict: "STILL_PRESENT", Evidence: text,
				})
			}
		},
		"rulings": func(v *View) {
			for len(v.Rulings) < MaxRulings {
				v.Rulings = append(v.Rulings, StoredRuling{
					Revision: maxInteger, Decision: DecisionLeftoversShelve, DispatchKey: Opt(strings.Repeat("k", MaxKey)), Finding: Opt(strings.Repeat("F", MaxID)),
					Paths: []string{long, "p", long, "p"}, Blob: Opt(digestA),
				})
			}
		},
		"evidence": func(v *View) {
			digest := strings.Repeat("a", 64)
			ref := &CommitRef{digest, digest}
			round := 5
			reviews := make([]ReviewEvidence, 2000)
			for i := range reviews {
				reviews[i] = ReviewEvidence{maxInteger, "final-re-reviewer", &round, ref, ref, Opt(digest), "FAIL", "CHANGES_REQUESTED"}
			}
			work := WorkEvidence{ref, ref, Opt(digest), text, reviews}
			v.Evidence.Final = &work
			for len(v.Evidence.Tasks) < MaxTasks {
				v.Evidence.Tasks = append(v.Evidence.Tasks, TaskEvidence{MaxTasks, WorkEvidence{ref, ref, Opt(digest), text, []ReviewEvidence{}}})
			}
		},
	} {
		v := story(t).s.View()
		fill(&v)
		if size, bound := len(EncodeState(State{v})), v.sizeAtMost(); bound < size {
			t.Errorf("%s: %d bytes, estimated %d at most", name, size, bound)
		}
	}
}
