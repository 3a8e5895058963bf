package controller

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// A rule is one form of decide: where it is legal, what it needs, the event that
// records it and what it leads to. The list is the help, the offer of next and
// the command itself (interfaces: the loop, decide).
type rule struct {
	name    string
	command string              // the command that records it where that is not decide
	flags   []string            // what the printed command shows beside --reason, all of it needed
	filled  func(*run) []string // more of that, where it depends on the run
	also    []string            // what may be given beside the flags
	effect  string
	effects func(*run) string // the same where it depends on the run
	legal   func(*run) bool
	event   func(*run, DecideOptions) (machine.Event, error)
	step    func(context.Context, *run, DecideOptions) (step, error) // instead of event where artifacts come with it
	// groundless rulings skip the checks of plan, branch, worktree and merge
	// base, or a run whose ground is gone could never end.
	groundless bool
}

func (r *run) in(phases ...machine.Phase) bool {
	for _, p := range phases {
		if r.view.Phase == p {
			return true
		}
	}
	return false
}

func (r *run) running() bool { return judge.Running(r.view) }
func (r *run) intent() bool  { return judge.Intent(r.view) }

// waitsForFixer reports whether a fixer's report waits for a human.
func (r *run) waitsForFixer() bool {
	if !r.in(machine.FixRunning, machine.FinalFixRunning) || r.view.Dispatch.Report == nil {
		return false
	}
	work, err := r.storedWork()
	return err == nil && judge.FixerWaits(r.view, work)
}

// implementerBlocked reports whether an implementer's BLOCKED waits for a human.
func (r *run) implementerBlocked() bool {
	if !r.in(machine.ImplementResult) || r.view.StatusPinned != "" {
		return false
	}
	work, err := r.storedWork()
	return err == nil && work.Status == statusBlocked
}

// reviewed reports whether a task's (re-)review is in and asks for work.
func (r *run) reviewed() bool {
	return r.in(machine.TaskReviewDecision, machine.RereviewRunning) && !r.running() && machine.NeedsWork(r.view)
}

func (r *run) finallyReviewed() bool {
	return r.in(machine.FinalReviewRunning, machine.FinalRereviewRunning) && !r.running() && machine.NeedsWork(r.view)
}

// openMinors returns the Minors in scope that are open and not pinned RESOLVED.
func (r *run) openMinors() []machine.Recorded {
	var minors []machine.Recorded
	for _, f := range machine.OpenInScope(r.view) {
		if !f.LoadBearing && f.Verdict != verdictResolved {
			minors = append(minors, f)
		}
	}
	return minors
}

func (r *run) parkable() bool {
	return r.in(machine.RereviewRunning, machine.FinalRereviewRunning) && !r.running() && len(r.openMinors()) > 0
}

// adjudicable: both axes are good and only Minors are open.
func (r *run) adjudicable() bool {
	if !r.finallyReviewed() || !machine.AxesGood(r.view) {
		return false
	}
	loadBearing, minors := countOpen(r.view)
	return loadBearing == 0 && minors > 0
}

func (r *run) mayAcceptEmpty() bool { return judge.MayAcceptEmpty(r.view) }

func (r *run) contextSpent() bool {
	return r.in(machine.ContextRequired) && r.view.ContextAttempts >= maxContextAttempts
}

// blockable reports whether decide block has a way to a blocked phase here.
func (r *run) blockable() bool {
	return r.in(machine.ConcernDecisionRequired) || r.implementerBlocked() || r.contextSpent() ||
		r.waitsForFixer() || r.reviewed() || r.finallyReviewed()
}

func (r *run) live() bool { return !r.view.Phase.Terminal() }

// decisions returns every ruling that is legal now, as next offers them.
func (r *run) decisions() []Decision {
	var all []Decision
	for _, k := range rules {
		if !k.legal(r) || (k.name == "reissue" && r.hasLeftovers) {
			continue // a reissue waits for the ruling on leftovers
		}
		effect := k.effect
		if k.effects != nil {
			effect = k.effects(r)
		}
		all = append(all, Decision{Decision: k.name, Command: r.command(k.words(r)...), Effect: effect})
	}
	return all
}

// words is the ruling's command as next prints it.
func (k rule) words(r *run) []string {
	words := []string{"decide", k.name}
	if k.command != "" {
		words = []string{k.command}
	}
	words = append(words, k.flags...)
	if k.filled != nil {
		words = append(words, k.filled(r)...)
	}
	if k.name == "lost" && r.running() {
		words = append(words, "--receipt", "<receipt>")
	}
	return append(words, "--reason", "<reason>")
}

// DecisionTable lists every decision with its effect, one line each.
func DecisionTable() string {
	var b strings.Builder
	for _, k := range rules {
		if k.command == "" {
			fmt.Fprintf(&b, "  %-12s  %s\n", k.name, k.effect)
		}
	}
	return b.String()
}
