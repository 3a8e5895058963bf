package prompt

import "fmt"

// A TaskHead is what the final loop is told about one finished task.
type TaskHead struct {
	Number     int
	Title      string
	Base, Head string // full object names; Head is the last one judged
}

// FinalBrief returns the brief of the final roles: the Global Constraints (their
// text without the heading, "" where the plan has none), then number, title and
// range of every task. The bodies stay out: each was judged by its own review,
// and together they would pass the bound on a brief.
func FinalBrief(constraints string, tasks []TaskHead) []byte {
	var d document
	d.heading(1, "Final brief")
	d.line("The whole branch is judged, not one task. Below: what binds every task, then the tasks in order.")
	d.heading(2, "Global Constraints")
	if constraints == "" {
		d.line("The plan states none.")
	} else {
		d.WriteString(endLine(constraints))
	}
	d.heading(2, "Tasks")
	for _, t := range tasks {
		d.line("- Task %d: %s", t.Number, t.Title)
		fmt.Fprintf(&d, "  base: %s\n  head: %s\n", oneLine(t.Base), oneLine(t.Head))
	}
	return d.Bytes()
}
