package prompt

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func openFindings() []OpenFinding {
	return []OpenFinding{
		{
			ID: "T2:F-1", Severity: "Important", Location: "store/open.go:88", Summary: "line 88 drops the parse error",
			Impact: "a malformed file is reported as loaded", Correction: "return the error with its line",
			Verdict: "STILL_PRESENT", VerdictEvidence: "open.go:91 logs the error and returns nil",
		},
		{ID: "T2:F-4", Severity: "Minor", Location: "none", Summary: "the package comment is out of date"},
		{ID: "T2:GATE-test-1", Severity: "Critical", Location: "none", Summary: "make test exits 2: TestOpen fails"},
	}
}

// roundFour is what a fixer gets after three corrections that failed.
func roundFour() FixContextInput {
	return FixContextInput{
		Task: 2, Round: 4, Base: base, Head: head, Findings: openFindings(),
		Prior: []PriorAttempt{
			{Round: 1, Commit: strings.Repeat("c1", 20), Changes: []string{"store/open.go: T2:F-1, check the error of Parse"}, Outcome: []string{
				"T2:F-1 STILL_PRESENT: open.go:88 checks err but shadows it", "T2:F-2 RESOLVED: open.go:40 now closes the file"}},
			{Round: 2, Changes: []string{"none"}, Outcome: []string{"T2:F-1 STILL_PRESENT: no change to open.go in the range"}},
			{Round: 3, Commit: strings.Repeat("c3", 20), Changes: []string{"store/open.go: T2:F-1, log the error", "store/open_test.go: a malformed file"}, Concerns: []string{"correctness: callers may not read the log"}, Outcome: []string{
				"T2:F-1 STILL_PRESENT: open.go:91 logs the error and returns nil", "T2:F-3 REGRESSION: Open of an empty file now fails"}},
		},
		Exchanges: []Exchange{{
			Questions: []Question{{What: "the error type that callers expect", Why: "open.go has two"}, {What: "whether an empty file is malformed"}},
			Answer:    "`ParseError`, see store/errors.go:\n\n```go\ntype ParseError struct{ Line int }\n```\n\nAn empty file is fine.",
		}},
		Rulings: []string{"proceed: the cache stays as it is", "widen: store/cache.go"},
		Scope:   []string{"store/open.go", "store/open_test.go", "store/cache.go"},
		Tests:   []string{"go test ./store", "make test"},
		Report:  "STATUS: DONE\r\nCHANGES:\r\n- store/open.go: reads the file\r\n",
		Diff:    []byte("diff --git a/store/open.go b/store/open.go\n+\tlog.Print(err)\n"),
	}
}

func adjudicated() []Adjudicated {
	return []Adjudicated{
		{ID: "T1:F-1", Severity: "Critical", Location: "main.go:7", Summary: "the flag is read before it is parsed", Disposition: "fixed", Evidence: "RESOLVED at main.go:12"},
		{ID: "T1:F-2", Severity: "Minor", Location: "main.go", Summary: "a name is hard to read", Disposition: "parked", Evidence: "used so in all of cmd"},
		{ID: "T1:GUARD-1", Severity: "Important", Location: "Makefile", Summary: "Makefile changed", Disposition: "fixed", Evidence: "restored"},
	}
}

func TestDocuments(t *testing.T) {
	for _, c := range []struct {
		name string
		got  []byte
	}{
		{"fix-context-round-4.md", FixContext(roundFour())},
		{"fix-context-first.md", FixContext(FixContextInput{Task: 1, Round: 1, Base: base, Head: head, Findings: openFindings()[1:2]})},
		{"fix-context-final.md", FixContext(FixContextInput{Task: 3, Base: base, Head: head})},
		{"finding-package.md", FindingPackage(FindingPackageInput{Open: openFindings(), Adjudicated: adjudicated()})},
		{"finding-package-empty.md", FindingPackage(FindingPackageInput{})},
		{"questions.md", QuestionsContext(append(roundFour().Exchanges, Exchange{Questions: []Question{{What: "the encoding", Why: "it is stored"}}, Answer: "UTF-8\n"}))},
		{"final-brief.md", FinalBrief("- Go 1.26\r\n- no new dependency\r\n\r\n### Names\r\n\r\nShort ones.", []TaskHead{
			{Number: 1, Title: "Read the file", Base: base, Head: head},
			{Number: 2, Title: "Write | the file", Base: head, Head: strings.Repeat("c3", 20)},
		})},
		{"final-brief-bare.md", FinalBrief("", []TaskHead{{Number: 1, Title: "Read the file", Base: base, Head: head}})},
	} {
		golden(t, c.name, c.got)
	}
}

