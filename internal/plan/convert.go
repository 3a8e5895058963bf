package plan

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// Orphans says what becomes of a section that holds steps and belongs to no task.
type Orphans uint8

// What may become of orphan steps. The zero value refuses them.
const (
	OrphansRefuse   Orphans = iota
	OrphansDrop             // leave the section out
	OrphansPrevious         // make it the end of the task before it
	OrphansNext             // make it the beginning of the task after it
	numOrphans
)

var orphanNames = [numOrphans]string{OrphansRefuse: "refuse", OrphansDrop: "drop", OrphansPrevious: "previous", OrphansNext: "next"}

// String returns the name as the flag has it.
func (o Orphans) String() string {
	if o >= numOrphans {
		return fmt.Sprintf("orphans(%d)", uint8(o))
	}
	return orphanNames[o]
}

// ParseOrphans reads the flag. The match is exact.
func ParseOrphans(s string) (Orphans, error) {
	for o := OrphansDrop; o < numOrphans; o++ {
		if orphanNames[o] == s {
			return o, nil
		}
	}
	return OrphansRefuse, fmt.Errorf("%q is not one of drop, previous, next", s)
}

// ConvertOptions are the decisions that only a human can take. The zero value
// takes none: then only what is mechanical is changed.
type ConvertOptions struct {
	Tier            tier.Tier         // of every task without a tier line; zero for none
	TierMap         map[int]tier.Tier // by the number in the output, before Tier
	Renumber        bool              // number the tasks 1, 2, 3 …, keep the old id in the title
	Orphans         Orphans
	ConstraintsFrom string // heading of the section that becomes Global Constraints
	FixFences       bool   // lengthen fences that hold a fence, as their author meant them
}

// A Change is one thing that a conversion changed.
type Change struct {
	Line int // in the input, from 1
	What string
}

// A Lost is text of the input that reaches no brief of the output.
type Lost struct {
	Span
	Text string // the lines, without blank ones at the ends
	Why  string // where it stands, as in "before the first heading"
}

// A Renumbered is a task whose id changed. Other text may still name the old
// one: text is never rewritten.
type Renumbered struct {
	Line     int
	Old      string
	New      int
	Mentions []int // lines outside the heading that say "Task <old>"
}

// A Conversion is a plan in the strict grammar, and what it took.
type Conversion struct {
	Output     []byte
	Changes    []Change
	Loss       []Lost
	Renumbered []Renumbered
}

// Convert writes a plan as people write them in the strict grammar. It changes
// what is mechanical, follows the options in what is not, and refuses the rest
// with the defects, in line order. A tier is never guessed and never read from
// another field. Before it returns, the output is read back: it has to parse,
// and every line of the input has to be where it was, task by task.
func Convert(data []byte, opt ConvertOptions) (*Conversion, []Defect) {
	src, defects := readSource(data)
	if len(defects) > 0 {
		return nil, sortDefects(defects)
	}
	c := &converter{src: src, in: src, opt: opt}
	c.noteBytes(data)
	if !c.fixFences() {
		return nil, sortDefects(c.defects)
	}
	c.blocks = blocks(c.src, c.out, opt.ConstraintsFrom)
	c.judge()
	if len(c.defects) == 0 {
		c.rewrite()
	}
	if len(c.defects) > 0 {
		return nil, sortDefects(append(c.defects, c.behindTiers(data)...))
	}
	lines := c.assemble()
	conv := &Conversion{Output: joinLines(lines), Changes: sortChanges(c.changes), Renumbered: c.renumbered}
	if defects := c.verify(conv, lines); len(defects) > 0 {
		return nil, sortDefects(defects)
	}
	return conv, nil
}

// behindTiers returns what would be refused if every task had a tier: nobody
// should choose tiers for a plan that cannot be converted.
func (c *converter) behindTiers(data []byte) []Defect {
	for _, d := range c.defects {
		if d.Code != "tier-missing" {
			return nil
		}
	}
	opt := c.opt
	opt.Tier = tier.Standard
	_, defects := Convert(data, opt)
	return defects
}

// A converter is one conversion under way.
type converter struct {
	in     *source // the input, for messages
	src    *source // the input with its fences fixed, line for line
	out    *outline
	opt    ConvertOptions
	blocks []*block

	edits      edits
	mentions   map[string][]int // lines that name a task, by its id
	changes    []Change
	renumbered []Renumbered
	defects    []Defect
}

func (c *converter) refuse(line int, code, repair, format string, args ...any) {
	c.defects = append(c.defects, Defect{Line: line, Code: code, Message: fmt.Sprintf(format, args...), Repair: repair})
}

func (c *converter) change(line int, format string, args ...any) {
	c.changes = append(c.changes, Change{line, fmt.Sprintf(format, args...)})
}

// noteBytes notes what reading the source changed.
func (c *converter) noteBytes(data []byte) {
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		c.change(1, "byte order mark removed")
	}
	if n := bytes.Count(data, []byte("\r\n")); n > 0 {
		c.change(1, "line ends CRLF made LF (%s)", plural(n, "line"))
	}
}

// fixFences reads the block structure, with the nested fences made longer where
// the options say so; ok is false where the fences have to be refused.
func (c *converter) fixFences() bool {
	c.out = readMarkdown(c.src)
	nested, defects := fenceReadings(c.src, c.out)
	if nested != nil && c.opt.FixFences {
		c.src = c.lengthen(nested)
		c.out = readMarkdown(c.src)
		if len(difference(c.src, nested, c.out)) == 0 {
			defects = nil
		}
	}
	c.defects = append(c.defects, defects...)
	r := &reading{src: c.src, out: c.out}
	if nested != nil {
		r.out = nested
	}
	r.checkFences()
	c.defects = append(c.defects, r.defects...)
	return len(c.defects) == 0
}

// lengthen makes every nested fence longer than what it holds, line for line.
func (c *converter) lengthen(nested *outline) *source {
	lines := strings.Split(c.src.text, "\n")
	for _, f := range nested.fences {
		if f.inner == 0 || f.close == 0 || f.longest == 0 {
			continue
		}
		old, longer := strings.Repeat(string(f.char), f.length), strings.Repeat(string(f.char), f.longest+1)
		lines[f.open-1] = strings.Replace(lines[f.open-1], old, longer, 1)
		closer := strings.TrimRight(lines[f.close-1], " \t")
		lines[f.close-1] = strings.TrimRight(closer, string(f.char)) + longer
		c.change(f.open, "fence made longer (%s), lines %d and %d", longer, f.open, f.close)
	}
	return newSource([]byte(strings.Join(lines, "\n")))
}
