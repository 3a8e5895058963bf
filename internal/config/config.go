// Package config reads the settings: which agents there are, which model stands
// on which rung, and which checks a run holds to.
//
// Settings come in layers, and a later layer wins key by key (interfaces:
// settings). A settings file is written by a person who will not be told twice,
// so everything that is wrong with every file is found at once, each with its
// line: a key that nobody knows, a key in another letter case, a value of the
// wrong type or out of bounds. Nothing is guessed and nothing is ignored.
//
// What is tracked in the repository can be changed by whoever can commit to it,
// an agent included. That is why the tracked layer may say what is checked and
// never what is run as an agent, and why each gate knows the layer its command
// came from (architecture: trust).
package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Layer is one of the places that settings come from. Its zero value is no
// layer.
type Layer uint8

// The layers, each winning over those before it.
const (
	noLayer   Layer = iota
	Tracked         // git-sdd.toml at the top of the repository
	User            // $XDG_CONFIG_HOME/git-sdd/config.toml
	Clone           // <common dir>/git-sdd.toml
	GitConfig       // git config sdd.*, for scalar keys
	numLayers
)

var layerNames = [numLayers]string{Tracked: "tracked", User: "user", Clone: "clone", GitConfig: "git config"}

// String returns the layer's name as pinned settings write it.
func (l Layer) String() string {
	if l == noLayer || l >= numLayers {
		return fmt.Sprintf("layer(%d)", uint8(l))
	}
	return layerNames[l]
}

// MaxSource is the bound on one settings file, in bytes.
const MaxSource = 64 << 10

// A Source is one settings file.
type Source struct {
	Layer Layer  // Tracked, User or Clone
	Name  string // the path as messages show it
	Data  []byte
}

// A Pair is one entry of `git config -z --list`. The key is as git lists it: the
// section and the last word in lower case, what stands between as it was written.
type Pair struct{ Key, Value string }

// A Defect is one thing that is wrong with the settings.
type Defect struct {
	Name    string // the file as its source names it, or "git config"
	Line    int    // counts from 1; 0 where there is none
	Code    string // a stable identifier, such as "unknown-key"
	Message string // the fact, one line
	Repair  string // a command to paste or one edit
}

// Location returns "file:line", or the name alone where there is no line.
func (d Defect) Location() string { return place{name: d.Name, line: d.Line}.String() }

// A place is where a setting stands.
type place struct {
	layer Layer
	name  string
	line  int
}

func (p place) String() string {
	if p.line == 0 {
		return p.name
	}
	return fmt.Sprintf("%s:%d", p.name, p.line)
}

// A flaw is a defect before it knows the file it is in.
type flaw struct {
	line                  int
	code, message, repair string
}

// A setting is one key's value and where it came from.
type setting struct {
	value value
	place place
}

// A load is the state of one [Load].
type load struct {
	merged  map[string]setting // by key, the highest layer so far
	broken  map[string]bool    // keys that stand somewhere with a value that was refused
	gates   map[string]place   // where each gate is first named
	ladder  bool               // a rung is named
	partial bool               // a file could not be read to its end
	defects []Defect
}

// Load reads every source and the pairs of git's settings, in the order of their
// layers whatever the order of the arguments; pairs whose key does not begin with
// "sdd." are not ours and are left alone. It returns the settings, or every
// defect of every source, in the order of the layers and lines. The same input
// gives the same answer.
func Load(sources []Source, gitConfig []Pair) (*Settings, []Defect) {
	l := &load{merged: map[string]setting{}, broken: map[string]bool{}, gates: map[string]place{}}
	ordered := slices.Clone(sources)
	slices.SortStableFunc(ordered, func(a, b Source) int { return cmp.Compare(a.Layer, b.Layer) })
	for _, s := range ordered {
		l.file(s)
	}
	for _, p := range gitConfig {
		l.pair(p)
	}
	l.cross()
	if len(l.defects) > 0 {
		l.sort(ordered)
		return nil, l.defects
	}
	return newSettings(l), nil
}

// sort puts the defects into the order of the sources and of their lines.
func (l *load) sort(sources []Source) {
	rank := func(name string) int {
		i := slices.IndexFunc(sources, func(s Source) bool { return s.Name == name })
		if i < 0 {
			return len(sources) // git config
		}
		return i
	}
	slices.SortStableFunc(l.defects, func(a, b Defect) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), cmp.Compare(a.Line, b.Line))
	})
}

func (l *load) add(at place, f flaw) {
	l.defects = append(l.defects, Defect{Name: at.name, Line: f.line, Code: f.code, Message: f.message, Repair: f.repair})
}

// file takes one source.
func (l *load) file(s Source) {
	at := place{layer: s.Layer, name: s.Name}
	if s.Layer != Tracked && s.Layer != User && s.Layer != Clone {
		panic(fmt.Sprintf("config: %q is a file of layer %s", s.Name, s.Layer)) // a bug of the caller
	}
	items, flaws, whole := readTOML(s.Data)
	l.partial = l.partial || !whole
	for _, f := range flaws {
		l.add(at, f)
	}
	refused := map[string]bool{}
	for _, it := range items {
		if it.within(refused) {
			continue // said once, at what stands around it
		}
		at.line = it.line
		if f := l.item(it, at); f != nil {
			refused[it.name(f.depth)] = true
			l.add(at, f.flaw)
		}
	}
}

// A refusal is a flaw of a key, with the number of the path's words that it is
// about: whatever stands below them is not looked at.
type refusal struct {
	flaw
	depth int
}

// item takes one table header or one key with its value.
func (l *load) item(it item, at place) *refusal {
	found, r := find(it.path)
	if r == nil && at.layer == Tracked && !found.section.tracked {
		r = untracked(found.section, it.path)
	}
	if r != nil {
		r.line = it.line
		return r
	}
	l.named(it.path, at)
	if found.key == nil && it.value.kind == table {
		return nil
	}
	if f := found.wrongKind(it); f != nil {
		l.broken[it.full()] = true
		return &refusal{flaw{it.line, "wrong-type", f.message, f.repair}, len(it.path)}
	}
	l.take(it.full(), found.key, it.value, at)
	return nil
}

// named keeps what is there by being named, whatever is said about it.
func (l *load) named(path []string, at place) {
	if len(path) < 2 {
		return
	}
	l.ladder = l.ladder || path[0] == "tier"
	if _, before := l.gates[path[1]]; path[0] == "gate" && !before {
		l.gates[path[1]] = at
	}
}

// take checks a value of the right type and lets it win over earlier layers.
func (l *load) take(name string, k *key, v value, at place) {
	if flaws := k.check(name, v); len(flaws) > 0 {
		l.broken[name] = true
		for _, f := range flaws {
			l.add(at, f)
		}
		return
	}
	l.merged[name] = setting{v, at}
}

func untracked(s *section, path []string) *refusal {
	return &refusal{flaw{
		code:    "not-tracked",
		message: fmt.Sprintf("%q may not stand in a tracked file, which holds gate, evidence and package alone: what starts a program is the user's to say", s.name),
		repair:  fmt.Sprintf("move [%s] to ~/.config/git-sdd/config.toml", strings.Join(path[:1], ".")),
	}, 1}
}
