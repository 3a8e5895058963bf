// Package ledger keeps a run as commits on refs/sdd/<run id>: one for each
// transition, with the event, the state that it led to, and every artifact.
//
// The ledger is the run. It knows nothing of phases or of what a state means:
// it stores documents, in an order that only a compare-and-swap can extend.
//
// The order of effects is: objects first, durable; then the refs, the pin and
// the run in one transaction. The move of the refs is the only moment that
// counts. Killed before it, the run is as it was and the objects are garbage
// that git collects; killed after it, the run is one whole step further.
package ledger

import (
	"fmt"
)

// Where runs and the commits that they attest are kept.
const (
	runPrefix = "refs/sdd/"
	pinPrefix = "refs/sdd-pins/"
)

const (
	idDigits     = 64
	prefixDigits = 12
	minPrefix    = 4
)

// A RunID names a run: 64 lowercase hex digits. The zero value names none.
type RunID struct{ hex string }

// ParseRunID reads a run's full id.
func ParseRunID(s string) (RunID, error) {
	if len(s) != idDigits || !isHex(s) {
		return RunID{}, fmt.Errorf("%q is not a run id: %d lowercase hex digits", s, idDigits)
	}
	return RunID{s}, nil
}

// String returns all 64 digits.
func (id RunID) String() string { return id.hex }

// IsZero reports whether this names no run.
func (id RunID) IsZero() bool { return id.hex == "" }

// Prefix12 returns the 12 digits that are shown and that name the workspace.
func (id RunID) Prefix12() string {
	if id.IsZero() {
		return ""
	}
	return id.hex[:prefixDigits]
}

// Ref returns the full name of the run's ref.
func (id RunID) Ref() string { return runPrefix + id.hex }

// PinRef returns the full name of the ref that holds the commits which the run
// attests.
func (id RunID) PinRef() string { return pinPrefix + id.hex }

func isHex(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s != ""
}
