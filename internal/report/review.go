package report

import (
	"github.com/git-sdd/git-sdd/internal/tier"
)

// MaxFindings is the most findings that a run records (contract: bounds).
const MaxFindings = 256

// A ReviewContext is what a review is read against.
type ReviewContext struct {
	Role       tier.Role // TaskReviewer, ReReviewer, Final or FinalReReviewer
	Scope      string    // "T1" or "FINAL": the local id F-2 is T1:F-2
	Asked      []string  // run ids of the open findings to judge: in re-reviews each exactly once, in a final review each at most once
	Known      []Known   // every finding that the ledger has
	Next       int       // the next free number for new findings of the scope; below 1 it counts as 1
	Controlled []string  // run ids that only the controller judges: children neither list nor judge them
	Prompt     string    // the SHA-256 that a PROMPT line must name; "" is not compared

	FileExists func(path string) bool // whether a file is in the judged head or its base; nil knows no file
	InRange    func(path string) bool // whether a file is within the judged range, asked in re-reviews only; nil knows none
}

// A Known is a finding that the ledger has.
type Known struct {
	ID          string // run id
	Severity    string // Critical, Important or Minor
	Disposition string // open, fixed, parked, out-of-scope or cannot-verify
}

// A Review is a report of a task reviewer, re-reviewer, final reviewer or final
// re-reviewer. Every text but the lists at the end is normalised by [OneLine].
type Review struct {
	Spec           string // PASS or FAIL
	Quality        string // APPROVED or CHANGES_REQUESTED
	Verdicts       []Verdict
	Findings       []Finding // the new ones
	Reconciliation []Reconciled

	Observations, Strengths, Recommendations []string // in full, each on one line
}

// A Verdict is a judgement on a recorded finding.
type Verdict struct {
	ID       string // run id
	Verdict  string // RESOLVED, STILL_PRESENT, REGRESSION or NEEDS_CONTEXT
	Location string // "<file>:<line>", "<file>" or "none", at most 1,024 bytes
	Evidence string
}

// A Finding is a new finding.
type Finding struct {
	ID         string // run id
	Severity   string // Critical, Important or Minor
	Summary    string // the report's evidence
	Location   string // "<file>:<line>", "<file>" or "none", at most 1,024 bytes
	Impact     string
	Correction string
	Line       int // where its item begins
}

// A Reconciled is what a final review says of an adjudicated finding.
type Reconciled struct {
	ID                  string // run id
	RecordedDisposition string // as the ledger has it
	StillPresent        bool
	Note                string
}

// A reviewReader reads one review. Beside the review it keeps what the rules
// over several sections need.
type reviewReader struct {
	*document
	ctx        ReviewContext
	review     *Review
	known      map[string]Known
	controlled map[string]bool
	files      map[string]bool // what FileExists answered
	nextFree   string          // the local id to suggest for a new finding

	unresolved  int      // verdicts other than RESOLVED
	heavy       []string // the unresolved verdicts on load-bearing findings, and the load-bearing findings
	critical    bool     // a Critical finding is among the new ones
	uncertain   bool     // a finding or verdict has a defect of form, so that these may be too few
	newFindings int      // items under FINDINGS, whole or not
}

// ParseReview reads the report of a reviewer of any of the four roles. It
// returns either the review or everything that is wrong with it in the order
// of the lines, never both (contract: reports that children write).
func ParseReview(data []byte, c ReviewContext) (*Review, []Defect) {
	doc, ok := readDocument(data, kindOfRole(c.Role))
	if !ok {
		return nil, doc.sorted()
	}
	r := newReviewReader(doc, c)
	r.checkPrompt(c.Prompt)
	for _, l := range []label{labelSpec, labelQuality, labelFindings} {
		r.need(l, 1, "")
	}
	r.checkLists()
	r.review.Spec = r.token(labelSpec)
	r.review.Quality = r.token(labelQuality)
	r.readFindings()
	r.readVerdicts()
	r.readReconciliation()
	r.review.Observations = r.texts(labelObservations)
	r.review.Strengths = r.texts(labelStrengths)
	r.review.Recommendations = r.texts(labelRecommendations)
	r.uncertain = r.uncertain || r.hidden(labelFindings) || r.has(labelVerdicts) && r.hidden(labelVerdicts)
	r.checkAxes()
	if len(r.defects) > 0 {
		return nil, r.sorted()
	}
	return r.review, nil
}

func newReviewReader(doc *document, c ReviewContext) *reviewReader {
	r := &reviewReader{
		document: doc, ctx: c, review: &Review{},
		known: map[string]Known{}, controlled: map[string]bool{}, files: map[string]bool{},
	}
	r.ctx.Next = max(c.Next, 1)
	for _, k := range c.Known {
		r.known[k.ID] = k
	}
	for _, id := range c.Controlled {
		r.controlled[id] = true
	}
	return r
}

// kindOfRole returns the kind of report that a role writes. A role that writes
// none has none, and every label is then out of place.
func kindOfRole(role tier.Role) audience {
	if int(role) >= len(kindOf) {
		return 0
	}
	return kindOf[role]
}

// rereview reports whether the review judges a set of findings and their fix.
func (r *reviewReader) rereview() bool {
	return r.ctx.Role == tier.ReReviewer || r.ctx.Role == tier.FinalReReviewer
}

// loadBearing reports whether a severity asks for work (contract: payload rules).
func loadBearing(severity string) bool { return severity == "Critical" || severity == "Important" }
