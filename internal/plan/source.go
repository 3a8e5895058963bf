package plan

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// A source is a plan's text as every later step sees it: no byte order mark,
// line ends LF, lines counted as in the file.
type source struct {
	raw    []byte
	text   string // the same bytes
	starts []int  // offset of each line
	front  int    // lines of front matter at the top, 0 for none
}

const byteOrderMark = "\ufeff"

// readSource checks the bytes and cuts them into lines. Where they are no text
// at all (too large, UTF-16, lone carriage returns) it returns no source: every
// later finding would only repeat the one fact.
func readSource(data []byte) (*source, []Defect) {
	if len(data) > MaxBytes {
		return nil, []Defect{{Line: 1, Code: "plan-too-large",
			Message: fmt.Sprintf("the plan has more than %d bytes, and no more are read", MaxBytes),
			Repair:  "split it into several plans, one run each"}}
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, []Defect{{Line: 1, Code: "encoding",
			Message: "the plan is UTF-16, it has to be UTF-8",
			Repair:  "iconv -f UTF-16 -t UTF-8 PLAN"}}
	}
	raw := bytes.TrimPrefix(data, []byte(byteOrderMark))
	raw = unixEnds(raw)
	if bytes.IndexByte(raw, '\r') >= 0 {
		return nil, []Defect{loneReturn(string(raw))}
	}
	src := newSource(raw)
	return src, append(src.checkEncoding(), src.checkNUL()...)
}

// newSource cuts bytes, which have LF line ends, into lines.
func newSource(raw []byte) *source {
	src := &source{raw: raw, text: string(raw), starts: make([]int, 1, 1+bytes.Count(raw, []byte("\n")))}
	for at := 0; ; {
		n := strings.IndexByte(src.text[at:], '\n')
		if at += n + 1; n < 0 || at == len(src.text) {
			break
		}
		src.starts = append(src.starts, at)
	}
	src.front = frontMatter(src)
	return src
}

// unixEnds returns data with line ends LF, data itself where they are.
func unixEnds(data []byte) []byte {
	if bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// count returns the number of lines; an empty text has one.
func (s *source) count() int { return len(s.starts) }

// line returns line n, from 1, without its end.
func (s *source) line(n int) string {
	if n < len(s.starts) {
		return s.text[s.starts[n-1] : s.starts[n]-1]
	}
	return strings.TrimSuffix(s.text[s.starts[n-1]:], "\n")
}

// offset returns where line n begins; the line after the last begins at the end.
func (s *source) offset(n int) int {
	if n > len(s.starts) {
		return len(s.text)
	}
	return s.starts[n-1]
}

// lineAt returns the number of the line that holds the offset.
func (s *source) lineAt(offset int) int {
	return sort.SearchInts(s.starts, offset+1)
}

// blank reports whether line n holds no text.
func (s *source) blank(n int) bool { return isBlank(s.line(n)) }

// isBlank reports whether a line is blank as CommonMark has it: spaces and tabs.
func isBlank(line string) bool { return strings.Trim(line, " \t") == "" }

// trim narrows the span to its first and last line that is not blank; ok is
// false where there is none.
func (s *source) trim(span Span) (trimmed Span, ok bool) {
	for span.Line <= span.EndLine && s.blank(span.Line) {
		span.Line++
	}
	for span.EndLine >= span.Line && s.blank(span.EndLine) {
		span.EndLine--
	}
	return span, span.Line <= span.EndLine
}

func loneReturn(text string) Defect {
	at := strings.IndexByte(text, '\r')
	all := strings.Count(text, "\r")
	return Defect{Line: 1 + strings.Count(text[:at], "\n"), Code: "line-ending",
		Message: fmt.Sprintf("carriage return (U+000D) without line feed, %s in all: some programs end a line here, others do not", plural(all, "one")),
		Repair:  `tr '\r' '\n' < PLAN`}
}

func (s *source) checkEncoding() []Defect {
	if utf8.ValidString(s.text) {
		return nil
	}
	first, lines := 0, 0
	for n := 1; n <= s.count(); n++ {
		if utf8.ValidString(s.line(n)) {
			continue
		}
		if lines++; first == 0 {
			first = n
		}
	}
	at, bad := invalidByte(s.line(first))
	return []Defect{{Line: first, Code: "encoding",
		Message: fmt.Sprintf("byte 0x%02X at position %d is not UTF-8%s", bad, at+1, alsoLines(lines-1)),
		Repair:  "save the plan as UTF-8, such as with iconv -f ISO-8859-1 -t UTF-8 PLAN"}}
}

// invalidByte returns the place and value of the first byte that is not UTF-8.
func invalidByte(line string) (at int, b byte) {
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		if r == utf8.RuneError && size == 1 {
			return i, line[i]
		}
		i += size
	}
	return 0, 0
}

func (s *source) checkNUL() []Defect {
	first, lines := 0, 0
	for n := 1; n <= s.count() && strings.IndexByte(s.text, 0) >= 0; n++ {
		if strings.IndexByte(s.line(n), 0) < 0 {
			continue
		}
		if lines++; first == 0 {
			first = n
		}
	}
	if first == 0 {
		return nil
	}
	return []Defect{{Line: first, Code: "control-character",
		Message: fmt.Sprintf("NUL (U+0000) in %q%s", brief(strings.TrimSpace(s.line(first))), alsoLines(lines-1)),
		Repair:  `remove it, such as with tr -d '\000' < PLAN`}}
}

// alsoLines says on how many more lines the same was found.
func alsoLines(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and the same on %s", plural(n, "more line"))
}

// plural returns the count with the noun: "1 step", "2 steps"; "one" stands for
// the number alone.
func plural(n int, noun string) string {
	switch {
	case noun == "one":
		return fmt.Sprint(n)
	case n == 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// brief cuts user text to a length that fits a message.
func brief(text string) string {
	const most = 72
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
