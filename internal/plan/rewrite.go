package plan

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
)

// edits are changes to lines, by their number.
type edits struct {
	line   map[int]string
	gone   map[int]bool // underlines and the like, which hold no text
	before map[int]int  // blank lines to put before
	after  map[int][]string
	own    map[int]bool // lines that are a heading of a task or of constraints, or a tier
}

// rewrite makes the edits that turn each block into its exact form.
func (c *converter) rewrite() {
	c.edits = edits{map[int]string{}, map[int]bool{}, map[int]int{}, map[int][]string{}, map[int]bool{}}
	for _, b := range c.blocks {
		switch b.kind {
		case taskKind:
			c.rewriteTask(b)
		case constraints:
			c.rewriteHeading(b, exactConstraints, "heading of the constraints")
			c.shift(b, b.level-2)
		default:
			c.rewriteOther(b)
		}
		if b.early {
			c.change(b.line, "constraints moved before the first task")
		}
	}
}

func (c *converter) rewriteTask(b *block) {
	w := b.words
	if w.number() != b.number {
		c.renumber(b)
	}
	c.rewriteHeading(b, fmt.Sprintf("## Task %d: %s", b.number, c.title(b)), "heading of the task")
	c.shift(b, b.level-2)
	if b.tier != 0 {
		c.edits.after[b.end] = []string{"", tierPrefix + b.tier.Title(), ""}
		c.change(b.line, "tier %s given to task %d", b.tier.Title(), b.number)
	}
	for _, f := range b.fields {
		c.rewriteTier(f)
	}
}

// title returns the title in the output: marks before the word Task go into
// it, as does an id that changes.
func (c *converter) title(b *block) string {
	title := b.words.fullTitle()
	if b.paragraph {
		title = strings.TrimSpace(strings.TrimSuffix(title, closingHashes(title)))
	}
	decoration := b.words.decoration()
	if !strings.ContainsFunc(decoration, func(r rune) bool {
		return r != '[' && r != ']' && r != '(' && r != '#' && !isSpace(r) && !strings.ContainsRune(emptyBoxes, r)
	}) {
		decoration = ""
	}
	title = strings.TrimSpace(decoration + " " + title)
	if b.words.number() != b.number {
		title += fmt.Sprintf(" (was Task %s)", b.words.id)
	}
	return title
}

// emptyBoxes are the marks that say nothing about a task.
const emptyBoxes = "\u2610\u2b1c\u25a1\u25fb"

func (c *converter) renumber(b *block) {
	if c.mentions == nil {
		c.findMentions()
	}
	c.renumbered = append(c.renumbered, Renumbered{Line: b.line, Old: b.words.id, New: b.number, Mentions: c.mentions[b.words.id]})
}

var mention = regexp.MustCompile(`(?i)\btasks?\s+#?([\pL\pN]+(?:[._-][\pL\pN]+)*)`)

// findMentions notes which lines other than headings of tasks say "Task <id>".
func (c *converter) findMentions() {
	c.mentions = map[string][]int{}
	headings := map[int]bool{}
	for _, b := range c.blocks {
		headings[b.line] = b.kind == taskKind
	}
	for n := 1; n <= c.src.count(); n++ {
		if headings[n] {
			continue
		}
		for _, m := range mention.FindAllStringSubmatch(c.src.line(n), -1) {
			if list := c.mentions[m[1]]; len(list) == 0 || list[len(list)-1] != n {
				c.mentions[m[1]] = append(list, n)
			}
		}
	}
}

// rewriteHeading replaces the heading of a block by an exact one.
func (c *converter) rewriteHeading(b *block, exact, what string) {
	c.edits.own[b.line] = true
	if b.setext {
		c.edits.gone[b.end] = true
	}
	if raw := c.src.line(b.line); raw != exact {
		c.edits.line[b.line] = exact
		c.change(b.line, "%s: %q becomes %q", what, raw, exact)
	}
}

// rewriteOther brings the heading of a section that belongs to no task to the
// level that keeps it apart, or makes it a part of the task it goes into.
func (c *converter) rewriteOther(b *block) {
	switch {
	case b.dropped:
		c.change(max(b.line, b.from), "section with %s dropped", plural(len(b.steps), "step"))
	case b.into != nil:
		c.change(max(b.line, b.from), "section with %s moved into task %d", plural(len(b.steps), "step"), b.into.number)
		if b.line != 0 && !b.title {
			c.setLevel(b.line, b.end, b.setext, 3)
			c.shift(b, b.level-3)
		}
	case b.level > 2:
		c.setLevel(b.line, b.end, b.setext, 2)
		c.change(b.line, "heading brought to level 2, as those of the tasks")
	}
}

// shift keeps the headings inside a block below its own, which moves up by the
// given number of levels, or down where that is negative. Those that are below
// the new level as they are stay.
func (c *converter) shift(b *block, up int) {
	for _, h := range b.subs {
		if up >= 0 && h.level > 2 {
			continue
		}
		if level := min(6, max(3, h.level-up)); level != h.level {
			c.setLevel(h.line, h.end, h.setext, level)
			c.change(h.line, "heading brought from level %d to level %d, to stay in its section", h.level, level)
		}
	}
}

// setLevel writes a heading at another level. An underlined heading of several
// lines becomes one line.
func (c *converter) setLevel(line, end int, setext bool, level int) {
	hashes := strings.Repeat("#", level)
	raw := c.src.line(line)
	if !setext {
		c.edits.line[line] = hashes + strings.TrimLeft(strings.TrimLeft(raw, " "), "#")
		return
	}
	text := []string{hashes}
	for n := line; n < end; n++ {
		text = append(text, strings.TrimSpace(c.src.line(n)))
	}
	c.edits.line[line] = strings.Join(text, " ")
	for n := line + 1; n <= end; n++ {
		c.edits.gone[n] = true
	}
}

// rewriteTier makes a tier field exact and a line of its own.
func (c *converter) rewriteTier(f tierField) {
	c.edits.own[f.line] = true
	if f.exact {
		return
	}
	raw, exact := c.src.line(f.line), tierPrefix+f.tier.Title()
	c.edits.line[f.line] = exact
	c.edits.before[f.line] = 1
	c.edits.after[f.line] = []string{""}
	if raw == exact {
		c.change(f.line, "tier line made a line of its own")
		return
	}
	c.change(f.line, "tier field: %q becomes %q", raw, exact)
}

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

func sortChanges(list []Change) []Change {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Line < list[j].Line })
	return list
}
