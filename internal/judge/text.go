package judge

import (
	"strings"
	"unicode"
)

// maxRecorded is the most code points that a recorded string may have
// (contract: payload rules).
const maxRecorded = 256

// Abbreviate makes a text of facts fit a recorded string: one line, no control
// characters, at most 256 code points, cut with an ellipsis.
func Abbreviate(s string) string {
	clean := strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || c == '\u2028' || c == '\u2029' {
			return '?'
		}
		return c
	}, strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "<!-- sdd-transition:", "<!-- sdd-?"))
	runes := []rune(clean)
	if len(runes) <= maxRecorded {
		return clean
	}
	return string(runes[:maxRecorded-1]) + "…"
}

// OneReason puts what stands against a clean start into one recorded string.
func OneReason(reasons []string) string { return Abbreviate(strings.Join(reasons, "; ")) }
