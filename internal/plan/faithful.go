package plan

import (
	"fmt"
	"strings"
)

// Owners of lines other than tasks, which own by their number.
const (
	nobody   = 0
	everyone = -1 // the constraints
)

// verify reads the output back. It has to parse; every line has to belong to
// whom it belonged in the input, as the same kind of line: a step a step. What
// belongs to nobody is the loss.
func (c *converter) verify(conv *Conversion, lines []outLine) []Defect {
	p, defects := Parse(conv.Output)
	if p == nil {
		return mapBack(defects, lines)
	}
	want, steps := c.owners()
	got, gotSteps := readBack(p, lines)
	for n := 1; n <= c.src.count(); n++ {
		switch {
		case c.edits.own[n] || c.edits.gone[n] || c.src.blank(n):
		case got[n] != want[n]:
			return []Defect{unfaithful(n, "belongs to %s and would belong to %s", ownerName(want[n]), ownerName(got[n]))}
		case want[n] != nobody && steps[n] != gotSteps[n]:
			return []Defect{unfaithful(n, "is a step before the conversion or after it, not both, in %s", ownerName(want[n]))}
		}
	}
	conv.Loss = c.loss()
	return nil
}

func unfaithful(line int, format string, args ...any) Defect {
	return Defect{Line: line, Code: "convert-unfaithful",
		Message: "the line " + fmt.Sprintf(format, args...) + ": converting it would change the plan",
		Repair:  "put blank lines around it, or bring it and its heading into the strict form by hand"}
}

func ownerName(owner int) string {
	switch owner {
	case everyone:
		return "the constraints"
	case nobody:
		return "no task"
	}
	return fmt.Sprintf("task %d", owner)
}

// mapBack gives defects of the output the lines of the input.
func mapBack(defects []Defect, lines []outLine) []Defect {
	for i := range defects {
		n := min(defects[i].Line, len(lines))
		for n > 0 && lines[n-1].src == 0 {
			n--
		}
		defects[i].Line = 1
		if n > 0 {
			defects[i].Line = lines[n-1].src
		}
	}
	return defects
}

// owners returns to whom each line of the input belongs, and which are steps.
func (c *converter) owners() (owner []int, steps []bool) {
	owner, steps = make([]int, c.src.count()+1), make([]bool, c.src.count()+1)
	for _, b := range c.blocks {
		who := b.number
		switch {
		case b.kind == constraints:
			who = everyone
		case b.into != nil:
			who = b.into.number
		}
		for n := b.from; n <= b.to; n++ {
			owner[n] = who
		}
		if b.into != nil && b.title {
			owner[b.line] = nobody
		}
		for _, n := range b.steps {
			steps[n] = true
		}
	}
	return owner, steps
}

// readBack returns the same of the output, by the lines of the input.
func readBack(p *Plan, lines []outLine) (owner map[int]int, steps map[int]bool) {
	owner, steps = map[int]int{}, map[int]bool{}
	from := func(n int) int {
		if n > len(lines) {
			return 0
		}
		return lines[n-1].src
	}
	out := readMarkdown(p.src)
	for _, s := range sections(p.src, marks(p.src, out)) {
		who := nobody
		switch s.kind {
		case taskKind:
			who = s.words.number()
		case constraints:
			who = everyone
		}
		for n := s.body.Line; n <= s.body.EndLine; n++ {
			owner[from(n)] = who
		}
	}
	for _, n := range out.steps {
		steps[from(n)] = true
	}
	return owner, steps
}

// loss lists the text that reaches no brief, a piece for each block.
func (c *converter) loss() []Lost {
	var list []Lost
	for _, b := range c.blocks {
		span := Span{b.from, b.to}
		switch {
		case b.kind != other:
			continue
		case b.into != nil && b.title:
			span.EndLine = b.end
		case b.into != nil:
			continue
		}
		if span, ok := c.in.trim(span); ok {
			list = append(list, Lost{Span: span, Text: c.in.join(span), Why: c.why(b)})
		}
	}
	return list
}

func (c *converter) why(b *block) string {
	switch {
	case b.dropped:
		return "its section holds steps of no task, and is dropped"
	case b.line == 0 && b.from <= c.src.front:
		return "front matter"
	case b.title:
		return "the introduction of the plan"
	case b.line == 0:
		return "it stands before the first heading"
	}
	return fmt.Sprintf("the section %q belongs to no task", brief(strings.TrimSpace(c.headingText(b))))
}
