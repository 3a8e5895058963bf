package config

import (
	"fmt"
	"strconv"
	"strings"
)

// The bounds of a size in bytes, and what a package may have where nothing is
// set: 8 MiB.
const (
	MinSize     = 1 << 10
	MaxSize     = 1 << 30
	DefaultSize = 8 << 20
)

// suffixes are the units of a size; a letter alone is what git takes in its own
// settings, in either case.
var suffixes = map[string]int64{"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "k": 1 << 10, "K": 1 << 10, "m": 1 << 20, "M": 1 << 20, "g": 1 << 30, "G": 1 << 30}

// parseSize reads a number of bytes: a whole number as TOML writes it, or one
// with a unit.
func parseSize(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		digits := strings.TrimRight(s, "BKMGikmg")
		unit, known := suffixes[s[len(digits):]]
		if n, err = strconv.ParseInt(digits, 10, 64); err != nil || !known {
			return 0, fmt.Errorf("%q is not a number of bytes", s)
		}
		if n > MaxSize {
			return 0, fmt.Errorf("%q is not within %d and %d bytes", s, MinSize, MaxSize)
		}
		n *= unit
	}
	if n < MinSize || n > MaxSize {
		return 0, fmt.Errorf("%q is not within %d and %d bytes", s, MinSize, MaxSize)
	}
	return n, nil
}
