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

// clip shortens what an error quotes, so that the message stays one line.
func clip(s string) string {
	const bound = 80
	if utf8.RuneCountInString(s) <= bound {
		return s
	}
	return string([]rune(s)[:bound]) + "…"
}

// first returns the first error of several checks.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
