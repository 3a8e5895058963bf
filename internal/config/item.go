package config

import "strings"

// A kind is the type of a TOML value, as far as settings tell types apart.
type kind uint8

const (
	noKind kind = iota
	text
	number
	list
	table
	tables
	boolean
	fraction
	date
	numKinds
)

var kindNames = [numKinds]string{
	text: "a string", number: "a whole number", list: "a list of strings", table: "a table",
	tables: "a list of tables", boolean: "a boolean", fraction: "a number with a fraction", date: "a date or time",
}

func (k kind) String() string { return kindNames[k] }

// A value is what stands behind a key. Tables have no value of their own: what
// is in them stands as items of its own.
type value struct {
	kind     kind
	line     int
	text     string  // of a string, its content; of a whole number, as written
	elements []value // of a list
}

// words returns the content of a list of strings, never nil.
func (v value) words() []string {
	words := make([]string, 0, len(v.elements))
	for _, e := range v.elements {
		words = append(words, e.text)
	}
	return words
}

// An item is one table header, or one key with its value, under its whole path.
type item struct {
	path  []string
	line  int
	value value
}

// full returns the path as users write it in messages: words joined by dots.
func (it item) full() string { return it.name(len(it.path)) }

// name returns the first words of the path. Words that hold a dot or a quote
// are quoted, so that two paths never have one name.
func (it item) name(words int) string {
	parts := make([]string, words)
	for i, word := range it.path[:words] {
		parts[i] = bare(word)
	}
	return strings.Join(parts, ".")
}

// within reports whether the item stands at or below one of the names.
func (it item) within(names map[string]bool) bool {
	for n := 1; n <= min(len(it.path), maxWords+1); n++ {
		if names[it.name(n)] {
			return true
		}
	}
	return false
}
