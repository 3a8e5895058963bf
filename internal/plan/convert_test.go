package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/tier"
	"github.com/google/go-cmp/cmp"
)

var standard = ConvertOptions{Tier: tier.Standard}

func TestConvertHeadings(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"## Task 1: Title", "## Task 1: Title"},
		{"### Task 1: Title", "## Task 1: Title"},
		{"# Task 1: Title", "## Task 1: Title"},
		{"###### task 1 - Title ##", "## Task 1: Title"},
		{"##Task 1: Title ##", "## Task 1: Title"},
		{"##\u00a0Task 1\uff1aTitle\u00a0", "## Task 1: Title"},
		{"## Task #1. Title", "## Task 1: Title"},
		{"## Task 1) Title", "## Task 1: Title"},
		{"## Task 1 (optional): Title", "## Task 1: Title (optional)"},
		{"## Task 1 [P]: Title", "## Task 1: Title [P]"},
		{"## **Task 1: Use `x` and **y****", "## Task 1: Use `x` and **y**"},
		{"## **Task 1:** Title", "## Task 1: Title"},
		{"## [ ] Task 1: Title", "## Task 1: Title"},
		{"## 🔴 Task 1: Title", "## Task 1: 🔴 Title"},
		{"Task 1: Title\n-------------", "## Task 1: Title"},
		{"  Task 1: Title\n=============", "## Task 1: Title"},
		{"Text\nTask 1: Title\n---", "Text\n## Task 1: Title"},
		{"Text\n    ## Task 1: Title", "Text\n## Task 1: Title"},
	} {
		conv, defects := Convert([]byte(c.line+"\n\n- [ ] Do it.\n"), standard)
		if conv == nil {
			t.Errorf("%q: refused: %+v", c.line, defects)
			continue
		}
		want := c.want + "\n\n**Implementer tier:** Standard\n\n- [ ] Do it.\n"
		if diff := cmp.Diff(want, string(conv.Output)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", c.line, diff)
		}
	}
}

