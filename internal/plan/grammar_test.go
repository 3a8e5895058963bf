package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found lists defects as "line code".
func found(defects []Defect) []string {
	var list []string
	for _, d := range defects {
		list = append(list, fmt.Sprintf("%d %s", d.Line, d.Code))
	}
	return list
}

// rest completes a plan whose first task has its heading on line 1.
const rest = "\n\n**Implementer tier:** Fast\n\nDo it.\n"

func TestHeadings(t *testing.T) {
	const ok, depth, form, alike, id = "", "heading-depth", "heading-not-canonical", "heading-lookalike", "heading-id"
	for _, c := range []struct{ line, want string }{
		{"## Task 1: Title", ok},
		{"## Task 1: C#", ok},
		{"## Task 1: Use `a: b` and # b", ok},
		{"## Task 1: Title (optional)", ok},
		{"# Task 1: Title", depth},
		{"### Task 1: Title", depth},
		{"###### Task 1: Title", depth},
		{"### task 1 - Title", depth},
		{"## task 1: Title", form},
		{"## TASK 1: Title", form},
		{"##  Task 1: Title", form},
		{"##\tTask 1: Title", form},
		{"## Task  1: Title", form},
		{"## Task 1 : Title", form},
		{"## Task 1:  Title", form},
		{"## Task 1:Title", form},
		{"## Task 1:\tTitle", form},
		{"## Task 1 Title", form},
		{"## Task 1 - Title", form},
		{"## Task 1 — Title", form},
		{"## Task 1. Title", form},
		{"## Task 1) Title", form},
		{"## Task #1: Title", form},
		{"## Task1: Title", form},
		{"## Task-1: Title", form},
		{"## Task 1 (optional): Title", form},
		{"## Task 1: Title ", form},
		{"## Task 1: Title\t", form},
		{"## Task 1: Title\u00a0", form},
		{"## Task 1: Title #", form},
		{"## Task 1: Title ## ", form},
		{" ## Task 1: Title", form},
		{"   ## Task 1: Title", form},
		{"## **Task 1: Title**", form},
		{"## **Task 1:** Title", form},
		{"## `Task 1`: Title", form},
		{"## [x] Task 1: Title", form},
		{"## ✅ Task 1: Title", form},
		{"## Task\u00a01: Title", form},
		{"## Task 1\uff1a Title", form},
		{"## \u0422ask 1: Title", form},
		{"## Task \u0661: Title", form},
		{"## \u200bTask 1: Title", form},
		{"Task 1: Title\n---", form},
		{"Task 1: Title\n---------", form},
		{"Task 1: Title\n===", depth},
		{"Some text\nTask 1: Title\n---", form},
		{"##Task 1: Title", alike},
		{"####### Task 1: Title", alike},
		{"##\u00a0Task 1: Title", alike},
		{"##\u3000Task 1: Title", alike},
		{"\u200b## Task 1: Title", alike},
		{"\uff03\uff03 Task 1: Title", alike},
		{"Some text\n    ## Task 1: Title", alike},
		{"Some text\n##Task 1: Title", alike},
		{"## Task 0: Title", id},
		{"## Task 01: Title", id},
		{"## Task 1a: Title", id},
		{"## Task 1.5: Title", id},
		{"## Task 1-2: Title", id},
		{"## Task A1: Title", id},
		{"## Task A: Title", id},
		{"## Task II: Title", id},
		{"## Task One: Title", id},
		{"## Task 2: Title", "number"},
		{"## Task 99999999999999999999: Title", "number"},
		{"## Task 1:", "title-missing"},
		{"## Task 1", "title-missing"},
		{"## Task 1: ##", "title-missing"},
		{"## Task 1: \u200b", "title-missing"},
		{"## Task 1: a\u202eb", "control-character"},
		{"## Task 1: a\u0007b", "control-character"},
		{"## Task 1: a\tb", "control-character"},
		{"## Task 1: a\u2028b", "control-character"},
		{"## Task 1: a\x00b", "control-character"},
		{"## Task 1: " + strings.Repeat("é", MaxTitle), ok},
		{"## Task 1: " + strings.Repeat("é", MaxTitle+1), "title-too-long"},
		{"## Task Breakdown", "tasks-missing"},
		{"## Tasks 1-3", "tasks-missing"},
		{"## Tasks", "tasks-missing"},
		{"## Task v2 migration", "tasks-missing"},
		{"## Task: Title", "tasks-missing"},
		{"# Task: Title", "tasks-missing"},
		{"## Multitask 1: Title", "tasks-missing"},
	} {
		p, defects := Parse([]byte(c.line + rest))
		got := ""
		if p == nil {
			got = defects[0].Code
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q: %+v", c.line, got, c.want, defects)
		}
	}
}

