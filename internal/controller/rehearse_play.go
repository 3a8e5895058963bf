package controller

import (
	"fmt"
	"maps"
	"slices"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/rehearsal"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// Rehearsal is the answer of `rehearse`.
type Rehearsal struct {
	Schema     string              `json:"schema"`
	Scenario   string              `json:"scenario"`
	Plan       RehearsedPlan       `json:"plan"`
	Phase      string              `json:"phase"`  // where the run ended
	Action     string              `json:"action"` // done or blocked; decide or dispatch where a human is waited for
	Dispatches []RehearsedDispatch `json:"dispatches"`
	Questions  []RehearsedQuestion `json:"questions"`
	Unused     []string            `json:"unused"` // lines of the scenario that nobody came to
	Totals     RehearsedTotals     `json:"totals"`
}

// RehearsedPlan is the plan that was rehearsed.
type RehearsedPlan struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Tasks  int    `json:"tasks"`
}

// RehearsedDispatch is one child with what it got and answered.
type RehearsedDispatch struct {
	Revision int    `json:"revision"` // of the intent
	Task     int    `json:"task"`
	Role     string `json:"role"`
	Tier     string `json:"tier"`
	Model    string `json:"model,omitempty"` // where the settings have a ladder
	Round    int    `json:"round"`
	Attempt  int    `json:"attempt"`
	Prompt   int    `json:"promptBytes"`
	Files    int    `json:"fileBytes"` // of the files that the prompt names beside it
	Answer   string `json:"answer"`
}

// RehearsedQuestion is what a human would be asked, and what the scenario said.
type RehearsedQuestion struct {
	Revision  int        `json:"revision"`
	Phase     string     `json:"phase"`
	Task      int        `json:"task"`
	Why       string     `json:"why"`
	Decisions []Decision `json:"decisions"`
	Ruling    string     `json:"ruling"` // "" where the rehearsal ends here
}

// RehearsedTotals is the rehearsal in numbers.
type RehearsedTotals struct {
	Dispatches  int            `json:"dispatches"`
	ByRole      map[string]int `json:"byRole"`
	ByTier      map[string]int `json:"byTier"`
	PromptBytes int            `json:"promptBytes"`
	FileBytes   int            `json:"fileBytes"`
	Rounds      int            `json:"rounds"` // fix rounds of tasks
	Findings    int            `json:"findings"`
	Transitions int            `json:"transitions"`
}

// play starts the run and does what next says until nothing is left to do.
func (s *stage) play() (*Rehearsal, error) {
	err := s.command(func(c *Controller) error {
		_, err := c.Start(s.ctx, StartOptions{Plan: s.planName, Base: "refs/heads/" + rehearsalBase})
		return err
	})
	for err == nil {
		var n *Next
		if n, err = s.next(); err != nil {
			break
		}
		act := acts[n.Action]
		if act == nil {
			return s.end(n)
		}
		var done bool
		if done, err = act(s, n); done && err == nil {
			return s.end(n)
		}
	}
	return nil, err
}

func (s *stage) next() (n *Next, err error) {
	err = s.command(func(c *Controller) (err error) {
		n, err = c.Next(s.ctx)
		return err
	})
	return n, err
}

// acts is what a rehearsal does by action; at any other it ends. An act reports
// whether the rehearsal ends with it.
var acts = map[string]func(*stage, *Next) (bool, error){
	actDispatch: (*stage).dispatch,
	actSpawn:    (*stage).spawn,
	actAwait:    (*stage).child,
	actAdvance: func(s *stage, _ *Next) (bool, error) {
		return false, s.command(func(c *Controller) error { _, err := c.Advance(s.ctx); return err })
	},
	actDecide: (*stage).decide,
}

