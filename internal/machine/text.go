package machine

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of what a payload may hold (contract: payload rules).
const (
	MaxText     = 256       // code points of a recorded string, and of a title
	MaxID       = 64        // bytes of a finding's id
	MaxKey      = 240       // bytes of a dispatch key
	MaxLocation = 1024      // bytes of a location
	MaxPath     = 4096      // bytes of a path
	MaxPrompt   = 384 << 10 // bytes of a rendered prompt
	MaxTasks    = 256
	MaxFindings = 256
	MaxRulings  = 256
)

// forgeries are what a recorded string may not begin with: as a line of the
// commit message they would be read as a trailer, or hide those that follow.
var forgeries = []string{"Sdd-", "---"}

// auditMarker opens a transition record in ledgers that other programs keep as
// text. A string that holds it could forge one.
const auditMarker = "<!-- sdd-transition:"

// CheckText returns an error unless s is a recorded human string: 1 to
// [MaxText] code points on one line, without control characters, and nothing
// that a commit message could take for a trailer (contract: payload rules). The
// name says which string it is.
func CheckText(name, s string) error {
	if err := checkLine(name, s); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(s); n > MaxText {
		return fmt.Errorf("%s has %d code points, at most %d are recorded", name, n, MaxText)
	}
	for _, start := range forgeries {
		if strings.HasPrefix(s, start) {
			return fmt.Errorf("%s begins with %q, which could pass for a trailer", name, start)
		}
	}
	if strings.Contains(s, auditMarker) {
		return fmt.Errorf("%s contains %q, which could pass for a transition", name, auditMarker)
	}
	return nil
}

// checkLine refuses what is empty, not UTF-8, or has a control character.
func checkLine(name, s string) error {
	switch {
	case s == "":
		return fmt.Errorf("%s is missing", name)
	case !utf8.ValidString(s):
		return fmt.Errorf("%s is not UTF-8", name)
	}
	for _, r := range s {
		if isControl(r) {
			return fmt.Errorf("%s has the control character %U", name, r)
		}
	}
	return nil
}

// isControl reports whether r is one of the characters that a recorded line
// may not hold. U+2028 and U+2029 end a line for some readers.
func isControl(r rune) bool {
	return r <= 0x1f || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029
}

func checkLocation(name, s string) error {
	if len(s) > MaxLocation {
		return fmt.Errorf("%s has %d bytes, at most %d are recorded", name, len(s), MaxLocation)
	}
	return checkLine(name, s)
}

// ifPresent returns nil for what is absent, and else what the check says.
func ifPresent(check func(name, s string) error, name string, s Opt) error {
	if s == "" {
		return nil
	}
	return check(name, string(s))
}

// checkID holds a string against ^[A-Za-z0-9._:-]+$ and a bound in bytes, the
// grammar that finding ids and dispatch keys share.
func checkID(name, s string, bound int) error {
	if len(s) == 0 || len(s) > bound {
		return fmt.Errorf("%s has %d bytes, 1 to %d are allowed", name, len(s), bound)
	}
	for i := range len(s) {
		if !isIDByte(s[i]) {
			return fmt.Errorf("%s %q has a character outside A-Z a-z 0-9 . _ : -", name, s)
		}
	}
	return nil
}

func isIDByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._:-", c) >= 0
}

// checkDigest holds a string against the form of a SHA-256.
func checkDigest(name, s string) error {
	if len(s) != 64 || !isHex(s) {
		return fmt.Errorf("%s %q is not a SHA-256 in 64 lowercase hex digits", name, clip(s))
	}
	return nil
}

// checkObject holds a string against the form of an object name, in either of
// git's two formats.
func checkObject(name, s string) error {
	if len(s) != 40 && len(s) != 64 || !isHex(s) {
		return fmt.Errorf("%s %q is not an object name in 40 or 64 lowercase hex digits", name, clip(s))
	}
	return nil
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// clip shortens what an error quotes, so that the message stays one line.
func clip(s string) string {
	const bound = 80
	if utf8.RuneCountInString(s) <= bound {
		return s
	}
	return string([]rune(s)[:bound]) + "…"
}

// A token is one of a closed set of words.
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

// first returns the first error of several checks.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