func TestTierFields(t *testing.T) {
	const ok, bad, missing = "", "tier-malformed", "tier-missing"
	for _, c := range []struct{ text, want string }{
		{"**Implementer tier:** Fast", ok},
		{"Text\n**Implementer tier:** Fast\ntext", ok},
		{"- item\n\n**Implementer tier:** Frontier", ok},
		{"**Implementer tier:** Fast\n\n    **Implementer tier:** Capable", ok},
		{"**Implementer tier:** Fast\n\n```\n**Implementer tier:** Capable\n```", ok},
		{"**Implementer tier:** Fast\n\n> **Implementer tier:** Capable", ok},
		{"**Implementer tier:** Fast\n\n**Tier:** Capable", ok},
		{"**Implementer tier:** Fast\n\nThe line `**Implementer tier:** Fast` is explained.", ok},
		{"**Implementer tier:** fast", bad},
		{"**Implementer tier:** FAST", bad},
		{"**Implementer tier:** Fast ", bad},
		{"**Implementer tier:** Fast\u00a0", bad},
		{"**Implementer tier:** Fast.", bad},
		{"**Implementer tier:** **Fast**", bad},
		{"**Implementer tier:** Turbo", bad},
		{"**Implementer tier:**", bad},
		{"**Implementer tier:**  Fast", bad},
		{"**Implementer tier:**\u00a0Fast", bad},
		{"**Implementer tier:** F\u0430st", bad},
		{"**Implementer tier**: Fast", bad},
		{"**Implementer Tier:** Fast", bad},
		{"Implementer tier: Fast", bad},
		{"__Implementer tier:__ Fast", bad},
		{" **Implementer tier:** Fast", bad},
		{"- **Implementer tier:** Fast", bad},
		{"1. **Implementer tier:** Fast", bad},
		{"- item\n**Implementer tier:** Fast", bad},
		{"> quote\n**Implementer tier:** Fast", bad},
		{"**Implementer tier:** Fast\n---", bad},
		{"Text\n**Implementer tier:** Fast\n---", bad},
		{"**Implementer tier:** Fast\n\n**Implementer tier:** fast", bad},
		{"**Implementer tier:** Fast\u202e", "control-character"},
		{"**Implementer tier:** Fast\n\n**Implementer tier:** Fast", "tier-duplicate"},
		{"Nothing.", missing},
		{"**Tier:** Fast", missing},
		{"    **Implementer tier:** Fast", missing},
		{"```\n**Implementer tier:** Fast\n```", missing},
		{"> **Implementer tier:** Fast", missing},
		{"<!--\n**Implementer tier:** Fast\n-->", missing},
		{"<details>\n**Implementer tier:** Fast\n</details>", missing},
		{"Files: a.go **Implementer tier:** Fast", missing},
	} {
		p, defects := Parse([]byte("## Task 1: Title\n\n" + c.text + "\n\nDo it.\n"))
		got := ""
		if p == nil {
			got = defects[0].Code
		}
		if got != c.want || len(defects) > 1 {
			t.Errorf("%q: got %q, want %q: %+v", c.text, got, c.want, defects)
		}
	}
}

