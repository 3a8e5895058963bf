package plan

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/git-sdd/git-sdd/internal/tier"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// scraps are lines that plans are made of, right and wrong: whatever order they
// come in, the laws hold.
var scraps = []string{
	"", "", "", "text", "  text", "    code", "\tcode", "# Title", "## Notes", "### Deeper", "###### Deepest",
	"## Task 1: One", "## Task 2: Two", "## Task 3: Three", "### Task 1: One", "### Task 2: Two", "# Task 1: One",
	"##Task 2: Two", "##\u00a0Task 2: Two", "## task 2: Two", "## Task 2 - Two ##", "## Task 1a: Half", "## Task 0: None",
	"Task 2: Two", "---", "===", "## Global Constraints", "## Global constraints", "### Global Constraints",
	"**Implementer tier:** Fast", "**Implementer tier:** Fast", "**Implementer tier:** fast", "- **Implementer tier:** Fast",
	"> **Implementer tier:** Fast", "**Reviewer tier:** Fast", "- [ ] step", "- [x] step", "  - [ ] inner", "1. step", "2. step", "   1. inner",
	"- item", "  more", "> quote", "> - [ ] quoted", "```", "```sh", "````", "```` md", "~~~", "  ```", "- ```", "> ```", "    ```",
	"<!--", "-->", "<!-- a -->", "<div>", "</div>", "<x>", "[a]: b", "**Step 1: do**", "a\x00b", "\u200b## Task 2: Two", "\xff",
}

func anyPlan(t *rapid.T) []byte {
	lines := rapid.SliceOfN(rapid.SampledFrom(scraps), 0, 40).Draw(t, "lines")
	end := rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n"}).Draw(t, "end")
	return []byte(strings.Join(lines, end) + end)
}

// strictPlan draws a plan that is nearly always accepted.
func strictPlan(t *rapid.T) []byte {
	inside := []string{"", "", "text", "    code", "### Deeper", "- [ ] step", "  - [ ] inner", "1. step", "> quote", "- item", "  more", "> ## Task 9: q", "<div>", "```\n## Task 9: x\n```", "~~~~\n```\n~~~~"}
	body := func(label string) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(inside), 0, 8).Draw(t, label), "\n")
	}
	var b strings.Builder
	if rapid.Bool().Draw(t, "title") {
		b.WriteString("# Plan\n\ntext\n\n")
	}
	if rapid.Bool().Draw(t, "constrained") {
		b.WriteString("## Global Constraints\n" + body("constraints") + "\n\n")
	}
	for n := range rapid.IntRange(1, 5).Draw(t, "tasks") {
		fmt.Fprintf(&b, "## Task %d: Title %d\n\n%s\n\n", n+1, n+1, body("before"))
		fmt.Fprintf(&b, "**Implementer tier:** %s\n%s\n\n", rapid.SampledFrom(tier.All()).Draw(t, "tier").Title(), body("after"))
		if rapid.Bool().Draw(t, "divided") {
			b.WriteString("# Part\n\ntext\n\n")
		}
	}
	return []byte(b.String())
}

func mixed(t *rapid.T) []byte {
	if rapid.Bool().Draw(t, "strict") {
		return strictPlan(t)
	}
	return anyPlan(t)
}

var repairHeading = regexp.MustCompile(`write (?:it|the line) as ("(?:[^"\\]|\\.)*")`)

// checkDefects holds the laws of every list of defects.
func checkDefects(t interface{ Fatalf(string, ...any) }, data []byte, defects []Defect) {
	lines := strings.Split(string(data), "\n")
	if !sort.SliceIsSorted(defects, func(i, j int) bool { return defects[i].Line < defects[j].Line }) {
		t.Fatalf("not in line order: %+v", defects)
	}
	for _, d := range defects {
		first := []rune(d.Message)[0]
		switch {
		case d.Line < 1 || d.Line > len(lines):
			t.Fatalf("line %d of %d: %+v", d.Line, len(lines), d)
		case !slices.Contains(Codes(), d.Code):
			t.Fatalf("unknown code: %+v", d)
		case d.Message == "" || d.Repair == "" || strings.ContainsAny(d.Message+d.Repair, "\n\r\x00") || strings.HasSuffix(d.Message, "."):
			t.Fatalf("form of the message: %+v", d)
		case unicode.IsUpper(first) && !strings.HasPrefix(d.Message, "CommonMark") && !strings.HasPrefix(d.Message, "NUL") && !strings.HasPrefix(d.Message, "Global"):
			t.Fatalf("case of the message: %+v", d)
		}
	}
}

func TestParseLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := mixed(t)
		p, defects := Parse(data)
		if (p == nil) == (len(defects) == 0) {
			t.Fatalf("plan %v and defects %+v", p, defects)
		}
		checkDefects(t, data, defects)
		if p != nil {
			checkPartition(t, p)
			checkRebuilt(t, p)
		}
	})
}

// checkPartition: every line that is not blank is the heading or the tier line
// of one task, or reaches a brief, or is listed as unread; never two of these.
func checkPartition(t *rapid.T, p *Plan) {
	owners := make([]int, p.src.count()+1)
	own := func(span Span) {
		for n := span.Line; n <= span.EndLine; n++ {
			owners[n]++
		}
	}
	for _, span := range p.Unread() {
		own(span)
	}
	for i, task := range p.Tasks() {
		own(Span{task.Line, task.EndLine})
		want := 0
		for n := task.Line; n <= task.EndLine; n++ {
			if n != task.Line && n != p.tierLines[i] && !p.src.blank(n) {
				want++
			}
		}
		if got := notBlank(p.body(i)); got != want {
			t.Fatalf("task %d: %d lines in its body, want %d", i+1, got, want)
		}
	}
	outside := 0
	for n := 1; n <= p.src.count(); n++ {
		if owners[n] > 1 {
			t.Fatalf("line %d has %d owners", n, owners[n])
		}
		if owners[n] == 0 && !p.src.blank(n) {
			outside++
		}
	}
	want := 0
	if text, ok := p.Constraints(); ok {
		want = 1 + notBlank(text)
	}
	if outside != want {
		t.Fatalf("%d lines have no owner, the constraints have %d", outside, want)
	}
}

func notBlank(text string) int {
	n := 0
	for _, line := range strings.Split(text, "\n") {
		if !isBlank(line) {
			n++
		}
	}
	return n
}

// checkRebuilt: a plan put together from its parts gives the same briefs.
func checkRebuilt(t *rapid.T, p *Plan) {
	var b strings.Builder
	if text, ok := p.Constraints(); ok {
		b.WriteString(exactConstraints + "\n\n" + text + "\n\n")
	}
	for i, task := range p.Tasks() {
		fmt.Fprintf(&b, "## Task %d: %s\n\n%s%s\n\n%s\n\n", task.Number, task.Title, tierPrefix, task.Tier.Title(), p.body(i))
	}
	again, defects := Parse([]byte(b.String()))
	if again == nil {
		t.Fatalf("%q is refused: %+v", b.String(), defects)
	}
	for _, task := range p.Tasks() {
		if size := p.BriefBytes(task.Number); size != len(p.Brief(task.Number)) {
			t.Fatalf("task %d: %d bytes were promised, %d came", task.Number, size, len(p.Brief(task.Number)))
		}
		if diff := cmp.Diff(string(p.Brief(task.Number)), string(again.Brief(task.Number))); diff != "" {
			t.Fatalf("brief %d (-first +again)\n%s", task.Number, diff)
		}
	}
}

