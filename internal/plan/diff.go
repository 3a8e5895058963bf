package plan

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// context is the number of unchanged lines around a change.
const context = 3

// Diff returns the change from one text to the other as a unified diff, empty
// where there is none. It depends on the texts alone, never on the speed of the
// machine.
func Diff(pinned, current []byte, pinnedName, currentName string) string {
	edits := diffLines(splitLines(string(pinned)), splitLines(string(current)))
	var b strings.Builder
	for _, h := range hunks(edits) {
		if b.Len() == 0 {
			fmt.Fprintf(&b, "--- %s\n+++ %s\n", pinnedName, currentName)
		}
		h.write(&b)
	}
	return b.String()
}

// An edit is one line of a diff: op is ' ', '-' or '+'.
type edit struct {
	op   byte
	line string // with its end, if it has one
}

func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// maxExact is the number of lines, of both texts together, up to which a change
// is compared exactly: the time for it grows with the square of the difference.
const maxExact = 8000

// diffLines compares two lists of lines. The ends that are equal are cut off
// first; what remains is left to the diff library, or, where it is too large,
// shown as replaced.
func diffLines(a, b []string) []edit {
	prefix := 0
	for prefix < len(a) && prefix < len(b) && a[prefix] == b[prefix] {
		prefix++
	}
	suffix := 0
	for suffix < len(a)-prefix && suffix < len(b)-prefix && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	edits := appendEdits(nil, ' ', a[:prefix])
	midA, midB := a[prefix:len(a)-suffix], b[prefix:len(b)-suffix]
	if len(midA)+len(midB) > maxExact {
		edits = appendEdits(appendEdits(edits, '-', midA), '+', midB)
	} else {
		edits = append(edits, exactDiff(midA, midB)...)
	}
	return appendEdits(edits, ' ', a[len(a)-suffix:])
}

func appendEdits(edits []edit, op byte, lines []string) []edit {
	for _, line := range lines {
		edits = append(edits, edit{op, line})
	}
	return edits
}

var ops = map[diffmatchpatch.Operation]byte{
	diffmatchpatch.DiffEqual:  ' ',
	diffmatchpatch.DiffDelete: '-',
	diffmatchpatch.DiffInsert: '+',
}

// exactDiff compares lines as single characters, each different line one.
func exactDiff(a, b []string) []edit {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // a time limit would make the result depend on the machine
	codes := map[string]rune{}
	var lines []string
	encode := func(list []string) []rune {
		runes := make([]rune, len(list))
		for i, line := range list {
			code, known := codes[line]
			if !known {
				code = rune(len(lines)) // below maxExact, so never a surrogate
				codes[line] = code
				lines = append(lines, line)
			}
			runes[i] = code
		}
		return runes
	}
	var edits []edit
	for _, d := range dmp.DiffMainRunes(encode(a), encode(b), false) {
		for _, r := range d.Text {
			edits = append(edits, edit{ops[d.Type], lines[r]})
		}
	}
	return edits
}

// A hunk is a run of edits with the lines around them; the starts count from 0.
type hunk struct {
	fromA, fromB int
	edits        []edit
}

// hunks groups edits so that two changes share one where their context touches.
func hunks(edits []edit) []hunk {
	var list []hunk
	lineA, lineB, quiet := 0, 0, 0 // quiet counts unchanged lines since the last change
	for i, e := range edits {
		if e.op != ' ' {
			n := len(list)
			if lead := min(quiet, i); n == 0 || lead > 2*context {
				lead = min(lead, context)
				if n > 0 {
					list[n-1].edits = list[n-1].edits[:len(list[n-1].edits)-(quiet-context)]
				}
				list = append(list, hunk{lineA - lead, lineB - lead, append([]edit(nil), edits[i-lead:i]...)})
			}
			quiet = -1
		}
		if n := len(list); n > 0 {
			list[n-1].edits = append(list[n-1].edits, e)
		}
		quiet++
		if e.op != '+' {
			lineA++
		}
		if e.op != '-' {
			lineB++
		}
	}
	if n := len(list); n > 0 && quiet > context {
		list[n-1].edits = list[n-1].edits[:len(list[n-1].edits)-(quiet-context)]
	}
	return list
}

func (h hunk) write(b *strings.Builder) {
	a, c := 0, 0
	for _, e := range h.edits {
		if e.op != '+' {
			a++
		}
		if e.op != '-' {
			c++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", hunkRange(h.fromA, a), hunkRange(h.fromB, c))
	for _, e := range h.edits {
		b.WriteByte(e.op)
		b.WriteString(e.line)
		if !strings.HasSuffix(e.line, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// hunkRange writes a range as the unified format has it: an empty one names
// the line before it, and a count of one is left out.
func hunkRange(from, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, count)
}
