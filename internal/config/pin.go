package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// pinSchema names the form of pinned settings; a later form has another number.
const pinSchema = "git-sdd/settings/1"

// MaxPinned is the bound on pinned settings, in bytes.
const MaxPinned = 1 << 20

// ErrNewer is the error for pinned settings whose schema number is higher than
// what this program knows: they were written by a newer git-sdd.
var ErrNewer = errors.New("written by a newer git-sdd")

// A Pin is the part of the settings that a run holds to from its start: what is
// checked, what counts as process, how large a package may be. It is made by
// [Load] or [ParsePinned] and does not change.
//
// A pin that was read from a ledger is data like everything in a ledger: who can
// write to the clone can write a gate into it. Its commands run only if they are
// still what the user's own settings say, or what the user trusts.
type Pin struct {
	gates    []Gate
	process  []string
	maxBytes int64
}

// Gates returns the gates in the order of their names.
func (p Pin) Gates() []Gate {
	all := make([]Gate, 0, len(p.gates))
	for _, g := range p.gates {
		all = append(all, g.clone())
	}
	return all
}

// Gate returns the gate of a name, and false if there is none.
func (p Pin) Gate(name string) (Gate, bool) {
	for _, g := range p.gates {
		if g.Name == name {
			return g.clone(), true
		}
	}
	return Gate{}, false
}

// Process returns the globs of what commits may touch that are neither uncovered
// nor stale. See [Match].
func (p Pin) Process() []string { return slices.Clone(p.process) }

// MaxBytes returns the bound on a review package in bytes.
func (p Pin) MaxBytes() int64 { return p.maxBytes }

// pinned is a pin as it is written. Every member is always there.
type pinned struct {
	Schema   string                `json:"schema"`
	Gates    map[string]pinnedGate `json:"gates"`
	Evidence struct {
		Process []string `json:"process"`
	} `json:"evidence"`
	Package struct {
		MaxBytes int64 `json:"maxBytes"`
	} `json:"package"`
}

type pinnedGate struct {
	Command   []string `json:"command"`
	Guard     []string `json:"guard"` // null where nothing is said
	TimeoutMS int64    `json:"timeoutMs"`
	Origin    string   `json:"origin"`
}

// JSON returns the pin as canonical JSON (RFC 8785): the same bytes for the same
// pin, and other bytes for another.
func (p Pin) JSON() []byte {
	out := pinned{Schema: pinSchema, Gates: map[string]pinnedGate{}}
	for _, g := range p.gates {
		out.Gates[g.Name] = pinnedGate{g.Command, g.Guard, g.TimeoutMS, g.Layer.String()}
	}
	out.Evidence.Process, out.Package.MaxBytes = p.process, p.maxBytes
	data, err := json.Marshal(out, json.FormatNilSliceAsNull(true))
	value := jsontext.Value(data)
	if err = errors.Join(err, value.Canonicalize()); err != nil {
		// Only Load and ParsePinned make pins, and all their content is UTF-8.
		panic(fmt.Sprintf("config: a pin that cannot be written: %v", err))
	}
	return value
}

// Pinned returns artifacts/settings.json of a run that starts now.
func (s *Settings) Pinned() []byte { return s.pin.JSON() }

// ParsePinned reads artifacts/settings.json. It takes exactly what [Pin.JSON]
// writes: an unknown, missing or repeated member, bytes that are not canonical,
// and settings that [Load] would have refused are errors. The error is [ErrNewer]
// for a schema of a later program.
func ParsePinned(data []byte) (Pin, error) {
	if len(data) > MaxPinned {
		return Pin{}, fmt.Errorf("settings: %d bytes, at most %d are allowed", len(data), MaxPinned)
	}
	var in pinned
	err := json.Unmarshal(data, &in, json.RejectUnknownMembers(true))
	if err != nil || in.Schema != pinSchema {
		return Pin{}, wrongForm(data, err)
	}
	if len(in.Gates) > MaxGates {
		return Pin{}, fmt.Errorf("settings: %d gates, at most %d are allowed", len(in.Gates), MaxGates)
	}
	p := Pin{process: in.Evidence.Process, maxBytes: in.Package.MaxBytes}
	for _, name := range slices.Sorted(maps.Keys(in.Gates)) {
		g := in.Gates[name]
		layer := Layer(slices.Index(layerNames[:], g.Origin))
		if !isGateName(name) || layer < Tracked || layer > Clone {
			return Pin{}, fmt.Errorf("settings: gate %q of origin %q is none that could be set", name, g.Origin)
		}
		p.gates = append(p.gates, Gate{name, g.Command, g.Guard, g.TimeoutMS, layer})
	}
	if err := p.check(); err != nil {
		return Pin{}, fmt.Errorf("settings: %w", err)
	}
	if !bytes.Equal(p.JSON(), data) {
		return Pin{}, errors.New("settings: not in canonical form")
	}
	return p, nil
}

// wrongForm tells a later schema from bytes that are nothing of ours. A later one
// may have members that this program cannot know, so the number is looked at
// before the error of the strict reading is believed.
func wrongForm(data []byte, strict error) error {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	base, known, _ := cutSchema(pinSchema)
	if b, n, ok := cutSchema(head.Schema); ok && b == base && n > known {
		return fmt.Errorf("settings: schema %q: %w", head.Schema, ErrNewer)
	}
	if head.Schema != pinSchema {
		return fmt.Errorf("settings: schema %q is not %q", head.Schema, pinSchema)
	}
	return fmt.Errorf("settings: %w", strict)
}

// cutSchema splits "git-sdd/settings/1" into its name and its number.
func cutSchema(s string) (base string, n uint64, ok bool) {
	i := strings.LastIndexByte(s, '/')
	n, err := strconv.ParseUint(s[i+1:], 10, 32)
	return s[:i+1], n, err == nil && strconv.FormatUint(n, 10) == s[i+1:]
}

// check holds a pin to what [Load] would have taken.
func (p Pin) check() error {
	var flaws []flaw
	for _, g := range p.gates {
		flaws = append(flaws, gateCommand("the command of gate "+g.Name, listOf(g.Command))...)
		flaws = append(flaws, globs("the guard of gate "+g.Name, listOf(g.Guard))...)
		if g.TimeoutMS < 1 || g.TimeoutMS > MaxDuration {
			flaws = append(flaws, flaw{message: fmt.Sprintf("the timeout of gate %s is %d ms", g.Name, g.TimeoutMS)})
		}
	}
	flaws = append(flaws, globs("process", listOf(p.process))...)
	if p.process == nil {
		flaws = append(flaws, flaw{message: "process is null, not a list"})
	}
	if p.maxBytes < MinSize || p.maxBytes > MaxSize {
		flaws = append(flaws, flaw{message: fmt.Sprintf("a package of %d bytes is out of bounds", p.maxBytes)})
	}
	if len(flaws) > 0 {
		return errors.New(flaws[0].message)
	}
	return nil
}

func listOf(words []string) value {
	v := value{kind: list}
	for _, w := range words {
		v.elements = append(v.elements, value{kind: text, text: w})
	}
	return v
}
