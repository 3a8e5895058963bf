package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	commit = "0123456789abcdef0123456789abcdef01234567"
	sha    = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
)

// Reports that are right; the rows below change one thing in one of them.
const (
	doneReport = `STATUS: DONE
CHANGES:
- a.go: adds the reader
TESTS:
- go test ./...: 12 passed
COMMIT: ` + commit + `
`
	concernsReport = `STATUS: DONE_WITH_CONCERNS
CHANGES:
- a.go: adds the reader
TESTS:
- go test ./...: 12 passed
CONCERNS:
- kind: correctness
  note: the bound of 8 is a guess
COMMIT: ` + commit + `
`
	contextReport = `STATUS: NEEDS_CONTEXT
MISSING:
- what: the bound of the queue
  why: the test has to fill it
`
	blockedReport = `STATUS: BLOCKED
REASON: the interface of task 2 does not exist
`
)

// briefly lists defects as "line code", which is what the rows compare.
func briefly(list []Defect) []string {
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprintf("%d %s", d.Line, d.Code))
	}
	return out
}

// change replaces one text in a report, and fails where it is not there once.
func change(t *testing.T, report, old, new string) string {
	t.Helper()
	if old == "" {
		return report + new
	}
	if strings.Count(report, old) != 1 {
		t.Fatalf("%q stands %d times in the report", old, strings.Count(report, old))
	}
	return strings.Replace(report, old, new, 1)
}

// A workRow changes one text of a report of work ("" appends) and says which
// defects follow; none means that the report is read.
type workRow struct {
	name, report, old, new string
	want                   []string
}

