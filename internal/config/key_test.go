package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// keyRows are values of every key: what is taken, and what is refused with which
// code. A key without rows fails the test.
var keyRows = []struct {
	key  string
	good []string
	bad  map[string]string // TOML text to code
}{
	{"agent.command", []string{`["claude"]`, `["claude", ""]`, `["x", "{model}{provider}{thinking}{tier}{prompt}{bootstrap}{report}{cwd}"]`, `["x", "{}", "{ model }", "{Model}", "{a1}", '{"a":1}', "{model"]`, `["/opt/with blank/x"]`}, map[string]string{
		`"claude -p"`: "wrong-type", `[]`: "bad-value", `[""]`: "bad-value", `["{model}"]`: "bad-value", `[" claude"]`: "bad-value",
		`["claude", "{modell}"]`: "unknown-placeholder", `["claude", "a {x} b"]`: "unknown-placeholder", `["claude", "{{model}{y}"]`: "unknown-placeholder",
		`["claude", 1]`: "wrong-type", `["x\u0000"]`: "bad-value", `[["claude"]]`: "wrong-type",
		`["x"` + strings.Repeat(`, "x"`, MaxArguments) + `]`: "bad-value", `["x", "` + strings.Repeat("x", MaxArgument+1) + `"]`: "bad-value",
	}},
	{"agent.prompt", []string{`"stdin"`}, map[string]string{`"Stdin"`: "bad-value", `""`: "bad-value", `["stdin"]`: "wrong-type"}},
	{"agent.report", []string{`"file"`, `"stdout"`}, map[string]string{`"stdin"`: "bad-value", `false`: "wrong-type"}},
	{"agent.timeout", []string{`"30m"`, `"24h"`, `"1ms"`, `"1h30m5s7ms"`, `"86400s"`}, map[string]string{`30`: "wrong-type", `"30"`: "bad-value", `"0s"`: "bad-value", `"24h1ms"`: "bad-value", `"never"`: "bad-value", `00:30:00`: "wrong-type"}},
	{"agent.idle", []string{`"10m"`}, map[string]string{`"-1m"`: "bad-value", `1.5`: "wrong-type"}},
	{"agent.probe", []string{`["claude", "--version"]`, `["x", "{model} {provider} {thinking} {tier} {cwd}"]`}, map[string]string{`[]`: "bad-value", `["x", "{prompt}"]`: "unknown-placeholder", `["x", "{bootstrap}"]`: "unknown-placeholder", `["x", "{report}"]`: "unknown-placeholder"}},
	{"policy.mode", []string{`"tiered"`, `"exact"`}, map[string]string{`"strict"`: "bad-value", `1`: "wrong-type"}},
	{"tier.economy.provider", []string{`"anthropic"`}, map[string]string{`""`: "bad-value", `1`: "wrong-type"}},
	{"tier.frontier.model", []string{`"opus"`, `"Vendor/Model:7b (new)"`, `"` + strings.Repeat("x", MaxWord) + `"`}, map[string]string{`" opus"`: "bad-value", `"a\nb"`: "bad-value", `"\u202eopus"`: "bad-value", `"` + strings.Repeat("x", MaxWord+1) + `"`: "bad-value", `["opus"]`: "wrong-type"}},
	{"tier.capable.thinking", []string{`"none"`}, map[string]string{`""`: "bad-value", `true`: "wrong-type"}},
	{"role.task-reviewer.command", []string{`["codex", "exec", "-"]`}, map[string]string{`[]`: "bad-value", `["codex", "{session}"]`: "unknown-placeholder"}},
	{"role.fixer.prompt", []string{`"stdin"`, `"file"`, `"bootstrap"`}, map[string]string{`"argument"`: "bad-value"}},
	{"role.re-reviewer.report", []string{`"stdout"`}, map[string]string{`"fd3"`: "bad-value"}},
	{"role.final.timeout", []string{`"2h"`}, map[string]string{`"2 h"`: "bad-value"}},
	{"role.final-fixer.idle", []string{`"1h"`}, map[string]string{`"1h1h"`: "bad-value"}},
	{"run.attempts", []string{`1`, `9`, `0x9`, `+2`}, map[string]string{`0`: "bad-value", `10`: "bad-value", `-1`: "bad-value", `"2"`: "wrong-type", `2.0`: "wrong-type", `9223372036854775807`: "bad-value"}},
	{"run.minors", []string{`"ask"`, `"park"`}, map[string]string{`"drop"`: "bad-value"}},
	{"run.ambiguous", []string{`"stop"`, `"proven"`}, map[string]string{`"go"`: "bad-value"}},
	{"gate.a.command", []string{`["make", "test"]`, `["{model}", "{anything}"]`}, map[string]string{`"make test"`: "wrong-type", `[]`: "bad-value", `[""]`: "bad-value"}},
	{"gate.0-z.guard", []string{`[]`, `["Makefile", "scripts/**"]`}, map[string]string{`"Makefile"`: "wrong-type", `["/Makefile"]`: "bad-glob", `["!x"]`: "bad-glob", `[1]`: "wrong-type"}},
	{"gate.x.timeout", []string{`"10m"`}, map[string]string{`"0m"`: "bad-value", `600`: "wrong-type"}},
	{"evidence.process", []string{`[]`, `["docs/plans/**", "*.md"]`}, map[string]string{`"docs/**"`: "wrong-type", `["docs/"]`: "bad-glob", `["a**b"]`: "bad-glob"}},
	{"package.maxBytes", []string{`1024`, `8388608`, `1_000_000`, `"8MiB"`, `"512KiB"`, `"1GiB"`, `"8m"`, `"4096"`}, map[string]string{`1023`: "bad-value", `"0"`: "bad-value", `"2GiB"`: "bad-value", `"8MB"`: "bad-value", `""`: "bad-value", `"MiB"`: "bad-value", `-1`: "bad-value", `8.5`: "wrong-type", `"99999999999g"`: "bad-value"}},
	{"hook.mode", []string{`"off"`, `"warn"`, `"block"`}, map[string]string{`"on"`: "bad-value", `true`: "wrong-type"}},
}

