package machine

import (
	"fmt"
	"strings"
)

// tokens is a closed set of words. The match is exact.
type tokens []string

func (set tokens) check(name, s string) error {
	for _, token := range set {
		if token == s {
			return nil
		}
	}
	return fmt.Errorf("%s %q is none of %s", name, clip(s), strings.Join(set, ", "))
}

// The words that payloads choose from.
var (
	modes        = tokens{"exact", "tiered"}
	statuses     = tokens{StatusDone, StatusDoneWithConcerns, StatusNeedsContext, StatusBlocked}
	concernKinds = tokens{"observational", "correctness", "scope"}
	severities   = tokens{"Critical", "Important", Minor}
	specTokens   = tokens{SpecPass, "FAIL"}
	qualities    = tokens{QualityApproved, "CHANGES_REQUESTED"}
	verdicts     = tokens{Resolved, "STILL_PRESENT", "REGRESSION", "NEEDS_CONTEXT"}
	dispositions = tokens{Fixed, "parked", "out-of-scope", "cannot-verify"}
)

// The words that rules turn on.
const (
	StatusDone             = "DONE"
	StatusDoneWithConcerns = "DONE_WITH_CONCERNS"
	StatusNeedsContext     = "NEEDS_CONTEXT"
	StatusBlocked          = "BLOCKED"

	SpecPass        = "PASS"
	QualityApproved = "APPROVED"

	Minor    = "Minor"
	Resolved = "RESOLVED"
	Open     = "open"
	Fixed    = "fixed"

	Observational = "observational"
)