var workRows = []workRow{
	{"done", doneReport, "", "", nil},
	{"done with concerns", concernsReport, "", "", nil},
	{"needs context", contextReport, "", "", nil},
	{"blocked", blockedReport, "", "", nil},

	// Tokens are exact.
	{"status in another case", doneReport, "STATUS: DONE", "STATUS: done", []string{"1 token"}},
	{"status with a word behind it", doneReport, "STATUS: DONE", "STATUS: DONE, nearly", []string{"1 token"}},
	{"the template's alternatives", doneReport, "STATUS: DONE", "STATUS: DONE | BLOCKED", []string{"1 token"}},
	{"a status that is none", doneReport, "STATUS: DONE", "STATUS: COMPLETE", []string{"1 token"}},
	{"no status word", doneReport, "STATUS: DONE", "STATUS:", []string{"1 token"}},
	{"a continued token", doneReport, "STATUS: DONE", "STATUS: DONE\n  but not really", []string{"2 token-continued"}},
	{"kind in another case", concernsReport, "correctness", "Correctness", []string{"7 token"}},
	{"a kind that is none", concernsReport, "correctness", "style", []string{"7 token"}},

	// Tokens stand at the start of a line, labels in their exact form.
	{"bold label", doneReport, "STATUS: DONE", "**STATUS:** DONE", []string{"1 label-form"}},
	{"bold word", doneReport, "STATUS: DONE", "**STATUS**: DONE", []string{"1 label-form"}},
	{"label in lower case", doneReport, "STATUS: DONE", "status: DONE", []string{"1 label-form"}},
	{"label in mixed case", doneReport, "TESTS:", "Tests:", []string{"4 label-form"}},
	{"label as an item", doneReport, "STATUS: DONE", "- STATUS: DONE", []string{"1 label-form"}},
	{"label as an item of a list", doneReport, "TESTS:", "- TESTS:", []string{"4 label-form"}},
	{"label as a heading", doneReport, "TESTS:", "## Tests", []string{"4 label-form"}},
	{"label as a heading with a colon", doneReport, "TESTS:", "### TESTS:", []string{"4 label-form"}},
	{"bold label without a colon", doneReport, "TESTS:", "**Tests**", []string{"4 label-form"}},
	{"label in a quote", doneReport, "STATUS: DONE", "> STATUS: DONE", []string{"1 label-form"}},
	{"label in code type", doneReport, "STATUS: DONE", "`STATUS: DONE`", []string{"1 label-form"}},
	{"label with a number", doneReport, "STATUS: DONE", "1. STATUS: DONE", []string{"1 label-form"}},
	{"indented label", doneReport, "STATUS: DONE", "  STATUS: DONE", []string{"1 label-form"}},
	{"indented label below an item", doneReport, "TESTS:", "  TESTS:", []string{"4 label-form"}},
	{"blank before the colon", doneReport, "STATUS: DONE", "STATUS : DONE", []string{"1 label-form"}},
	{"no blank behind the colon", doneReport, "STATUS: DONE", "STATUS:DONE", []string{"1 label-form"}},
	{"wide colon", doneReport, "STATUS: DONE", "STATUS： DONE", []string{"1 label-form"}},
	{"byte order mark", doneReport, "STATUS: DONE", "\uFEFFSTATUS: DONE", []string{"1 label-form"}},
	{"free line that is a label in another case", doneReport, "STATUS: DONE", "Status: see below\n\nSTATUS: DONE", []string{"1 label-form"}},
	{"free line that repeats a label in another case", doneReport, "", "\nTests: all passed\n", []string{"8 label-form"}},
	{"a token's label again in another case", doneReport, "", "\nStatus: DONE\n", []string{"8 label-form"}},
	{"a list's label in another case with text", doneReport, "TESTS:\n- go", "Tests: go", []string{"1 label-missing", "4 label-form"}},
	{"label of a review in another case", doneReport, "", "\nVerdicts: none\n", []string{"8 label-form"}},

	// Unknown labels.
	{"unknown label", doneReport, "", "\nNOTES: none\n", []string{"8 label-unknown"}},
	{"unknown label of two words", doneReport, "", "\nNEXT STEPS:\n- rest\n", []string{"8 label-unknown"}},
	{"singular of a label", doneReport, "TESTS:", "TEST:", []string{"1 label-missing", "4 label-unknown"}},
	{"unknown labels of two characters", doneReport, "", "AZ: x\nZ9: x\nA0_Z-9: x\n", []string{"7 label-unknown", "8 label-unknown", "9 label-unknown"}},
	{"unknown label, blank before the colon", doneReport, "", "NOTES : x\n", []string{"7 label-unknown"}},
	{"one letter, no colon, other beginnings", doneReport, "", "\nQ: why?\nSUMMARY\n2ND: no\n_NOTE: no\nAdded: no\nÄRGER: no\nA,B: no\n", nil},
	{"unknown label without a blank", doneReport, "", "RESULT:PASS\n", []string{"7 label-unknown"}},
	{"capitals within a sentence", doneReport, "", "\nThe API: as it was. HTTP only.\n", nil},
	{"capitals in an item's continuation", doneReport, "adds the reader", "adds\n  TODO: nothing", nil},

	// Each label at most once.
	{"status twice", doneReport, "", "STATUS: DONE\n", []string{"7 label-repeated"}},
	{"another status below", doneReport, "", "STATUS: BLOCKED\n", []string{"7 label-repeated"}},
	{"a list twice", doneReport, "COMMIT:", "TESTS:\n- go vet ./...: clean\nCOMMIT:", []string{"6 label-repeated"}},
	{"prompt twice", doneReport, "", "PROMPT: " + sha + "\nPROMPT: " + sha + "\n", []string{"8 label-repeated"}},

	// Labels of the other kind of report.
	{"verdicts in a report of work", doneReport, "", "VERDICTS:\n- id: T1:F-1\n", []string{"7 label-role"}},
	{"findings in a report of work", doneReport, "", "FINDINGS: none\n", []string{"7 label-role"}},
	{"axes in a report of work", doneReport, "", "SPEC: PASS\nQUALITY: APPROVED\n", []string{"7 label-role", "8 label-role"}},
	{"reconciliation in a report of work", doneReport, "", "LEDGER RECONCILIATION: none\n", []string{"7 label-role"}},
	{"strengths in a report of work", doneReport, "", "STRENGTHS:\n- none\n", []string{"7 label-role"}},

	// Code fences.
	{"label in a fence", doneReport, "", "```\nSTATUS: BLOCKED\n```\n", nil},
	{"label in a tilde fence", doneReport, "", "~~~ text\nSTATUS: BLOCKED\n~~~\n", nil},
	{"a longer fence holds a shorter", doneReport, "", "````\n```\nSTATUS: BLOCKED\n````\n", nil},
	{"a fence is not closed by another mark", doneReport, "", "```\n~~~\nSTATUS: BLOCKED\n```\n", nil},
	{"inline code is no fence", doneReport, "", "\n``` STATUS ```\nmore\n", nil},
	{"the whole report in a fence", "```text\n" + doneReport + "```\n", "", "", []string{"1 label-missing"}},
	{"open fence", doneReport, "", "\n```\noutput\n", []string{"8 fence-open"}},
	{"fence within an item", doneReport, "12 passed", "failed\n  ```\n  STATUS: BLOCKED\n  ```\n  then 12 passed", nil},
	{"fence that begins an item", doneReport, "adds the reader", "adds\n- ```\n  b.go: x\n  ```", nil},
	{"outdented line in an item's fence", doneReport, "12 passed", "failed\n  ```\nFAIL\n  ```", []string{"7 fence-outdent"}},
	{"two outdented lines in an item's fence", doneReport, "12 passed", "failed\n  ```\nFAIL\nFAIL\n  ```", []string{"7 fence-outdent"}},
	{"a field's name behind a fence", concernsReport, "is a guess", "is a guess\n  ```note: x\n  ```", nil},
	{"an item that is a fence", concernsReport, "is a guess", "is a guess\n- ```kind: scope\n  note: x\n  ```", []string{"9 item-form"}},
	{"outdented end of an item's fence", doneReport, "12 passed", "failed\n  ```\n  FAIL\n```", []string{"8 fence-outdent"}},
	{"fence at the margin below an item", doneReport, "12 passed", "12 passed\n```\nok\n```", []string{"6 line-stray"}},
	{"fence at the margin after a blank line", doneReport, "12 passed", "12 passed\n\n```\nok\n```", nil},

	// Lists and continuation lines.
	{"continuation", doneReport, "adds the reader", "adds\n  the\n\n\treader", nil},
	{"unindented continuation", doneReport, "adds the reader", "adds\nthe reader", []string{"4 line-stray"}},
	{"free text after a list", doneReport, "12 passed", "12 passed\n\nAll of it is green.", nil},
	{"free text directly below a label", doneReport, "TESTS:", "TESTS:\nThese were run.", []string{"5 line-stray"}},
	{"bold text after a list", doneReport, "12 passed", "12 passed\n\n**All** of it", nil},
	{"a number after a list", doneReport, "12 passed", "12 passed\n\n12", nil},
	{"a year after a list", doneReport, "12 passed", "12 passed\n\n2026 was", nil},
	{"seconds after a list", doneReport, "12 passed", "12 passed\n\n7.5 s", nil},
	{"a bracket after a list", doneReport, "12 passed", "12 passed\n\n3)x", nil},
	{"a rule after a list", doneReport, "12 passed", "12 passed\n\n--- end", nil},
	{"a full stop after a list", doneReport, "12 passed", "12 passed\n\n. end", nil},
	{"closing bracket as the mark of an item", doneReport, "- go test", "1) go test", []string{"5 item-marker"}},
	{"dash as the mark of an item", doneReport, "- go test", "– go test", []string{"5 item-marker"}},
	{"star as the mark of an item", doneReport, "- go test", "* go test", []string{"5 item-marker"}},
	{"star after a blank line", doneReport, "12 passed", "12 passed\n\n* go vet: clean", []string{"7 item-marker"}},
	{"number as the mark of an item", doneReport, "- go test", "1. go test", []string{"5 item-marker"}},
	{"no blank behind the mark", doneReport, "- go test", "-go test", []string{"5 item-marker"}},
	{"indented items", doneReport, "- go test", "  - go test", []string{"5 item-indent"}},
	{"empty item", doneReport, "12 passed", "12 passed\n-", []string{"6 item-empty"}},
	{"only an empty item", doneReport, "- go test ./...: 12 passed", "-", []string{"5 item-empty"}},
	{"test of no command", doneReport, "go test ./...: 12 passed", ": 12 passed", []string{"5 item-form"}},
	{"text on the label's line", doneReport, "TESTS:\n- ", "TESTS: ", []string{"4 label-inline"}},
	{"empty list", doneReport, "\n- go test ./...: 12 passed", "", []string{"4 list-empty"}},
	{"change without a file", doneReport, "a.go: adds the reader", "added the reader", []string{"3 item-form"}},
	{"change without a reason", doneReport, "a.go: adds the reader", "a.go:", []string{"3 item-form"}},
	{"test without a result", doneReport, "go test ./...: 12 passed", "go test ./...", []string{"5 item-form"}},
	{"control character in an item", doneReport, "12 passed", "\x1b[32m12 passed", []string{"5 control-character"}},
	{"observations", doneReport, "", "OBSERVATIONS:\n- b.go is never called\n", nil},
	{"no observations", doneReport, "", "OBSERVATIONS: none\n", nil},

	// Free lines outside sections.
	{"free lines", doneReport, "STATUS: DONE\n", "# Report\n\nHello.\n\nSTATUS: DONE\nIt went well.\n- very well\n\n", nil},
	{"free lines at the end", doneReport, "", "\nThat is all: 1 file, 2 tests.\n", nil},
	{"a record outside its section", doneReport, "", "\n- kind: scope\n  note: x\n", []string{"8 record-stray"}},

	// DONE and DONE_WITH_CONCERNS: CHANGES, TESTS, COMMIT.
	{"no status", doneReport, "STATUS: DONE\n", "", []string{"1 label-missing"}},
	{"done without changes", doneReport, "CHANGES:\n- a.go: adds the reader\n", "", []string{"1 label-missing"}},
	{"done without tests", doneReport, "TESTS:\n- go test ./...: 12 passed\n", "", []string{"1 label-missing"}},
	{"done without a commit", doneReport, "COMMIT: " + commit + "\n", "", []string{"1 label-missing"}},
	{"done and commit none", doneReport, commit, "none", []string{"6 commit-none"}},
	{"done and changes none", doneReport, "CHANGES:\n- a.go: adds the reader", "CHANGES: none", []string{"2 list-none"}},
	{"done and tests none", doneReport, "TESTS:\n- go test ./...: 12 passed", "TESTS: none", []string{"4 list-none"}},
	{"none and an item", doneReport, "CHANGES:", "CHANGES: none", []string{"2 list-none"}},
	{"concerns without changes", concernsReport, "CHANGES:\n- a.go: adds the reader\n", "", []string{"1 label-missing"}},
	{"concerns without tests", concernsReport, "TESTS:\n- go test ./...: 12 passed\n", "", []string{"1 label-missing"}},
	{"concerns without a commit", concernsReport, "COMMIT: " + commit + "\n", "", []string{"1 label-missing"}},
	{"abbreviated commit", doneReport, commit, commit[:12], []string{"6 token"}},
	{"commit in capitals", doneReport, commit, strings.ToUpper(commit), []string{"6 token"}},
	{"commit with its subject", doneReport, commit, commit + " add the reader", []string{"6 token"}},
	{"commit of a SHA-256 repository", doneReport, commit, sha, nil},

	// CONCERNS with DONE_WITH_CONCERNS, at least one, and only there.
	{"concerns announced, none listed", concernsReport, "\n- kind: correctness\n  note: the bound of 8 is a guess", "", []string{"6 list-empty"}},
	{"concerns announced, section none", concernsReport, ":\n- kind: correctness\n  note: the bound of 8 is a guess", ": none", []string{"6 list-none"}},
	{"concerns announced, no section", concernsReport, "CONCERNS:\n- kind: correctness\n  note: the bound of 8 is a guess\n", "", []string{"1 label-missing"}},
	{"concerns beside done", concernsReport, "DONE_WITH_CONCERNS", "DONE", []string{"6 label-status"}},
	{"concerns none beside done", doneReport, "", "CONCERNS: none\n", []string{"7 list-none", "7 label-status"}},
	{"concerns beside needs context", contextReport, "", "CONCERNS:\n- kind: scope\n  note: x\n", []string{"5 label-status"}},
	{"concerns beside blocked", blockedReport, "", "CONCERNS:\n- kind: scope\n  note: x\n", []string{"3 label-status"}},
	{"concern without a kind", concernsReport, "- kind: correctness\n  note:", "- note:", []string{"7 field-missing"}},
	{"concern without a note", concernsReport, "\n  note: the bound of 8 is a guess", "", []string{"7 field-missing"}},
	{"empty note", concernsReport, "note: the bound of 8 is a guess", "note:", []string{"8 field-empty"}},
	{"a concern that is plain text", concernsReport, "- kind: correctness\n  note: the", "- the", []string{"7 item-form"}},
	{"two concerns in one item", concernsReport, "is a guess", "is a guess\n  kind: scope\n  note: b.go", []string{"9 field-repeated", "10 field-repeated"}},
	{"a second concern indented", concernsReport, "is a guess", "is a guess\n  - kind: scope\n    note: b.go", []string{"9 field-form", "9 field-repeated", "10 field-repeated"}},
	{"a field in bold", concernsReport, "  note:", "  **note:**", []string{"8 field-form"}},
	{"a field in another case", concernsReport, "  note:", "  Note:", []string{"8 field-form"}},
	{"an unknown field", concernsReport, "correctness\n", "correctness\n  where: a.go\n", []string{"8 field-unknown"}},
	{"fields in another order", concernsReport, "- kind: correctness\n  note: the bound of 8 is a guess", "- note: the bound of 8 is a guess\n  kind: correctness", nil},
	{"a field in a fence is text", concernsReport, "is a guess", "is a guess\n  ```\n  kind: scope\n  ```", nil},

	// NEEDS_CONTEXT: MISSING. BLOCKED: REASON.
	{"needs context, nothing named", contextReport, "MISSING:\n- what: the bound of the queue\n  why: the test has to fill it\n", "", []string{"1 label-missing"}},
	{"needs context, missing none", contextReport, ":\n- what: the bound of the queue\n  why: the test has to fill it", ": none", []string{"2 list-none"}},
	{"missing without why", contextReport, "\n  why: the test has to fill it", "", []string{"3 field-missing"}},
	{"missing without what", contextReport, "- what: the bound of the queue\n  why", "- why", []string{"3 field-missing"}},
	{"needs context with what was begun", contextReport, "", "CHANGES:\n- a.go: begun\nTESTS: none\nCOMMIT: none\n", nil},
	{"needs context with a reason", contextReport, "", "REASON: the brief is silent\n", nil},
	{"blocked without a reason", blockedReport, "REASON: the interface of task 2 does not exist\n", "", []string{"1 label-missing"}},
	{"blocked with an empty reason", blockedReport, " the interface of task 2 does not exist", "", []string{"2 field-empty"}},
	{"blocked with a reason below", blockedReport, "REASON: the", "REASON:\n  the", nil},
	{"blocked, an unindented reason", blockedReport, "task 2 does", "task 2\ndoes", []string{"3 line-stray"}},
	{"blocked with what is missing", blockedReport, "", "MISSING:\n- what: x\n  why: y\n", nil},
	{"reason beside done", doneReport, "", "REASON: it is done\n", []string{"7 label-status"}},
	{"missing beside done", doneReport, "", "MISSING:\n- what: x\n  why: y\n", []string{"7 label-status"}},

	// What is recorded.
	{"control character", blockedReport, "task 2", "task\x07 2", []string{"2 control-character"}},
	{"control character in a continuation", blockedReport, "task 2", "task\n\n  2\u0085", []string{"4 control-character"}},
	{"line separator", contextReport, "the bound", "the\u2028bound", []string{"3 control-character"}},
	{"beginning of a trailer", blockedReport, "REASON: the", "REASON: Sdd-Run: the", []string{"2 text"}},
	{"beginning of a patch", concernsReport, "note: the", "note: --- the", []string{"8 text"}},
	{"mark of a transition", contextReport, "why: the", "why: <!--\n   sdd-transition: the", []string{"4 text"}},
	{"a tab", blockedReport, "task 2", "task\t 2", nil},

	// Lines and bytes.
	{"CRLF", strings.ReplaceAll(doneReport, "\n", "\r\n"), "", "", nil},
	{"trailing blanks", strings.ReplaceAll(doneReport, "\n", " \t\n"), "", "", nil},
	{"no end of the last line", strings.TrimSuffix(doneReport, "\n"), "", "", nil},
	{"carriage return within a line", doneReport, "a.go: adds", "a.go:\radds", []string{"3 line-ending"}},
	{"NUL", doneReport, "a.go: adds", "a.go: \x00adds", []string{"3 control-character"}},
	{"NUL in a free line", doneReport, "", "\nthe \x00 end\n", []string{"8 control-character"}},
	{"not UTF-8", doneReport, "a.go: adds", "a.go: \xffadds", []string{"3 encoding"}},
	{"empty", "", "", "", []string{"1 empty"}},
	{"blank", " \n\t\n", "", "", []string{"1 empty"}},

	// PROMPT.
	{"the prompt's hash", doneReport, "", "PROMPT: " + sha + "\n", nil},
	{"another prompt's hash", doneReport, "", "PROMPT: " + strings.Repeat("0", 64) + "\n", []string{"7 prompt-mismatch"}},
	{"no hash", doneReport, "", "PROMPT: the first\n", []string{"7 token"}},

	// Several at once come all, in the order of their lines.
	{"several", doneReport, "STATUS: DONE\n", "STATUS: done\nVERDICTS: none\nFOO: bar\n", []string{"1 token", "2 label-role", "3 label-unknown"}},
}

