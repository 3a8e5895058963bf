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
	if ticks := onlyCheckboxes(was, unixEnds(current)); ticks != "" {
		return "only checkboxes changed: " + ticks
	}
	is, defects := Parse(current)
	if is == nil {
		d := defects[0]
		return fmt.Sprintf("the plan is no longer accepted: line %d: %s", d.Line, d.Message)
	}
	changes := compareTasks(was, is)
	if was.constrained != is.constrained || was.constraints != is.constraints {
		changes = append(changes, "global constraints changed")
	}
	if len(changes) == 0 {
		return "only text that reaches no brief changed"
	}
	const most = 6
	if len(changes) > most {
		changes = append(changes[:most], fmt.Sprintf("and %s", plural(len(changes)-most, "more change")))
	}
	return strings.Join(changes, "; ")
}

// compareTasks lists what changed in each task.
func compareTasks(was, is *Plan) []string {
	var changes []string
	for i := range max(len(was.tasks), len(is.tasks)) {
		switch {
		case i >= len(is.tasks):
			changes = append(changes, fmt.Sprintf("task %d: removed", i+1))
		case i >= len(was.tasks):
			changes = append(changes, fmt.Sprintf("task %d: added", i+1))
		default:
			if parts := compareTask(was, is, i); len(parts) > 0 {
				changes = append(changes, fmt.Sprintf("task %d: %s changed", i+1, joinAnd(parts)))
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

// onlyCheckboxes says how many checkboxes changed in which task, or nothing
// where anything else changed too: agents tick boxes, and whoever reads the
// message wants to know that it is no more than that.
func onlyCheckboxes(was *Plan, current []byte) string {
	now := strings.Split(strings.TrimPrefix(string(current), byteOrderMark), "\n")
	then := strings.Split(was.src.text, "\n")
	if len(now) != len(then) {
		return ""
	}
	counts := make([]int, len(was.tasks)+1)
	task := 0
	for i, line := range then {
		for task < len(was.tasks) && was.tasks[task].Line <= i+1 {
			task++
		}
		if line == now[i] {
			continue
		}
		a, b := ticked().FindStringSubmatch(line), ticked().FindStringSubmatch(now[i])
		if a == nil || b == nil || a[1] != b[1] || a[2] != b[2] {
			return ""
		}
		if owner := task; owner > 0 && i+1 <= was.tasks[owner-1].EndLine {
			counts[owner]++
		} else {
			counts[0]++
		}
	}
	return tally(counts)
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