func (s *stage) dispatch(n *Next) (bool, error) {
	var o DispatchOptions
	if slices.Contains(n.Commands[0], "<context>") {
		decision, text, ok := s.script.Rule(n.Task)
		if ok && !rehearsal.IsAnswer(decision) {
			return false, fault.New(fault.Invalid, "human "+itoa(n.Task)+" answer TEXT", "the scenario's human rules %q on task %d, and an implementer asks", decision, n.Task)
		}
		s.ask(n, decision)
		if !ok {
			return true, nil
		}
		o.Context = []byte(text + "\n")
	}
	return false, s.command(func(c *Controller) error {
		d, err := c.Dispatch(s.ctx, o)
		if err == nil {
			err = s.note(c, d)
		}
		return err
	})
}

// note keeps what a child is given.
func (s *stage) note(c *Controller, d *Dispatched) error {
	t, err := tier.Parse(d.Tier)
	if err != nil {
		return err
	}
	model, _, err := c.modelOf(t)
	if err != nil {
		return err
	}
	files := 0
	for _, path := range []*string{&d.Brief, d.Context, d.Package} {
		if path != nil {
			data, err := readBounded(*path, maxRehearsedFile)
			if err != nil {
				return err
			}
			files += len(data)
		}
	}
	round := d.Round
	if roleNamed(d.Role).IsFinal() {
		round = 0 // that of the last task, which is over
	}
	s.out.Dispatches = append(s.out.Dispatches, RehearsedDispatch{
		Revision: d.Revision, Task: d.Task, Role: d.Role, Tier: d.Tier, Model: string(model),
		Round: round, Attempt: d.Attempt, Prompt: d.Prompt.Bytes, Files: files,
	})
	return nil
}

// maxRehearsedFile bounds what is read of a file beside a prompt, in bytes. A
// review package of the default size is smaller.
const maxRehearsedFile = 64 << 20

func (s *stage) spawn(*Next) (bool, error) {
	s.sessions++
	o := StartedOptions{Session: fmt.Sprintf("rehearsal-%d", s.sessions)}
	return false, s.command(func(c *Controller) error { _, err := c.Started(s.ctx, o); return err })
}

// ask keeps what a human is asked.
func (s *stage) ask(n *Next, ruling string) {
	q := RehearsedQuestion{Revision: n.Revision, Phase: n.Phase, Task: n.Task, Why: n.Why, Decisions: n.Decisions, Ruling: ruling}
	if q.Decisions == nil {
		q.Decisions = []Decision{}
	}
	s.out.Questions = append(s.out.Questions, q)
}

// end adds up what happened.
func (s *stage) end(n *Next) (*Rehearsal, error) {
	out := s.out
	out.Phase, out.Action, out.Unused = n.Phase, n.Action, append(out.Unused, s.script.Unused()...)
	t := RehearsedTotals{Dispatches: len(out.Dispatches), ByRole: map[string]int{}, ByTier: map[string]int{}, Transitions: n.Revision}
	for _, d := range out.Dispatches {
		t.ByRole[d.Role]++
		t.ByTier[d.Tier]++
		t.PromptBytes += d.Prompt
		t.FileBytes += d.Files
	}
	err := s.command(func(c *Controller) error {
		status, err := c.Status(s.ctx)
		if err != nil {
			return err
		}
		t.Findings = len(status.Findings)
		for _, task := range status.Tasks {
			t.Rounds += task.FixRounds
		}
		return nil
	})
	out.Totals = t
	return out, err
}

// Roles lists the roles of the totals in the order in which a run meets them.
func (t RehearsedTotals) Roles() []string {
	var all []string
	for _, r := range tier.Roles() {
		if t.ByRole[r.String()] > 0 {
			all = append(all, r.String())
		}
	}
	return all
}

// Tiers lists the tiers of the totals, ascending.
func (t RehearsedTotals) Tiers() []string {
	all := slices.Collect(maps.Keys(t.ByTier))
	slices.SortFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	return all
}

func rank(name string) int {
	t, err := tier.Parse(name)
	if err != nil {
		return -1
	}
	return int(t)
}