func TestWorkRules(t *testing.T) {
	for _, row := range workRows {
		t.Run(row.name, func(t *testing.T) {
			got, found := ParseWork([]byte(change(t, row.report, row.old, row.new)), WorkContext{Prompt: sha})
			if diff := cmp.Diff(row.want, briefly(found)); diff != "" {
				t.Errorf("defects (-want +got):\n%s\n%v", diff, found)
			}
			if (got == nil) != (len(found) > 0) {
				t.Errorf("report %v beside %d defects", got, len(found))
			}
		})
	}
}

func TestWorkWithoutACommit(t *testing.T) {
	for _, row := range []struct{ name, old, new string }{
		{"absent", "COMMIT: " + commit + "\n", ""},
		{"none", commit, "none"},
		{"changes none", "CHANGES:\n- a.go: adds the reader", "CHANGES: none"},
	} {
		got, found := ParseWork([]byte(change(t, doneReport, row.old, row.new)), WorkContext{AllowEmpty: true})
		if len(found) > 0 {
			t.Errorf("%s: %v", row.name, found)
		} else if row.name != "changes none" && got.Commit != "" {
			t.Errorf("%s: commit %q", row.name, got.Commit)
		}
	}
	if got, found := ParseWork([]byte(doneReport), WorkContext{AllowEmpty: true}); len(found) > 0 || got.Commit != commit {
		t.Errorf("a commit where none is needed: %v, %v", got, found)
	}
	if _, found := ParseWork([]byte(change(t, doneReport, "TESTS:\n- go test ./...: 12 passed", "TESTS: none")), WorkContext{AllowEmpty: true}); len(found) != 1 {
		t.Errorf("TESTS: none was taken: %v", found)
	}
}

