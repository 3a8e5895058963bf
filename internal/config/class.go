package config

import (
	"strings"
	"unicode/utf8"
)

// escapable are the characters that a backslash in a glob may stand before.
const escapable = `*?[]{}!^-\`

// A class is one [...] of a glob.
type class struct {
	negated bool
	ranges  [][2]rune
}

// holds reports whether a character of the given width in bytes belongs to the
// class. A byte that is no UTF-8 belongs to none, and to every negated one.
func (c class) holds(r rune, width int) bool {
	broken := r == utf8.RuneError && width == 1
	for _, pair := range c.ranges {
		if !broken && pair[0] <= r && r <= pair[1] {
			return !c.negated
		}
	}
	return c.negated
}

// readClass reads the class at the beginning of a glob, and how many bytes it
// takes.
func readClass(glob string) (c class, used int, err error) {
	i := 1
	if strings.HasPrefix(glob[i:], "!") || strings.HasPrefix(glob[i:], "^") {
		c.negated, i = true, i+1
	}
	for !strings.HasPrefix(glob[i:], "]") {
		low, width, err := classRune(glob[i:])
		if err != nil {
			return class{}, 0, err
		}
		i += width
		high := low
		if strings.HasPrefix(glob[i:], "-") {
			if high, width, err = classRune(glob[i+1:]); err != nil {
				return class{}, 0, err
			}
			i += 1 + width
		}
		if high < low {
			return class{}, 0, errClass
		}
		c.ranges = append(c.ranges, [2]rune{low, high})
	}
	if c.ranges == nil {
		return class{}, 0, errClass
	}
	return c, i + 1, nil
}

// classRune reads one character of a class. Those that mean something in a class
// need a backslash.
func classRune(s string) (r rune, width int, err error) {
	switch {
	case s == "" || strings.ContainsRune("]-/[", rune(s[0])):
		return 0, 0, errClass
	case s[0] != '\\':
		r, width = utf8.DecodeRuneInString(s)
		return r, width, nil
	case len(s) == 1 || !strings.ContainsRune(escapable, rune(s[1])):
		return 0, 0, errEscape
	}
	return rune(s[1]), 2, nil
}