// around is what a key needs beside it to be no defect of another kind.
func around(key string) string {
	gate := strings.Split(key, ".")
	if gate[0] == "gate" && gate[2] != "command" {
		return fmt.Sprintf("gate.%s.command = [\"make\"]\n", gate[1])
	}
	return ""
}

func TestEveryKey(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range keyRows {
		words := strings.Split(row.key, ".")
		seen[words[0]+"."+words[len(words)-1]] = true
		for _, text := range row.good {
			s, defects := Load([]Source{{User, "u", []byte(around(row.key) + row.key + " = " + text)}}, nil)
			if s == nil {
				t.Errorf("%s = %s: %s", row.key, text, showDefects(defects))
				continue
			}
			if !slices.ContainsFunc(s.Entries(), func(e Entry) bool { return e.Key == row.key && strings.HasPrefix(e.Origin, "u:") }) {
				t.Errorf("%s = %s is not among the entries", row.key, text)
			}
		}
		for text, code := range row.bad {
			s, defects := Load([]Source{{User, "u", []byte(around(row.key) + row.key + " = " + text)}}, nil)
			if s != nil || len(defects) != 1 || defects[0].Code != code || defects[0].Repair == "" {
				t.Errorf("%s = %s: %+v, want one %s", row.key, text, defects, code)
			}
		}
	}
	for _, s := range sections {
		for _, k := range s.keys {
			if !seen[s.name+"."+k.name] {
				t.Errorf("no row for %s.%s", s.name, k.name)
			}
		}
	}
}

// TestTrackedSections holds what may be tracked to the three sections that start
// no agent (architecture: trust).
func TestTrackedSections(t *testing.T) {
	allowed := []string{"gate", "evidence", "package"}
	for _, row := range keyRows {
		section, _, _ := strings.Cut(row.key, ".")
		_, defects := Load([]Source{{Tracked, "git-sdd.toml", []byte(around(row.key) + row.key + " = " + row.good[0])}}, nil)
		refused := len(defects) == 1 && defects[0].Code == "not-tracked"
		if want := !slices.Contains(allowed, section); refused != want || (!want && defects != nil) {
			t.Errorf("%s in a tracked file: %+v", row.key, defects)
		}
	}
}

