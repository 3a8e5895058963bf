package plan

import (
	"fmt"
	"strings"
)

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

var mention = pattern(`(?i)\btasks?\s+#?([\pL\pN]+(?:[._-][\pL\pN]+)*)`)

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
		for _, m := range mention().FindAllStringSubmatch(c.src.line(n), -1) {
			if list := c.mentions[m[1]]; len(list) == 0 || list[len(list)-1] != n {
				c.mentions[m[1]] = append(list, n)
			}
		}
	}
}