func TestConvertRefuses(t *testing.T) {
	const tiered = "\n\n**Implementer tier:** Fast\n\nDo it.\n\n"
	for _, c := range []struct {
		name, plan string
		opt        ConvertOptions
		want       string
	}{
		{"no tier", "## Task 1: A\n", ConvertOptions{}, "1 tier-missing"},
		{"no tier in the map", "## Task 1: A\n\n## Task 2: B\n", ConvertOptions{TierMap: map[int]tier.Tier{1: tier.Fast}}, "3 tier-missing"},
		{"map of no task", "## Task 1: A" + tiered, ConvertOptions{TierMap: map[int]tier.Tier{2: tier.Fast}}, "1 tier-malformed"},
		{"map against the plan", "## Task 1: A" + tiered, ConvertOptions{TierMap: map[int]tier.Tier{1: tier.Capable}}, "3 tier-duplicate"},
		{"two tiers", "## Task 1: A" + tiered + "Implementer tier: Fast\n", standard, "7 tier-duplicate"},
		{"unknown tier", "## Task 1: A\n\n**Implementer tier:** Turbo\n", standard, "3 tier-malformed"},
		{"tier item with more in it", "## Task 1: A\n\n- **Implementer tier:** Fast\n  more\n", standard, "3 tier-malformed"},
		{"bidi in a tier line", "## Task 1: A\n\n**Implementer tier:** Fast\u202e\n", standard, "3 control-character"},
		{"no task", "## Step 1: A\n\n- [ ] a\n", standard, "1 tasks-missing"},
		{"inserted id", "## Task 1: A\n\n## Task 1a: B\n", standard, "3 heading-id"},
		{"restart", "# I\n\n## Task 1: A\n\n# II\n\n## Task 1: B\n", standard, "7 number"},
		{"parts of tasks", "## Task 1: A\n\n### Task 1.1: B\n", ConvertOptions{Tier: tier.Fast, Renumber: true}, "3 heading-depth"},
		{"no title", "### Task 1\n\n- [ ] a\n", standard, "1 title-missing"},
		{"ticked", "### [x] Task 1: A\n", standard, "1 heading-not-canonical"},
		{"done", "### ✅ Task 1: A\n", standard, "1 heading-not-canonical"},
		{"heading of several lines", "Task 1: A\nmore\n---\n", standard, "1 heading-not-canonical"},
		{"title too long with its old id", "## Task 7: " + strings.Repeat("x", MaxTitle) + "\n", ConvertOptions{Tier: tier.Fast, Renumber: true}, "1 title-too-long"},
		{"orphans", "## Task 1: A\n\n## Notes\n\n- [ ] b\n", standard, "3 orphan-steps"},
		{"orphans before any task", "## Setup\n\n- [ ] b\n\n## Task 1: A\n", ConvertOptions{Tier: tier.Fast, Orphans: OrphansPrevious}, "1 orphan-steps"},
		{"orphans after all tasks", "## Task 1: A\n\n## Notes\n\n- [ ] b\n", ConvertOptions{Tier: tier.Fast, Orphans: OrphansNext}, "3 orphan-steps"},
		{"steps that are headings beside the tasks", "### Task 1: A\n\n### Step 1: b\n\nDo b.\n", standard, "3 orphan-steps"},
		{"nested fences", "## Task 1: A\n```md\n```sh\nx\n```\n```\n## Task 2: B\n```sh\ny\n```\n", standard, "3 fence-nested"},
		{"open fence", "## Task 1: A\n```md\n", ConvertOptions{Tier: tier.Fast, FixFences: true}, "2 fence-unterminated"},
		{"constraints with more words", "## Global Constraints and rules\n\n- a\n\n## Task 1: A\n", standard, "1 constraints-lookalike"},
		{"constraints late", "## Task 1: A\n\n## Global constraints\n\n- a\n", standard, "3 constraints-late"},
		{"constraints twice", "## Global Constraints\n\n# Global constraints\n\n## Task 1: A\n", standard, "3 constraints-duplicate"},
		{"no such heading", "## Task 1: A\n", ConvertOptions{Tier: tier.Fast, ConstraintsFrom: "Rules"}, "1 constraints-lookalike"},
		{"two such headings", "## Rules\n\n## Rules\n\n## Task 1: A\n", ConvertOptions{Tier: tier.Fast, ConstraintsFrom: "Rules"}, "3 constraints-duplicate"},
		{"lone CR", "## Task 1: A\rb\n", standard, "1 line-ending"},
		{"too many", manyTasks(MaxTasks + 1), standard, "1025 tasks-too-many"},
		{"brief too large", "### Task 1: A\n\n" + strings.Repeat("x", MaxBrief), standard, "1 brief-too-large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conv, defects := Convert([]byte(c.plan), c.opt)
			if conv != nil {
				t.Fatalf("converted to %q", conv.Output)
			}
			if got := found(defects); got[0] != c.want {
				t.Errorf("got %v, want %s first: %+v", got, c.want, defects)
			}
		})
	}
}

func TestConvertWholePlans(t *testing.T) {
	files, err := filepath.Glob("testdata/convert/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	options := map[string]ConvertOptions{
		"constraints": {Tier: tier.Fast, ConstraintsFrom: "Ground rules"},
		"depth-1":     {Tier: tier.Fast},
		"depth-4":     {Tier: tier.Fast},
		"drop":        {Tier: tier.Fast, Orphans: OrphansDrop},
		"fences":      {Tier: tier.Fast, FixFences: true},
		"next":        {Tier: tier.Fast, Orphans: OrphansNext},
		"previous":    {Tier: tier.Fast, Orphans: OrphansPrevious},
		"renumber":    {Tier: tier.Fast, Renumber: true},
		"tiers":       {TierMap: map[int]tier.Tier{1: tier.Economy, 7: tier.Capable}, Tier: tier.Fast},
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".out.md") {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".md")
		t.Run(name, func(t *testing.T) {
			opt, ok := options[name]
			if !ok {
				t.Fatal("no options")
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			conv, defects := Convert(data, opt)
			if conv == nil {
				t.Fatalf("refused: %+v", defects)
			}
			golden(t, strings.TrimSuffix(file, ".md")+".out.md", string(conv.Output))
			golden(t, strings.TrimSuffix(file, ".md")+".txt", reportOf(conv))
		})
	}
}