// A failing gate is no finding that a reviewer may judge, so it stands apart.
func TestFindingPackageSeparates(t *testing.T) {
	text := string(FindingPackage(FindingPackageInput{Open: openFindings(), Adjudicated: adjudicated()}))
	judged, apart, found := strings.Cut(text, "## Judged by the controller\n")
	if !found {
		t.Fatal("no section for what the controller judges")
	}
	for _, id := range []string{"T2:F-1", "T2:F-4", "T1:F-1", "T1:F-2"} {
		if !strings.Contains(judged, "### "+id+" (") || strings.Contains(apart, "### "+id+" (") {
			t.Errorf("%s is not among the findings to judge", id)
		}
	}
	for _, id := range []string{"T2:GATE-test-1", "T1:GUARD-1"} {
		if strings.Contains(judged, "### "+id+" (") || !strings.Contains(apart, "### "+id+" (") {
			t.Errorf("%s is not kept apart", id)
		}
	}
	only := FindingPackageInput{Adjudicated: adjudicated()[2:]}
	if text := string(FindingPackage(only)); strings.Count(text, "\nNone.\n") != 2 {
		t.Errorf("with nothing to judge the package does not say so twice:\n%s", text)
	}
}

// outline returns the lines of a document that are its own structure: headings
// and items outside fences, an item cut to its label.
func outline(text string) []string {
	var lines []string
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "" && line == fence:
			fence = ""
		case fence != "":
		case len(ticks) >= 3:
			fence = ticks
			lines = append(lines, "fence")
		case strings.HasPrefix(line, "#"):
			level, _, _ := strings.Cut(line, " ")
			lines = append(lines, level)
		default:
			label, _, _ := strings.Cut(strings.TrimSpace(line), ":")
			if strings.HasPrefix(label, "- ") {
				lines = append(lines, label)
			}
		}
	}
	if fence != "" {
		lines = append(lines, "open fence")
	}
	return lines
}

// Whatever others wrote, it makes no heading, item or end of a fence.
func TestOthersTextIsData(t *testing.T) {
	build := func(s string) string {
		return string(FixContext(FixContextInput{
			Task: 1, Round: 2, Base: base, Head: head,
			Findings:  []OpenFinding{{ID: "T1:F-1", Severity: "Minor", Location: "x" + s, Summary: "x" + s, Impact: "x" + s, Correction: "x" + s, Verdict: "REGRESSION", VerdictEvidence: "x" + s}},
			Prior:     []PriorAttempt{{Round: 1, Commit: "x" + s, Changes: []string{"x" + s}, Outcome: []string{"x" + s}}},
			Exchanges: []Exchange{{Questions: []Question{{What: "x:" + s, Why: "x" + s}}, Answer: "x" + s}},
			Rulings:   []string{"x:" + s}, Scope: []string{"x:" + s}, Tests: []string{"x:" + s}, Report: "x" + s, Diff: []byte("x" + s),
		})) + string(FindingPackage(FindingPackageInput{Adjudicated: []Adjudicated{{ID: "T1:F-2", Severity: "Minor", Location: "x" + s, Summary: "x" + s, Disposition: "parked", Evidence: "x" + s}}})) +
			string(FinalBrief("", []TaskHead{{Number: 1, Title: "x" + s, Base: base, Head: head}}))
	}
	want := strings.Join(outline(build("")), "\n")
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "text")
		if got := strings.Join(outline(build(s)), "\n"); got != want {
			t.Fatalf("outline:\n%s\nwant:\n%s", got, want)
		}
	})
}

// A block holds its text byte for byte but for the kind of its line ends.
func TestBlockKeepsItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		var d document
		d.block("text", text)
		first, rest, _ := strings.Cut(d.String(), "\n")
		fence := strings.TrimSuffix(first, "text")
		got, found := strings.CutSuffix(rest, fence+"\n")
		if want := strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n") + "\n"; !found || got != want {
			t.Fatalf("%q is kept as %q", want, got)
		}
		if len(fence) < 3 || strings.Contains(got, fence) {
			t.Fatalf("the fence %q can be closed from within", fence)
		}
	})
}
