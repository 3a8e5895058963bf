package plan

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookalikes maps characters that a reader takes for another to the one that
// is meant in a heading or a field. Full-width forms, blanks and digits of
// other scripts are folded by rule, not here.
var lookalikes = map[rune]rune{
	'\u2236': ':', '\ua789': ':', '\u02d0': ':', '\ufe55': ':', '\ufe13': ':', '\u0589': ':', '\u05c3': ':', // colons
	'\u2010': '-', '\u2011': '-', '\u2012': '-', '\u2013': '-', '\u2014': '-', '\u2015': '-', '\u2212': '-', // dashes
	'\u2217': '*', '\u204e': '*', '\ufe61': '*',
	'\ufe5f': '#', '\u266f': '#',
	'\u0391': 'A', '\u0392': 'B', '\u0395': 'E', '\u0396': 'Z', '\u0397': 'H', '\u0399': 'I', '\u039a': 'K', // Greek
	'\u039c': 'M', '\u039d': 'N', '\u039f': 'O', '\u03a1': 'P', '\u03a4': 'T', '\u03a5': 'Y', '\u03a7': 'X',
	'\u03ba': 'k', '\u03bf': 'o', '\u03c1': 'p',
	'\u0410': 'A', '\u0412': 'B', '\u0415': 'E', '\u041a': 'K', '\u041c': 'M', '\u041d': 'H', '\u041e': 'O', // Cyrillic
	'\u0420': 'P', '\u0421': 'C', '\u0422': 'T', '\u0425': 'X', '\u0405': 'S', '\u0406': 'I',
	'\u0430': 'a', '\u0435': 'e', '\u043a': 'k', '\u043e': 'o', '\u0440': 'p', '\u0441': 'c', '\u0442': 't',
	'\u0445': 'x', '\u0443': 'y', '\u0455': 's', '\u0456': 'i',
}

// A folded text is a text as a reader sees it: every look-alike replaced by
// what it is taken for, invisible characters left out. It remembers where each
// byte came from, so that what is found in it can be cut from the original.
type folded struct {
	text   string
	from   []int // offset in the original of each byte of text, and of its end
	origin string
}

func fold(s string) folded {
	f := folded{origin: s, from: make([]int, 0, len(s)+1)}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if r = foldRune(r); r < 0 {
			continue
		}
		n := b.Len()
		b.WriteRune(r)
		for ; n < b.Len(); n++ {
			f.from = append(f.from, i)
		}
	}
	f.text, f.from = b.String(), append(f.from, len(s))
	return f
}

// cut returns the original of text[from:to].
func (f folded) cut(from, to int) string { return f.origin[f.from[from]:f.from[to]] }

// foldRune returns the character that r is taken for, or -1 where nothing shows.
func foldRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case r >= '\uff01' && r <= '\uff5e':
		return r - '\uff01' + '!'
	case unicode.Is(unicode.Zs, r) || r == '\u0085' || r == '\u2028' || r == '\u2029':
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	case unicode.Is(unicode.Nd, r):
		return digit(r)
	}
	if to, ok := lookalikes[r]; ok {
		return to
	}
	return r
}

// digit returns the ASCII digit of a decimal digit of any script: Unicode keeps
// the ten of a script together and in order.
func digit(r rune) rune {
	zero := r
	for r-zero < 9 && unicode.Is(unicode.Nd, zero-1) {
		zero--
	}
	return '0' + (r - zero)
}

// codePoint names a character so that it can be told from its look-alikes.
func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }

// strange lists, once each, the characters of s that a reader takes for others
// or does not see: `U+00A0 in place of a blank`.
func strange(s string) []string {
	var list []string
	seen := map[rune]bool{}
	for _, r := range s {
		to := foldRune(r)
		if to == r || seen[r] {
			continue
		}
		seen[r] = true
		switch {
		case to < 0:
			list = append(list, codePoint(r)+", which does not show")
		case to == ' ':
			list = append(list, codePoint(r)+" in place of a blank")
		default:
			list = append(list, fmt.Sprintf("%s in place of %q", codePoint(r), string(to)))
		}
	}
	return list
}

// isBidi reports whether r changes the direction of the text around it, so that
// a line shows other than it reads.
func isBidi(r rune) bool {
	return r == '\u061c' || r == '\u200e' || r == '\u200f' ||
		(r >= '\u202a' && r <= '\u202e') || (r >= '\u2066' && r <= '\u2069')
}

// Visible returns text in which nothing hides: characters that do not show,
// that show as a blank, or that change the direction of what follows are
// written by their code points, such as <U+00A0>. Blanks, tabs and line ends
// stay, so that it can be printed to a terminal.
func Visible(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, "<0x%02X>", text[i])
		case r == ' ' || r == '\t' || r == '\n':
			b.WriteRune(r)
		case unicode.IsControl(r) || isSpace(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			fmt.Fprintf(&b, "<%s>", codePoint(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// forbidden returns the first character of s that no title and no tier line may
// hold. NUL is not among them: it is refused wherever it stands.
func forbidden(s string) (r rune, found bool) {
	for _, r := range s {
		if r != 0 && (unicode.IsControl(r) || isBidi(r) || r == '\u2028' || r == '\u2029') {
			return r, true
		}
	}
	return 0, false
}

// visible reports whether anything of s shows.
func visible(s string) bool {
	for _, r := range s {
		if unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) {
			return true
		}
	}
	return false
}

// blanksAt names the run of blanks at the end of s, such as "2 trailing blanks
// (U+0020)"; empty where there is none.
func trailingBlanks(s string) string {
	runes := []rune(s)
	n := len(runes)
	for n > 0 && isSpace(runes[n-1]) {
		n--
	}
	if n == len(runes) {
		return ""
	}
	return fmt.Sprintf("%s (%s)", plural(len(runes)-n, "trailing blank"), points(runes[n:]))
}

// points lists the code points of a run, each kind once.
func points(runes []rune) string {
	var list []string
	seen := map[rune]bool{}
	for _, r := range runes {
		if !seen[r] {
			seen[r] = true
			list = append(list, codePoint(r))
		}
	}
	return strings.Join(list, ", ")
}

// isSpace reports whether r shows as a blank.
func isSpace(r rune) bool { return r == '\t' || foldRune(r) == ' ' }
