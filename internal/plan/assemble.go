package plan

import "strings"

// An outLine is a line of the output and the line of the input it comes from,
// 0 for none.
type outLine struct {
	text string
	src  int
}

// assemble puts the output together: constraints before the first task, and
// sections that go into a task at its beginning or end.
func (c *converter) assemble() []outLine {
	var lines []outLine
	moved := false
	for _, b := range c.blocks {
		if b.kind == taskKind && !moved {
			moved = true
			for _, early := range c.blocks {
				if early.early {
					lines = c.section(lines, early, early.from)
				}
			}
		}
		switch {
		case b.early:
		case b.dropped || b.into != nil:
			if b.title {
				lines = c.emit(lines, b.line, b.end)
				lines = append(lines, outLine{})
			}
		case b.kind == taskKind:
			lines = c.task(lines, b)
		default:
			lines = c.emit(lines, b.from, b.to)
		}
	}
	return lines
}

// task puts a task together with the sections that go into it. Those that come
// first stand behind a tier line that comes first.
func (c *converter) task(lines []outLine, b *block) []outLine {
	head := b.end
	if first, ok := c.src.trim(Span{b.end + 1, b.to}); ok && len(b.fields) > 0 && b.fields[0].line == first.Line {
		head = first.Line
	}
	lines = c.emit(lines, b.line, head)
	body := head + 1
	for _, o := range c.blocks {
		if o.into == b && o.from < b.from {
			lines = c.section(lines, o, c.textFrom(o))
			for body <= b.to && c.src.blank(body) {
				body++
			}
		}
	}
	lines = c.emit(lines, body, b.to)
	for _, o := range c.blocks {
		if o.into == b && o.from > b.from {
			lines = c.section(lines, o, c.textFrom(o))
		}
	}
	return lines
}

// textFrom returns the first line of what moves: the title of a plan stays.
func (c *converter) textFrom(b *block) int {
	if b.title {
		return b.end + 1
	}
	return b.from
}

// section appends the lines of a block from the given one on, set off by blank
// lines.
func (c *converter) section(lines []outLine, b *block, from int) []outLine {
	if n := len(lines); n > 0 && !isBlank(lines[n-1].text) {
		lines = append(lines, outLine{})
	}
	span, _ := c.src.trim(Span{from, b.to})
	return append(c.emit(lines, span.Line, span.EndLine), outLine{})
}

// emit appends lines of the input as the edits have them.
func (c *converter) emit(lines []outLine, from, to int) []outLine {
	for n := from; n <= to; n++ {
		if c.edits.gone[n] {
			lines = c.follow(lines, n)
			continue
		}
		if last := len(lines) - 1; c.edits.before[n] > 0 && last >= 0 && !isBlank(lines[last].text) {
			lines = append(lines, outLine{})
		}
		text := c.src.line(n)
		if edited, ok := c.edits.line[n]; ok {
			text = edited
		}
		lines = c.follow(append(lines, outLine{text, n}), n)
	}
	return lines
}

// follow appends what comes after line n; a blank line only where none follows.
func (c *converter) follow(lines []outLine, n int) []outLine {
	after := c.edits.after[n]
	for i, text := range after {
		if i == len(after)-1 && isBlank(text) && (n >= c.src.count() || c.src.blank(n+1)) {
			break
		}
		lines = append(lines, outLine{text: text})
	}
	return lines
}

func joinLines(lines []outLine) []byte {
	var b strings.Builder
	for len(lines) > 0 && isBlank(lines[len(lines)-1].text) {
		lines = lines[:len(lines)-1]
	}
	for _, line := range lines {
		b.WriteString(line.text)
		b.WriteByte('\n')
	}
	return []byte(b.String())
}
