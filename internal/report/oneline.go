package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxRecorded is the number of code points that a recorded human string may
// have (contract: payload rules).
const maxRecorded = 256

// auditMark and forgedBeginnings are what no recorded string may hold or begin
// with: they would forge or hide a transition record or a trailer (contract:
// payload rules).
const auditMark = "<!-- sdd-transition:"

var forgedBeginnings = []string{"Sdd-", "---"}

// OneLine normalises what a child wrote to the form that is recorded: line
// ends, tabs and runs of blanks become one blank, outer blanks go, and what is
// longer than 256 code points is cut to exactly 256 that end in "…". It is
// idempotent. An error says what may not be recorded at all: nothing but
// blanks, a control character or line separator, invalid UTF-8, the audit mark,
// or a beginning that forges a trailer (contract: payload rules). The whole
// text is checked before it is cut.
func OneLine(s string) (string, error) {
	s = collapse(s)
	if err := recordable(s); err != nil {
		return "", err
	}
	return abbreviate(s), nil
}

// collapse turns each run of blanks, tabs and line ends into one blank.
func collapse(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }), " ")
}

// recordable checks everything that the contract asks of a recorded string but
// its length.
func recordable(s string) error {
	if s == "" {
		return fmt.Errorf("the text is empty")
	}
	if !utf8.ValidString(s) {
		return fmt.Errorf("the text is not valid UTF-8")
	}
	if r, bad := forbidden(s); bad {
		return fmt.Errorf("the text holds %U, which may not be recorded", r)
	}
	if strings.Contains(s, auditMark) {
		return fmt.Errorf("the text holds %q, the mark of a transition record", auditMark)
	}
	for _, b := range forgedBeginnings {
		if strings.HasPrefix(s, b) {
			return fmt.Errorf("the text begins with %q, as a trailer would", b)
		}
	}
	return nil
}

// forbidden returns the first character that no recorded string may hold.
func forbidden(s string) (rune, bool) {
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029 {
			return r, true
		}
	}
	return 0, false
}

// abbreviate cuts to maxRecorded code points, the last of which is then "…".
func abbreviate(s string) string {
	if utf8.RuneCountInString(s) <= maxRecorded {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == maxRecorded {
			return s[:i] + "…"
		}
	}
	return s
}