func TestConstraintsHeading(t *testing.T) {
	const alike = "constraints-lookalike"
	for _, c := range []struct{ line, want string }{
		{"## Global Constraints", ""},
		{"## Constraints", ""},
		{"## Global constraints", alike},
		{"## GLOBAL CONSTRAINTS", alike},
		{"## Global Constraints ", alike},
		{"## Global Constraints:", alike},
		{"## Global Constraints ##", alike},
		{"##  Global Constraints", alike},
		{" ## Global Constraints", alike},
		{"## Global\u00a0Constraints", alike},
		{"## Global Constraint", alike},
		{"## Global Constraints and rules", alike},
		{"## **Global Constraints**", alike},
		{"# Global Constraints", alike},
		{"### Global Constraints", alike},
		{"Global Constraints\n---", alike},
		{"##Global Constraints", alike},
		{"##\u00a0Global Constraints", alike},
		{"### Global constraints of the parser", ""},
	} {
		_, defects := Parse([]byte(c.line + "\n\n- No cgo.\n\n## Task 1: Title" + rest))
		var want []string
		if c.want != "" {
			want = []string{"1 " + c.want}
		}
		if diff := cmp.Diff(want, found(defects)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", c.line, diff)
		}
	}
}

func TestDefectsOfWholePlans(t *testing.T) {
	const tiered = "\n\n**Implementer tier:** Fast\n\nDo it.\n\n"
	for _, c := range []struct {
		name, plan string
		want       []string
	}{
		{"empty", "", []string{"1 tasks-missing"}},
		{"steps and no task", "# Plan\n\n- [ ] a\n", []string{"1 tasks-missing"}},
		{"only a mark", "\ufeff", []string{"1 tasks-missing"}},
		{"all defects in line order", "## Global constraints\n\n### Task 1: A\n\n## Task 3: B\n\n**Implementer tier:** fast\n\n## Notes\n\n1. Orphan\n",
			[]string{"1 constraints-lookalike", "3 heading-depth", "3 tier-missing", "5 number", "7 tier-malformed", "9 orphan-steps"}},
		{"gap", "## Task 1: A" + tiered + "## Task 3: B" + tiered + "## Task 4: C" + tiered, []string{"7 number"}},
		{"repetition", "## Task 1: A" + tiered + "## Task 1: B" + tiered, []string{"7 number"}},
		{"constraints twice", "## Global Constraints\n\n- A\n\n## Global Constraints\n\n- B\n\n## Task 1: A" + tiered, []string{"5 constraints-duplicate"}},
		{"constraints late", "## Task 1: A" + tiered + "## Global Constraints\n\n- A\n", []string{"7 constraints-late"}},
		{"constraints in a task", "## Task 1: A" + tiered + "### Global Constraints\n\n- A\n", []string{"7 constraints-lookalike"}},
		{"steps in front", "- [ ] first\n\n## Task 1: A" + tiered, []string{"1 orphan-steps"}},
		{"numbered steps", "## Task 1: A" + tiered + "## After\n\nText\n\n1. do\n2. do\n", []string{"7 orphan-steps"}},
		{"step titles", "## Task 1: A" + tiered + "## After\n\n**Step 1: do**\n", []string{"7 orphan-steps"}},
		{"steps in the list of a list", "## Task 1: A" + tiered + "# After\n\n- a\n  - [x] b\n", []string{"7 orphan-steps"}},
		{"a heading that is a step", "## Task 1: A" + tiered + "## Step 2: do\n\ntext\n", []string{"7 orphan-steps"}},
		{"boxes in a quote or code are no steps", "> - [ ] a\n\n```\n- [ ] b\n```\n\n## Task 1: A" + tiered, nil},
		{"steps under a deeper heading belong to the task", "## Task 1: A" + tiered + "### More\n\n- [ ] a\n", nil},
		{"steps in constraints reach all", "## Global Constraints\n\n1. a\n\n## Task 1: A" + tiered, nil},
		{"open fence", "## Task 1: A" + tiered + "```sh\nmake\n", []string{"7 fence-unterminated"}},
		{"open fence hides the tasks", "```sh\nmake\n\n## Task 1: A" + tiered, []string{"1 fence-unterminated"}},
		{"shorter closer", "## Task 1: A" + tiered + "````\nmake\n```\n", []string{"7 fence-unterminated"}},
		{"closer with text", "## Task 1: A" + tiered + "```\nmake\n``` end\n", []string{"7 fence-unterminated"}},
		{"fence ended by a quote", "## Task 1: A" + tiered + "> ```\n> make\n\nText\n", []string{"7 fence-unterminated"}},
		{"empty closed fence", "## Task 1: A" + tiered + "```\n```\n", nil},
		{"nested fence, same headings", "## Task 1: A" + tiered + "```md\n```sh\nmake\n```\n", nil},
		{"nested fence in even pairs", "## Task 1: A" + tiered + "```md\nText\n```sh\nmake\n```\n```\n\n## Task 2: B" + tiered + "```sh\nmake\n```\n", []string{"9 fence-nested"}},
		{"inner opener that nothing closes", "## Task 1: A" + tiered + "```md\n```sh\nmake\n```\n\n## Task 2: B" + tiered, nil},
		{"inner opener that would take the next fence", "## Task 1: A" + tiered + "```md\n```sh\n```\n\n## Task 2: B" + tiered + "```\nx\n```\n", nil},
		{"inner opener in code", "## Task 1: A" + tiered + "```md\n    ```sh\n```\n\n## Task 2: B" + tiered, nil},
		{"two nested fences", "## Task 1: A" + tiered + "```md\n```sh\nx\n```\n## Old\n```sh\ny\n```\n```\n", []string{"8 fence-nested"}},
		{"forgotten closer", "## Task 1: A" + tiered + "```sh\nmake\n\n## Task 2: B" + tiered + "```sh\nmake\n```\n", []string{"16 fence-nested"}},
		{"example of another task in a fence", "## Task 1: A" + tiered + "```md\n## Task 9: B\n```\n", nil},
		{"invalid UTF-8 and more", "## Task 1: caf\xe9" + tiered + "### Task 2: B" + tiered, []string{"1 encoding", "7 heading-depth"}},
		{"UTF-16", "\xff\xfe#\x00", []string{"1 encoding"}},
		{"lone CR", "## Task 1: A" + tiered + "a\rb\n", []string{"7 line-ending"}},
		{"CR before CRLF", "## Task 1: A\r\r\n", []string{"1 line-ending"}},
		{"NUL in a body", "## Task 1: A" + tiered + "a\x00b\n", []string{"7 control-character"}},
		{"separator under the tier", "## Task 1: A\n\n**Implementer tier:** Fast\n---\n\n- [ ] a\n\n## Task 2: B" + tiered, []string{"3 tier-malformed"}},
		{"front matter", "---\ntitle: x\n# a comment\n---\n## Task 1: A" + tiered, nil},
		{"front matter that ends with dots", "---\ntitle: x\n...\n## Task 1: A" + tiered, nil},
		{"a separator is no front matter", "---\n\n## Global constraints\n\n- x\n\n---\n\n## Task 1: A" + tiered, []string{"3 constraints-lookalike"}},
		{"front matter holds no task", "---\na: b\n\n## Task 1: A" + tiered + "---\n\n## Task 2: B" + tiered, nil},
		{"separator right under the tier", "## Task 1: A\n\n**Implementer tier:** Fast\n---\nDo it.\n", []string{"3 tier-malformed"}},
		{"no blank after the hashes, underlined", "## Task 1: A" + tiered + "##Task 2: B\n---\n**Implementer tier:** Fast\n", []string{"7 heading-not-canonical"}},
		{"no blank after the hashes, under a list", "## Task 1: A" + tiered + "- [ ] a\n##Task 2: B" + tiered, []string{"8 heading-lookalike"}},
		{"no blank after the hashes, under a quote", "## Task 1: A" + tiered + "> a\n##Task 2: B" + tiered, []string{"8 heading-lookalike"}},
		{"no blank after the hashes, in a list", "## Task 1: A" + tiered + "- ##Task 2: B\n  ##Task 3: C\n", nil},
		{"setext heading ends a section", "## Task 1: A" + tiered + "Notes\n---\n\n- [ ] a\n", []string{"7 orphan-steps"}},
		{"dashes after a definition make no heading", "## Task 1: A" + tiered + "[a]: b\n---\n\n- [ ] a\n", nil},
		{"too many tasks", manyTasks(MaxTasks + 2), []string{fmt.Sprint(1+4*MaxTasks) + " tasks-too-many"}},
		{"as many as allowed", manyTasks(MaxTasks), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, defects := Parse([]byte(c.plan))
			if diff := cmp.Diff(c.want, found(defects)); diff != "" {
				t.Errorf("(-want +got)\n%s%+v", diff, defects)
			}
		})
	}
}

