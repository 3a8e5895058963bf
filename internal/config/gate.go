package config

import (
	"maps"
	"slices"
)

// The bounds of gates. Each that fails is a finding of its review, and a run has
// room for 256 of them.
const (
	MaxGates    = 32 // in all layers together
	MaxGateName = 32 // bytes
)

// isGateName accepts what may stand in a finding's id and in a file's name.
func isGateName(s string) bool {
	if s == "" || len(s) > MaxGateName || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// A Gate is a check that git-sdd runs itself, on a clean checkout of the commit
// that is judged.
type Gate struct {
	Name    string
	Command []string // an argument vector, run without a shell and as it stands
	// Guard are globs (see [Match]) of what the checked must not change unseen.
	// Nil says nothing, and the defaults for the command's runner hold; empty says
	// that nothing is guarded.
	Guard     []string
	TimeoutMS int64 // milliseconds
	// Layer is where the command comes from: Tracked, User or Clone. A tracked
	// command runs only once the user trusts the file (architecture: trust).
	Layer Layer
}

func (g Gate) clone() Gate {
	g.Command, g.Guard = slices.Clone(g.Command), slices.Clone(g.Guard)
	return g
}

// gate puts a gate together from its keys, whatever layers these come from.
func (s *Settings) gate(name string) Gate {
	path := func(key string) []string { return []string{"gate", name, key} }
	g := Gate{Name: name, Command: s.get(path("command")).words(), TimeoutMS: s.get(path("timeout")).ms(), Layer: s.merged["gate."+name+".command"].place.layer}
	if guard := s.get(path("guard")); guard.kind == list {
		g.Guard = guard.words()
	}
	return g
}

// newPin gathers what a run pins.
func (s *Settings) newPin(gates map[string]place) Pin {
	p := Pin{process: s.get([]string{"evidence", "process"}).words(), maxBytes: s.get([]string{"package", "maxBytes"}).bytes()}
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		p.gates = append(p.gates, s.gate(name))
	}
	return p
}