func TestReportSize(t *testing.T) {
	for _, row := range []struct {
		size int
		want []string
	}{{MaxBytes, nil}, {MaxBytes + 1, []string{"1 size"}}} {
		data := doneReport + strings.Repeat("x", row.size-len(doneReport))
		if _, found := ParseWork([]byte(data), WorkContext{}); !cmp.Equal(row.want, briefly(found)) {
			t.Errorf("%d bytes: %v", row.size, found)
		}
	}
}

// A status's reason is REASON, or the first MISSING what.
func TestReason(t *testing.T) {
	for _, row := range []struct{ report, want string }{
		{doneReport, ""},
		{contextReport, "the bound of the queue"},
		{contextReport + "REASON: the brief is\n  silent\n", "the brief is silent"},
		{blockedReport, "the interface of task 2 does not exist"},
	} {
		w, found := ParseWork([]byte(row.report), WorkContext{})
		if len(found) > 0 || w.Reason != row.want {
			t.Errorf("reason %v, %v; want %q", w, found, row.want)
		}
	}
}

// A label in a code fence is not read; the message on the missing one says so,
// and names the first.
func TestFencedLabel(t *testing.T) {
	report := "```\nx\n" + doneReport + "STATUS: DONE\n```\n"
	_, found := ParseWork([]byte(report), WorkContext{})
	if want := "STATUS is missing; line 3 has it in a code fence, where it is not read"; len(found) != 1 || found[0].Message != want {
		t.Errorf("%v, want %q", found, want)
	}
}

