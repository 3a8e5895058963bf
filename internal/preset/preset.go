// Package preset holds settings for the agents that many people have: the command
// that starts each without a person beside it, and a ladder of its models.
//
// A preset is a file of settings as it is printed. What it passes was read from
// the help of the named version of the tool; other versions may want something
// else, so a preset is to be read before it is used.
package preset

import (
	_ "embed" // the presets are files, so that they can be read as settings
	"fmt"
	"slices"
	"strings"
)

var (
	//go:embed claude.toml
	claude string
	//go:embed codex.toml
	codex string
	//go:embed gemini.toml
	gemini string
	//go:embed opencode.toml
	opencode string
	//go:embed pi.toml
	pi string
)

// A Preset is the settings for one agent.
type Preset struct {
	Agent   string // the name under which it is asked for
	Package string // the npm package whose help was read
	Version string // of that package
	TOML    string
}

var presets = []Preset{
	{"claude", "@anthropic-ai/claude-code", "2.1.332", claude},
	{"codex", "@openai/codex", "0.171.0", codex},
	{"gemini", "@google/gemini-cli", "0.61.0", gemini},
	{"opencode", "opencode-ai", "1.18.33", opencode},
	{"pi", "@mariozechner/pi-coding-agent", "0.73.1", pi},
}

// Names are the agents that there are presets for.
func Names() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.Agent)
	}
	return names
}

// For returns the preset of an agent. The match is exact.
func For(agent string) (Preset, error) {
	i := slices.IndexFunc(presets, func(p Preset) bool { return p.Agent == agent })
	if i < 0 {
		return Preset{}, fmt.Errorf("there is no preset for %q; there are %s", agent, strings.Join(Names(), ", "))
	}
	return presets[i], nil
}
