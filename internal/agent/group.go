package agent

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A Group names the process group of a child that runs, in a form that can be
// written down: where the process that waits for it is killed, a later one can end
// it.
type Group struct {
	pid         int // of the child, which leads the group
	start, boot string
}

func groupOf(pid int) Group { return Group{pid, startTime(pid), bootID()} }

// String is the form in which a group is written down.
func (g Group) String() string { return fmt.Sprintf("%d %q %q", g.pid, g.start, g.boot) }

// ParseGroup reads a group that was written down.
func ParseGroup(text string) (g Group, ok bool) {
	var pid string
	if n, err := fmt.Sscanf(text, "%s %q %q", &pid, &g.start, &g.boot); n != 3 || err != nil {
		return Group{}, false
	}
	id, err := strconv.Atoi(pid)
	if g.pid = id; err != nil || id <= 1 || g.String() != strings.TrimSpace(text) {
		return Group{}, false
	}
	return g, true
}

// End kills what is left of the group, and reports whether anything was. Nothing is
// killed that is not certain to be the group that was written down: its leader must
// still be there, started when it was.
func (g Group) End() bool {
	if g.pid <= 1 || g.start == "" || g.boot != bootID() || startTime(g.pid) != g.start {
		return false
	}
	signalGroup(g.pid, os.Kill)
	return true
}
