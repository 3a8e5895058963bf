package plan

import (
	"fmt"
	"sort"
	"strings"
)

// maxUnbalanced is the number of fences that may hold an opener without its
// closer before the nested reading is given up.
const maxUnbalanced = 8

// fenceReadings compares CommonMark's reading of the fences with the one in
// which an opener inside a fence opens another, as authors often mean it. Where
// they differ in what the grammar sees, it returns the nested outline and a
// defect for each fence that causes it; else nothing (contract: fence-nested).
func fenceReadings(src *source, out *outline) (*outline, []Defect) {
	suspect := false
	for _, f := range out.fences {
		suspect = suspect || f.inner != 0
	}
	if !suspect {
		return nil, nil
	}
	nested := readNested(src)
	if nested == nil {
		return nil, swallowed(src, out)
	}
	differs := difference(src, out, nested)
	if len(differs) == 0 {
		return nil, swallowed(src, out)
	}
	var defects []Defect
	for _, f := range culprits(out, nested, differs) {
		defects = append(defects, nestedDefect(src, f))
	}
	return nested, defects
}

// readNested returns the nested reading, or nil where it does not come out
// even: where it leaves a fence open, that fence, or else the last nested one
// before it, is not nested, and all is read again.
func readNested(src *source) *outline {
	flat := map[int]bool{}
	for range maxUnbalanced + 1 {
		out := readWith(nestingOne(), src, flat)
		culprit := uneven(out, flat)
		if culprit == nil {
			return out
		}
		flat[culprit.open] = true
	}
	return nil
}

// uneven returns the nested fence that leaves a fence open, or nil.
func uneven(out *outline, flat map[int]bool) *fence {
	var last *fence
	for _, f := range out.fences {
		if f.inner != 0 && !flat[f.open] {
			last = f
		}
		if f.close == 0 {
			return last
		}
	}
	return nil
}

// difference returns the lines, in order, on which the two readings differ in what the
// grammar sees: where sections begin, tier lines, and steps that no task owns.
func difference(src *source, a, b *outline) []int {
	inA, inB := landmarks(src, a), landmarks(src, b)
	var lines []int
	for n, what := range inA {
		if inB[n] != what {
			lines = append(lines, n)
		}
	}
	for n := range inB {
		if _, both := inA[n]; !both {
			lines = append(lines, n)
		}
	}
	sort.Ints(lines)
	return lines
}

// landmarks returns what the grammar sees in an outline, by line.
func landmarks(src *source, out *outline) map[int]string {
	seen := map[int]string{}
	list := marks(src, out)
	for _, m := range list {
		seen[m.line] = fmt.Sprint("mark ", m.level, m.kind, m.paragraph, m.setext)
	}
	for _, t := range out.texts {
		if isTierField(t.text) {
			seen[t.line] = fmt.Sprint("tier ", t.place)
		}
	}
	steps := out.steps
	for _, s := range sections(src, list) {
		for len(steps) > 0 && steps[0] <= s.body.EndLine {
			if s.kind == other {
				seen[steps[0]] = "orphan"
			}
			steps = steps[1:]
		}
	}
	return seen
}

// culprits returns the nested fences whose neighbourhood holds a difference: a
// neighbourhood is a run of lines that the fences of either reading cover
// without a gap.
func culprits(a, b *outline, differs []int) []*fence {
	regions := merge(a.fences, b.fences)
	guilty := make([]bool, len(regions))
	at := 0
	for _, line := range differs {
		for at < len(regions) && regions[at].EndLine < line {
			at++
		}
		if at < len(regions) && regions[at].Line <= line {
			guilty[at] = true
		}
	}
	var list, all []*fence
	i := 0
	for _, f := range b.fences {
		if f.inner == 0 {
			continue
		}
		for regions[i].EndLine < f.open {
			i++
		}
		all = append(all, f)
		if guilty[i] {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return all[:1]
	}
	return list
}

// merge joins the lines that two lists of fences cover; both are in line order.
func merge(a, b []*fence) []Span {
	var joined []Span
	for len(a)+len(b) > 0 {
		var f *fence
		if len(b) == 0 || (len(a) > 0 && a[0].open <= b[0].open) {
			f, a = a[0], a[1:]
		} else {
			f, b = b[0], b[1:]
		}
		if n := len(joined); n > 0 && f.open <= joined[n-1].EndLine {
			joined[n-1].EndLine = max(joined[n-1].EndLine, f.last)
			continue
		}
		joined = append(joined, f.span())
	}
	return joined
}

func nestedDefect(src *source, f *fence) Defect {
	longer := strings.Repeat(string(f.char), f.length+1)
	return Defect{Line: f.inner, Code: "fence-nested",
		Message: fmt.Sprintf("%q opens a fence inside the one of line %d (%q), which the first closer ends: read so and read as nested, the plan has other headings or tasks",
			brief(strings.TrimSpace(src.line(f.inner))), f.open, brief(strings.TrimSpace(src.line(f.open)))),
		Repair: fmt.Sprintf("make the outer fence longer (%s) on line %d and where it ends; or git sdd plan convert PLAN --fix-fences", longer, f.open)}
}

// swallowed finds a fence whose closer was forgotten: it holds the heading of
// the very task that is due, and then an opener.
func swallowed(src *source, out *outline) []Defect {
	list := marks(src, out)
	due := 1
	var defects []Defect
	for _, f := range out.fences {
		for len(list) > 0 && list[0].line < f.open {
			if n := list[0].words.number(); list[0].kind == taskKind && n > 0 {
				due = n + 1
			}
			list = list[1:]
		}
		heading := dueHeading(src, f, due)
		if f.inner == 0 || heading == 0 {
			continue
		}
		defects = append(defects, Defect{Line: f.inner, Code: "fence-nested",
			Message: fmt.Sprintf("%q opens a fence inside the one of line %d, which holds %q on line %d too: its closer seems to be missing before that line",
				brief(strings.TrimSpace(src.line(f.inner))), f.open, brief(src.line(heading)), heading),
			Repair: fmt.Sprintf("close the fence of line %d before line %d; or, if it is meant to hold the heading, make it longer (%s) at both ends",
				f.open, heading, strings.Repeat(string(f.char), f.length+1))})
	}
	return defects
}

// dueHeading returns the line before the inner opener that is the heading of
// task n, or 0.
func dueHeading(src *source, f *fence, n int) int {
	for line := f.open + 1; line < f.inner; line++ {
		text := src.line(line)
		if !strings.HasPrefix(text, "## Task ") {
			continue
		}
		if words, ok := readTaskWords(text[3:]); ok && words.number() == n && words.canonical() == text {
			return line
		}
	}
	return 0
}
