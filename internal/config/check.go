package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-sdd/git-sdd/internal/nearest"
)

// wanted says what a key's value is, for messages.
func (k *key) wanted() string {
	if k.sized {
		return "a number of bytes"
	}
	return k.kind.String()
}

// example is the edit that gives a key a value of the right type.
func (k *key) example() string {
	if k.fallback != "" {
		return fmt.Sprintf("write %s = %s", k.name, k.fallback)
	}
	return fmt.Sprintf("write %s = %s", k.name, examples[k.kind])
}

var examples = map[kind]string{list: `["program", "argument"]`, text: `"…"`}

// bad makes the only flaw of a value.
func bad(v value, repair, format string, args ...any) []flaw {
	return []flaw{{v.line, "bad-value", fmt.Sprintf(format, args...), repair}}
}

// oneOf accepts the given words, exactly.
func oneOf(words ...string) func(string, value) []flaw {
	return func(name string, v value) []flaw {
		if slices.Contains(words, v.text) {
			return nil
		}
		repair := "write one of " + strings.Join(words, ", ")
		if near := nearest.Name(v.text, words); near != "" {
			repair = "write " + quote(near)
		}
		return bad(v, repair, "%s is %q; it is one of %s", name, v.text, strings.Join(words, ", "))
	}
}

// between accepts whole numbers within bounds.
func between(low, high int64) func(string, value) []flaw {
	return func(name string, v value) []flaw {
		if n, err := strconv.ParseInt(v.text, 0, 64); err == nil && n >= low && n <= high {
			return nil
		}
		return bad(v, fmt.Sprintf("write a number from %d to %d", low, high), "%s is %s; it is %d to %d", name, printable(v.text), low, high)
	}
}

// MaxWord is the bound on the name of a provider, a model or a level of
// thinking, in bytes.
const MaxWord = 256

// word accepts what can stand in one argument of a command and on one line of a
// message: no blanks at the ends, nothing that a terminal acts on.
func word(name string, v value) []flaw {
	switch s := v.text; {
	case s == "":
		return bad(v, "remove the line, or name what is meant", "%s is empty", name)
	case len(s) > MaxWord:
		return bad(v, "shorten it", "%s has %d bytes, at most %d are allowed", name, len(s), MaxWord)
	case !utf8.ValidString(s):
		return bad(v, "write UTF-8", "%s is %q, which is not UTF-8", name, s)
	case strings.TrimSpace(s) != s || strings.ContainsFunc(s, acts):
		return bad(v, "write it without control characters and outer blanks", "%s is %q, which holds control characters or begins or ends with a blank", name, s)
	}
	return nil
}

// duration accepts a time limit. See [parseDuration].
func duration(name string, v value) []flaw {
	if _, err := parseDuration(v.text); err != nil {
		return bad(v, `write it like "30m", "10s" or "1h30m"`, "%s: %v", name, err)
	}
	return nil
}

// size accepts the bound of a package. See [parseSize].
func size(name string, v value) []flaw {
	if _, err := parseSize(v.text); err != nil {
		return bad(v, `write it like 8388608 or "8MiB"`, "%s: %v", name, err)
	}
	return nil
}

// globs accepts a list of globs, empty or not.
func globs(name string, v value) []flaw {
	flaws := strangers(name, v)
	for _, e := range v.elements {
		if e.kind != text {
			continue
		}
		if repair, err := checkGlob(e.text); err != nil {
			flaws = append(flaws, flaw{e.line, "bad-glob", fmt.Sprintf("%s: %q: %v", name, e.text, err), repair})
		}
	}
	return flaws
}

// strangers are the elements of a list that are no strings.
func strangers(name string, v value) []flaw {
	var flaws []flaw
	for i, e := range v.elements {
		if e.kind != text {
			flaws = append(flaws, flaw{e.line, "wrong-type", fmt.Sprintf("element %d of %s is %s; it must be a string", i+1, name, e.kind), "put it in quotes"})
		}
	}
	return flaws
}
