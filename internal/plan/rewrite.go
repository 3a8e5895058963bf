package plan

import (
	"fmt"
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

func sortChanges(list []Change) []Change {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Line < list[j].Line })
	return list
}
