package config

import "github.com/git-sdd/git-sdd/internal/tier"

// A Rung is the model that stands for a tier.
type Rung struct{ Provider, Model, Thinking string }

// rungKeys are the keys of a rung, all of which it needs.
var rungKeys = []string{"provider", "model", "thinking"}

// HasLadder reports whether the settings name a rung. If they name none, tiers
// are advice to whoever starts the children; if they name one, they must name
// all, and [Settings.Missing] says what is left to write.
func (s *Settings) HasLadder() bool { return s.ladder }

// Rung returns the model of a tier, and false if the rung is missing or lacks one
// of its three keys.
func (s *Settings) Rung(t tier.Tier) (Rung, bool) {
	if len(s.gaps(t)) > 0 {
		return Rung{}, false
	}
	of := func(name string) string { return s.merged["tier."+t.String()+"."+name].value.text }
	return Rung{of("provider"), of("model"), of("thinking")}, true
}

// gaps returns the keys that a rung lacks.
func (s *Settings) gaps(t tier.Tier) []string {
	var gaps []string
	for _, name := range rungKeys {
		key := "tier." + t.String() + "." + name
		if _, set := s.merged[key]; !set {
			gaps = append(gaps, key)
		}
	}
	return gaps
}

// Missing returns the tiers without a whole rung, ascending: none where there is
// no ladder at all. A run does not start with one missing, for a formula may call
// for any of them in a later round (contract: capability).
func (s *Settings) Missing() []tier.Tier {
	var missing []tier.Tier
	for _, t := range tier.All() {
		if s.ladder && len(s.gaps(t)) > 0 {
			missing = append(missing, t)
		}
	}
	return missing
}

// Gaps returns the keys that a ladder lacks, in the order of the tiers: what to
// write before nothing is missing.
func (s *Settings) Gaps() []string {
	var all []string
	for _, t := range s.Missing() {
		all = append(all, s.gaps(t)...)
	}
	return all
}