// reportOf writes a conversion as text for a golden file.
func reportOf(conv *Conversion) string {
	var b strings.Builder
	for _, c := range conv.Changes {
		b.WriteString("change " + Span{c.Line, c.Line}.String() + ": " + c.What + "\n")
	}
	for _, l := range conv.Loss {
		b.WriteString("loss " + l.Span.String() + ": " + l.Why + "\n")
	}
	for _, r := range conv.Renumbered {
		b.WriteString("renumbered " + Span{r.Line, r.Line}.String() + ": " + r.Old + " is " + Task{Number: r.New}.name() + "\n")
		for _, n := range r.Mentions {
			b.WriteString("  mentioned on " + Span{n, n}.String() + "\n")
		}
	}
	return b.String()
}

func (t Task) name() string { return "task " + string(rune('0'+t.Number)) }

// golden compares with a file; with GIT_SDD_UPDATE set it writes the file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("GIT_SDD_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is stale; run with GIT_SDD_UPDATE=1 (-want +got)\n%s", file, diff)
	}
}

func TestConvertLeavesStrictPlansAlone(t *testing.T) {
	for _, c := range readCases(t) {
		if c.verdict != "accept" {
			continue
		}
		conv, defects := Convert(c.data, ConvertOptions{})
		if conv == nil {
			t.Errorf("%s: refused: %+v", c.id, defects)
			continue
		}
		want := strings.TrimPrefix(strings.ReplaceAll(string(c.data), "\r\n", "\n"), byteOrderMark)
		if diff := cmp.Diff(want, string(conv.Output)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.id, diff)
		}
	}
}

// TestVerify: a line that lands in another task, or stops being a step, is
// noticed, whatever made it do so.
func TestVerify(t *testing.T) {
	const plan = "## Task 1: A\n\n- [ ] a\n\n## Task 2: B\n\n- [ ] b\n\n# End\n\ntext\n"
	for _, c := range []struct {
		name string
		harm func(lines []outLine)
		want string
	}{
		{"nothing", func([]outLine) {}, ""},
		{"moved", func(lines []outLine) { lines[4], lines[10] = lines[10], lines[4] }, "3 convert-unfaithful"},
		{"left out", func(lines []outLine) { lines[4] = outLine{} }, "3 convert-unfaithful"},
		{"taken in", func(lines []outLine) { lines[5], lines[14] = lines[14], lines[5] }, "11 convert-unfaithful"},
		{"no step", func(lines []outLine) { lines[4].text = "    - [ ] a" }, "3 convert-unfaithful"},
		{"refused", func(lines []outLine) { lines[8].text = "**Implementer tier:** fast" }, "5 tier-malformed"},
	} {
		src, _ := readSource([]byte(plan))
		conv := &converter{src: src, in: src, opt: standard}
		conv.fixFences()
		conv.blocks = blocks(conv.src, conv.out, "")
		conv.judge()
		conv.rewrite()
		lines := conv.assemble()
		c.harm(lines)
		got := strings.Join(found(conv.verify(&Conversion{Output: joinLines(lines)}, lines)), ",")
		if got != c.want {
			t.Errorf("%s: got %q, want %q\n%s", c.name, got, c.want, joinLines(lines))
		}
	}
}