// TestRepairsWork: an edit that a defect asks for, made on its line, cures that
// line, and either differs visibly from it or comes with the code points.
func TestRepairsWork(t *testing.T) {
	parts := [][]string{
		{"", " ", "   "},
		{"##", "###", "#", "\uff03\uff03", "#######"},
		{" ", "  ", "\t", "\u00a0", "\u3000", ""},
		{"Task", "task", "TASK", "\u0422ask", "T\u200bask"},
		{" ", "  ", "\t", "\u00a0", "", " #"},
		{"1", "\u0661", "\uff11"},
		{":", "\uff1a", " -", ".", "", "\u2236", " (optional):"},
		{" ", "  ", "\t", "\u00a0", ""},
		{"Title"},
		{"", " ", "\t", "\u00a0", " ##", " \u00a0"},
	}
	rapid.Check(t, func(t *rapid.T) {
		line := ""
		faulty := rapid.SliceOfNDistinct(rapid.IntRange(0, len(parts)-1), 1, 3, rapid.ID[int]).Draw(t, "faulty")
		for i, variants := range parts {
			part := variants[0]
			if slices.Contains(faulty, i) {
				part = rapid.SampledFrom(variants).Draw(t, "part")
			}
			line += part
		}
		_, defects := Parse([]byte(line + rest))
		for _, d := range defects {
			m := repairHeading.FindStringSubmatch(d.Repair)
			if m == nil || d.Line != 1 {
				continue
			}
			repaired, err := strconv.Unquote(m[1])
			if err != nil {
				t.Fatalf("%v: %s", err, d.Repair)
			}
			if p, again := Parse([]byte(repaired + rest)); p == nil && again[0].Code == d.Code {
				t.Fatalf("%q after %q: %+v", repaired, d.Repair, again)
			}
			look := func(s string) string { return strings.Join(strings.Fields(fold(s).text), " ") }
			if look(line) == look(repaired) && !strings.Contains(d.Message, "U+") && !strings.Contains(d.Message, "blank") {
				t.Fatalf("%q and %q look the same, and the message does not tell: %s", line, repaired, d.Message)
			}
		}
	})
}

// A loosePlan is a plan that the test made itself, so that it knows without any
// parser which step belongs to which task.
type loosePlan struct {
	text  string
	steps [][]string // by task
}

func drawLoose(t *rapid.T) loosePlan {
	var b strings.Builder
	var plan loosePlan
	level := strings.Repeat("#", rapid.IntRange(1, 6).Draw(t, "level"))
	ids := rapid.SampledFrom([]string{"plain", "plain", "zero", "letters"}).Draw(t, "ids")
	if rapid.Bool().Draw(t, "title") && level != "#" {
		b.WriteString("# Plan\n\nGoal: text.\n\n")
	}
	for n := range rapid.IntRange(1, 5).Draw(t, "tasks") {
		id := map[string]string{"plain": fmt.Sprint(n + 1), "zero": fmt.Sprint(n), "letters": fmt.Sprintf("1%c", 'a'+n)}[ids]
		sep := rapid.SampledFrom([]string{": ", " - ", " — ", ". ", ":  ", "\uff1a"}).Draw(t, "separator")
		fmt.Fprintf(&b, "%s Task %s%sPart %d\n\n", level, id, sep, n+1)
		var steps []string
		for s := range rapid.IntRange(0, 5).Draw(t, "steps") {
			mark := fmt.Sprintf("step-%d-%d", n+1, s+1)
			b.WriteString(nest(t, mark))
			steps = append(steps, mark)
		}
		plan.steps = append(plan.steps, steps)
	}
	plan.text = b.String()
	return plan
}

// nest draws a step in a random nesting of lists, with code and text around it.
func nest(t *rapid.T, mark string) string {
	pad := ""
	var b strings.Builder
	for range rapid.IntRange(0, 3).Draw(t, "depth") {
		item := rapid.SampledFrom([]string{"- ", "* ", "1. ", "10) "}).Draw(t, "item")
		b.WriteString(pad + item + "outer\n")
		pad += strings.Repeat(" ", len(item))
	}
	b.WriteString(pad + rapid.SampledFrom([]string{"- [ ] ", "- [x] ", "1. ", "+ [ ] "}).Draw(t, "box") + mark + "\n")
	switch rapid.IntRange(0, 4).Draw(t, "tail") {
	case 0:
		b.WriteString("\n" + pad + "  ```sh\n" + pad + "  ## Task 1: in code\n" + pad + "  ```\n")
	case 1:
		b.WriteString("lazy text\n")
	case 2:
		b.WriteString("\n    indented by four\n")
	case 3:
		b.WriteString("> quoted\n")
	}
	return b.String() + "\n"
}

