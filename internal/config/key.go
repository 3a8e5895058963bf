package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/nearest"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// A key is one setting there is. Its name is matched exactly.
type key struct {
	name     string
	kind     kind
	vector   bool   // a list that is a command; people write it as a string
	sized    bool   // a number that may also be a string with a unit
	fallback string // what holds where nothing is set, as TOML text; "" if nothing does
	check    func(name string, v value) []flaw
}

// A section is one table of the settings. One with names holds tables of its
// own, and these hold the keys.
type section struct {
	name    string
	tracked bool // may stand in a tracked file
	names   *names
	keys    []key
}

// names are the names that a section's own tables may have.
type names struct {
	known []string          // the only ones there are, unless free is set
	free  func(string) bool // accepts names of the user's own
	rule  string            // what a free name is, for messages
}

// maxWords is the number of words in the longest path of a key.
const maxWords = 3

// sections is every setting there is (interfaces: settings).
var sections = []*section{
	{name: "agent", keys: []key{
		{name: "command", kind: list, vector: true, check: agentCommand},
		{name: "prompt", kind: text, fallback: `"stdin"`, check: oneOf("stdin", "bootstrap", "file")},
		{name: "report", kind: text, fallback: `"file"`, check: oneOf("file", "stdout")},
		{name: "timeout", kind: text, fallback: `"30m"`, check: duration},
		{name: "idle", kind: text, fallback: `"10m"`, check: duration},
		{name: "probe", kind: list, vector: true, check: probeCommand},
	}},
	{name: "policy", keys: []key{
		{name: "mode", kind: text, fallback: `"tiered"`, check: oneOf("tiered", "exact")},
	}},
	{name: "tier", names: &names{known: tierNames()}, keys: []key{
		{name: "provider", kind: text, check: word},
		{name: "model", kind: text, check: word},
		{name: "thinking", kind: text, check: word},
	}},
	{name: "role", names: &names{known: roleNames()}, keys: []key{
		{name: "command", kind: list, vector: true, check: agentCommand},
		{name: "prompt", kind: text, check: oneOf("stdin", "bootstrap", "file")},
		{name: "report", kind: text, check: oneOf("file", "stdout")},
		{name: "timeout", kind: text, check: duration},
		{name: "idle", kind: text, check: duration},
	}},
	{name: "run", keys: []key{
		{name: "attempts", kind: number, fallback: "2", check: between(1, 9)},
		{name: "minors", kind: text, fallback: `"ask"`, check: oneOf("ask", "park")},
		{name: "ambiguous", kind: text, fallback: `"stop"`, check: oneOf("stop", "proven")},
	}},
	{name: "gate", tracked: true, names: &names{free: isGateName, rule: "the name of a gate: 1 to 32 of a-z, 0-9 and -, not beginning with -"}, keys: []key{
		{name: "command", kind: list, vector: true, check: gateCommand},
		{name: "guard", kind: list, check: globs},
		{name: "timeout", kind: text, fallback: `"10m"`, check: duration},
	}},
	{name: "evidence", tracked: true, keys: []key{
		{name: "process", kind: list, fallback: "[]", check: globs},
	}},
	{name: "package", tracked: true, keys: []key{
		{name: "maxBytes", kind: number, sized: true, fallback: "8388608", check: size},
	}},
	{name: "hook", keys: []key{
		{name: "mode", kind: text, fallback: `"warn"`, check: oneOf("off", "warn", "block")},
	}},
}

func tierNames() []string {
	var all []string
	for _, t := range tier.All() {
		all = append(all, t.String())
	}
	return all
}

func roleNames() []string {
	var all []string
	for _, r := range tier.Roles() {
		all = append(all, r.String())
	}
	return all
}

func (n *names) allows(name string) bool {
	if n.free != nil {
		return n.free(name)
	}
	return slices.Contains(n.known, name)
}

