package controller

import (
	"time"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// The kinds of progress.
const (
	ProgressTransition = "transition" // a revision was recorded
	ProgressGates      = "gates"      // the gates begin, before a review
	ProgressGating     = "gating"     // they still run
	ProgressGated      = "gated"      // they have ended
	ProgressStarted    = "started"    // a child runs
	ProgressRunning    = "running"    // it still does
	ProgressAsked      = "asked"      // it was asked to end, as a human pressed Ctrl-C
	ProgressKilled     = "killed"     // its group was killed, as a human pressed it again
	ProgressEnded      = "ended"      // it does not any more
	ProgressRepair     = "repair"     // a report was refused, and its child is asked again
	ProgressNote       = "note"       // a fact worth a word
)

// A Progress is one thing that happened while a run was driven.
type Progress struct {
	Kind       string
	Transition Transition
	Child      ChildProgress
	Task       int
	Tasks      int
	Text       string
}

// A ChildProgress is a child as one who watches sees it.
type ChildProgress struct {
	Role, Tier, Session string
	Task, Attempt       int // no task in the final loop
	Round               int // of fixes; 0 outside of them
	Elapsed             time.Duration
	Last                string // the last line of its output
	End                 string // how it ended
}

// Driven is the answer of `run`: what was recorded, what is next, why it ended
// and what it took.
type Driven struct {
	Transitions []Transition `json:"transitions"`
	Next
	Stop   *Stop  `json:"stop"` // null where the run, or what was asked for, was reached
	Totals Totals `json:"totals"`
	Would  *Would `json:"would,omitempty"` // with a dry run
}

// A Stop is why a drive ended before its goal.
type Stop struct {
	Kind    string `json:"kind"` // waiting, agent or interrupted
	Exit    int    `json:"exit"`
	Message string `json:"message"`
	Repair  string `json:"repair"`
}

// Totals is what a drive took.
type Totals struct {
	Dispatches []DispatchTotal `json:"dispatches"` // in the order of the first of each
	Phases     []PhaseTotal    `json:"phases"`     // wall time of this drive, in the order of the first visit
	Rounds     int             `json:"rounds"`     // fix rounds of the run, the final wave included
	Findings   FindingTotals   `json:"findings"`
	Repairs    int             `json:"repairs"` // repair calls of this drive
	WallMS     int64           `json:"wallMs"`
}

// A DispatchTotal counts the children of one role at one tier.
type DispatchTotal struct {
	Role  string `json:"role"`
	Tier  string `json:"tier"`
	Count int    `json:"count"`
}

// A PhaseTotal is the time spent in one phase, in milliseconds.
type PhaseTotal struct {
	Phase string `json:"phase"`
	MS    int64  `json:"ms"`
}

// FindingTotals counts the findings of the run by what became of them.
type FindingTotals struct {
	All   int `json:"all"`
	Open  int `json:"open"`
	Fixed int `json:"fixed"`
	Other int `json:"other"` // parked, out of scope, or not to be verified
}

// A tally adds up while a run is driven. Its size depends on how many phases and
// roles there are, not on how long the drive takes.
type tally struct {
	start, since time.Time
	phase        string
	phases       []PhaseTotal
	dispatches   []DispatchTotal
	repairs      int
}

func (t *tally) begin(phase string, now time.Time) {
	if t.start.IsZero() {
		t.start, t.since, t.phase = now, now, phase
	}
}

// pass ends the time in one phase and begins it in another.
func (t *tally) pass(phase string, now time.Time) {
	t.spend(now)
	t.phase = phase
}

func (t *tally) spend(now time.Time) {
	spent := now.Sub(t.since).Milliseconds()
	t.since = now
	for i := range t.phases {
		if t.phases[i].Phase == t.phase {
			t.phases[i].MS += spent
			return
		}
	}
	t.phases = append(t.phases, PhaseTotal{t.phase, spent})
}

func (t *tally) dispatched(spec agent.Spec) {
	for i, d := range t.dispatches {
		if d.Role == spec.Role && d.Tier == spec.Tier {
			t.dispatches[i].Count++
			return
		}
	}
	t.dispatches = append(t.dispatches, DispatchTotal{spec.Role, spec.Tier, 1})
}

func (t *tally) totals(r *run, now time.Time) Totals {
	t.spend(now)
	out := Totals{Dispatches: t.dispatches, Phases: t.phases, Repairs: t.repairs, WallMS: now.Sub(t.start).Milliseconds(), Rounds: roundsOf(r.view)}
	if out.Dispatches == nil {
		out.Dispatches = []DispatchTotal{}
	}
	for _, f := range r.view.Findings {
		out.Findings.All++
		switch f.Disposition {
		case dispositionOpen:
			out.Findings.Open++
		case dispositionFixed:
			out.Findings.Fixed++
		default:
			out.Findings.Other++
		}
	}
	return out
}

const dispositionFixed = "fixed"

// roundsOf counts the fix rounds of all tasks, and the final wave.
func roundsOf(v machine.View) int {
	n := 0
	for _, t := range v.Tasks {
		for round := 1; round <= tier.MaxRounds; round++ {
			if machine.NextAttempt(v, tier.Fixer, t.Number, round) > 1 {
				n++
			}
		}
	}
	if v.FinalFixUsed {
		n++
	}
	return n
}

// A Would is the child that a dry run would start next.
type Would struct {
	Role        string   `json:"role"`
	Tier        string   `json:"tier"`
	Task        int      `json:"task"`
	Argv        []string `json:"argv"`
	Cwd         string   `json:"cwd"`
	Stdin       string   `json:"stdin"`  // prompt or nothing
	Report      string   `json:"report"` // file or stdout
	PromptBytes int      `json:"promptBytes"`
	TimeoutMS   int64    `json:"timeoutMs"`
	IdleMS      int64    `json:"idleMs"`
}
