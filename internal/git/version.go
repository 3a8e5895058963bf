package git

import (
	"strconv"
	"strings"
)

// Version returns what the installed git says it is, and whether that is at least
// [MinVersion]. A version that cannot be read is taken to serve: the commands
// that need more say so themselves.
func (r *Repo) Version() (version string, serves bool, err error) {
	out, err := r.Output("version")
	version = strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
	return version, err != nil || !older(version, MinVersion), err
}

// older compares versions by their leading numbers.
func older(a, b string) bool {
	partsA, partsB := strings.Split(a, "."), strings.Split(b, ".")
	for i := range partsB {
		if i >= len(partsA) {
			return true
		}
		x, errX := strconv.Atoi(partsA[i])
		y, errY := strconv.Atoi(partsB[i])
		if errX != nil || errY != nil {
			return false
		}
		if x != y {
			return x < y
		}
	}
	return false
}
