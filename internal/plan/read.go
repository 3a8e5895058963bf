package plan

import (
	"fmt"
	"sort"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// A reading is everything that the grammar finds in one block structure.
type reading struct {
	src      *source
	out      *outline
	sections []section
	defects  []Defect
	tasks    []taskRead
}

// A taskRead is a section that is a task or was meant to be one.
type taskRead struct {
	section
	tier     tier.Tier
	tierLine int // 0 where no exact tier line was found
}

// read applies the grammar. Fences come first: where they have two readings
// that differ, the rest is judged by the reading that the repair leads to.
func read(src *source, out *outline) *reading {
	nested, defects := fenceReadings(src, out)
	r := &reading{src: src, out: out, defects: defects}
	if nested != nil {
		r.out = nested
	}
	r.sections = sections(src, marks(src, r.out))
	for _, s := range r.sections {
		if s.kind == taskKind {
			r.tasks = append(r.tasks, taskRead{section: s})
		}
	}
	r.checkFences()
	r.checkHeadings()
	r.checkNumbers()
	r.checkTiers()
	r.checkConstraints()
	r.checkOrphans()
	r.checkCount()
	if len(r.defects) == 0 {
		r.checkBriefs()
	}
	return r
}

func (r *reading) refuse(line int, code, repair, format string, args ...any) {
	r.defects = append(r.defects, Defect{Line: line, Code: code, Message: fmt.Sprintf(format, args...), Repair: repair})
}

// sortDefects puts defects into line order; those of one line keep theirs.
func sortDefects(list []Defect) []Defect {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Line < list[j].Line })
	return list
}

// name returns how messages call the task.
func (t taskRead) name() string { return "task " + t.words.id }

func (r *reading) checkFences() {
	for _, f := range r.out.fences {
		if f.close != 0 {
			continue
		}
		run := strings.Repeat(string(f.char), f.length)
		where := "the plan ends"
		if f.last < r.src.count() {
			where = fmt.Sprintf("the list item or quote around it ends after line %d", f.last)
		}
		r.refuse(f.open, "fence-unterminated", fmt.Sprintf("close it with a line %q, indented as the opener is", run),
			"the fence %q is never closed: %s", brief(strings.TrimSpace(r.src.line(f.open))), where)
	}
}

func (r *reading) checkNumbers() {
	expected := 1
	for _, t := range r.tasks {
		got := t.words.number()
		if got == 0 {
			continue // its id is a defect of its own, and the next task is judged as if it were not there
		}
		if got != expected {
			r.refuse(t.line, "number", numberRepair, "%s stands where task %d is due: %s", t.name(), expected, numberFault(got, expected))
		}
		expected = got + 1
	}
}

const numberRepair = "number the tasks 1, 2, 3 … in their order, and correct what refers to them; or git sdd plan convert PLAN --renumber"

func numberFault(got, expected int) string {
	switch {
	case got == expected-1:
		return "the number is repeated"
	case got == 1:
		return "the numbers start again"
	case got < expected:
		return "the numbers go back"
	case got == expected+1:
		return fmt.Sprintf("there is no task %d", expected)
	}
	return fmt.Sprintf("there are no tasks %d to %d", expected, got-1)
}

func (r *reading) checkTiers() {
	texts := r.out.texts
	headings := r.out.headings
	for i := range r.tasks {
		t := &r.tasks[i]
		for len(texts) > 0 && texts[0].line < t.body.Line {
			texts = texts[1:]
		}
		malformed := 0
		for len(texts) > 0 && texts[0].line <= t.body.EndLine {
			malformed += r.tierField(t, texts[0])
			texts = texts[1:]
		}
		for len(headings) > 0 && headings[0].line <= t.body.EndLine {
			malformed += r.tierHeading(t, headings[0])
			headings = headings[1:]
		}
		if t.tierLine == 0 && malformed == 0 {
			r.missingTier(t)
		}
	}
}

// tierField takes one line of a task's text; it returns 1 for a field that is
// not exact.
func (r *reading) tierField(t *taskRead, text textLine) int {
	f, ok := readTierField(r.src, text)
	switch {
	case !ok:
		return 0
	case !f.exact:
		r.defects = append(r.defects, f.defect(r.src, t.name()))
		return 1
	case t.tierLine != 0:
		r.refuse(f.line, "tier-duplicate", "delete one of the two lines", "%s has its tier on line %d already", t.name(), t.tierLine)
		return 0
	}
	t.tier, t.tierLine = f.tier, f.line
	return 0
}

// tierHeading refuses a tier line that a line of dashes turned into a heading.
func (r *reading) tierHeading(t *taskRead, h heading) int {
	if h.line < t.body.Line || !h.setext {
		return 0
	}
	for i, text := range strings.Split(h.text, "\n") {
		if isTierField(text) {
			r.refuse(h.line+i, "tier-malformed", fmt.Sprintf("put a blank line before line %d", h.end),
				"the tier field of %s is not exact: the line %q below makes it a heading", t.name(), brief(r.src.line(h.end)))
			return 1
		}
	}
	return 0
}