// TestGitConfig gives every scalar key through git, as git lists it, and refuses
// every list.
func TestGitConfig(t *testing.T) {
	for _, row := range keyRows {
		words := strings.Split(row.key, ".")
		found, _ := find(words)
		words[len(words)-1] = strings.ToLower(words[len(words)-1])
		listed, text := "sdd."+strings.Join(words, "."), strings.Trim(row.good[0], `"`)
		s, defects := Load([]Source{{User, "u", []byte(around(row.key))}}, []Pair{{listed, text}})
		if found.key.kind == list {
			if len(defects) == 0 || !slices.ContainsFunc(defects, func(d Defect) bool { return d.Code == "not-scalar" && d.Name == "git config" && d.Line == 0 }) {
				t.Errorf("%s=%s: %+v, want not-scalar", listed, text, defects)
			}
			continue
		}
		if s == nil {
			t.Errorf("%s=%s: %s", listed, text, showDefects(defects))
			continue
		}
		if !slices.ContainsFunc(s.Entries(), func(e Entry) bool { return e.Key == row.key && e.Origin == "git config" }) {
			t.Errorf("%s=%s is not among the entries", listed, text)
		}
		for bad, code := range row.bad {
			if bad[0] != '"' || code != "bad-value" || strings.ContainsAny(bad, `\`) {
				continue
			}
			if s, _ := Load([]Source{{User, "u", []byte(around(row.key))}}, []Pair{{listed, strings.Trim(bad, `"`)}}); s != nil {
				t.Errorf("%s=%s was taken", listed, bad)
			}
		}
	}
}

// TestGitConfigBytes: git's settings may hold any bytes, a TOML file may not.
func TestGitConfigBytes(t *testing.T) {
	_, defects := Load(nil, []Pair{{"sdd.tier.fast.model", "opus\xff"}})
	if len(defects) != 1 || defects[0].Code != "bad-value" {
		t.Errorf("%+v", defects)
	}
}

// TestGateNames holds names to what may stand in a finding's id and a file name.
func TestGateNames(t *testing.T) {
	for name, want := range map[string]bool{
		"test": true, "0": true, "a-b-": true, strings.Repeat("a", 32): true,
		"": false, "-a": false, "A": false, "a_b": false, "a.b": false, "a b": false, "é": false, "a/b": false, strings.Repeat("a", 33): false,
	} {
		s, defects := Load([]Source{{Clone, "c", fmt.Appendf(nil, "[gate.%q]\ncommand = [\"make\"]\n", name)}}, nil)
		if got := s != nil; got != want {
			t.Errorf("gate %q: taken is %v, want %v: %+v", name, got, want, defects)
		}
	}
}

// TestFallbacksAreValid: what holds where nothing is set must be what could have
// been set.
func TestFallbacksAreValid(t *testing.T) {
	for _, s := range sections {
		for _, k := range s.keys {
			if k.fallback == "" {
				continue
			}
			if flaws := k.check(k.name, k.unset()); len(flaws) > 0 {
				t.Errorf("%s.%s: %+v", s.name, k.name, flaws)
			}
			if got := k.unset().literal(); got != k.fallback {
				t.Errorf("%s.%s: %s is written %s", s.name, k.name, k.fallback, got)
			}
		}
	}
}

// TestLetterCase: a parser that takes keys in any case would take these.
func TestLetterCase(t *testing.T) {
	for _, row := range keyRows {
		words := strings.Split(row.key, ".")
		for i := range words {
			if words[0] == "gate" && i == 1 {
				continue // names are the user's
			}
			wrong := slices.Clone(words)
			wrong[i] = strings.ToUpper(wrong[i])
			if wrong[i] == words[i] {
				continue
			}
			_, defects := Load([]Source{{User, "u", []byte(around(row.key) + strings.Join(wrong, ".") + " = " + row.good[0])}}, nil)
			if len(defects) == 0 || defects[0].Code != "letter-case" || defects[0].Repair != "write "+words[i] {
				t.Errorf("%s: %+v, want letter-case", strings.Join(wrong, "."), defects)
			}
		}
	}
}
