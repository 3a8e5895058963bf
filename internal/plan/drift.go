package plan

import (
	"bytes"
	"fmt"
	"strings"
)

// A Drift says how the plan's file differs from the plan that a run is pinned
// to (contract: identity).
type Drift uint8

// The kinds of drift. Only Edited stops a run.
const (
	None        Drift = iota
	LineEndings       // the same lines, ended with LF here and CRLF there
	Missing           // there is no file
	Edited            // anything else
	numDrifts
)

var driftNames = [numDrifts]string{None: "none", LineEndings: "line-endings", Missing: "missing", Edited: "edited"}

// String returns the name on the wire.
func (d Drift) String() string {
	if d >= numDrifts {
		return fmt.Sprintf("drift(%d)", uint8(d))
	}
	return driftNames[d]
}

// Compare compares the pinned bytes of a plan with those of its file; current
// is nil where there is no file. For Edited it also says in one line what
// changed, task by task where both still parse; else the line is empty.
func Compare(pinned, current []byte) (Drift, string) {
	switch {
	case current == nil:
		return Missing, ""
	case bytes.Equal(pinned, current):
		return None, ""
	case bytes.Equal(unixEnds(pinned), unixEnds(current)):
		return LineEndings, ""
	}
	return Edited, describe(pinned, current)
}

// describe says what changed between two plans that differ in more than their
// line ends.
func describe(pinned, current []byte) string {
	was, _ := Parse(pinned)
	if was == nil {
		return "the text changed"
	}
	if counts := onlyCheckboxes(was, unixEnds(current)); counts != nil {
		return "only checkboxes changed: " + tally(counts)
	}
	const most = 6
	var texts []string
	list := compare(was, current)
	for i, c := range list {
		if i == most {
			texts = append(texts, fmt.Sprintf("and %s", plural(len(list)-most, "more change")))
			break
		}
		texts = append(texts, c.String())
	}
	return strings.Join(texts, "; ")
}

// A TaskChange is what changed in one task of a plan, or beside all tasks.
type TaskChange struct {
	Task int    // 0 for what belongs to no task
	What string // the fact, one line: "title and tier changed"
}

// String returns the change in one line.
func (c TaskChange) String() string {
	if c.Task == 0 {
		return c.What
	}
	return fmt.Sprintf("task %d: %s", c.Task, c.What)
}

// Changes returns what changed between the pinned bytes of a plan and the
// current ones, task by task and whole where [Compare] cuts its line off; none
// where they differ in line ends at most.
func Changes(pinned, current []byte) []TaskChange {
	if bytes.Equal(unixEnds(pinned), unixEnds(current)) {
		return nil
	}
	was, _ := Parse(pinned)
	if was == nil {
		return []TaskChange{{0, "the text changed"}}
	}
	counts := onlyCheckboxes(was, unixEnds(current))
	if counts == nil {
		return compare(was, current)
	}
	var list []TaskChange
	for n, count := range counts {
		if n > 0 && count > 0 {
			list = append(list, TaskChange{n, boxes(count) + " changed"})
		}
	}
	if counts[0] > 0 {
		list = append(list, TaskChange{0, boxes(counts[0]) + " changed outside tasks"})
	}
	return list
}

func boxes(n int) string {
	if n == 1 {
		return "1 checkbox"
	}
	return fmt.Sprintf("%d checkboxes", n)
}

// compare lists what changed in a plan that was accepted.
func compare(was *Plan, current []byte) []TaskChange {
	is, defects := Parse(current)
	if is == nil {
		d := defects[0]
		return []TaskChange{{0, fmt.Sprintf("the plan is no longer accepted: line %d: %s", d.Line, d.Message)}}
	}
	changes := compareTasks(was, is)
	if was.constrained != is.constrained || was.constraints != is.constraints {
		changes = append(changes, TaskChange{0, "global constraints changed"})
	}
	if len(changes) == 0 {
		return []TaskChange{{0, "only text that reaches no brief changed"}}
	}
	return changes
}

func compareTasks(was, is *Plan) []TaskChange {
	var changes []TaskChange
	for i := range max(len(was.tasks), len(is.tasks)) {
		switch {
		case i >= len(is.tasks):
			changes = append(changes, TaskChange{i + 1, "removed"})
		case i >= len(was.tasks):
			changes = append(changes, TaskChange{i + 1, "added"})
		default:
			if parts := compareTask(was, is, i); len(parts) > 0 {
				changes = append(changes, TaskChange{i + 1, joinAnd(parts) + " changed"})
			}
		}
	}
	return changes
}

func compareTask(was, is *Plan, i int) (parts []string) {
	if was.tasks[i].Title != is.tasks[i].Title {
		parts = append(parts, "title")
	}
	if was.tasks[i].Tier != is.tasks[i].Tier {
		parts = append(parts, "tier")
	}
	if was.body(i) != is.body(i) {
		parts = append(parts, "body")
	}
	return parts
}

// body returns the body of the task with index i.
func (p *Plan) body(i int) string { return p.src.bodyText(p.sections[i].body, p.tierLines[i]) }

// joinAnd joins words as people do: "title, tier and body".
func joinAnd(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

var ticked = pattern(`^([\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[)[ xX](\]\s.*)$`)

// onlyCheckboxes counts the checkboxes that changed by task, index 0 for those
// outside tasks; nil where anything else changed too. Agents tick boxes, and
// whoever reads the message wants to know that it is no more than that.
func onlyCheckboxes(was *Plan, current []byte) []int {
	now := strings.Split(strings.TrimPrefix(string(current), byteOrderMark), "\n")
	then := strings.Split(was.src.text, "\n")
	if len(now) != len(then) {
		return nil
	}
	counts := make([]int, len(was.tasks)+1)
	task, changed := 0, false
	for i, line := range then {
		for task < len(was.tasks) && was.tasks[task].Line <= i+1 {
			task++
		}
		if line == now[i] {
			continue
		}
		a, b := ticked().FindStringSubmatch(line), ticked().FindStringSubmatch(now[i])
		if a == nil || b == nil || a[1] != b[1] || a[2] != b[2] {
			return nil
		}
		changed = true
		if owner := task; owner > 0 && i+1 <= was.tasks[owner-1].EndLine {
			counts[owner]++
		} else {
			counts[0]++
		}
	}
	if !changed {
		return nil
	}
	return counts
}

// tally writes counts by task; index 0 holds those outside tasks.
func tally(counts []int) string {
	var parts []string
	for n, count := range counts {
		if n > 0 && count > 0 {
			parts = append(parts, fmt.Sprintf("task %d (%d)", n, count))
		}
	}
	if counts[0] > 0 {
		parts = append(parts, fmt.Sprintf("outside tasks (%d)", counts[0]))
	}
	return strings.Join(parts, ", ")
}