// A finding is what a path names: a section, and a key if it is one.
type finding struct {
	section *section
	key     *key
}

// tableWords is the number of words that a path needs to be a key.
func (s *section) tableWords() int {
	if s.names != nil {
		return 2
	}
	return 1
}

// find looks a path up, word by word. The line of a refusal is not set.
func find(path []string) (finding, *refusal) {
	i := slices.IndexFunc(sections, func(s *section) bool { return s.name == path[0] })
	if i < 0 {
		return finding{}, unknown(path, 1, sectionNames())
	}
	s := sections[i]
	if s.names != nil && len(path) > 1 && !s.names.allows(path[1]) {
		return finding{}, badName(s, path)
	}
	words := s.tableWords()
	if len(path) <= words {
		return finding{section: s}, nil
	}
	k := slices.IndexFunc(s.keys, func(k key) bool { return k.name == path[words] })
	if k < 0 {
		return finding{}, unknown(path, words+1, s.keyNames())
	}
	if len(path) > words+1 {
		name := item{path: path}.name(words + 1)
		return finding{}, &refusal{flaw{code: "wrong-type", message: fmt.Sprintf("%s is a table; it must be %s", name, s.keys[k].wanted()), repair: s.keys[k].example()}, words + 1}
	}
	return finding{s, &s.keys[k]}, nil
}

func sectionNames() []string {
	var all []string
	for _, s := range sections {
		all = append(all, s.name)
	}
	return all
}

func (s *section) keyNames() []string {
	var all []string
	for _, k := range s.keys {
		all = append(all, k.name)
	}
	return all
}

// unknown says that the word before depth is none of the names, and which of
// them it was probably meant to be.
func unknown(path []string, depth int, names []string) *refusal {
	it := item{path: path}
	name, near := it.name(depth), nearest.Name(path[depth-1], names)
	if near == "" {
		return &refusal{flaw{code: "unknown-key", message: fmt.Sprintf("there is no setting %s", name), repair: "remove it; what may stand here is " + strings.Join(names, ", ")}, depth}
	}
	meant := item{path: append(slices.Clone(path[:depth-1]), near)}.full()
	if strings.EqualFold(near, path[depth-1]) {
		return &refusal{flaw{code: "letter-case", message: fmt.Sprintf("%s is written %s: letter case counts", name, meant), repair: "write " + near}, depth}
	}
	return &refusal{flaw{code: "unknown-key", message: fmt.Sprintf("there is no setting %s; the nearest is %s", name, meant), repair: "write " + near}, depth}
}

func badName(s *section, path []string) *refusal {
	if s.names.free == nil {
		return unknown(path, 2, s.names.known)
	}
	repair := fmt.Sprintf("write [%s.test]", s.name)
	if lower := strings.ToLower(path[1]); s.names.allows(lower) {
		repair = fmt.Sprintf("write [%s.%s]", s.name, lower)
	}
	return &refusal{flaw{code: "bad-name", message: fmt.Sprintf("%q is not %s", path[1], s.names.rule), repair: repair}, 2}
}

// wrongKind says that a value is of another type than what stands at its path.
func (f finding) wrongKind(it item) *flaw {
	if f.key == nil {
		if it.value.kind == tables {
			return &flaw{message: fmt.Sprintf("%s is a list of tables; it must be a table", it.full()), repair: fmt.Sprintf("write [%s]", it.full())}
		}
		return &flaw{message: fmt.Sprintf("%s is %s; it must be a table", it.full(), it.value.kind), repair: fmt.Sprintf("write [%s] and its keys below", it.full())}
	}
	if f.key.vector && it.value.kind == text {
		return f.key.asVector(it)
	}
	if got := it.value.kind; got != f.key.kind && !(f.key.sized && got == text) {
		return &flaw{message: fmt.Sprintf("%s is %s; it must be %s", it.full(), got, f.key.wanted()), repair: f.key.example()}
	}
	return nil
}
