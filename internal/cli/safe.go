package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// safe shows foreign text harmless on one line: what moves the cursor, colours,
// reverses the direction of reading or cannot be seen becomes its escape. Plans,
// reports, findings, branch names and ledgers are data that a terminal must
// never obey (architecture: trust).
func safe(s string) string { return escape(s, "") }

// safeText is safe for a text of several lines: line feeds and tabs stay.
func safeText(s string) string { return escape(s, "\n\t") }

func escape(s, keep string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !harmless(r) && !strings.ContainsRune(keep, r) }) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case harmless(r) || strings.ContainsRune(keep, r):
			b.WriteRune(r)
		case r < 0x80:
			b.WriteString(strings.Trim(fmt.Sprintf("%q", r), "'"))
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
		s = s[size:]
	}
	return b.String()
}

// harmless reports whether a terminal shows the rune and does nothing else.
// The two joiners have no glyph, but scripts and emoji need them.
func harmless(r rune) bool {
	return unicode.IsGraphic(r) || r == '\u200c' || r == '\u200d'
}

// quote writes a word as a POSIX shell takes it back. A place to fill in stands
// in double quotes, so that it shows, and so that "<" redirects nothing.
func quote(word string) string {
	switch {
	case word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@=,+%^") == "":
		return word
	case len(word) > 2 && word[0] == '<' && word[len(word)-1] == '>' && strings.Trim(word[1:len(word)-1], "abcdefghijklmnopqrstuvwxyz-") == "":
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// pasteable writes an argument vector as a command to paste.
func pasteable(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return safe(strings.Join(quoted, " "))
}
