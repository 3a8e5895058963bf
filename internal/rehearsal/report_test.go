package rehearsal

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

const object = "0123456789abcdef0123456789abcdef01234567"

// promptFor renders what a child of the role would get.
func promptFor(t *testing.T, role tier.Role, ids ...string) []byte {
	t.Helper()
	c := prompt.Context{
		Worktree: "/w", RunRoot: "/w/.git-sdd/r", Task: 3, BaseSHA: object, HeadSHA: object,
		BriefPath: "/b", ContextPath: "/c", ReportPath: "/r", ReviewPackagePath: "/p", FindingPackagePath: "/f",
		FindingIDs: ids, NextFinding: "F-3",
	}
	if role.HasRounds() {
		c.Round = 2
	}
	data, err := prompt.Render(role, tier.Standard, c)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func childOf(t *testing.T, role tier.Role, ids ...string) Child {
	t.Helper()
	c, err := ReadPrompt(promptFor(t, role, ids...))
	if err != nil {
		t.Fatal(err)
	}
	if c.Role != role || c.Tier != "standard" || c.Says("task") != "3" || c.Says("reportPath") != "/r" {
		t.Errorf("a prompt of the %s is read as %+v", role, c)
	}
	return c
}

// Every answer of every role is a report that is taken as what it says.
func TestReportsParse(t *testing.T) {
	for _, role := range tier.Roles() {
		for word, form := range answers {
			if form.works != role.Works() {
				continue
			}
			for _, choice := range append([]string{""}, form.choice...) {
				if (choice == "") == (form.choice != nil) {
					continue
				}
				text := ""
				if form.text {
					text = " why: because"
				}
				s, err := Parse(strings.Join([]string{role.String(), "3", word, choice}, " ") + text)
				if err != nil {
					t.Fatal(err)
				}
				for _, ids := range [][]string{nil, {"T3:F-1"}, {"T3:F-1", "T3:F-2"}} {
					c := childOf(t, role, ids...)
					a := s.Answer(c)
					f := Facts{Commit: object, Changed: []string{"a.txt"}, Recorded: []Recorded{{ID: "T3:F-1", Severity: "Important"}, {ID: "T3:F-2", Severity: "Minor"}, {ID: "T1:F-1", Severity: "Minor", Disposition: "parked"}}}
					check(t, c, a, f, ids, promptFor(t, role, ids...))
					s, _ = Parse(strings.Join([]string{role.String(), "3", word, choice}, " ") + text)
				}
			}
		}
	}
}

func check(t *testing.T, c Child, a Answer, f Facts, ids []string, prompt []byte) {
	t.Helper()
	data := c.Report(a, f)
	digest := fmt.Sprintf("%x", sha256.Sum256(prompt))
	if c.Role.Works() {
		work, defects := report.ParseWork(data, report.WorkContext{Prompt: digest})
		if defects != nil || work.Status != statuses[a.Word] {
			t.Errorf("%s, %s: %v\n%s", c.Role, a.Word, defects, data)
		}
		return
	}
	rereview := c.Role == tier.ReReviewer || c.Role == tier.FinalReReviewer
	if a.Word == "still" && len(ids) == 0 && !rereview {
		return // nothing was found that could still be there
	}
	if c.Role == tier.TaskReviewer && len(ids) > 0 {
		return // a first review judges no findings
	}
	scope := "T3"
	if c.Role.IsFinal() {
		scope = "FINAL"
	}
	known := []report.Known{{ID: "T1:F-1", Severity: "Minor", Disposition: "parked"}}
	for _, r := range f.Recorded[:2] {
		if slices.Contains(ids, r.ID) {
			known = append(known, report.Known{ID: r.ID, Severity: r.Severity, Disposition: "open"})
		}
	}
	review, defects := report.ParseReview(data, report.ReviewContext{
		Role: c.Role, Scope: scope, Asked: ids, Known: known, Next: 3, Prompt: digest,
		FileExists: func(path string) bool { return path == "a.txt" }, InRange: func(path string) bool { return path == "a.txt" },
	})
	if defects != nil {
		t.Errorf("%s, %s %s, asked for %v: %v\n%s", c.Role, a.Word, a.line.words, ids, defects, data)
		return
	}
	if unmet := a.line.words == "Critical" || a.line.words == "Important" || a.Word == "still" && len(ids) > 0; unmet != (review.Spec == "FAIL") {
		t.Errorf("%s, %s %s, asked for %v: SPEC: %s", c.Role, a.Word, a.line.words, ids, review.Spec)
	}
}

// A scripted child leaves alone what its contract says, and works where its brief
// says.
func TestFiles(t *testing.T) {
	brief := "# Task 3: x\n\nFiles:\n- Create: `a/b.go`\n- Modify: `plan.md`\n- `../x`, `/etc/passwd`\n- `.git/config`\n- `sub/.gitmodules`\n- `docs/`\n- `*.go`\n- `c.go`\n"
	c := childOf(t, tier.Implementer)
	if got, want := c.Files([]byte(brief), "plan.md"), []string{"a/b.go", "c.go"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := c.Files([]byte("no files\n"), "plan.md"); !slices.Equal(got, []string{"git-sdd-rehearsal/task-3.md"}) {
		t.Errorf("%q", got)
	}
	if got := childOf(t, tier.FinalFixer).Files(nil, "plan.md"); !slices.Equal(got, []string{"git-sdd-rehearsal/final.md"}) {
		t.Errorf("%q", got)
	}
}

// Findings of the files beside a prompt, without those of the controller.
func TestFindings(t *testing.T) {
	data := prompt.FindingPackage(prompt.FindingPackageInput{
		Open: []prompt.OpenFinding{
			{ID: "T3:F-1", Severity: "Important", Location: "a.txt:1", Summary: "### T9:F-9 (Minor)"},
			{ID: "T3:GATE-test-1", Severity: "Critical", Location: "none", Summary: "e"},
		},
		Adjudicated: []prompt.Adjudicated{{ID: "T1:F-1", Severity: "Minor", Disposition: "parked", Location: "none", Summary: "e"}},
	})
	commit := []byte("### 0123 fix: a name (Minor)\n")
	want := []Recorded{{"T3:F-1", "Important", ""}, {"T1:F-1", "Minor", "parked"}}
	if got := Findings(data, commit, data); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v\n%s", got, want, data)
	}
}

func TestReadPromptRefuses(t *testing.T) {
	good := string(promptFor(t, tier.Fixer))
	for what, bad := range map[string]string{
		"no tier":     good[1:],
		"two roles":   strings.Replace(good, "\n# Fixer\n", "\n# Fixer\n# Implementer\n", 1),
		"no role":     strings.Replace(good, "\n# Fixer\n", "\n# Somebody\n", 1),
		"no report":   strings.Replace(good, "- reportPath:", "- report:", 1),
		"no worktree": strings.Replace(good, "- worktree:", "- tree:", 1),
	} {
		if c, err := ReadPrompt([]byte(bad)); err == nil {
			t.Errorf("%s: read as %+v", what, c)
		}
	}
}
