package plan

import (
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// judge refuses what neither is mechanical nor has its option, and settles what
// becomes of each block.
func (c *converter) judge() {
	var tasks []*block
	for _, b := range c.blocks {
		if b.kind == taskKind {
			tasks = append(tasks, b)
		}
	}
	if d, ok := countDefect(c.src, c.out, len(tasks), func(i int) int { return tasks[i].line }); !ok {
		c.defects = append(c.defects, d)
		return
	}
	c.judgeNumbers(tasks)
	for i, b := range tasks {
		b.number = i + 1
		c.judgeHeading(b)
		c.judgeTier(b)
	}
	c.judgeTierMap(len(tasks))
	c.judgeConstraints(tasks)
	c.judgeOrphans()
}

// judgeNumbers refuses ids that are not 1, 2, 3 …, unless they may change.
func (c *converter) judgeNumbers(tasks []*block) {
	r := &reading{}
	plain := true
	for _, b := range tasks {
		r.tasks = append(r.tasks, taskRead{section: section{mark: b.mark}})
		if b.words.number() > 0 {
			continue
		}
		if plain = false; !c.opt.Renumber {
			c.refuse(b.line, "heading-id", renumberRepair, "task id %q is not a number from 1 without leading zero", brief(b.words.id))
		}
	}
	r.checkNumbers()
	if len(r.defects) == 0 && plain {
		return
	}
	if !c.opt.Renumber {
		c.defects = append(c.defects, r.defects...)
	}
	for _, b := range tasks {
		if b.level != tasks[0].level {
			c.refuse(b.line, "heading-depth", "bring all tasks to one level, and make the steps of a task out of its parts",
				"task %s stands at level %d, task %s of line %d at level %d, and the numbers do not run on: one may be a part of the other",
				b.words.id, b.level, tasks[0].words.id, tasks[0].line, tasks[0].level)
			return
		}
	}
}

const renumberRepair = "git sdd plan convert PLAN --renumber, which keeps the old id in the title; other text that names it is not rewritten"

// ticks are the marks that say a task is done.
const ticks = "xX\u2705\u2611\u2714\u2612"

// judgeHeading refuses a heading that cannot become an exact one by itself.
func (c *converter) judgeHeading(b *block) {
	w := b.words
	switch {
	case b.setext && b.end-b.line != 1:
		c.refuse(b.line, "heading-not-canonical", "write the heading as a line of its own that begins with ##",
			"the heading of task %s is part of an underlined heading of several lines", w.id)
	case strings.ContainsAny(w.decoration(), ticks):
		c.refuse(b.line, "heading-not-canonical", "delete the task, or the mark",
			"task %s is marked as done (%s): a run would do it again", w.id, w.decoration())
	case !visible(w.fullTitle()):
		c.refuse(b.line, "title-missing", fmt.Sprintf(`write the line as "## Task %s: <title>"`, w.id), "task %s has no title", w.id)
	}
}

// judgeTier settles the tier of a task: its own line, else the map, else the
// one for all.
func (c *converter) judgeTier(b *block) {
	name := "task " + b.words.id
	mapped, isMapped := c.opt.TierMap[b.number]
	switch {
	case len(b.fields) > 1:
		c.refuse(b.fields[1].line, "tier-duplicate", "delete one of the two lines", "%s has a tier field on line %d already", name, b.fields[0].line)
	case len(b.fields) == 1:
		f := &b.fields[0]
		if !f.exact && !c.plainTier(f) {
			c.defects = append(c.defects, f.defect(c.src, name))
		} else if isMapped && mapped != f.tier {
			c.refuse(f.line, "tier-duplicate", "change the line, or leave the task out of the map",
				"%s has the tier %s, the map says %s", name, f.tier.Title(), mapped.Title())
		}
	case isMapped:
		b.tier = mapped
	default:
		if b.tier = c.opt.Tier; b.tier != 0 {
			return
		}
		c.refuse(b.line, "tier-missing", "git sdd plan convert PLAN --tier <tier>, or with --tier-map 1=<tier>,2=<tier>…; a tier is one of "+tierTitles(), "%s has no tier", name)
	}
}

// plainTier reports whether a tier field only departs in form: it names a tier,
// and can become a line of its own without moving anything else.
func (c *converter) plainTier(f *tierField) bool {
	t, err := tier.Parse(strings.ToLower(f.value()))
	raw := c.src.line(f.line)
	if _, bad := forbidden(strings.ReplaceAll(raw, "\t", " ")); err != nil || bad {
		return false
	}
	f.tier = t
	if f.place != inList || indent(raw) == 0 && strings.HasPrefix(raw, "**") {
		return true
	}
	next := ""
	if f.line < c.src.count() {
		next = c.src.line(f.line + 1)
	}
	return indent(raw) < 4 && listItem().MatchString(raw) && (isBlank(next) || (indent(next) <= indent(raw) && listItem().MatchString(next)))
}

var listItem = pattern(`^\s*([-*+]|\d{1,9}[.)])\s`)

func (c *converter) judgeTierMap(tasks int) {
	for n := range c.opt.TierMap {
		if n < 1 || n > tasks {
			c.refuse(1, "tier-malformed", "correct the map", "the map of tiers names task %d, the plan has tasks 1 to %d", n, tasks)
		}
	}
}

// judgeConstraints settles which block is the section of constraints.
func (c *converter) judgeConstraints(tasks []*block) {
	var found *block
	known := c.opt.ConstraintsFrom == ""
	for _, b := range c.blocks {
		if b.kind != constraints {
			continue
		}
		named := c.opt.ConstraintsFrom != "" && sameHeading(c.headingText(b), c.opt.ConstraintsFrom)
		known = known || named
		switch {
		case found != nil:
			c.refuse(b.line, "constraints-duplicate", fmt.Sprintf("move its text under line %d", found.line), "the constraints stand on line %d already", found.line)
		case !named && !sameHeading(c.headingText(b), "Global Constraints"):
			c.refuse(b.line, "constraints-lookalike", "git sdd plan convert PLAN --constraints-from "+shellQuoted(c.headingText(b)),
				"%q may be the constraints, and would reach no brief", brief(c.headingText(b)))
		case b.line > tasks[0].line && !named:
			c.refuse(b.line, "constraints-late", "git sdd plan convert PLAN --constraints-from "+shellQuoted(c.headingText(b))+", which moves the section",
				"Global Constraints stands after task %s", tasks[0].words.id)
		}
		if found == nil {
			found = b
		}
		b.early = b.line > tasks[0].line
	}
	if !known {
		c.refuse(1, "constraints-lookalike", "name one of the headings of the plan, without its hashes", "no heading reads %q", c.opt.ConstraintsFrom)
	}
}

// headingText returns the text of a block's heading without its hashes.
func (c *converter) headingText(b *block) string { return headingText(c.src.line(b.line)) }

func headingText(line string) string { return strings.Trim(afterHashes(line), " \t#") }

// judgeOrphans settles what becomes of steps that belong to no task.
func (c *converter) judgeOrphans() {
	last, next := (*block)(nil), c.nextTasks()
	for i, b := range c.blocks {
		if b.kind == taskKind {
			last = b
		}
		if b.kind != other || len(b.steps) == 0 {
			continue
		}
		var to *block
		switch c.opt.Orphans {
		case OrphansDrop:
			b.dropped = true
			continue
		case OrphansPrevious:
			to = last
		case OrphansNext:
			to = next[i]
		}
		if to != nil {
			b.into = to
			continue
		}
		c.refuseOrphans(b)
	}
}

// nextTasks returns for each block the task after it, or nil.
func (c *converter) nextTasks() []*block {
	next := make([]*block, len(c.blocks))
	for i := len(c.blocks) - 2; i >= 0; i-- {
		if next[i] = next[i+1]; c.blocks[i+1].kind == taskKind {
			next[i] = c.blocks[i+1]
		}
	}
	return next
}

func (c *converter) refuseOrphans(b *block) {
	steps := fmt.Sprintf("%s (from line %d)", plural(len(b.steps), "step"), b.steps[0])
	repair := "git sdd plan convert PLAN --orphans drop, previous or next"
	line, what := b.steps[0], steps+" before the first heading belong to no task"
	if b.line != 0 {
		line, what = b.line, fmt.Sprintf("the section %q holds %s and belongs to no task", brief(c.headingText(b)), steps)
	}
	if c.opt.Orphans != OrphansRefuse {
		what += fmt.Sprintf(", and there is no %s one", c.opt.Orphans)
		repair = "choose another of drop, previous, next"
	}
	c.refuse(line, "orphan-steps", repair, "%s", what)
}
