package ledger

import (
	"fmt"
	"time"
)

// instantLayout is the one form of a time in a ledger: UTC, milliseconds.
const instantLayout = "2006-01-02T15:04:05.000Z"

// Instant writes a time as ledgers store it, and never one before notBefore,
// which is the last transition's, or "" where there is none: a clock that was
// set back does not turn a run's history around (contract: payload rules).
func Instant(now time.Time, notBefore string) string {
	at := now.UTC().Format(instantLayout)
	return max(at, notBefore)
}

// ParseInstant reads a time of the one form that ledgers store.
func ParseInstant(s string) (time.Time, error) {
	at, err := time.Parse(instantLayout, s)
	if err != nil || at.Format(instantLayout) != s {
		return time.Time{}, fmt.Errorf("%q is not an instant such as 2026-09-01T00:00:00.000Z", s)
	}
	return at, nil
}
