package prompt

import (
	"bytes"
	"fmt"
	"strings"
)

// A document is a text file for a child. What others wrote enters it in two
// ways only, as the rest of one line or inside a fence that it cannot close, so
// that no text becomes a heading or an item of the document itself.
type document struct{ bytes.Buffer }

// heading writes a heading of the given level between blank lines.
func (d *document) heading(level int, format string, args ...any) {
	if d.Len() > 0 && !bytes.HasSuffix(d.Bytes(), []byte("\n\n")) {
		d.WriteByte('\n')
	}
	fmt.Fprintf(d, "%s %s\n\n", strings.Repeat("#", level), oneLine(fmt.Sprintf(format, args...)))
}

// line writes a sentence of our own; texts of others among args are made one line.
func (d *document) line(format string, args ...any) {
	fmt.Fprintf(d, "%s\n", oneLine(fmt.Sprintf(format, args...)))
}

// item writes "- label: text" on one line, and nothing where there is no text.
func (d *document) item(label, text string) {
	if text = oneLine(text); text != "" {
		fmt.Fprintf(d, "- %s: %s\n", label, text)
	}
}

// block writes text as it is, line ends made LF, inside a fence longer than any
// run of backticks in it.
func (d *document) block(language, text string) {
	text = endLine(text)
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	fmt.Fprintf(d, "%s%s\n%s%s\n", fence, language, text, fence)
}

// endLine returns text with LF line ends, the last line ended too.
func endLine(text string) string {
	return strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n") + "\n"
}

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// oneLine returns s on one line: control characters and runs of blanks become
// one blank, invalid UTF-8 becomes the replacement character.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
