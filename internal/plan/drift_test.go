package plan

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const twoTasks = "# Plan\n\n- note\n\n## Global Constraints\n\n- rule\n\n## Task 1: A\n\n**Implementer tier:** Fast\n\n- [ ] a\n- [ ] b\n\n" +
	"## Task 2: B\n\n**Implementer tier:** Fast\n\n- [ ] c\n\n> - [ ] d\n\n# End\n\nText.\n"

func TestCompare(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(twoTasks) }
	for _, c := range []struct {
		name, now string
		drift     Drift
		what      string
	}{
		{"the same", twoTasks, None, ""},
		{"CRLF", strings.ReplaceAll(twoTasks, "\n", "\r\n"), LineEndings, ""},
		{"some CRLF", strings.Replace(twoTasks, "\n", "\r\n", 3), LineEndings, ""},
		{"one box", replace("[ ] a", "[x] a"), Edited, "only checkboxes changed: task 1 (1)"},
		{"boxes in both, CRLF", strings.ReplaceAll(replace("[ ]", "[X]"), "\n", "\r\n"), Edited, "only checkboxes changed: task 1 (2), task 2 (2)"},
		{"a box and more", replace("[ ] a", "[x] a", "[ ] c", "[x] C"), Edited, "task 1: body changed; task 2: body changed"},
		{"title", replace("1: A", "1: Z"), Edited, "task 1: title changed"},
		{"tier and body", replace("Fast\n\n- [ ] c", "Capable\n\n- [ ] c and more"), Edited, "task 2: tier and body changed"},
		{"constraints", replace("- rule", "- other rule"), Edited, "global constraints changed"},
		{"no constraints", replace("## Global Constraints\n\n- rule\n\n", ""), Edited, "global constraints changed"},
		{"a task more", twoTasks + "\n## Task 3: C\n\n**Implementer tier:** Fast\n", Edited, "task 3: added"},
		{"a task less", twoTasks[:strings.Index(twoTasks, "## Task 2")] + "# End\n", Edited, "task 2: removed"},
		{"text for nobody", replace("Text.", "Other."), Edited, "only text that reaches no brief changed"},
		{"a final line end less", strings.TrimSuffix(twoTasks, "\n"), Edited, "only text that reaches no brief changed"},
		{"no longer a plan", replace("## Task 2", "### Task 2"), Edited, "the plan is no longer accepted: line 16: task 2 stands at level 3 (###), tasks stand at level 2 (##)"},
		{"emptied", "", Edited, "the plan is no longer accepted: line 1: the plan has no task"},
	} {
		drift, what := Compare([]byte(twoTasks), []byte(c.now))
		if drift != c.drift || what != c.what {
			t.Errorf("%s: got %s %q, want %s %q", c.name, drift, what, c.drift, c.what)
		}
	}
	if drift, what := Compare([]byte(twoTasks), nil); drift != Missing || what != "" {
		t.Errorf("no file: got %s %q", drift, what)
	}
}

