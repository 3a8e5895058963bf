package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// Reviews that are right; the rows below change one thing in one of them.
const (
	cleanReview = `SPEC: PASS
QUALITY: APPROVED
FINDINGS: none
`
	badReview = `SPEC: FAIL
QUALITY: CHANGES_REQUESTED
FINDINGS:
- id: F-1
  severity: Important
  loadBearing: yes
  location: a.go:12
  evidence: line 12 swallows the error
  impact: a broken file counts as read
  correction: return the error
`
	rereview = `SPEC: PASS
QUALITY: APPROVED
VERDICTS:
- id: T1:F-1
  verdict: RESOLVED
  location: a.go:12
  evidence: line 12 returns the error
- id: T1:F-2
  verdict: STILL_PRESENT
  location: none
  evidence: the name is as it was
FINDINGS: none
`
	finalReview = `SPEC: PASS
QUALITY: APPROVED
FINDINGS: none
LEDGER RECONCILIATION:
- id: T1:F-1
  recordedDisposition: fixed
  stillPresent: no
  note: line 12 returns the error
- id: T2:F-1
  recordedDisposition: parked
  stillPresent: yes
  note: the name is as it was
`
	newMinor = `FINDINGS:
- id: F-3
  severity: Minor
  loadBearing: no
  location: a.go
  evidence: the comment is stale
  impact: readers are misled
  correction: delete it
`
	newCritical = `FINDINGS:
- id: F-3
  severity: Critical
  loadBearing: yes
  location: caller.go:7
  evidence: the caller panics now
  impact: the program ends
  correction: check for nil
`
)

// files are those of the judged head and its base; ranged those of the range.
var (
	files  = []string{"a.go", "b.go", "caller.go", "dir/c.go", "odd:7", "both", "both:7", "two  blanks.txt"}
	ranged = []string{"a.go", "b.go", "both"}
)

func within(list []string) func(string) bool {
	return func(path string) bool { return slices.Contains(list, path) }
}

// The contexts of the four roles: T1:F-1 (Important) and T1:F-2 (Minor) are what
// a re-review judges; a final review finds them decided, and T2:F-2 open.
var (
	taskContext = ReviewContext{Role: tier.TaskReviewer, Scope: "T1", Next: 1, Prompt: sha, FileExists: within(files)}
	reContext   = ReviewContext{
		Role: tier.ReReviewer, Scope: "T1", Next: 3, Prompt: sha, FileExists: within(files), InRange: within(ranged),
		Asked: []string{"T1:F-1", "T1:F-2"}, Controlled: []string{"T1:GATE-test-1"},
		Known: []Known{{"T1:F-1", "Important", "open"}, {"T1:F-2", "Minor", "open"}, {"T1:GATE-test-1", "Critical", "open"}, {"T0:F-1", "Minor", "open"}, {"T0:F-2", "Important", "fixed"}},
	}
	finalContext = ReviewContext{
		Role: tier.Final, Scope: "FINAL", Next: 1, FileExists: within(files),
		Asked: []string{"T2:F-2"}, Controlled: []string{"T1:GATE-test-1"},
		Known: []Known{{"T1:F-1", "Important", "fixed"}, {"T2:F-1", "Minor", "parked"}, {"T2:F-2", "Minor", "open"}, {"T1:GATE-test-1", "Critical", "fixed"}},
	}
	finalReContext = ReviewContext{
		Role: tier.FinalReReviewer, Scope: "FINAL", Next: 2, FileExists: within(files), InRange: within(ranged),
		Asked: []string{"FINAL:F-1", "T2:F-2"},
		Known: []Known{{"FINAL:F-1", "Critical", "open"}, {"T2:F-2", "Minor", "open"}, {"T1:F-1", "Important", "fixed"}},
	}
)

// A reviewRow changes one text of a review ("" appends) and says which defects
// follow; none means that the review is read.
type reviewRow struct {
	name     string
	ctx      ReviewContext
	report   string
	old, new string
	want     []string
}