func TestSuggestConvert(t *testing.T) {
	const tiered = "\n\n**Implementer tier:** Fast\n\nDo it.\n\n"
	for _, c := range []struct{ name, plan, want string }{
		{"strict", "## Task 1: A" + tiered, "git sdd plan convert PLAN"},
		{"hopeless", "No task.", ""},
		{"depth", "### Task 1: A" + tiered, "git sdd plan convert PLAN"},
		{"tier", "## Task 1: A\n", "git sdd plan convert PLAN --tier <tier>"},
		{"number", "## Task 0: A\n\n## Task 1: A\n", "git sdd plan convert PLAN --tier <tier> --renumber"},
		{"orphans behind", "## Task 1: A\n\n# End\n\n- [ ] x\n", "git sdd plan convert PLAN --tier <tier> --orphans previous"},
		{"orphans in front", "# Plan\n\n- [ ] x\n\n## Task 1: A\n", "git sdd plan convert PLAN --tier <tier> --orphans next"},
		{"orphans on both sides", "# Plan\n\n- [ ] x\n\n## Task 1: A\n\n# End\n\n- [ ] x\n", ""},
		{"constraints by another name", "## Global constraints (binding)\n\n- x\n\n## Task 1: A\n", "git sdd plan convert PLAN --tier <tier> --constraints-from 'Global constraints (binding)'"},
		{"constraints that a shell would run", "## Global constraints `id` it's\n\n- x\n\n## Task 1: A" + tiered, `git sdd plan convert PLAN --constraints-from 'Global constraints ` + "`id`" + ` it'\''s'`},
		{"constraints at the end", "## Task 1: A" + tiered + "## Global Constraints\n\n- x\n", "git sdd plan convert PLAN --constraints-from 'Global Constraints'"},
		{"everything", "### Task 2: A\n```md\n```sh\nx\n```\n```\n### Task 3: B\n```sh\ny\n```\n\n# Global Constraints!\n\n- y\n\n# End\n\n1. z\n", "git sdd plan convert PLAN --tier <tier> --renumber --orphans previous --constraints-from 'Global Constraints!' --fix-fences"},
		{"fences and depth", "### Task 1: A\n```md\n```sh\nx\n```\n```\n### Task 2: B\n```sh\ny\n```\n", "git sdd plan convert PLAN --tier <tier> --fix-fences"},
	} {
		_, defects := Parse([]byte(c.plan))
		if got := SuggestConvert([]byte(c.plan), defects); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestConvertBehindTiers: what is wrong beside the missing tiers is told at once,
// before anybody chooses them.
func TestConvertBehindTiers(t *testing.T) {
	for _, opt := range []ConvertOptions{{}, {TierMap: map[int]tier.Tier{1: tier.Fast}}} {
		_, defects := Convert([]byte("## Task 1: A \u202e\n\n## Task 2: B\n"), opt)
		got := strings.Join(found(defects), ", ")
		want := "1 tier-missing, 1 control-character, 3 tier-missing"
		if len(opt.TierMap) > 0 {
			want = "1 control-character, 3 tier-missing"
		}
		if got != want {
			t.Errorf("%+v: got %s, want %s", opt, got, want)
		}
	}
}

// TestHopeless: the codes that are not even tried are those that no option helps
// with; of every other there is a plan that is converted.
func TestHopeless(t *testing.T) {
	for _, code := range Codes() {
		e, err := Explain(code)
		if err != nil {
			t.Fatal(err)
		}
		if e.Example == "" {
			continue
		}
		if got := Suggest([]byte(e.Example), ConvertOptions{}); (got == "") != hopeless[code] {
			t.Errorf("%s: its example is converted by %q, and called hopeless: %v", code, got, hopeless[code])
		}
	}
}

// TestSuggestWithOptions: what was given stays, what is missing comes to it.
func TestSuggestWithOptions(t *testing.T) {
	const loose = "### Task 1a: A\n\n# End\n\n- [ ] x\n"
	for _, c := range []struct {
		name string
		opt  ConvertOptions
		want string
	}{
		{"nothing", ConvertOptions{}, "--tier <tier> --renumber --orphans previous"},
		{"a tier", ConvertOptions{Tier: tier.Fast}, "--tier Fast --renumber --orphans previous"},
		{"a map", ConvertOptions{TierMap: map[int]tier.Tier{1: tier.Capable}}, "--tier-map 1=Capable --renumber --orphans previous"},
		{"another way for orphans", ConvertOptions{Tier: tier.Fast, Orphans: OrphansDrop}, "--tier Fast --renumber --orphans drop"},
		{"a way that leads nowhere", ConvertOptions{Tier: tier.Fast, Orphans: OrphansNext}, ""},
		{"no such heading", ConvertOptions{ConstraintsFrom: "Rules"}, ""},
		{"a map of no task", ConvertOptions{TierMap: map[int]tier.Tier{2: tier.Fast}}, ""},
	} {
		got := Suggest([]byte(loose), c.opt)
		if want := strings.TrimSuffix("git sdd plan convert PLAN "+c.want, " "); got != want && (got != "" || c.want != "") {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}
}

func TestFill(t *testing.T) {
	for _, c := range []struct{ repair, want string }{
		{"git sdd plan convert PLAN; or write it as \"## Task 1: PLAN\"", "git sdd plan convert 'my plan.md'; or write it as \"## Task 1: PLAN\""},
		{"write the line as \"## Task 1: a \\\" PLAN\"", "write the line as \"## Task 1: a \\\" PLAN\""},
		{"git sdd plan convert PLAN --constraints-from 'The PLAN'", "git sdd plan convert 'my plan.md' --constraints-from 'The PLAN'"},
		{"iconv -f UTF-16 -t UTF-8 PLAN", "iconv -f UTF-16 -t UTF-8 'my plan.md'"},
		{"`tr -d '\\000' < PLAN`", "`tr -d '\\000' < 'my plan.md'`"},
		{"EXPLAIN PLANS", "EXPLAIN PLANS"},
		{"", ""},
	} {
		if got := Fill(c.repair, "my plan.md"); got != c.want {
			t.Errorf("%q: got %q, want %q", c.repair, got, c.want)
		}
	}
}

func TestWord(t *testing.T) {
	for path, want := range map[string]string{
		"docs/plan-1.md": "docs/plan-1.md", "-": "-", "-x.md": "./-x.md", "-a b": "'./-a b'", "it's": `'it'\''s'`, "": "''", "$(id)": "'$(id)'", "a\nb": "'a\nb'",
	} {
		if got := Word(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
}

func TestTierSheet(t *testing.T) {
	sheet, defects := TierSheet([]byte("### Task 1: First # one\n\n### Task 2: Second\n\n**Implementer tier:** Fast\n\n### Task 3: Third\n"), ConvertOptions{})
	if defects != nil {
		t.Fatal(defects)
	}
	if !strings.Contains(sheet, "1 =            # First # one\n3 =            # Third\n") {
		t.Errorf("got\n%s", sheet)
	}
	if _, err := ParseTierMap(sheet); err == nil || !strings.Contains(err.Error(), "task 1 has no tier behind it") {
		t.Errorf("an empty sheet: %v", err)
	}
	if sheet, defects := TierSheet([]byte("### Task 1: A"+rest), ConvertOptions{}); sheet != "" || defects != nil {
		t.Errorf("nothing to fill in: %q, %+v", sheet, defects)
	}
	filled := strings.NewReplacer("1 = ", "1 = Capable", "3 = ", "3 = economy").Replace(sheet)
	got, err := ParseTierMap(filled)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int]tier.Tier{1: tier.Capable, 3: tier.Economy}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestParseTierMap(t *testing.T) {
	got, err := ParseTierMap("1=Fast, 2=capable,\n256 = Frontier # last")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int]tier.Tier{1: tier.Fast, 2: tier.Capable, 256: tier.Frontier}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, text := range []string{"", "# only", "1", "1=", "=Fast", "0=Fast", "257=Fast", "x=Fast", "1=FAST", "1=Fast,1=Fast", "1:Fast", "1=Fast;2=Fast"} {
		if m, err := ParseTierMap(text); err == nil {
			t.Errorf("%q: got %v", text, m)
		}
	}
}
