package cli

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/git-sdd/git-sdd/internal/controller"
)

// A progress tells on standard error what a drive does: a line for each thing
// that happened and, at a terminal, one live line for the child that runs.
type progress struct {
	con  *console
	live bool // a live line stands there
}

// say tells one thing.
func (p *progress) say(e controller.Progress) {
	if e.Kind == controller.ProgressRunning {
		p.draw(e.Child)
		return
	}
	p.clear()
	fmt.Fprintln(p.con.errOut, p.line(e))
}

func (p *progress) line(e controller.Progress) string {
	c := e.Child
	switch e.Kind {
	case controller.ProgressTransition:
		return fmt.Sprintf("r%-3d %s, now %s (task %d of %d)", e.Transition.Revision, safe(e.Transition.Event), safe(e.Transition.Phase), e.Task, e.Tasks)
	case controller.ProgressStarted:
		return fmt.Sprintf("     %s runs, session %s", childName(c), safe(c.Session))
	case controller.ProgressEnded:
		return fmt.Sprintf("     %s %s, after %s", childName(c), safe(c.End), took(c.Elapsed.Milliseconds()))
	case controller.ProgressRepair:
		return fmt.Sprintf("     the report of the %s is refused, repair call %d: %s", safe(c.Role), c.Attempt, safe(e.Text))
	}
	return "     note: " + safe(e.Text)
}

func childName(c controller.ChildProgress) string {
	name := fmt.Sprintf("%s of task %d (%s", safe(c.Role), c.Task, safe(c.Tier))
	if c.Attempt > 1 {
		name += fmt.Sprintf(", attempt %d", c.Attempt)
	}
	return name + ")"
}

// draw writes the live line over the one before, where a person can see it.
func (p *progress) draw(c controller.ChildProgress) {
	if !p.con.errTerminal {
		return
	}
	text := fmt.Sprintf("     %s, %s", childName(c), span(c.Elapsed))
	if c.Last != "" {
		text += ": " + safe(strings.ReplaceAll(c.Last, "\t", " "))
	}
	fmt.Fprint(p.con.errOut, "\r\x1b[K"+cut(text, terminalWidth()-1))
	p.live = true
}

// clear takes the live line away.
func (p *progress) clear() {
	if p.live {
		fmt.Fprint(p.con.errOut, "\r\x1b[K")
		p.live = false
	}
}

func terminalWidth() int {
	if w, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && w > 20 {
		return w
	}
	return lineWidth
}

// cut shortens a line to a number of columns.
func cut(s string, most int) string {
	n := 0
	for i, r := range s {
		if n += width(r); n > most {
			return s[:i]
		}
	}
	return s
}