func (r *reading) missingTier(t *taskRead) {
	repair := fmt.Sprintf("add a line %q under the heading, with one of %s", tierPrefix+"Standard", tierTitles())
	line, where := r.hiddenTier(t)
	if line == 0 {
		r.refuse(t.line, "tier-missing", repair, "%s has no tier", t.name())
		return
	}
	r.refuse(t.line, "tier-missing", repair, "%s has no tier: the one on line %d stands %s", t.name(), line, where)
}

// hiddenTier looks for a tier field where none is read, to explain its absence.
func (r *reading) hiddenTier(t *taskRead) (line int, where string) {
	for n := t.body.Line; n <= t.body.EndLine; n++ {
		text := r.src.line(n)
		switch {
		case !mentionsTier(text):
		case isTierField(text):
			return n, "in code, a comment or a quote"
		case tierWithin().MatchString(text) && !strings.Contains(text, "`"):
			return n, "within a line, not on one of its own"
		}
	}
	return 0, ""
}

func (r *reading) checkConstraints() {
	first := 0
	for _, s := range r.sections {
		if s.kind != constraints {
			continue
		}
		switch {
		case !s.exact:
			r.refuse(s.line, "constraints-lookalike", fmt.Sprintf("write the line as %q", exactConstraints),
				"%q is not the heading of the constraints, and they would reach no brief: %s", brief(r.src.line(s.line)), r.constraintsFault(s))
		case first != 0:
			r.refuse(s.line, "constraints-duplicate", fmt.Sprintf("move its text under line %d", first),
				"Global Constraints stands on line %d already", first)
		case len(r.tasks) > 0 && r.tasks[0].line < s.line:
			r.refuse(s.line, "constraints-late", fmt.Sprintf("move the section before line %d", r.tasks[0].line),
				"Global Constraints stands after %s", r.tasks[0].name())
		}
		if first == 0 {
			first = s.line
		}
	}
}

// checkOrphans refuses steps that no child would ever see. In a plan without
// tasks all of them are, and that there is no task says it better.
func (r *reading) checkOrphans() {
	if len(r.tasks) == 0 {
		return
	}
	steps := r.out.steps
	for _, s := range r.sections {
		first, n := 0, 0
		for len(steps) > 0 && steps[0] <= s.body.EndLine {
			if n++; first == 0 {
				first = steps[0]
			}
			steps = steps[1:]
		}
		if n == 0 || s.kind != other {
			continue
		}
		const repair = "move them into a task, or make a deeper heading (###) of the one above them; or git sdd plan convert PLAN --orphans drop, previous or next"
		if s.line == 0 {
			r.refuse(first, "orphan-steps", repair, "%s before the first heading: they belong to no task and reach no brief", plural(n, "step"))
			continue
		}
		r.refuse(s.line, "orphan-steps", repair, "the section %q belongs to no task, its %s (from line %d) would reach no brief",
			brief(strings.TrimLeft(r.src.line(s.line), "# ")), plural(n, "step"), first)
	}
}

func (r *reading) checkCount() {
	for _, d := range r.defects {
		if d.Code == "fence-unterminated" || d.Code == "fence-nested" {
			if len(r.tasks) == 0 {
				return // the fence hides them
			}
		}
	}
	if d, ok := countDefect(r.src, r.out, len(r.tasks), func(i int) int { return r.tasks[i].line }); !ok {
		r.defects = append(r.defects, d)
	}
}

// countDefect judges the number of tasks; line gives the line of each.
func countDefect(src *source, out *outline, tasks int, line func(int) int) (Defect, bool) {
	switch {
	case tasks > MaxTasks:
		return Defect{Line: line(MaxTasks), Code: "tasks-too-many",
			Message: fmt.Sprintf("the plan has %d tasks, %d are allowed", tasks, MaxTasks),
			Repair:  "split it into several plans, one run each"}, false
	case tasks == 0:
		return Defect{Line: 1, Code: "tasks-missing",
			Message: "the plan has no task" + almostTask(src, out),
			Repair:  `add a heading "## Task 1: <title>" for each task; git sdd plan new prints a skeleton`}, false
	}
	return Defect{}, true
}

var (
	boldTask   = pattern(`^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\[[ xX]\]\s+)?(?:\*\*|__)(?i:task)\s+#?\d`)
	otherTitle = pattern(`^(?i:step|phase|part|milestone|stage|chunk|item|story|todo)\s+#?\d|^\d+[.)]\s`)
)

// almostTask points at the first line that looks as if its author had meant a
// task, in a form that says too little to be read as one.
func almostTask(src *source, out *outline) string {
	for _, h := range out.headings {
		if otherTitle().MatchString(strings.Trim(h.text, "*_ ")) {
			return fmt.Sprintf(": line %d (%q) is not called Task", h.line, brief(strings.TrimSpace(src.line(h.line))))
		}
	}
	for n := 1; n <= src.count(); n++ {
		if line := src.line(n); boldTask().MatchString(line) {
			return fmt.Sprintf(": line %d (%q) is bold text, not a heading", n, brief(strings.TrimSpace(line)))
		}
	}
	return ""
}
