// Package plan reads plans: it accepts or refuses them, cuts the briefs of their
// tasks, converts plans as people write them, and says what changed in one.
//
// Block structure comes from CommonMark alone: one block parser decides what is
// a heading, a paragraph, a fence or a comment, and the rules of this package
// are line rules on top of its answer. Briefs are cut from the very parse that
// was validated, because two readings of one plan lose steps.
package plan

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// Bounds of a plan (contract: plan grammar).
const (
	MaxBytes = 4 << 20   // bytes of a plan
	MaxBrief = 256 << 10 // bytes of one task's brief
	MaxTasks = 256       // tasks of a plan
	MaxTitle = 256       // code points of a task's title
)

// A Defect is one reason to refuse a plan.
type Defect struct {
	Line    int    // from 1
	Code    string // one of [Codes]
	Message string // the fact, one line
	Repair  string // a command or one edit; PLAN in a command stands for the plan's path
}

// A Warning is something worth a look in a plan that is accepted.
type Warning struct {
	Line    int    // from 1
	Code    string // one of [WarningCodes]
	Message string // the fact, one line
}

// A Task is one task of an accepted plan.
type Task struct {
	Number  int
	Title   string
	Tier    tier.Tier // the implementer's; every other role's follows from it
	Line    int       // of the heading, from 1
	EndLine int       // the last line of its section that is not blank, inclusive
}

// A Span is a run of lines, from 1 and inclusive.
type Span struct {
	Line, EndLine int
}

// A Plan is an accepted plan. Its briefs are cut from the parse that accepted it.
type Plan struct {
	src         *source
	tasks       []Task
	sections    []section // of the tasks, in the same order
	tierLines   []int     // of the tasks, in the same order
	constraints string
	constrained bool
	unread      []Span
	warnings    []Warning
}

// Parse reads a plan. It returns a plan or the defects, never both and never
// neither; the defects are all there are, in line order, so that the first
// one's code and line stand for the refusal (contract: plan grammar).
func Parse(data []byte) (*Plan, []Defect) {
	src, defects := readSource(data)
	if src == nil {
		return nil, defects
	}
	r := read(src, readMarkdown(src))
	defects = sortDefects(append(defects, r.defects...))
	if len(defects) > 0 {
		return nil, defects
	}
	return r.plan(), nil
}

// Tasks returns the tasks in their order.
func (p *Plan) Tasks() []Task { return append([]Task(nil), p.tasks...) }

// Constraints returns the text of Global Constraints without its heading and
// without blank lines at its ends; ok says whether the plan has the section.
func (p *Plan) Constraints() (text string, ok bool) { return p.constraints, p.constrained }

// Unread returns the runs of text that reach no brief, one for each section, in
// line order.
func (p *Plan) Unread() []Span { return append([]Span(nil), p.unread...) }

// Warnings returns what is worth a look, in line order.
func (p *Plan) Warnings() []Warning { return append([]Warning(nil), p.warnings...) }

// Digest returns the plan's identity: the SHA-256 of its bytes in lowercase hex
// (contract: identity).
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