// TestConvertLosesNoStep: each brief holds exactly the steps that were written
// under its task, in their order.
func TestConvertLosesNoStep(t *testing.T) {
	marks := regexp.MustCompile(`step-\d+-\d+`)
	converted := 0
	rapid.Check(t, func(t *rapid.T) {
		plan := drawLoose(t)
		conv, defects := Convert([]byte(plan.text), ConvertOptions{Tier: tier.Fast, Renumber: true})
		if conv == nil {
			t.Fatalf("refused: %+v\n%s", defects, plan.text)
		}
		converted++
		p, defects := Parse(conv.Output)
		if p == nil {
			t.Fatalf("the output is refused: %+v", defects)
		}
		for n, want := range plan.steps {
			if diff := cmp.Diff(want, marks.FindAllString(string(p.Brief(n+1)), -1)); diff != "" {
				t.Fatalf("task %d (-want +got)\n%s", n+1, diff)
			}
		}
		if len(p.Tasks()) != len(plan.steps) {
			t.Fatalf("%d tasks, want %d", len(p.Tasks()), len(plan.steps))
		}
	})
	if converted == 0 {
		t.Error("nothing was converted")
	}
}

func drawOptions(t *rapid.T) ConvertOptions {
	return ConvertOptions{
		Tier:            rapid.SampledFrom(append(tier.All(), 0)).Draw(t, "tier"),
		Renumber:        rapid.Bool().Draw(t, "renumber"),
		Orphans:         Orphans(rapid.IntRange(0, int(numOrphans)-1).Draw(t, "orphans")),
		ConstraintsFrom: rapid.SampledFrom([]string{"", "", "Notes"}).Draw(t, "constraints"),
		FixFences:       rapid.Bool().Draw(t, "fences"),
	}
}

// checkConversion holds the laws of every conversion: the output is accepted,
// needs no conversion, and every line of the input that is not blank is in a
// brief, in the loss, or named in a change.
func checkConversion(t interface{ Fatalf(string, ...any) }, data []byte, conv *Conversion) {
	p, defects := Parse(conv.Output)
	if p == nil {
		t.Fatalf("the output is refused: %+v\n%s", defects, conv.Output)
		return
	}
	again, defects := Convert(conv.Output, ConvertOptions{})
	if again == nil || string(again.Output) != string(conv.Output) || len(again.Changes) > 0 {
		t.Fatalf("a second conversion changes it: %+v %+v", again, defects)
	}
	named := map[int]bool{}
	for _, c := range conv.Changes {
		named[c.Line] = true
	}
	for _, l := range conv.Loss {
		for n := l.Line; n <= l.EndLine; n++ {
			named[n] = true
		}
	}
	reached := map[string]bool{}
	for n := range p.Tasks() {
		for _, line := range strings.Split(string(p.Brief(n+1)), "\n") {
			reached[line] = true
		}
	}
	src, _ := readSource(data)
	for n := 1; n <= src.count(); n++ {
		line := src.line(n)
		bare := strings.Trim(line, " \t-=")
		if bare != "" && !reached[line] && !named[n] && !strings.HasPrefix(line, tierPrefix) && !strings.HasPrefix(strings.Trim(bare, "> "), "`") && !strings.HasPrefix(bare, "~") {
			t.Fatalf("line %d (%q) is nowhere: %+v\n%s", n, line, conv, conv.Output)
		}
	}
}

func TestConvertLaws(t *testing.T) {
	converted := 0
	rapid.Check(t, func(t *rapid.T) {
		data, opt := mixed(t), drawOptions(t)
		conv, defects := Convert(data, opt)
		if (conv == nil) == (len(defects) == 0) {
			t.Fatalf("conversion %v and defects %+v", conv, defects)
		}
		checkDefects(t, data, defects)
		if conv != nil {
			converted++
			checkConversion(t, data, conv)
		}
	})
	if converted == 0 {
		t.Error("nothing was converted")
	}
}
