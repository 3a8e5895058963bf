// Package tier is the ladder of model tiers and the formulas that give each
// role its rung.
//
// Only the implementer's tier is chosen by a human, in the plan. Every other
// role's tier follows from it by [For]: a plan that named them too could only
// disagree (contract: tiers and role formulas).
package tier

import "fmt"

// A Tier is one rung of the ladder. The zero value is no tier at all and is
// never valid.
type Tier uint8

// The rungs, ascending.
const (
	none Tier = iota
	Economy
	Fast
	Standard
	Advanced
	Capable
	Frontier
	numTiers
)

// names holds the wire form; titles the form that plans use, and nothing else.
var (
	names  = [numTiers]string{Economy: "economy", Fast: "fast", Standard: "standard", Advanced: "advanced", Capable: "capable", Frontier: "frontier"}
	titles = [numTiers]string{Economy: "Economy", Fast: "Fast", Standard: "Standard", Advanced: "Advanced", Capable: "Capable", Frontier: "Frontier"}
)

// All returns the rungs, ascending.
func All() []Tier { return []Tier{Economy, Fast, Standard, Advanced, Capable, Frontier} }

// String returns the wire form, lowercase.
func (t Tier) String() string {
	if t == none || t >= numTiers {
		return fmt.Sprintf("tier(%d)", uint8(t))
	}
	return names[t]
}

// Title returns the form that a plan uses, title case.
func (t Tier) Title() string {
	if t == none || t >= numTiers {
		return t.String()
	}
	return titles[t]
}

// Parse reads the wire form. The match is exact: no other case, no blanks.
func Parse(s string) (Tier, error) { return lookup(&names, s) }

// ParseTitle reads the form that a plan uses. The match is exact.
func ParseTitle(s string) (Tier, error) { return lookup(&titles, s) }

func lookup(table *[numTiers]string, s string) (Tier, error) {
	for t := Economy; t < numTiers; t++ {
		if table[t] == s {
			return t, nil
		}
	}
	return none, fmt.Errorf("%q is not a tier; the tiers are economy, fast, standard, advanced, capable, frontier", s)
}

// A Role is what a child is dispatched as. The zero value is no role.
type Role uint8

// The roles, in the order in which a run first meets them.
const (
	noRole Role = iota
	Implementer
	TaskReviewer
	Fixer
	ReReviewer
	Final
	FinalFixer
	FinalReReviewer
	numRoles
)

// MaxRounds is the number of fix rounds that a task may have (contract: tiers,
// escalation map 1 to 5).
const MaxRounds = 5

// A rule is how a role's tier follows from the implementer's: either a fixed
// rung, or the implementer's plus a number of rungs, between a floor and the top.
type rule struct {
	name   string
	fixed  Tier
	rungs  int
	floor  Tier
	rounds bool // the role has rounds, and escalate applies
}

var rules = [numRoles]rule{
	Implementer:     {name: "implementer", floor: Economy},
	TaskReviewer:    {name: "task-reviewer", rungs: 1, floor: Standard},
	Fixer:           {name: "fixer", floor: Economy, rounds: true},
	ReReviewer:      {name: "re-reviewer", rungs: 1, floor: Standard},
	Final:           {name: "final", fixed: Frontier},
	FinalFixer:      {name: "final-fixer", fixed: Frontier},
	FinalReReviewer: {name: "final-re-reviewer", fixed: Frontier},
}

// escalate is the number of rungs that a fixer gains, by fix round.
var escalate = [MaxRounds + 1]int{1: 0, 2: 0, 3: 0, 4: 1, 5: 2}

// Roles returns every role in the order in which a run first meets them.
func Roles() []Role {
	return []Role{Implementer, TaskReviewer, Fixer, ReReviewer, Final, FinalFixer, FinalReReviewer}
}

// String returns the role's name on the wire and in dispatch keys.
func (r Role) String() string {
	if r == noRole || r >= numRoles {
		return fmt.Sprintf("role(%d)", uint8(r))
	}
	return rules[r].name
}

// ParseRole reads a role's name. The match is exact.
func ParseRole(s string) (Role, error) {
	for _, r := range Roles() {
		if rules[r].name == s {
			return r, nil
		}
	}
	return noRole, fmt.Errorf("%q is not a role; the roles are implementer, task-reviewer, fixer, re-reviewer, final, final-fixer, final-re-reviewer", s)
}

// HasRounds reports whether the role is dispatched once per fix round.
func (r Role) HasRounds() bool { return r < numRoles && rules[r].rounds }

// Works reports whether the role changes the work tree: an implementer or a
// fixer. Every other role is read-only.
func (r Role) Works() bool { return r == Implementer || r == Fixer || r == FinalFixer }

// IsFinal reports whether the role belongs to the final loop.
func (r Role) IsFinal() bool { return r == Final || r == FinalFixer || r == FinalReReviewer }

// For returns the tier of a role, given the implementer's tier of the task and,
// for a fixer, the fix round from 1 to [MaxRounds]. A role without rounds takes
// round 0 and no other. At round 5 a fixer may sit one rung above its
// re-reviewer, whose formula has no round: that is intended (contract: tiers).
func For(r Role, implementer Tier, round int) (Tier, error) {
	if r == noRole || r >= numRoles {
		return none, fmt.Errorf("%s has no tier formula", r)
	}
	if implementer == none || implementer >= numTiers {
		return none, fmt.Errorf("%s is not a tier", implementer)
	}
	rule := rules[r]
	switch {
	case rule.rounds && (round < 1 || round > MaxRounds):
		return none, fmt.Errorf("fix round %d is outside 1 to %d", round, MaxRounds)
	case !rule.rounds && round != 0:
		return none, fmt.Errorf("role %s has no rounds, round %d was given", r, round)
	case rule.fixed != none:
		return rule.fixed, nil
	}
	return min(max(implementer+Tier(rule.rungs+escalate[round]), rule.floor), Frontier), nil
}