var reviewRows = []reviewRow{
	{"clean", taskContext, cleanReview, "", "", nil},
	{"bad", taskContext, badReview, "", "", nil},
	{"re-review", reContext, rereview, "", "", nil},
	{"final", finalContext, finalReview, "", "", nil},

	// The axes are exact, required and independent.
	{"no spec", taskContext, cleanReview, "SPEC: PASS\n", "", []string{"1 label-missing"}},
	{"no quality", taskContext, cleanReview, "QUALITY: APPROVED\n", "", []string{"1 label-missing"}},
	{"no findings", taskContext, cleanReview, "FINDINGS: none\n", "", []string{"1 label-missing"}},
	{"spec in another case", taskContext, cleanReview, "PASS", "Pass", []string{"1 token"}},
	{"quality with notes", taskContext, cleanReview, "APPROVED", "APPROVED_WITH_NOTES", []string{"2 token"}},
	{"quality, cannot be approved until", taskContext, cleanReview, "APPROVED", "BLOCKED, cannot be APPROVED until", []string{"2 token"}},
	{"only the spec is bad", taskContext, badReview, "CHANGES_REQUESTED", "APPROVED", nil},
	{"only the quality is bad", taskContext, badReview, "SPEC: FAIL", "SPEC: PASS", nil},

	// FINDINGS: items, or none.
	{"findings none in another case", taskContext, cleanReview, "none", "None", []string{"3 label-inline"}},
	{"label of findings in another case", taskContext, cleanReview, "FINDINGS: none", "Findings: None", []string{"1 label-missing", "3 label-form"}},
	{"label of findings in another case, none", taskContext, cleanReview, "FINDINGS: none", "**Findings:** none", []string{"3 label-form"}},
	{"bad axes beside findings on the label's line", taskContext, cleanReview, "SPEC: PASS\nQUALITY: APPROVED\nFINDINGS: none", "SPEC: FAIL\nQUALITY: APPROVED\nFINDINGS: a.go is wrong", []string{"3 label-inline"}},
	{"findings empty", taskContext, cleanReview, " none", "", []string{"3 list-empty"}},
	{"findings none as an item", taskContext, cleanReview, " none", "\n- none", []string{"4 item-form"}},
	{"findings none below", taskContext, cleanReview, " none", "\nnone", []string{"3 list-empty", "4 line-stray"}},
	{"findings none and one", taskContext, badReview, "FINDINGS:", "FINDINGS: none", []string{"3 list-none"}},
	{"findings none and one after text", taskContext, cleanReview, "", "\nBut then:\n- id: F-1\n", []string{"6 record-stray"}},
	{"findings in a fence", taskContext, badReview, "FINDINGS:\n", "```\nFINDINGS:\n```\n", []string{"1 label-missing", "6 record-stray"}},
	{"finding in another list style", taskContext, badReview, "- id", "* id", []string{"4 item-marker"}},
	{"bold fields", taskContext, badReview, "  impact:", "  **impact:**", []string{"9 field-form"}},
	{"finding without an id", taskContext, badReview, "- id: F-1\n  severity", "- severity", []string{"4 field-missing"}},
	{"finding without a severity", taskContext, badReview, "  severity: Important\n", "", []string{"4 field-missing"}},
	{"finding without loadBearing", taskContext, badReview, "  loadBearing: yes\n", "", []string{"4 field-missing"}},
	{"finding without a location", taskContext, badReview, "  location: a.go:12\n", "", []string{"4 field-missing"}},
	{"finding without evidence", taskContext, badReview, "  evidence: line 12 swallows the error\n", "", []string{"4 field-missing"}},
	{"finding without impact", taskContext, badReview, "  impact: a broken file counts as read\n", "", []string{"4 field-missing"}},
	{"finding without a correction", taskContext, badReview, "  correction: return the error\n", "", []string{"4 field-missing"}},
	{"report broken off", taskContext, badReview, " swallows the error\n  impact: a broken file counts as read\n  correction: return the error\n", "", []string{"4 field-missing", "4 field-missing"}},
	{"severity in another case", taskContext, badReview, "Important", "important", []string{"5 token"}},
	{"a severity that is none", taskContext, badReview, "Important", "Major", []string{"5 token"}},
	{"loadBearing that is none", taskContext, badReview, "loadBearing: yes", "loadBearing: true", []string{"6 token"}},
	{"loadBearing no beside Important", taskContext, badReview, "loadBearing: yes", "loadBearing: no", []string{"6 load-bearing"}},
	{"loadBearing yes beside Minor", taskContext, badReview, "Important", "Minor", []string{"6 load-bearing"}},
	{"Critical is load-bearing", taskContext, badReview, "Important", "Critical", nil},
	{"loadBearing in another case", taskContext, badReview, "loadBearing", "loadbearing", []string{"6 field-form"}},
	{"evidence over several lines", taskContext, badReview, "line 12 swallows the error", "line 12\n\n    swallows\n    it", nil},
	{"evidence with a fence", taskContext, badReview, "line 12 swallows the error", "see\n    ```\n    impact: nil\n    ```", nil},
	{"evidence of control characters", taskContext, badReview, "line 12 swallows", "line \x1b[1m12 swallows", []string{"8 control-character"}},
	{"evidence that begins as a trailer", taskContext, badReview, "evidence: ", "evidence: Sdd-Phase: ", []string{"8 text"}},
	{"impact that cannot be recorded", taskContext, badReview, "a broken", "a\u2029broken", []string{"9 control-character"}},
	{"correction that cannot be recorded", taskContext, badReview, "correction: ", "correction: ---", []string{"10 text"}},

	// Ids are local, free, and each there once.
	{"run id of a new finding", taskContext, badReview, "id: F-1", "id: T1:F-1", []string{"4 finding-id"}},
	{"id of another task", taskContext, badReview, "id: F-1", "id: T2:F-1", []string{"4 finding-id"}},
	{"id without a hyphen", taskContext, badReview, "id: F-1", "id: F1", []string{"4 finding-id"}},
	{"id with a zero", taskContext, badReview, "id: F-1", "id: F-01", []string{"4 finding-id"}},
	{"id zero", taskContext, badReview, "id: F-1", "id: F-0", []string{"4 finding-id"}},
	{"id too high", taskContext, badReview, "id: F-1", "id: F-10000", []string{"4 finding-id"}},
	{"id that skips", taskContext, badReview, "id: F-1", "id: F-9999", nil},
	{"id twice", taskContext, badReview + strings.TrimPrefix(newMinor, "FINDINGS:\n"), "F-3", "F-1", []string{"11 finding-repeated"}},
	{"recorded id", reContext, rereview, "FINDINGS: none\n", strings.Replace(newMinor, "F-3", "F-1", 1), []string{"13 finding-recorded"}},
	{"recorded run id", reContext, rereview, "FINDINGS: none\n", strings.Replace(newMinor, "F-3", "T1:F-2", 1), []string{"13 finding-recorded"}},
	{"recorded id of another task", reContext, rereview, "FINDINGS: none\n", strings.Replace(newMinor, "F-3", "T0:F-2", 1), []string{"13 finding-recorded"}},
	{"recorded id, written again with its severity", reContext, rereview, "FINDINGS: none\n", strings.Replace(newMinor, "F-3", "F-2", 1), []string{"13 finding-recorded"}},
	{"a number below the next free one", ReviewContext{Role: tier.TaskReviewer, Scope: "T1", Next: 4, FileExists: within(files)}, badReview, "", "", []string{"4 finding-number"}},
	{"the controller's finding", taskContext, badReview, "id: F-1", "id: T1:GATE-test-1", []string{"4 finding-controlled"}},
	{"the controller's kind of finding", taskContext, badReview, "id: F-1", "id: GUARD-1", []string{"4 finding-controlled"}},

	// Locations.
	{"a file without a line", taskContext, badReview, "a.go:12", "dir/c.go", nil},
	{"no file", taskContext, badReview, "a.go:12", "none", nil},
	{"a file with a colon and a number", taskContext, badReview, "a.go:12", "odd:7", nil},
	{"a file with two blanks", taskContext, badReview, "a.go:12", "two  blanks.txt:3", nil},
	{"a file that does not exist", taskContext, badReview, "a.go:12", "z.go:12", []string{"7 location-missing"}},
	{"a range of lines", taskContext, badReview, "a.go:12", "a.go:12-14", []string{"7 location-missing"}},
	{"line zero", taskContext, badReview, "a.go:12", "a.go:0", []string{"7 location-missing"}},
	{"a location in code type", taskContext, badReview, "a.go:12", "`a.go:12`", []string{"7 location-missing"}},
	{"an absolute location", taskContext, badReview, "a.go:12", "/repo/a.go:12", []string{"7 location-absolute"}},
	{"an absolute location of Windows", taskContext, badReview, "a.go:12", `C:\repo\a.go:12`, []string{"7 location-absolute"}},
	{"an escaping location", taskContext, badReview, "a.go:12", "../a.go:12", []string{"7 location-escapes"}},
	{"an escaping location inside", taskContext, badReview, "a.go:12", "dir/../../a.go", []string{"7 location-escapes"}},
	{"an escaping location with backslashes", taskContext, badReview, "a.go:12", `dir\..\a.go`, []string{"7 location-escapes"}},
	{"a location with a dot", taskContext, badReview, "a.go:12", "./a.go:12", []string{"7 location-form"}},
	{"a location with a control character", taskContext, badReview, "a.go:12", "a\tb.go:12", []string{"7 location-form"}},
	{"a location that goes on", taskContext, badReview, "a.go:12", "a.go:12\n    and b.go", []string{"8 field-unknown"}},
	{"a verdict's location", reContext, rereview, "location: a.go:12", "location: z.go:12", []string{"6 location-missing"}},

	// FAIL or CHANGES_REQUESTED needs a finding or an unresolved verdict.
	{"bad spec without a finding", taskContext, cleanReview, "PASS", "FAIL", []string{"1 axes-bad"}},
	{"bad quality without a finding", taskContext, cleanReview, "APPROVED", "CHANGES_REQUESTED", []string{"2 axes-bad"}},
	{"bad quality for a Minor", taskContext, strings.Replace(badReview, "Important\n  loadBearing: yes", "Minor\n  loadBearing: no", 1), "", "", nil},
	{"final, bad quality without anything", finalContext, finalReview, "APPROVED", "CHANGES_REQUESTED", []string{"2 axes-bad"}},
	{"final, bad quality for an unresolved Minor", finalContext, finalReview, "QUALITY: APPROVED\n", "QUALITY: CHANGES_REQUESTED\nVERDICTS:\n- id: T2:F-2\n  verdict: STILL_PRESENT\n  location: a.go\n  evidence: x\n", nil},
	{"final, bad quality for a resolved Minor", finalContext, finalReview, "QUALITY: APPROVED\n", "QUALITY: CHANGES_REQUESTED\nVERDICTS:\n- id: T2:F-2\n  verdict: RESOLVED\n  location: a.go\n  evidence: x\n", []string{"2 axes-bad"}},

	// PASS with APPROVED beside what is load-bearing.
	{"good axes beside an Important", taskContext, strings.Replace(badReview, "CHANGES_REQUESTED", "APPROVED", 1), "FAIL", "PASS", []string{"1 axes-good"}},
	{"good axes beside a Minor", taskContext, cleanReview, "FINDINGS: none\n", strings.Replace(newMinor, "F-3", "F-1", 1), nil},
	{"good axes beside an unresolved Important", reContext, rereview, "RESOLVED", "REGRESSION", []string{"1 axes-good"}},
	{"good axes beside an Important without a verdict's word", reContext, rereview, "RESOLVED", "NEEDS_CONTEXT", []string{"1 axes-good"}},
	{"good axes beside a new Critical", reContext, rereview, "FINDINGS: none\n", newCritical, []string{"1 axes-good"}},

	// VERDICTS by role.
	{"verdicts in a task review", taskContext, cleanReview, "", "VERDICTS: none\n", []string{"4 label-role"}},
	{"verdicts by local ids", reContext, strings.Replace(rereview, "T1:F-1", "F-1", 1), "T1:F-2", "F-2", nil},
	{"a verdict is left out", reContext, rereview, "- id: T1:F-2\n  verdict: STILL_PRESENT\n  location: none\n  evidence: the name is as it was\n", "", []string{"3 verdict-missing"}},
	{"all verdicts are left out", reContext, cleanReview, "", "", []string{"1 label-missing", "1 verdict-missing", "1 verdict-missing"}},
	{"verdicts none where some are asked for", reContext, cleanReview, "", "VERDICTS: none\n", []string{"4 verdict-missing", "4 verdict-missing"}},
	{"verdicts none where none is asked for", ReviewContext{Role: tier.ReReviewer, Scope: "T1"}, cleanReview, "", "VERDICTS: none\n", nil},
	{"no verdicts where none is asked for", ReviewContext{Role: tier.ReReviewer, Scope: "T1"}, cleanReview, "", "", nil},
	{"no verdicts where only the controller's are open", ReviewContext{Role: tier.ReReviewer, Scope: "T1", Asked: []string{"T1:GATE-a-1"}, Controlled: []string{"T1:GATE-a-1"}}, cleanReview, "", "", nil},
	{"a repeated verdict", reContext, rereview, "T1:F-2", "F-1", []string{"3 verdict-missing", "8 verdict-repeated"}},
	{"a verdict on an unknown finding", reContext, rereview, "FINDINGS:", "- id: T1:F-9\n  verdict: RESOLVED\n  location: none\n  evidence: x\nFINDINGS:", []string{"12 verdict-unknown"}},
	{"a verdict on another task's finding", reContext, rereview, "FINDINGS:", "- id: T0:F-1\n  verdict: RESOLVED\n  location: none\n  evidence: x\nFINDINGS:", []string{"12 verdict-unasked"}},
	{"a verdict on a fixed finding", reContext, rereview, "FINDINGS:", "- id: T0:F-2\n  verdict: REGRESSION\n  location: none\n  evidence: x\nFINDINGS:", []string{"12 verdict-unasked"}},
	{"a verdict on the controller's finding", reContext, rereview, "FINDINGS:", "- id: T1:GATE-test-1\n  verdict: RESOLVED\n  location: none\n  evidence: x\nFINDINGS:", []string{"12 finding-controlled"}},
	{"a verdict on a finding that is the controller's by its list", ReviewContext{Role: tier.ReReviewer, Scope: "T1", Asked: []string{"T1:F-1"}, Controlled: []string{"T1:F-1"}, FileExists: within(files)}, cleanReview, "", "VERDICTS:\n- id: F-1\n  verdict: RESOLVED\n  location: none\n  evidence: x\n", []string{"5 finding-controlled"}},
	{"a verdict in another case", reContext, rereview, "STILL_PRESENT", "still_present", []string{"9 token"}},
	{"a verdict without evidence", reContext, rereview, "\n  evidence: the name is as it was", "", []string{"8 field-missing"}},
	{"a verdict without a location", reContext, rereview, "\n  location: none", "", []string{"8 field-missing"}},
	{"a verdict whose evidence cannot be recorded", reContext, rereview, "the name is", "the\u0085name is", []string{"11 control-character"}},
	{"final, verdict on an open finding", finalContext, finalReview, "FINDINGS:", "VERDICTS:\n- id: T2:F-2\n  verdict: RESOLVED\n  location: none\n  evidence: x\nFINDINGS:", nil},
	{"final, verdict on a fixed finding", finalContext, finalReview, "FINDINGS:", "VERDICTS:\n- id: T1:F-1\n  verdict: RESOLVED\n  location: none\n  evidence: x\nFINDINGS:", []string{"4 verdict-unasked"}},
	{"final, a repeated verdict", finalContext, finalReview, "FINDINGS:", "VERDICTS:\n- id: T2:F-2\n  verdict: RESOLVED\n  location: none\n  evidence: x\n- id: T2:F-2\n  verdict: RESOLVED\n  location: none\n  evidence: x\nFINDINGS:", []string{"8 verdict-repeated"}},
	{"final re-review by a local id", finalReContext, strings.Replace(rereview, "T1:F-1", "F-1", 1), "T1:F-2", "T2:F-2", nil},
	{"final re-review of another task's local id", finalReContext, strings.Replace(rereview, "T1:F-1", "FINAL:F-1", 1), "T1:F-2", "F-2", []string{"3 verdict-missing", "8 verdict-unknown"}},

	// Re-reviews.
	{"new Minor inside the range", reContext, rereview, "FINDINGS: none\n", newMinor, nil},
	{"new Minor outside the range", reContext, strings.Replace(rereview, "FINDINGS: none\n", newMinor, 1), "location: a.go\n", "location: dir/c.go:2\n", []string{"16 minor-outside"}},
	{"new Minor in a line of a file, not in the file of that name", reContext, strings.Replace(rereview, "FINDINGS: none\n", newMinor, 1), "location: a.go\n", "location: both:7\n", nil},
	{"new Minor in no file", reContext, strings.Replace(rereview, "FINDINGS: none\n", newMinor, 1), "location: a.go\n", "location: none\n", nil},
	{"new Minor outside the range, final", finalReContext, strings.NewReplacer("T1:F-1", "FINAL:F-1", "T1:F-2", "T2:F-2", "FINDINGS: none\n", newMinor).Replace(rereview), "location: a.go\n", "location: caller.go\n", []string{"16 minor-outside"}},
	{"new Critical outside the range", reContext, strings.Replace(rereview, "FINDINGS: none\n", newCritical, 1), "SPEC: PASS", "SPEC: FAIL", nil},
	{"Minor outside a range that only re-reviews have", taskContext, cleanReview, "FINDINGS: none\n", strings.NewReplacer("F-3", "F-1", "a.go", "dir/c.go").Replace(newMinor), nil},
	{"changes requested for a Minor still present", reContext, rereview, "QUALITY: APPROVED", "QUALITY: CHANGES_REQUESTED", []string{"2 axes-bad"}},
	{"changes requested for a new Minor", reContext, strings.Replace(rereview, "FINDINGS: none\n", newMinor, 1), "SPEC: PASS", "SPEC: FAIL", []string{"1 axes-bad"}},
	{"changes requested for a finding of no severity", reContext, strings.NewReplacer("SPEC: PASS", "SPEC: FAIL", "FINDINGS: none\n", newCritical).Replace(rereview), "severity: Critical", "severity: critical", []string{"14 token"}},
	{"changes requested for a verdict of no word", reContext, strings.Replace(rereview, "SPEC: PASS", "SPEC: FAIL", 1), "RESOLVED", "resolved", []string{"5 token"}},
	{"changes requested for an unresolved Important", reContext, strings.Replace(rereview, "RESOLVED", "STILL_PRESENT", 1), "SPEC: PASS", "SPEC: FAIL", nil},
	{"final re-review, changes for a Minor", finalReContext, strings.NewReplacer("T1:F-1", "F-1", "T1:F-2", "T2:F-2").Replace(rereview), "SPEC: PASS", "SPEC: FAIL", []string{"1 axes-bad"}},

	// LEDGER RECONCILIATION.
	{"reconciliation in a task review", taskContext, cleanReview, "", "LEDGER RECONCILIATION: none\n", []string{"4 label-role"}},
	{"reconciliation in a re-review", reContext, rereview, "", "LEDGER RECONCILIATION: none\n", []string{"13 label-role"}},
	{"reconciliation in a final re-review", finalReContext, strings.NewReplacer("T1:F-1", "F-1", "T1:F-2", "T2:F-2").Replace(rereview), "", "LEDGER RECONCILIATION: none\n", []string{"13 label-role"}},
	{"no reconciliation where there is something", finalContext, cleanReview, "", "", []string{"1 reconciliation-missing", "1 reconciliation-missing"}},
	{"reconciliation none where there is something", finalContext, cleanReview, "", "LEDGER RECONCILIATION: none\n", []string{"4 reconciliation-missing", "4 reconciliation-missing"}},
	{"no reconciliation where there is nothing", ReviewContext{Role: tier.Final, Scope: "FINAL"}, cleanReview, "", "", nil},
	{"reconciliation none where there is nothing", ReviewContext{Role: tier.Final, Scope: "FINAL"}, cleanReview, "", "LEDGER RECONCILIATION: none\n", nil},
	{"one is not reconciled", finalContext, finalReview, "- id: T2:F-1\n  recordedDisposition: parked\n  stillPresent: yes\n  note: the name is as it was\n", "", []string{"4 reconciliation-missing"}},
	{"one is reconciled twice", finalContext, finalReview, "T2:F-1", "T1:F-1", []string{"4 reconciliation-missing", "9 reconciliation-repeated"}},
	{"another disposition than recorded", finalContext, finalReview, "parked", "fixed", []string{"10 reconciliation-disposition"}},
	{"a disposition that is none", finalContext, finalReview, "parked", "open", []string{"10 token"}},
	{"an unknown finding is reconciled", finalContext, finalReview, "", "- id: T9:F-1\n  recordedDisposition: fixed\n  stillPresent: no\n  note: x\n", []string{"13 reconciliation-unknown"}},
	{"an open finding is reconciled", finalContext, finalReview, "", "- id: T2:F-2\n  recordedDisposition: fixed\n  stillPresent: no\n  note: x\n", []string{"13 reconciliation-open"}},
	{"the controller's finding may be reconciled", finalContext, finalReview, "", "- id: T1:GATE-test-1\n  recordedDisposition: fixed\n  stillPresent: no\n  note: x\n", nil},
	{"stillPresent that is none", finalContext, finalReview, "stillPresent: no", "stillPresent: perhaps", []string{"7 token"}},
	{"note that cannot be recorded", finalContext, finalReview, "the name", "the\u0080name", []string{"12 control-character"}},
	{"fixed and still present alone", finalContext, finalReview, "stillPresent: no", "stillPresent: yes", []string{"7 reconciliation-critical"}},
	{"fixed and still present beside a Critical", finalContext, strings.NewReplacer("FINDINGS: none\n", newCritical, "PASS", "FAIL").Replace(finalReview), "stillPresent: no", "stillPresent: yes", nil},
	{"fixed and still present beside a Minor", finalContext, strings.NewReplacer("FINDINGS: none\n", newMinor).Replace(finalReview), "stillPresent: no", "stillPresent: yes", []string{"14 reconciliation-critical"}},
	{"an item of no fields", finalContext, finalReview, "", "- T9:F-1 is fine\n", []string{"13 item-form"}},

	// The optional lists.
	{"optional lists", taskContext, cleanReview, "", "OBSERVATIONS:\n- o\nSTRENGTHS:\n- s\nRECOMMENDATIONS:\n- r\n", nil},
	{"optional lists none", taskContext, cleanReview, "", "OBSERVATIONS: none\nSTRENGTHS: none\nRECOMMENDATIONS: none\n", nil},
	{"empty optional list", taskContext, cleanReview, "", "STRENGTHS:\n", []string{"4 list-empty"}},

	// Labels of the other kind of report.
	{"changes in a review", taskContext, cleanReview, "", "CHANGES:\n- a.go: x\n", []string{"4 label-role"}},
	{"status in a review", reContext, rereview, "", "STATUS: DONE\n", []string{"13 label-role"}},
	{"concerns in a review", finalContext, finalReview, "", "CONCERNS:\n- kind: scope\n  note: x\n", []string{"13 label-role"}},
	{"a role that writes no review", ReviewContext{Role: tier.Implementer}, cleanReview, "", "", []string{"1 label-role", "1 label-missing", "1 label-missing", "1 label-missing", "2 label-role", "3 label-role"}},
	{"a role that is none", ReviewContext{Role: tier.FinalReReviewer + 1}, cleanReview, "", "", []string{"1 label-role", "1 label-missing", "1 label-missing", "1 label-missing", "2 label-role", "3 label-role"}},
	{"another prompt's hash", reContext, rereview, "", "PROMPT: " + strings.Repeat("1", 64) + "\n", []string{"13 prompt-mismatch"}},
	{"the prompt's hash", reContext, rereview, "", "PROMPT: " + sha + "\n", nil},
}