// The text of a token ends with its line, in every record that has one.
func TestTokensDoNotGoOn(t *testing.T) {
	records := map[string]string{
		"CONCERNS":              "- kind: scope\n  note: x\n",
		"VERDICTS":              "- id: T2:F-2\n  verdict: RESOLVED\n  location: none\n  evidence: x\n",
		"FINDINGS":              "- id: F-1\n  severity: Minor\n  loadBearing: no\n  location: none\n  evidence: x\n  impact: x\n  correction: x\n",
		"LEDGER RECONCILIATION": "- id: T1:F-1\n  recordedDisposition: fixed\n  stillPresent: no\n  note: x\n",
	}
	texts := map[string]bool{"note": true, "evidence": true, "impact": true, "correction": true}
	for label, fields := range records {
		lines := strings.SplitAfter(label+":\n"+fields, "\n")
		for n := 2; n < len(lines); n++ {
			name, _, _ := strings.Cut(strings.TrimLeft(lines[n-1], "- "), ":")
			report := strings.Join(lines[:n], "") + "    and on\n" + strings.Join(lines[n:], "")
			parse := func() []Defect { _, found := ParseWork([]byte(report), WorkContext{}); return found }
			if label != "CONCERNS" {
				parse = func() []Defect { _, found := ParseReview([]byte(report), finalContext); return found }
			}
			refused := slices.Contains(briefly(parse()), fmt.Sprintf("%d field-unknown", n+1))
			if refused == texts[name] {
				t.Errorf("%s: %s going on in line %d: refused is %t", label, name, n+1, refused)
			}
		}
	}
}
