package controller

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// An Until is where a drive stops although it could go on. Its zero value is the
// end of the run.
type Until struct {
	role bool // before a reviewer: any, or with final the one of the whole branch
	only tier.Role
	task int
}

// ParseUntil reads "task N", "review" or "final".
func ParseUntil(text string) (Until, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '=' || r == ':' })
	switch {
	case text == "":
		return Until{}, nil
	case len(words) == 1 && words[0] == "review":
		return Until{role: true}, nil
	case len(words) == 1 && words[0] == "final":
		return Until{role: true, only: tier.Final}, nil
	case len(words) == 2 && words[0] == "task":
		if n, err := strconv.Atoi(words[1]); err == nil && n > 0 && itoa(n) == words[1] {
			return Until{task: n}, nil
		}
	}
	return Until{}, fault.New(fault.Invalid, `git sdd run --until "task 2", --until review or --until final`, "%q is no place to stop at", text)
}

// check refuses a task that the plan does not have: a drive that was to stop there
// would not stop at all.
func (u Until) check(r *run) error {
	if n := len(r.view.Tasks); u.task > n {
		return fault.New(fault.Invalid, fmt.Sprintf(`git sdd run --until "task %d"`, n), "there is no task %d to stop at, the plan has %s", u.task, counted(n, "task"))
	}
	return nil
}

// reached reports whether the run stands there.
func (u Until) reached(r *run, w want) bool {
	switch {
	case u.task > 0:
		return r.taskDone(u.task)
	case u.role:
		return w.action == actDispatch && !w.role.Works() && (u.only == 0 || w.role == u.only)
	}
	return false
}

func (r *run) taskDone(number int) bool {
	v := r.view
	return number < v.CurrentTask || inFinalLoop(v) || v.Phase == machine.Complete || v.Phase == machine.TaskComplete && number == v.CurrentTask
}