func TestFrontMatter(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"---\na: b\n---\n", 3},
		{"---\n# c\n\n\"a b\": c\n- [x, y]\n...\ntext", 6},
		{"---\na:\n---", 3},
		{"---\n---\n", 0},
		{"---\n# c\n---\n", 0},
		{"---\na: b\n", 0},
		{"---\n**a:** b\n---\n", 0},
		{"---\ntext\n---\n", 0},
		{"---\na: b\n### task 1\n---\n", 0},
		{"---\na: b\n# Global constraints\n---\n", 0},
		{"---\na: b\n- [ ] step\n---\n", 0},
		{"---\na: b\nImplementer tier: Fast\n---\n", 0},
		{"\n---\na: b\n---\n", 0},
		{"--- \na: b\n---\n", 0},
	} {
		if got := newSource([]byte(c.text)).front; got != c.want {
			t.Errorf("%q: got %d, want %d", c.text, got, c.want)
		}
	}
}

func TestAlmostTasks(t *testing.T) {
	for text, want := range map[string]string{
		"# Plan\n\ntext\n":                 "the plan has no task",
		"# Plan\n\n**Task 1: A**\n":        `the plan has no task: line 3 ("**Task 1: A**") is bold text, not a heading`,
		"- [ ] **Task 1** A\n":             `the plan has no task: line 1 ("- [ ] **Task 1** A") is bold text, not a heading`,
		"# Plan\n\n## Step 1: A\n":         `the plan has no task: line 3 ("## Step 1: A") is not called Task`,
		"# Plan\n\n### 1. A\n":             `the plan has no task: line 3 ("### 1. A") is not called Task`,
		"# Plan\n\n## **Phase 2**\n\n1. a": `the plan has no task: line 3 ("## **Phase 2**") is not called Task`,
	} {
		_, defects := Parse([]byte(text))
		if len(defects) != 1 || defects[0].Message != want {
			t.Errorf("%q: got %+v, want %q", text, defects, want)
		}
	}
}

