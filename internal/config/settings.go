package config

import (
	"strconv"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// Settings are what all layers together say. They are made by [Load] and do not
// change: accessors return copies.
type Settings struct {
	merged map[string]setting
	ladder bool
	pin    Pin
}

func newSettings(l *load) *Settings {
	s := &Settings{merged: l.merged, ladder: l.ladder}
	s.pin = s.newPin(l.gates)
	return s
}

// fallback is the value of a key that is set nowhere.
func fallback(path []string) value {
	found, r := find(path)
	if r != nil || found.key == nil {
		panic("config: no such key: " + item{path: path}.full()) // a bug of this package
	}
	return found.key.unset()
}

// unset reads the key's fallback as the value it stands for.
func (k *key) unset() value {
	switch {
	case k.fallback == "":
		return value{}
	case k.kind == number:
		return value{kind: number, text: k.fallback}
	case k.kind == list:
		return value{kind: list}
	}
	return value{kind: text, text: k.fallback[1 : len(k.fallback)-1]}
}

// get returns the value of the first of the keys that is set, else the fallback
// of the last.
func (s *Settings) get(paths ...[]string) value {
	for _, path := range paths {
		if set, ok := s.merged[item{path: path}.full()]; ok {
			return set.value
		}
	}
	return fallback(paths[len(paths)-1])
}

// ms is a duration that was checked when it was taken.
func (v value) ms() int64 {
	ms, err := parseDuration(v.text)
	if err != nil {
		panic(err) // duration took it
	}
	return ms
}

// bytes is a size that was checked when it was taken.
func (v value) bytes() int64 {
	n, err := parseSize(v.text)
	if err != nil {
		panic(err) // size took it
	}
	return n
}

// The ways in which a child gets its prompt and gives its report.
const (
	PromptStdin     = "stdin"     // on standard input
	PromptBootstrap = "bootstrap" // as the argument {bootstrap}
	PromptFile      = "file"      // as a file whose path is the argument {prompt}
	ReportFile      = "file"      // at the path that the prompt names
	ReportStdout    = "stdout"    // between fixed marks on standard output
)

// An Agent is the command that plays a role. Its placeholders are replaced by
// [Expand].
type Agent struct {
	Command   []string
	Prompt    string   // PromptStdin, PromptBootstrap or PromptFile
	Report    string   // ReportFile or ReportStdout
	TimeoutMS int64    // milliseconds for the whole child
	IdleMS    int64    // milliseconds without output
	Probe     []string // nil: nothing to try before a child is started
}

// Agent returns the agent of a role: what [role.*] says and, key by key, [agent]
// where it says nothing; of the zero role, what [agent] says alone. It returns
// false if no command is set. The probe tries
// the command of [agent], so a role with a command of its own has none.
func (s *Settings) Agent(r tier.Role) (Agent, bool) {
	of := func(name string) value {
		return s.get([]string{"role", r.String(), name}, []string{"agent", name})
	}
	command := of("command")
	if command.kind == noKind {
		return Agent{}, false
	}
	a := Agent{Command: command.words(), Prompt: of("prompt").text, Report: of("report").text, TimeoutMS: of("timeout").ms(), IdleMS: of("idle").ms()}
	_, own := s.merged["role."+r.String()+".command"]
	if probe := s.get([]string{"agent", "probe"}); !own && probe.kind != noKind {
		a.Probe = probe.words()
	}
	return a, true
}

// The modes of policy.
const (
	PolicyTiered = "tiered"
	PolicyExact  = "exact"
)

// Policy returns how the parent's own model is chosen: PolicyTiered or
// PolicyExact.
func (s *Settings) Policy() string { return s.get([]string{"policy", "mode"}).text }

// What is said of minors and of ambiguous dispatches.
const (
	MinorsAsk       = "ask"    // a human rules on Minors that are open at the end
	MinorsPark      = "park"   // the controller parks them
	AmbiguousStop   = "stop"   // a human rules, always
	AmbiguousProven = "proven" // what session records prove is recorded as ruled
)

// A Run is how git sdd run drives.
type Run struct {
	Attempts  int    // 1 to 9: how often the same bytes are given to a child without a report
	Minors    string // MinorsAsk or MinorsPark
	Ambiguous string // AmbiguousStop or AmbiguousProven
}

// Run returns how git sdd run drives.
func (s *Settings) Run() Run {
	attempts, err := strconv.ParseInt(s.get([]string{"run", "attempts"}).text, 0, 64)
	if err != nil {
		panic(err) // between took it
	}
	return Run{int(attempts), s.get([]string{"run", "minors"}).text, s.get([]string{"run", "ambiguous"}).text}
}

// The modes of hooks.
const (
	HookOff   = "off"
	HookWarn  = "warn"
	HookBlock = "block"
)

// Hook returns what hooks do about a finding: HookOff, HookWarn or HookBlock.
func (s *Settings) Hook() string { return s.get([]string{"hook", "mode"}).text }

// Pin returns the part of the settings that a run holds to from its start.
func (s *Settings) Pin() Pin { return s.pin }
