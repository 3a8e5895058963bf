// Package report reads the reports that children write: what an implementer or
// fixer did, what a reviewer found and how he judged what was found before
// (contract: reports that children write).
//
// A report is a claim, and everything after it rests on how the claim is read.
// So there is one place for each statement, tokens are exact, and whatever is
// nearly right is a defect with its line and what would be right: a verdict is
// never guessed from prose, and nothing that looks like a finding is dropped
// without a word. Reading is pure and linear in the size of the report.
//
// Where the contract leaves a choice, this package chooses so:
//
//   - A section ends at the next label, or at unindented text after a blank
//     line. Unindented text directly below an item is a defect: it looks like
//     the rest of the item and would be lost.
//   - A list says none in words. An empty one is a defect, since a report that
//     broke off after FINDINGS: looks just like it.
//   - A code fence within an item is part of the item's text; one at the left
//     margin is inert. A fence that is never closed is a defect.
//   - New findings may skip numbers, never reuse one.
//   - REASON may stand beside NEEDS_CONTEXT, and MISSING beside BLOCKED; next to
//     a DONE both contradict the status.
package report

import (
	"fmt"
	"slices"
)

// MaxBytes is the most that a report may hold (contract: bounds).
const MaxBytes = 64 << 10

// A Defect is one thing that is wrong with a report.
type Defect struct {
	Line    int    // from 1; what the whole report lacks is reported at line 1
	Code    string // stable identifier, such as "label-repeated"
	Message string // the fact, one line
	Repair  string // what would be right, as one edit; or a command to paste
}

// String returns the defect as a line of a listing.
func (d Defect) String() string { return fmt.Sprintf("line %d: %s: %s", d.Line, d.Code, d.Message) }

// defects collects what is wrong while a report is read.
type defects []Defect

// add appends a defect. The repair is a parameter of its own, so that a defect
// without one does not exist.
func (d *defects) add(line int, code, repair, format string, args ...any) {
	*d = append(*d, Defect{Line: line, Code: code, Message: fmt.Sprintf(format, args...), Repair: repair})
}

// sorted returns the defects in the order of their lines, those of one line in
// the order in which they were found.
func (d defects) sorted() []Defect {
	slices.SortStableFunc(d, func(a, b Defect) int { return a.Line - b.Line })
	return d
}

// quoteLimit is the number of code points of a child's text that a message shows.
const quoteLimit = 60

// quote shows a child's text in a message, whatever it holds.
func quote(s string) string {
	n := 0
	for i := range s {
		if n++; n > quoteLimit {
			return fmt.Sprintf("%q", s[:i]+"…")
		}
	}
	return fmt.Sprintf("%q", s)
}