func TestEncodingMessage(t *testing.T) {
	_, defects := Parse([]byte("## Task 1: caf\xe9" + rest + "\xff\n\xff\n"))
	if want := "byte 0xE9 at position 15 is not UTF-8, and the same on 2 more lines"; defects[0].Message != want {
		t.Errorf("got %q, want %q", defects[0].Message, want)
	}
}

func manyTasks(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "## Task %d: A\n\n**Implementer tier:** Fast\n\n", i)
	}
	return b.String()
}

func TestBounds(t *testing.T) {
	head := "## Task 1: A\n\n**Implementer tier:** Fast\n\n"
	frame := len("## Task 1: A\n\n\n")
	fits := head + strings.Repeat("x", MaxBrief-frame) + "\n"
	p, defects := Parse([]byte(fits))
	if p == nil {
		t.Fatalf("refused: %+v", defects)
	}
	if got := len(p.Brief(1)); got != MaxBrief {
		t.Errorf("brief of %d bytes, want %d", got, MaxBrief)
	}
	if _, defects := Parse([]byte(head + strings.Repeat("x", MaxBrief-frame+1) + "\n")); cmp.Diff([]string{"1 brief-too-large"}, found(defects)) != "" {
		t.Errorf("one byte more: %+v", defects)
	}
	pad := strings.Repeat(strings.Repeat("y", 63)+"\n", MaxBytes/64)
	if _, defects := Parse([]byte(pad)); cmp.Diff([]string{"1 tasks-missing"}, found(defects)) != "" {
		t.Errorf("at the limit: %+v", found(defects))
	}
	if _, defects := Parse([]byte(pad + "\n")); cmp.Diff([]string{"1 plan-too-large"}, found(defects)) != "" {
		t.Errorf("one byte more: %+v", found(defects))
	}
}

