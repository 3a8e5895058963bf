package report

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/git-sdd/git-sdd/internal/tier"
)

var (
	codeForm = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

	// sameReport compares what two readings of the same content give.
	sameReport = cmp.Options{cmpopts.IgnoreFields(Finding{}, "Line"), cmpopts.EquateEmpty()}
)

// checkLaws says what is true of every reading: a report or defects, never both;
// defects in the order of lines that exist, each with everything that a user
// needs; and a report that was read, written out plainly, is read as the same.
func checkLaws(t *testing.T, v *vector, data []byte) {
	t.Helper()
	got, found := v.parse(data)
	if (got == nil) != (len(found) > 0) {
		t.Fatalf("report %v beside %d defects", got, len(found))
	}
	last, lines := 1, bytes.Count(data, []byte("\n"))+1
	for _, d := range found {
		if d.Line < last || d.Line > lines {
			t.Errorf("%v: line after %d, of %d", d, last, lines)
		}
		last = d.Line
		if !codeForm.MatchString(d.Code) || d.Repair == "" || d.Message == "" || len(d.Message) > 600 {
			t.Errorf("incomplete or endless defect %+v", d)
		}
		if r, bad := forbidden(d.Message + d.Repair); bad {
			t.Errorf("%v: holds %U raw", d, r)
		}
	}
	if text, ok := v.format(got); ok {
		again, found := v.parse([]byte(text))
		if diff := cmp.Diff(got, again, sameReport); diff != "" || len(found) > 0 {
			t.Errorf("written out and read again (-first +again):\n%s\n%v\n%s", diff, found, text)
		}
	}
}

// format writes a report out. It declines lists whose items, once on one line,
// would begin as a fence or a label.
func (v *vector) format(got any) (string, bool) {
	var lists [][]string
	var text string
	switch r := got.(type) {
	case *Work:
		lists, text = [][]string{r.Changes, r.Tests, r.Observations}, formatWork(r)
	case *Review:
		lists, text = [][]string{r.Observations, r.Strengths, r.Recommendations}, formatReview(r, v.review.Scope)
	default:
		return "", false
	}
	for _, it := range slices.Concat(lists...) {
		_, fence := openFence(it)
		_, _, label := exactLabel(it)
		if fence || label {
			return "", false
		}
	}
	return text, len(text) <= MaxBytes
}

func TestLaws(t *testing.T) {
	for _, v := range readVectors(t) {
		checkLaws(t, v, v.report)
	}
	for _, row := range workRows {
		checkLaws(t, &vector{role: tier.Implementer, work: WorkContext{Prompt: sha}}, []byte(change(t, row.report, row.old, row.new)))
	}
	for _, row := range reviewRows {
		if !row.ctx.Role.Works() {
			checkLaws(t, &vector{role: row.ctx.Role, review: row.ctx}, []byte(change(t, row.report, row.old, row.new)))
		}
	}
}

func FuzzParseWork(f *testing.F)   { fuzzRoles(f, true, doneReport, concernsReport) }
func FuzzParseReview(f *testing.F) { fuzzRoles(f, false, badReview, rereview, finalReview) }

