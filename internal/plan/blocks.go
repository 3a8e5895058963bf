package plan

import (
	"sort"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// A block is a section as the author of a loose plan meant it. Where tasks are
// headings of level 3, another heading of level 3 ends them; where they are
// headings of level 1, one of level 2 does not.
type block struct {
	mark
	from, to int // lines, the heading included
	subs     []heading
	fields   []tierField // of a task
	steps    []int

	title bool // it begins with the title of the plan, whose heading stays when its text goes elsewhere

	// What becomes of it, settled by the rules of conversion.
	number  int       // of a task, in the output
	tier    tier.Tier // of a task that gets a tier line
	early   bool      // constraints that move before the first task
	dropped bool      // left out
	into    *block    // the task that it becomes a part of
}

// blocks cuts a plan into blocks. The first one, before any heading, has no
// line of its own; from names the heading of a section that is to become the
// constraints, or is empty.
func blocks(src *source, out *outline, from string) []*block {
	cur := &block{from: 1, to: src.front}
	list := []*block{cur}
	if src.front > 0 {
		cur = &block{from: src.front + 1}
		list = append(list, cur)
	}
	for _, m := range allMarks(src, out, from) {
		if !m.begins(cur) {
			cur.subs = append(cur.subs, m.heading)
			continue
		}
		cur.to = m.line - 1
		cur = &block{mark: m.mark, from: m.line}
		list = append(list, cur)
	}
	cur.to = src.count()
	fillBlocks(src, out, list)
	for _, b := range list {
		if b.kind == taskKind {
			break
		}
		if b.title = b.kind == other && b.level == 1; b.title {
			break
		}
	}
	return list
}

// An anyMark is a mark or a heading that begins no section by the grammar.
type anyMark struct {
	mark
	heading heading
}

// begins reports whether the heading begins a block of its own within cur.
func (m anyMark) begins(cur *block) bool {
	switch {
	case m.kind != other:
		return true
	case cur.kind == other:
		return m.level <= max(2, cur.level)
	}
	return m.level <= cur.level
}

// allMarks returns every heading and every line that was meant as one.
func allMarks(src *source, out *outline, from string) []anyMark {
	byLine := map[int]mark{}
	var list []anyMark
	for _, m := range marks(src, out) {
		byLine[m.line] = m
		if m.paragraph {
			list = append(list, anyMark{mark: m})
		}
	}
	for _, h := range out.headings {
		if tierLineIn(h) >= 0 {
			continue
		}
		m, ok := markOf(byLine, h)
		if !ok {
			m = mark{line: h.line, end: h.end, level: h.level, setext: h.setext}
		}
		if m.kind == other && from != "" && sameHeading(h.text, from) {
			m.kind = constraints
		}
		list = append(list, anyMark{m, h})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].line < list[j].line })
	return list
}

// markOf returns the mark on one of the heading's lines.
func markOf(byLine map[int]mark, h heading) (mark, bool) {
	for n := h.line; n <= h.end; n++ {
		if m, ok := byLine[n]; ok {
			return m, true
		}
	}
	return mark{}, false
}

// tierLineIn returns which line of a setext heading is a tier field, or -1.
func tierLineIn(h heading) int {
	for i, text := range strings.Split(h.text, "\n") {
		if isTierField(text) {
			return i
		}
	}
	return -1
}

// sameHeading compares the text of a heading with what a user typed.
func sameHeading(text, typed string) bool {
	clean := func(s string) string {
		return strings.ToLower(strings.Join(strings.Fields(strings.Trim(fold(s).text, "# \t:*_")), " "))
	}
	return clean(text) == clean(typed)
}

// fillBlocks gives each block its steps and tier fields.
func fillBlocks(src *source, out *outline, list []*block) {
	steps, texts := out.steps, out.texts
	for _, b := range list {
		for len(steps) > 0 && steps[0] <= b.to {
			b.steps = append(b.steps, steps[0])
			steps = steps[1:]
		}
		for len(texts) > 0 && texts[0].line <= b.to {
			if f, ok := readTierField(src, texts[0]); ok && b.kind == taskKind {
				b.fields = append(b.fields, f)
			}
			texts = texts[1:]
		}
	}
	for _, h := range out.headings {
		at := tierLineIn(h)
		if at < 0 || !h.setext {
			continue
		}
		i := sort.Search(len(list), func(i int) bool { return list[i].to >= h.line })
		if b := list[i]; b.kind == taskKind {
			line := textLine{line: h.line + at, place: inParagraph, text: strings.Split(h.text, "\n")[at]}
			f, _ := readTierField(src, line)
			f.exact = false // the line below makes it a heading
			b.fields = append(b.fields, f)
		}
	}
}
