package cli

import (
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/controller"
)

// shortRun is as much of a run's id as people read: 12 digits, like the name of
// its folder in the workspace.
func shortRun(run string) string { return prefix(safe(run), 12) }

// shortCommit is as much of an object name as people read.
func shortCommit(id string) string { return prefix(safe(id), 7) }

func prefix(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// refName is a ref as people read it.
func refName(ref string) string {
	for _, space := range []string{"refs/heads/", "refs/remotes/", "refs/tags/"} {
		if name, ok := strings.CutPrefix(ref, space); ok {
			return safe(name)
		}
	}
	return safe(ref)
}

// roundOf names a fix round beside its role, where there is one.
func roundOf(round int) string {
	if round == 0 {
		return ""
	}
	return " in round " + strconv.Itoa(round)
}

// sayAnswer tells what a command recorded, then where the run stands.
func (con *console) sayAnswer(a *controller.Answer) {
	con.sayTransitions(a.Transitions)
	con.sayNext(&a.Next)
}

// sayTransitions is one line for each commit that the command made.
func (con *console) sayTransitions(ts []controller.Transition) {
	for _, t := range ts {
		con.printf("r%-3d %s  %s, now %s\n", t.Revision, shortCommit(t.Commit), safe(t.Event), safe(t.Phase))
	}
	if len(ts) > 0 {
		con.printf("\n")
	}
}

// sayNext tells where the run stands and ends with the next command. It is kept
// short: an agent with a small context reads it at every step.
func (con *console) sayNext(n *controller.Next) {
	con.sayStanding(n)
	con.sayAlternatives(n)
	con.sayCommand(n)
}

// sayStanding tells where the run stands, without the way on.
func (con *console) sayStanding(n *controller.Next) {
	con.printf("run %s, revision %d, %s\n", shortRun(n.Run), n.Revision, safe(n.Phase))
	con.printf("task %d of %d%s: %s\n", n.Task, n.Tasks, roundOf(n.Round), safe(n.Why))
	if n.Drift != "none" && n.Drift != "" {
		con.printf("drift: %s\n", safe(n.Drift))
	}
	con.sayWarnings(n.Warnings)
	con.sayAction(n)
}

// sayAction tells what belongs to the action and to no other.
func (con *console) sayAction(n *controller.Next) {
	switch n.Action {
	case "spawn":
		if n.Handout != nil {
			con.sayBootstrap(n.Tier, n.Handout)
			con.printf("\n")
		}
	case "await":
		con.printf("%s in session %s, started %s ago\n", safe(n.Role), safe(n.Session), con.age(n.StartedAt))
	case "decide":
		for _, reason := range n.Reasons {
			con.printf("  - %s\n", safe(reason))
		}
		con.printf("\na human rules, with one of:\n")
		for _, d := range n.Decisions {
			con.printf("  %s\n      %s\n", pasteable(d.Command), safe(d.Effect))
		}
	case "done":
		if n.Unpushed != nil && len(*n.Unpushed) > 0 {
			con.printf("%s of the branch: on no remote\n", counted(len(*n.Unpushed), "commit"))
		}
	case "blocked":
		con.printf("ended: %s\n", safe(n.Reason))
	}
}

// sayAlternatives lists what else is possible, before the next command.
func (con *console) sayAlternatives(n *controller.Next) {
	for _, c := range n.Alternatives {
		con.printf("or: %s\n", pasteable(c))
	}
}

// sayCommand ends with the next command as a line to paste. Where a human rules,
// git-sdd proposes nothing.
func (con *console) sayCommand(n *controller.Next) {
	switch {
	case n.Repair != "":
		con.printf("next: %s\n", safe(n.Repair)) // until then every writing command is refused
		return
	case n.Action == "decide":
		con.printf("next: one of the rulings above\n")
		return
	case len(n.Commands) == 0:
		con.printf("next: nothing, the run is over\n")
	}
	for _, c := range n.Commands {
		con.printf("next: %s\n", pasteable(c))
	}
}

func (con *console) sayWarnings(warnings []string) {
	for _, w := range warnings {
		con.printf("warning: %s\n", safe(w))
	}
}