// fuzzRoles feeds every vector's report to the contexts of all vectors that
// work, or do not: a report may be anything, whoever was asked.
func fuzzRoles(f *testing.F, works bool, seeds ...string) {
	var contexts []*vector
	for _, v := range readVectors(f) {
		if v.role.Works() == works {
			f.Add(v.report, uint8(len(contexts)))
			contexts = append(contexts, v)
		}
	}
	for _, s := range seeds {
		f.Add([]byte(s), uint8(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, context uint8) {
		checkLaws(t, contexts[int(context)%len(contexts)], data)
	})
}

// Reports that are all of one trouble are refused in bounded time: a few
// milliseconds each, seconds where the machine is busy.
func TestHostile(t *testing.T) {
	patterns := []string{
		"A:\n", "AB:\n", "- \n", "-\n", "- x\n", "```\n", "~~~\n``\n", " \n", "\t", "id: F-1\n", "- id: F-1\n", "  id: F-1\n", "STATUS: DONE\n", "**STATUS:** DONE\n",
		"FINDINGS: none\n", "- id: F-2\n  severity: Critical\n", "x", "é", "#", "* x\n", "1. x\n", "\r", "\xff", "\x00\n", "  x\n", "- ```\n  x\n",
	}
	heads := []string{"", "CHANGES:\n", "FINDINGS:\n- id: F-1\n  evidence: ", "REASON: "}
	contexts := []*vector{
		{role: tier.Implementer},
		{role: tier.Final, review: finalContext},
	}
	for _, p := range patterns {
		for _, h := range heads {
			data := []byte(h + strings.Repeat(p, (MaxBytes-len(h))/len(p)))
			for _, v := range contexts {
				start := time.Now()
				if got, _ := v.parse(data); got != nil {
					t.Errorf("%q and then %q without end is read as %v", h, p, got)
				}
				if d := time.Since(start); d > 5*time.Second {
					t.Errorf("%q and then %q without end takes %v", h, p, d)
				}
			}
		}
	}
}

// words hold what looks like grammar and is none where it stands.
var words = rapid.SampledFrom([]string{"the", "a.go", "error", "is", "*bold*", "`code`", "#", "-", "12", "STATUS", "none", "—", "ü", "id", "(see", "b.go:7)", "https://x.example/a:b", "Sdd-Run", "---"})

// drawText draws a text that may be recorded, and the same spread over lines.
func drawText(t *rapid.T, name string) (plain, spread string) {
	list := append([]string{"x"}, rapid.SliceOfN(words, 0, 30).Draw(t, name)...)
	spread = list[0]
	for _, w := range list[1:] {
		spread += rapid.SampledFrom([]string{" ", " ", "  ", " \t", "\n  ", "\n    ", "\n\n\t"}).Draw(t, "gap") + w
	}
	return strings.Join(list, " "), spread
}

// noise draws lines that stand before a label and mean nothing.
func noise(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "\n", "\nSome text.\n\n", "\n# A heading\n\n- and a list\n\n", "\n```\nSTATUS: DONE\nFINDINGS: none\n```\n"}).Draw(t, "noise")
}

func TestWorkIsReadWhereverLinesBreak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		want := &Work{Status: "DONE_WITH_CONCERNS", Commit: commit}
		b.WriteString(noise(t) + "STATUS: DONE_WITH_CONCERNS\n" + noise(t) + "CHANGES:\n")
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			plain, spread := drawText(t, "change")
			want.Changes = append(want.Changes, "a.go: "+plain)
			b.WriteString("- a.go: " + spread + "\n")
		}
		b.WriteString(noise(t) + "TESTS:\n- make: ok\n" + noise(t) + "CONCERNS:\n")
		want.Tests = []string{"make: ok"}
		for range rapid.IntRange(1, 4).Draw(t, "concerns") {
			plain, spread := drawText(t, "note")
			want.Concerns = append(want.Concerns, Concern{"scope", abbreviate(plain)})
			b.WriteString("- kind: scope\n  note: " + spread + "\n")
		}
		b.WriteString(noise(t) + "COMMIT: " + commit + "\n" + noise(t))
		got, found := ParseWork([]byte(b.String()), WorkContext{})
		if diff := cmp.Diff(want, got); diff != "" || len(found) > 0 {
			t.Fatalf("(-want +got):\n%s\n%v\n%s", diff, found, b.String())
		}
	})
}

func TestReviewIsReadWhereverLinesBreak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		want := &Review{Spec: "FAIL", Quality: "APPROVED"}
		b.WriteString(noise(t) + "SPEC: FAIL\n" + noise(t) + "QUALITY: APPROVED\n" + noise(t) + "FINDINGS:\n")
		severities := rapid.SliceOfN(rapid.SampledFrom([]string{"Critical", "Important", "Minor"}), 1, 5).Draw(t, "severities")
		for i, severity := range severities {
			plain, spread := drawText(t, "evidence")
			id := "F-" + string(rune('1'+i))
			want.Findings = append(want.Findings, Finding{ID: "T1:" + id, Severity: severity, Summary: abbreviate(plain), Location: "a.go:3", Impact: "i", Correction: "c"})
			weight := map[bool]string{true: "yes", false: "no"}[loadBearing(severity)]
			fields := []string{"id: " + id, "severity: " + severity, "loadBearing: " + weight, "location: a.go:3", "evidence: " + spread, "impact: i", "correction: c"}
			b.WriteString("- " + strings.Join(rapid.Permutation(fields).Draw(t, "order"), "\n  ") + "\n")
		}
		b.WriteString(noise(t))
		got, found := ParseReview([]byte(b.String()), taskContext)
		if diff := cmp.Diff(want, got, sameReport); diff != "" || len(found) > 0 {
			t.Fatalf("(-want +got):\n%s\n%v\n%s", diff, found, b.String())
		}
	})
}
