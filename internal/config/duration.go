package config

import (
	"errors"
	"fmt"
	"strings"
)

// MaxDuration is the longest time limit, in milliseconds: a day. A limit that
// nobody lives to see is none.
const MaxDuration = 24 * 60 * 60 * 1000

// units are the units of a duration with their milliseconds, in the order in
// which they may stand.
var units = []struct {
	name string
	ms   int64
}{{"h", 60 * 60 * 1000}, {"m", 60 * 1000}, {"s", 1000}, {"ms", 1}}

// parseDuration reads a time limit in milliseconds: whole numbers, each with its
// unit, from the longest unit to the shortest and none twice. It is more than
// zero and at most [MaxDuration]: there is no word for "never".
func parseDuration(s string) (int64, error) {
	total, next := int64(0), 0
	for rest := s; rest != ""; {
		n, after, err := leadingNumber(rest)
		if err != nil {
			return 0, fmt.Errorf("%q is not a duration: %w", s, err)
		}
		unit := after
		if end := strings.IndexFunc(after, func(r rune) bool { return r >= '0' && r <= '9' }); end >= 0 {
			unit = after[:end]
		}
		i := next
		for i < len(units) && units[i].name != unit {
			i++
		}
		if i == len(units) {
			return 0, fmt.Errorf("%q is not a duration: h, m, s and ms follow numbers, in this order and each once", s)
		}
		if n > MaxDuration/units[i].ms {
			return 0, fmt.Errorf("%q is longer than 24h", s)
		}
		total, next, rest = total+n*units[i].ms, i+1, after[len(unit):]
	}
	switch {
	case s == "":
		return 0, errors.New("a duration is empty")
	case total == 0:
		return 0, fmt.Errorf("%q is no time at all; a limit is never left out by writing zero", s)
	case total > MaxDuration:
		return 0, fmt.Errorf("%q is longer than 24h", s)
	}
	return total, nil
}

// leadingNumber reads the digits at the beginning of s.
func leadingNumber(s string) (n int64, rest string, err error) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		if n > MaxSize {
			return 0, "", errors.New("the number is too large")
		}
		n, end = n*10+int64(s[end]-'0'), end+1
	}
	if end == 0 {
		return 0, "", errors.New("a whole number must stand before each unit")
	}
	return n, s[end:], nil
}
