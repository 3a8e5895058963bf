package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A variant is a document with one thing changed, in the form in which git-sdd
// writes it.
type variant struct {
	what string // where and how, without the numbers of lists
	data []byte
}

// variants changes every member and every element of a document once.
func variants(data []byte) []variant {
	var all []variant
	root := parsed(data)
	for _, path := range valuePlaces(root, nil) {
		for _, how := range changes {
			tree := parsed(data)
			if !how.apply(&tree, path) {
				continue
			}
			if changed := encoded(tree); !bytes.Equal(changed, data) {
				all = append(all, variant{placeName(path) + " " + how.name, changed})
			}
		}
	}
	return all
}

func parsed(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

func encoded(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return []byte(strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(text))
}

// valuePlaces are the ways to every value of a document but its root.
func valuePlaces(v any, at []string) [][]string {
	var all [][]string
	down := func(key string, below any) {
		path := append(slices.Clone(at), key)
		all = append(append(all, path), valuePlaces(below, path)...)
	}
	switch x := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			down(key, x[key])
		}
	case []any:
		for i := range x {
			down(strconv.Itoa(i), x[i])
		}
	}
	return all
}

var number = regexp.MustCompile(`^[0-9]+$`)

func placeName(path []string) string {
	var words []string
	for _, word := range path {
		if number.MatchString(word) {
			word = "*"
		}
		words = append(words, word)
	}
	return strings.Join(words, ".")
}

// changes are what is done to every value.
var changes = []struct {
	name  string
	apply func(root *any, path []string) bool
}{
	{"changed", func(root *any, path []string) bool { return replace(root, path, other) }},
	{"null", func(root *any, path []string) bool {
		return replace(root, path, func(v any) (any, bool) { return nil, v != nil })
	}},
	{"dropped", drop},
}

// other is a value of the same kind that is not this one, a legal one where the
// contract has a list.
func other(v any) (any, bool) {
	switch x := v.(type) {
	case string:
		return otherText(x), true
	case json.Number:
		n, err := strconv.Atoi(x.String())
		return json.Number(strconv.Itoa(n + 1)), err == nil
	case bool:
		return !x, true
	case nil:
		return "x", true
	case []any:
		if len(x) == 0 {
			return []any{"x"}, true
		}
		return x[:len(x)-1], true
	case map[string]any:
		more := maps.Clone(x)
		more["unheard-of"] = true
		return more, true
	}
	return nil, false
}

func otherText(s string) string {
	for _, ring := range rings {
		if i := slices.Index(ring, s); i >= 0 {
			return ring[(i+1)%len(ring)]
		}
	}
	if s == "" {
		return "x"
	}
	last := s[len(s)-1]
	switch {
	case last == '0':
		return s[:len(s)-1] + "1"
	case last >= '1' && last <= '9':
		return s[:len(s)-1] + "0"
	case last == 'Z': // of an instant
		return s[:len(s)-2] + otherText(s[len(s)-2:len(s)-1]) + "Z"
	case last == 'a':
		return s[:len(s)-1] + "b"
	}
	return s[:len(s)-1] + "a"
}

// rings are the lists of tokens of the contract.
var rings = [][]string{
	{"PASS", "FAIL"}, {"APPROVED", "CHANGES_REQUESTED"}, {"DONE", "BLOCKED", "DONE_WITH_CONCERNS", "NEEDS_CONTEXT"},
	{"RESOLVED", "STILL_PRESENT", "REGRESSION", "NEEDS_CONTEXT"}, {"Important", "Minor", "Critical"},
	{"open", "fixed", "parked"}, {"exact", "tiered"}, {"external", "configured"}, {"terminal", "program", "run"},
	{"economy", "fast", "standard", "advanced", "capable", "frontier"}, {"adopt", "reissue"}, {"observational", "correctness"},
	{"accept-empty", "fix-proceed"},
}

// replace puts another value in a place.
func replace(root *any, path []string, by func(any) (any, bool)) bool {
	done := false
	*root = changedAt(*root, path, func(v any) any {
		next, ok := by(v)
		done = ok
		if !ok {
			return v
		}
		return next
	})
	return done
}

func changedAt(v any, path []string, by func(any) any) any {
	if len(path) == 0 {
		return by(v)
	}
	switch x := v.(type) {
	case map[string]any:
		x[path[0]] = changedAt(x[path[0]], path[1:], by)
	case []any:
		i, _ := strconv.Atoi(path[0])
		x[i] = changedAt(x[i], path[1:], by)
	}
	return v
}

// drop leaves a member out.
func drop(root *any, path []string) bool {
	last, done := path[len(path)-1], false
	*root = changedAt(*root, path[:len(path)-1], func(v any) any {
		if x, ok := v.(map[string]any); ok {
			delete(x, last)
			done = true
		}
		return v
	})
	return done
}

// jsonAt returns a member of a document, nil where there is none.
func jsonAt(data []byte, path ...string) any {
	v := parsed(data)
	for _, key := range path {
		x, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = x[key]
	}
	return v
}

// lineVariants changes, drops, doubles and swaps every line of a text.
func lineVariants(text string) []variant {
	lines := strings.Split(text, "\n")
	var all []variant
	for i, line := range lines {
		name, _, _ := strings.Cut(line, " ")
		if name == "" {
			name = "(blank)"
		}
		with := func(how string, put ...string) {
			changed := slices.Concat(lines[:i], put, lines[i+1:])
			all = append(all, variant{fmt.Sprintf("%s %s", name, how), []byte(strings.Join(changed, "\n"))})
		}
		with("changed", otherText(line))
		with("doubled", line, line)
		with("dropped")
		if i+1 < len(lines) && lines[i+1] != line {
			changed := slices.Concat(lines[:i], []string{lines[i+1], line}, lines[i+2:])
			all = append(all, variant{name + " swapped", []byte(strings.Join(changed, "\n"))})
		}
	}
	return all
}
