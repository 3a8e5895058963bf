package cli

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wide are the ranges whose letters take two columns of a terminal: East Asian
// scripts and emoji. It serves alignment only.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1},
		{Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// columns is how much of a line a text takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += width(r)
	}
	return n
}

func width(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// clip shortens a text to at most limit columns, ending in an ellipsis.
func clip(s string, limit int) string {
	if columns(s) <= limit {
		return s
	}
	used, end := 0, 0
	for i, r := range s {
		if used += width(r); used > limit-1 {
			break
		}
		end = i + len(string(r))
	}
	return s[:end] + "…"
}

// wrap breaks a text at blanks so that no line is wider than limit, joined by
// what begins the lines that follow.
func wrap(s string, limit int, joint string) string {
	var lines []string
	row := ""
	for word := range strings.FieldsSeq(s) {
		if row != "" && columns(row)+1+columns(word) > limit {
			lines, row = append(lines, row), ""
		}
		row = strings.TrimPrefix(row+" "+word, " ")
	}
	return strings.Join(append(lines, row), joint)
}