func TestReviewRules(t *testing.T) {
	for _, row := range reviewRows {
		t.Run(row.name, func(t *testing.T) {
			got, found := ParseReview([]byte(change(t, row.report, row.old, row.new)), row.ctx)
			if diff := cmp.Diff(row.want, briefly(found)); diff != "" {
				t.Errorf("defects (-want +got):\n%s\n%v", diff, found)
			}
			if (got == nil) != (len(found) > 0) {
				t.Errorf("review %v beside %d defects", got, len(found))
			}
		})
	}
}

// The messages on ids say where the id belongs and what is free (contract:
// reports that children write).
func TestIDMessages(t *testing.T) {
	for _, row := range []struct {
		name, report, want string
		ctx                ReviewContext
	}{
		{"open", strings.Replace(rereview, "FINDINGS: none\n", strings.Replace(newMinor, "F-3", "F-1", 1), 1),
			"F-1 is recorded, judge it under VERDICTS; the next free number is F-3", reContext},
		{"fixed", strings.Replace(rereview, "FINDINGS: none\n", strings.Replace(newMinor, "F-3", "T0:F-2", 1), 1),
			"T0:F-2 is recorded as fixed, what broke again is a new finding; the next free number is F-3", reContext},
		{"the report's own numbers are not free", strings.Replace(rereview, "FINDINGS: none\n", newMinor+strings.TrimPrefix(strings.Replace(newMinor, "F-3", "F-1", 1), "FINDINGS:\n"), 1),
			"F-1 is recorded, judge it under VERDICTS; the next free number is F-4", reContext},
		{"a verdict on a fixed finding", strings.Replace(rereview, "FINDINGS:", "- id: T0:F-2\n  verdict: REGRESSION\n  location: none\n  evidence: x\nFINDINGS:", 1),
			"T0:F-2 is already fixed", reContext},
		{"a verdict on another task's finding", strings.Replace(rereview, "FINDINGS:", "- id: T0:F-1\n  verdict: REGRESSION\n  location: none\n  evidence: x\nFINDINGS:", 1),
			"T0:F-1 is not among the findings of this review", reContext},
		{"good axes beside a finding", strings.Replace(badReview, "SPEC: FAIL\nQUALITY: CHANGES_REQUESTED", "SPEC: PASS\nQUALITY: APPROVED", 1),
			"SPEC: PASS and QUALITY: APPROVED stand beside the Important finding in line 4", taskContext},
		{"an id that would colour the terminal", strings.Replace(badReview, "id: F-1", "id: GATE-\x1b[31m", 1),
			`"GATE-\x1b[31m" is made and judged by git-sdd from what it observed itself`, taskContext},
		{"a task review judges nothing", badReview, "F-1 is recorded; the next free number is F-2",
			ReviewContext{Role: tier.TaskReviewer, Scope: "T1", Next: 2, FileExists: within(files), Known: []Known{{"T1:F-1", "Minor", "open"}}}},
	} {
		_, found := ParseReview([]byte(row.report), row.ctx)
		if len(found) != 1 || found[0].Message != row.want {
			t.Errorf("%s: %v, want %q", row.name, found, row.want)
		}
	}
}