func TestBrief(t *testing.T) {
	const text = "# Plan\n\n## Global Constraints\n\n\n- One\n\n  more\n\n## Task 1: A\n**Implementer tier:** Fast\n\n\n    code\n\ntext  \n\n### Deeper\n\n\n" +
		"## Task 2: B\n\nbefore\n**Implementer tier:** Economy\nafter\n## Task 3: C\n**Implementer tier:** Economy\n## Tail\nx\n"
	p, defects := Parse([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	if p == nil {
		t.Fatal(defects)
	}
	const shared = "## Global Constraints\n\n- One\n\n  more\n\n"
	for n, want := range map[int]string{
		0: "",
		1: shared + "## Task 1: A\n\n    code\n\ntext  \n\n### Deeper\n",
		2: shared + "## Task 2: B\n\nbefore\nafter\n",
		3: shared + "## Task 3: C\n",
		4: "",
	} {
		if diff := cmp.Diff(want, string(p.Brief(n))); diff != "" {
			t.Errorf("brief %d (-want +got)\n%s", n, diff)
		}
	}
	if text, ok := p.Constraints(); !ok || text != "- One\n\n  more" {
		t.Errorf("constraints %q, %v", text, ok)
	}
	if diff := cmp.Diff([]Span{{1, 1}, {28, 29}}, p.Unread()); diff != "" {
		t.Errorf("unread (-want +got)\n%s", diff)
	}
	var lines [][2]int
	for _, task := range p.Tasks() {
		lines = append(lines, [2]int{task.Line, task.EndLine})
	}
	if diff := cmp.Diff([][2]int{{10, 18}, {21, 25}, {26, 27}}, lines); diff != "" {
		t.Errorf("lines (-want +got)\n%s", diff)
	}
}

func TestWarnings(t *testing.T) {
	const text = "# Plan\n\nGoal.\n\n## Task 1: A\n\n**Implementer tier:** Frontier\n\n- item\n\n  ## Task 2: lost\n\n**Reviewer tier:** Fast\n\n" +
		"## Task 2: B\n\n**Implementer tier:** Fast\n\n## Notes\n\ntext\n\n# Divider\n\n<!-- open\n\n## Task 3: gone\n"
	p, defects := Parse([]byte(text))
	if p == nil {
		t.Fatal(defects)
	}
	var got []string
	for _, w := range p.Warnings() {
		got = append(got, fmt.Sprintf("%d %s", w.Line, w.Code))
	}
	want := []string{"1 unread", "1 constraints-missing", "7 tier-frontier", "11 task-inert", "13 tier-derived", "15 body-empty", "19 unread", "23 unread", "27 task-inert"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s%+v", diff, p.Warnings())
	}
}