func TestChanges(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(twoTasks) }
	for _, c := range []struct {
		name, now string
		want      []TaskChange
	}{
		{"the same", twoTasks, nil},
		{"CRLF", strings.ReplaceAll(twoTasks, "\n", "\r\n"), nil},
		{"a byte order mark", byteOrderMark + twoTasks, []TaskChange{{0, "only text that reaches no brief changed"}}},
		{"boxes", replace("[ ] a", "[x] a", "[ ] b", "[x] b", "[ ] c", "[X] c"), []TaskChange{{1, "2 checkboxes changed"}, {2, "1 checkbox changed"}}},
		{"tier, body and constraints", replace("Fast\n\n- [ ] c", "Capable\n\n- [ ] c and more", "- rule", "- ruler"),
			[]TaskChange{{2, "tier and body changed"}, {0, "global constraints changed"}}},
		{"no longer a plan", "x\n", []TaskChange{{0, "the plan is no longer accepted: line 1: the plan has no task"}}},
	} {
		if diff := cmp.Diff(c.want, Changes([]byte(twoTasks), []byte(c.now))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
	outside := "> - [ ] x\n\n" + manyTasks(1)
	if got := Changes([]byte(outside), []byte(strings.Replace(outside, "[ ]", "[x]", 1))); len(got) != 1 || got[0].String() != "1 checkbox changed outside tasks" {
		t.Errorf("outside tasks: %+v", got)
	}
	if got := Changes([]byte(manyTasks(9)), []byte(strings.ReplaceAll(manyTasks(9), ": A", ": B"))); len(got) != 9 || got[8].String() != "task 9: title changed" {
		t.Errorf("nine tasks: %+v", got)
	}
	if got := Changes([]byte("no plan"), []byte("none")); len(got) != 1 || got[0].What != "the text changed" {
		t.Errorf("pinned is no plan: %+v", got)
	}
}

func TestCompareManyChanges(t *testing.T) {
	was, is := manyTasks(9), strings.ReplaceAll(manyTasks(9), ": A", ": B")
	if _, got := Compare([]byte(was), []byte(is)); !strings.HasSuffix(got, "task 6: title changed; and 3 more changes") {
		t.Errorf("got %q", got)
	}
}

func TestDriftNames(t *testing.T) {
	var got []string
	for d := None; d <= numDrifts; d++ {
		got = append(got, d.String())
	}
	if diff := cmp.Diff([]string{"none", "line-endings", "missing", "edited", "drift(4)"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDigest(t *testing.T) {
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got := Digest([]byte("abc")); got != abc {
		t.Errorf("got %s", got)
	}
}

func TestDiff(t *testing.T) {
	got := Diff([]byte("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\nend"), []byte("1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\nend\n"), "pinned", "plan.md")
	want := "--- pinned\n+++ plan.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n" +
		"@@ -10,4 +10,5 @@\n 10\n 11\n 12\n-end\n\\ No newline at end of file\n+13\n+end\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := Diff([]byte("a\n"), nil, "a", "b"); got != "--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n" {
		t.Errorf("emptied: %q", got)
	}
	if got := Diff(nil, []byte("a\n"), "a", "b"); got != "--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n" {
		t.Errorf("filled: %q", got)
	}
}

// Two changes share a hunk where their context touches, and no line is shown twice.
func TestHunks(t *testing.T) {
	for _, c := range []struct{ between, hunks int }{{0, 1}, {5, 1}, {6, 1}, {7, 2}, {20, 2}} {
		same := strings.Repeat("same\n", c.between)
		diff := Diff([]byte("a\n"+same+"b\n"), []byte("x\n"+same+"y\n"), "a", "b")
		if got := strings.Count(diff, "\n@@ "); got != c.hunks {
			t.Errorf("%d lines between: %d hunks, want %d\n%s", c.between, got, c.hunks, diff)
		}
	}
}

// applyDiff applies a unified diff by its own rules, as a check of its form.
func applyDiff(t interface{ Fatalf(string, ...any) }, text, diff string) string {
	old := strings.SplitAfter(text, "\n")
	if diff == "" {
		return text
	}
	lines := splitLines(diff)
	var out strings.Builder
	at := 0
	for i := 2; i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "@@") {
			from, count := 0, 1
			fmt.Sscanf(line, "@@ -%d", &from)
			if n, _ := fmt.Sscanf(line, "@@ -%d,%d", &from, &count); n == 2 && count == 0 {
				from++
			}
			for ; at < from-1; at++ {
				out.WriteString(old[at])
			}
			continue
		}
		body := line[1:]
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\\") {
			body = strings.TrimSuffix(body, "\n")
		}
		switch line[0] {
		case ' ', '-':
			if at >= len(old) || old[at] != body {
				t.Fatalf("line %d of the diff does not apply: %q", i, line)
			}
			at++
			if line[0] == ' ' {
				out.WriteString(body)
			}
		case '+':
			out.WriteString(body)
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String()
}

func TestDiffApplies(t *testing.T) {
	text := func(t *rapid.T, label string) string {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d\r\n", "e\n"}), 0, 40).Draw(t, label)
		return strings.Join(lines, "") + rapid.SampledFrom([]string{"", "", "end"}).Draw(t, label+" end")
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := text(t, "a"), text(t, "b")
		if got := applyDiff(t, a, Diff([]byte(a), []byte(b), "a", "b")); got != b {
			t.Fatalf("got %q, want %q", got, b)
		}
	})
}

// A change that is too large for an exact comparison is shown as replaced, one
// at the limit is not.
func TestDiffOfManyLines(t *testing.T) {
	for _, c := range []struct {
		lines   int
		changed int
	}{{maxExact / 2, 2}, {maxExact/2 + 1, maxExact + 2}} {
		var a, b []string
		for i := range c.lines {
			a = append(a, fmt.Sprintf("line %d\n", i))
			b = append(b, fmt.Sprintf("line %d\n", i+1))
		}
		diff := Diff([]byte(strings.Join(a, "")), []byte(strings.Join(b, "")), "a", "b")
		if got := strings.Count(diff, "\n-line") + strings.Count(diff, "\n+line"); got != c.changed {
			t.Errorf("%d lines: %d changed, want %d", c.lines, got, c.changed)
		}
	}
}

// TestDiffIsUnderstood gives the diff to the program that people apply it with.
func TestDiffIsUnderstood(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	now := strings.NewReplacer("- rule", "- other\n- rules", "Text.\n", "Text.").Replace(twoTasks)
	for name, text := range map[string]string{"plan.md": twoTasks, "change.diff": Diff([]byte(twoTasks), []byte(now), "a/plan.md", "b/plan.md")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "apply", "change.diff")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "plan.md"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(now, string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