func TestLocationLength(t *testing.T) {
	exists := func(string) bool { return true }
	for _, row := range []struct {
		size int
		want []string
	}{{MaxLocation, nil}, {MaxLocation + 1, []string{"7 location-long"}}} {
		report := change(t, badReview, "a.go:12", strings.Repeat("é", row.size/2)+strings.Repeat("a", row.size%2))
		_, found := ParseReview([]byte(report), ReviewContext{Role: tier.TaskReviewer, Scope: "T1", FileExists: exists})
		if diff := cmp.Diff(row.want, briefly(found)); diff != "" {
			t.Errorf("%d bytes: %s", row.size, diff)
		}
	}
}

func TestFindingCount(t *testing.T) {
	known := make([]Known, MaxFindings)
	for i := range known {
		known[i] = Known{fmt.Sprintf("T9:F-%d", i+1), "Minor", "open"}
	}
	ctx := taskContext
	for _, row := range []struct {
		known int
		want  []string
	}{{MaxFindings - 1, nil}, {MaxFindings, []string{"3 findings-many"}}} {
		ctx.Known = known[:row.known]
		_, found := ParseReview([]byte(badReview), ctx)
		if diff := cmp.Diff(row.want, briefly(found)); diff != "" {
			t.Errorf("%d known: %s", row.known, diff)
		}
	}
}

// A caller that names no files has every location refused, not taken.
func TestWithoutFiles(t *testing.T) {
	ctx := taskContext
	ctx.FileExists = nil
	if _, found := ParseReview([]byte(badReview), ctx); !slices.Equal(briefly(found), []string{"7 location-missing"}) {
		t.Errorf("no files: %v", found)
	}
	ctx = reContext
	ctx.InRange = nil
	if _, found := ParseReview([]byte(strings.Replace(rereview, "FINDINGS: none\n", newMinor, 1)), ctx); !slices.Equal(briefly(found), []string{"16 minor-outside"}) {
		t.Errorf("no range: %v", found)
	}
}

// A finding that is asked for and unknown to the ledger counts as load-bearing.
func TestUnknownSeverity(t *testing.T) {
	ctx := reContext
	ctx.Known = nil
	if _, found := ParseReview([]byte(rereview), ctx); !slices.Equal(briefly(found), []string{"1 axes-good"}) {
		t.Errorf("unknown severity: %v", found)
	}
}
