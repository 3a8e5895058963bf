package config

import (
	"cmp"
	"slices"
)

// An Entry is one setting as a listing shows it.
type Entry struct {
	Key    string // "gate.test.timeout"
	Value  string // TOML text on one line, safe to print
	Origin string // "git-sdd.toml:12", "git config", or "default"
}

// Entries returns every key that is set or has a default, in the order of the
// keys, each with the value that holds and where it comes from.
func (s *Settings) Entries() []Entry {
	var all []Entry
	for key, set := range s.merged {
		all = append(all, Entry{key, set.value.literal(), set.place.String()})
	}
	for _, section := range sections {
		for _, table := range s.tables(section) {
			for _, k := range section.keys {
				key := item{path: append(slices.Clone(table), k.name)}.full()
				if _, set := s.merged[key]; !set && k.fallback != "" {
					all = append(all, Entry{key, k.fallback, "default"})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	return all
}

// tables returns the tables of a section that are there.
func (s *Settings) tables(section *section) [][]string {
	if section.names == nil {
		return [][]string{{section.name}}
	}
	if section.names.free == nil {
		return nil // what is not said about a tier or a role follows from [agent]
	}
	var all [][]string
	for _, g := range s.pin.gates {
		all = append(all, []string{section.name, g.Name})
	}
	return all
}
