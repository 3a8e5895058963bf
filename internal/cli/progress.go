package cli

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// A progress tells on standard error what a drive does: a line for each thing
// that happened and, at a terminal, one live line for the child that runs.
type progress struct {
	con  *console
	live bool // a live line stands there
}

// say tells one thing.
func (p *progress) say(e controller.Progress) {
	if e.Kind == controller.ProgressRunning || e.Kind == controller.ProgressGating {
		p.draw(e)
		return
	}
	if e.Kind == controller.ProgressAsked || e.Kind == controller.ProgressKilled {
		p.live = p.movable() // "^C" stands there
	}
	p.clear()
	line := p.line(e)
	if p.con.errTerminal && e.Kind != controller.ProgressTransition { // those are short enough
		line = margin + wrap(line, terminalWidth()-len(hanging), "\n"+hanging)
	}
	fmt.Fprintln(p.con.errOut, line)
}

// What stands before a line that is no transition, and before what of it did not
// fit.
const (
	margin  = "     "
	hanging = margin + "  "
)

// line is one line of at most 80 columns for a transition; the others are as long
// as what they tell.
func (p *progress) line(e controller.Progress) string {
	c := e.Child
	switch e.Kind {
	case controller.ProgressTransition:
		return fmt.Sprintf("r%-3d %d/%d %s -> %s", e.Transition.Revision, e.Task, e.Tasks, safe(e.Transition.Event), safe(e.Transition.Phase))
	case controller.ProgressGates:
		return margin + "gates run before the " + safe(c.Role) + ": " + safe(e.Text)
	case controller.ProgressGated:
		return margin + "gates: " + safe(e.Text) + ", after " + took(c.Elapsed.Milliseconds())
	case controller.ProgressStarted:
		return fmt.Sprintf(margin+"%s runs, session %s", childName(c), safe(c.Session))
	case controller.ProgressAsked:
		return margin + childName(c) + " is asked to end; Ctrl-C again kills it"
	case controller.ProgressKilled:
		return margin + childName(c) + " is killed"
	case controller.ProgressEnded:
		return fmt.Sprintf(margin+"%s %s, after %s", childName(c), safe(c.End), took(c.Elapsed.Milliseconds()))
	case controller.ProgressRepair:
		return fmt.Sprintf(margin+"the report of the %s is refused, repair call %d: %s", safe(c.Role), c.Attempt, safe(e.Text))
	}
	return margin + "note: " + safe(e.Text)
}

// childOf names a child by what is recorded of it: one of the final loop has no
// task of its own.
func childOf(role string, task int, tierName string) string {
	return childName(controller.ChildProgress{Role: spokenRole(role), Task: ownTask(role, task), Tier: tierName})
}

func ownTask(role string, task int) int {
	if strings.HasPrefix(role, tier.Final.String()) {
		return 0
	}
	return task
}

// childName names a child: its role, its task where it has one, and its tier.
func childName(c controller.ChildProgress) string {
	name := safe(c.Role)
	if c.Task > 0 {
		name += fmt.Sprintf(" of task %d", c.Task)
	}
	if c.Round > 0 {
		name += fmt.Sprintf(", round %d", c.Round)
	}
	name += " (" + safe(c.Tier)
	if c.Attempt > 1 {
		name += fmt.Sprintf(", attempt %d", c.Attempt)
	}
	return name + ")"
}

// movable reports whether a line can be taken back: at a terminal, unless that is
// a dumb one.
func (p *progress) movable() bool { return p.con.errTerminal && p.con.env("TERM") != "dumb" }

// draw writes the live line over the one before.
func (p *progress) draw(e controller.Progress) {
	if !p.movable() {
		return
	}
	name, last := childName(e.Child), e.Child.Last
	if e.Kind == controller.ProgressGating {
		name, last = "gates before the "+safe(e.Child.Role), e.Text
	}
	text := margin + name + ", " + span(e.Child.Elapsed)
	if last != "" {
		text += ": " + safe(strings.ReplaceAll(last, "\t", " "))
	}
	fmt.Fprint(p.con.errOut, "\r\x1b[K"+clip(text, terminalWidth()-1))
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
