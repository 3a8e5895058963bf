package prompt_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// What a prompt shows a child and what the parser reads are written in two
// places. These tests fill in the skeletons of the prompts and parse them.

const commit = "0123456789abcdef0123456789abcdef01234567"

func promptOf(t *testing.T, role tier.Role) string {
	t.Helper()
	text, err := prompt.Render(role, tier.Frontier, prompt.Context{
		Worktree: "/w", RunRoot: "/w/r", Task: 1, Round: 1, BaseSHA: commit, HeadSHA: commit, BriefPath: "/w/r/b",
		ContextPath: "/w/r/c", ReportPath: "/w/r/o", FindingPackagePath: "/w/r/f", NextFinding: "F-3",
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// skeleton returns the only fenced block of a prompt, by lines.
func skeleton(t *testing.T, text string) []string {
	t.Helper()
	parts := strings.Split(text, "\n```")
	if len(parts) != 3 || !strings.HasPrefix(parts[1], "text\n") {
		t.Fatalf("the prompt has %d fences, want one skeleton", len(parts)-1)
	}
	return strings.Split(strings.TrimPrefix(parts[1], "text\n"), "\n")
}

var (
	choice      = regexp.MustCompile(`[A-Za-z_-]+( \| [A-Za-z_-]+)+`)
	placeholder = regexp.MustCompile(`<[^>]*>`)
)

// filler fills one line of a skeleton: the chosen word of a choice if it is
// among the alternatives, else the first, and something that fits elsewhere.
func filler(chosen string) func(line string) string {
	return func(line string) string {
		line = choice.ReplaceAllStringFunc(line, func(words string) string {
			list := strings.Split(words, " | ")
			if slices.Contains(list, chosen) {
				return chosen
			}
			return list[0]
		})
		line = strings.NewReplacer("<file>:<line>", "a.go:7", "F-<n>", "F-3", "<full object name of your last commit>", commit).Replace(line)
		return placeholder.ReplaceAllString(line, "some text")
	}
}

var label = regexp.MustCompile(`^([A-Z ]+):`)

// sections fills in a skeleton and returns its sections by label, in order.
func sections(lines []string, fill func(string) string) (names []string, text map[string]string) {
	text = map[string]string{}
	for _, line := range lines {
		if m := label.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		}
		name := names[len(names)-1]
		text[name] += fill(line) + "\n"
	}
	return names, text
}

// statusTable returns the sections that each status needs, as the prompt says.
func statusTable(text string) map[string][]string {
	rows := map[string][]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| ([A-Z, ]+) \\|").FindAllStringSubmatch(text, -1) {
		rows[m[1]] = strings.Split(m[2], ", ")
	}
	return rows
}

func TestWorkSkeletons(t *testing.T) {
	for _, role := range []tier.Role{tier.Implementer, tier.Fixer, tier.FinalFixer} {
		text := promptOf(t, role)
		rows := statusTable(text)
		for _, status := range []string{"DONE", "DONE_WITH_CONCERNS", "NEEDS_CONTEXT", "BLOCKED"} {
			_, filled := sections(skeleton(t, text), filler(status))
			body := filled["STATUS"] + filled["OBSERVATIONS"]
			for _, name := range rows[status] {
				body += filled[name]
			}
			got, defects := report.ParseWork([]byte(body), report.WorkContext{})
			if len(defects) > 0 || got.Status != status {
				t.Errorf("%s: the report of %s is refused: %v\n%s", role, status, defects, body)
			}
			for _, name := range rows[status] {
				if _, defects := report.ParseWork([]byte(strings.Replace(body, filled[name], "", 1)), report.WorkContext{}); len(defects) == 0 {
					t.Errorf("%s: %s is taken without %s, which the prompt calls needed", role, status, name)
				}
			}
		}
		empty := "STATUS: DONE\nCHANGES: none\nTESTS:\n- make test: 3 passed\nCOMMIT: none\n"
		if _, defects := report.ParseWork([]byte(empty), report.WorkContext{AllowEmpty: true}); len(defects) > 0 {
			t.Errorf("the empty report that a ruling allows is refused: %v", defects)
		}
	}
}

// reviewContext is a ledger with one open finding and one that is adjudicated.
func reviewContext(role tier.Role) report.ReviewContext {
	c := report.ReviewContext{
		Role: role, Scope: "T1", Next: 3, Asked: []string{"T1:F-1"},
		Known:      []report.Known{{ID: "T1:F-1", Severity: "Important", Disposition: "open"}, {ID: "T1:F-2", Severity: "Minor", Disposition: "fixed"}},
		FileExists: func(path string) bool { return path == "a.go" },
		InRange:    func(string) bool { return true },
	}
	if role.IsFinal() {
		c.Scope = "FINAL"
	}
	return c
}

var reviewers = []tier.Role{tier.TaskReviewer, tier.ReReviewer, tier.Final, tier.FinalReReviewer}

func TestReviewSkeletons(t *testing.T) {
	for _, role := range reviewers {
		lines := skeleton(t, promptOf(t, role))
		// "FAIL" agrees with a Critical finding, and that with "fixed" but present.
		names, filled := sections(lines, filler("FAIL"))
		var body strings.Builder
		for _, name := range names {
			body.WriteString(filled[name])
		}
		got, defects := report.ParseReview([]byte(body.String()), reviewContext(role))
		if len(defects) > 0 {
			t.Errorf("%s: the skeleton is refused: %v\n%s", role, defects, body.String())
			continue
		}
		if len(got.Findings) != 1 || !strings.HasSuffix(got.Findings[0].ID, ":F-3") {
			t.Errorf("%s: the finding of the skeleton is read as %v", role, got.Findings)
		}
		if want := role == tier.Final; (len(got.Reconciliation) == 1) != want {
			t.Errorf("%s: the skeleton shows a reconciliation: %v, want %v", role, !want, want)
		}
		if want := role != tier.TaskReviewer; (len(got.Verdicts) == 1) != want {
			t.Errorf("%s: the skeleton shows verdicts: %v, want %v", role, !want, want)
		}
	}
}

// Each word that a skeleton offers is one that the parser knows.
func TestEveryOfferedWordIsRead(t *testing.T) {
	for _, role := range reviewers {
		lines := skeleton(t, promptOf(t, role))
		for _, words := range choice.FindAllString(strings.Join(lines, "\n"), -1) {
			for _, word := range strings.Split(words, " | ") {
				names, filled := sections(lines, filler(word))
				var body strings.Builder
				for _, name := range names {
					body.WriteString(filled[name])
				}
				_, defects := report.ParseReview([]byte(body.String()), reviewContext(role))
				for _, d := range defects {
					if d.Code == "token" || strings.HasPrefix(d.Code, "field") || strings.HasPrefix(d.Code, "label") {
						t.Errorf("%s with %s: %v", role, word, d)
					}
				}
			}
		}
	}
}

func TestReportsOfNothing(t *testing.T) {
	for _, c := range []struct {
		role tier.Role
		more string
	}{
		{tier.TaskReviewer, ""}, {tier.ReReviewer, "VERDICTS: none\n"}, {tier.Final, "LEDGER RECONCILIATION: none\n"}, {tier.FinalReReviewer, "VERDICTS: none\n"},
	} {
		for _, line := range strings.Split(strings.TrimSuffix("FINDINGS: none\n"+c.more, "\n"), "\n") {
			if !strings.Contains(promptOf(t, c.role), "`"+line+"`") {
				t.Errorf("%s: the prompt does not name %q", c.role, line)
			}
		}
		ctx := reviewContext(c.role)
		ctx.Asked, ctx.Known = nil, nil
		body := "SPEC: PASS\nQUALITY: APPROVED\nFINDINGS: none\n" + c.more
		if _, defects := report.ParseReview([]byte(body), ctx); len(defects) > 0 {
			t.Errorf("%s: a report of nothing is refused: %v", c.role, defects)
		}
	}
}
