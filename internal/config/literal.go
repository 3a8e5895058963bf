package config

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// acts reports whether a terminal would act on a character instead of showing
// it: controls, and what turns the direction of text or is not seen.
func acts(r rune) bool {
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

// literal returns a value as TOML text, on one line and safe to print.
func (v value) literal() string {
	switch v.kind {
	case list:
		words := make([]string, 0, len(v.elements))
		for _, e := range v.elements {
			words = append(words, e.literal())
		}
		return "[" + strings.Join(words, ", ") + "]"
	case number:
		if n, err := strconv.ParseInt(v.text, 0, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
		return v.text
	}
	return quote(v.text)
}

// quote returns a string as a basic string of TOML.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case acts(r) && r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		case acts(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// bare returns a word of a key as TOML text: as it is, or quoted.
func bare(word string) string {
	plain := word != "" && strings.IndexFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}) < 0
	if plain {
		return word
	}
	return quote(word)
}
