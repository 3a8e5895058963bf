package config

import (
	"fmt"
	"strconv"
	"strings"
)

// gitName is how messages name git's own settings, which have no lines.
const gitName = "git config"

// pair takes one entry of git's settings. Git lists the last word of a key in
// lower case whatever the user wrote, so that word is matched in any case.
func (l *load) pair(p Pair) {
	section, rest, _ := strings.Cut(p.Key, ".")
	if !strings.EqualFold(section, "sdd") {
		return
	}
	at := place{layer: GitConfig, name: gitName}
	path := strings.Split(rest, ".")
	restoreCase(path)
	found, r := find(path)
	if r != nil {
		r.repair = "git config --unset " + shellWord(p.Key)
		l.add(at, r.flaw)
		return
	}
	l.named(path, at)
	it := item{path: path, value: gitValue(found.key, p.Value)}
	switch {
	case found.key == nil:
		l.add(at, flaw{0, "wrong-type", fmt.Sprintf("%s is a table, which git config cannot hold", it.full()), "git config --unset " + shellWord(p.Key)})
	case found.key.kind == list:
		l.add(at, flaw{0, "not-scalar", fmt.Sprintf("%s is a list, which git config cannot hold", it.full()),
			"git config --unset " + shellWord(p.Key) + ", and write it into git-sdd.toml in the folder that git rev-parse --git-common-dir prints"})
	default:
		l.take(it.full(), found.key, it.value, at)
	}
}

// restoreCase writes the last word as the key with the same letters has it.
func restoreCase(path []string) {
	last := len(path) - 1
	for _, s := range sections {
		if s.name != path[0] || last != s.tableWords() {
			continue
		}
		for _, k := range s.keys {
			if strings.EqualFold(k.name, path[last]) {
				path[last] = k.name
			}
		}
	}
}

// gitValue reads a text of git's as the type that the key has.
func gitValue(k *key, s string) value {
	if k == nil || k.kind != number {
		return value{kind: text, text: s}
	}
	if _, err := strconv.ParseInt(s, 0, 64); err != nil && k.sized {
		return value{kind: text, text: s}
	}
	return value{kind: number, text: s}
}

// shellWord returns a key as one word of a command to paste.
func shellWord(s string) string {
	if bare(strings.ReplaceAll(s, ".", "")) == strings.ReplaceAll(s, ".", "") {
		return s
	}
	return "'" + strings.ReplaceAll(printable(s), "'", `'\''`) + "'"
}
