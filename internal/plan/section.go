package plan

import "strings"

// A kind says what a section is for.
type kind uint8

const (
	other       kind = iota // belongs to no task
	taskKind                // a task, or what was meant to be one
	constraints             // Global Constraints, or what was meant to be it
)

// A mark is a line that begins a section: a heading, or a paragraph whose
// author meant one.
type mark struct {
	line, end int
	level     int
	setext    bool
	paragraph bool // CommonMark reads no heading here
	kind      kind
	words     taskWords // of a task
	exact     bool      // in the only accepted form
}

// A section is the lines from a mark to the next one.
type section struct {
	mark
	body Span // after the heading; EndLine < Line where there are no lines
}

// exactConstraints is the only accepted heading of the section of constraints.
const exactConstraints = "## Global Constraints"

// marks returns every line that begins a section, in line order. What was
// meant as a task heading begins one too, at whatever level: otherwise one slip
// would be reported many times.
func marks(src *source, out *outline) []mark {
	var list []mark
	texts := out.texts
	lookalikesBefore := func(line int) {
		for len(texts) > 0 && texts[0].line < line {
			if m, ok := lookalikeMark(src, texts[0]); ok {
				list = append(list, m)
			}
			texts = texts[1:]
		}
	}
	for _, h := range out.headings {
		lookalikesBefore(h.line)
		if m, ok := headingMark(src, h); ok {
			list = append(list, m)
		}
	}
	lookalikesBefore(src.count() + 1)
	return list
}

// headingMark reads a heading; ok is false where it begins no section.
func headingMark(src *source, h heading) (m mark, ok bool) {
	m = mark{line: h.line, end: h.end, level: h.level, setext: h.setext}
	for i, text := range strings.Split(h.text, "\n") {
		if isTierField(text) {
			// "---" under a tier line makes a heading of it; its own defect says
			// so, and the section goes on.
			return mark{}, false
		}
		if words, is := readTaskWords(text); is {
			m.kind, m.words, m.line = taskKind, words, h.line+i
			m.exact = !h.setext && words.number() > 0 && src.line(h.line) == words.canonical()
			return m, true
		}
	}
	if readConstraintsWords(h.text, h.level) == meantConstraints {
		m.kind = constraints
		m.exact = !h.setext && src.line(h.line) == exactConstraints
		return m, true
	}
	return m, h.level <= 2
}

// lookalikeMark reads a line of a paragraph that was meant as a heading.
func lookalikeMark(src *source, t textLine) (m mark, ok bool) {
	if !hasHash(t.text) || !t.atMargin(src) {
		return mark{}, false
	}
	seen := strings.TrimLeft(fold(t.text).text, " \t")
	rest := strings.TrimLeft(seen, "#")
	if rest == seen {
		return mark{}, false
	}
	m = mark{line: t.line, end: t.line, level: min(6, len(seen)-len(rest)), paragraph: true}
	if words, is := readTaskWords(afterHashes(t.text)); is {
		m.kind, m.words = taskKind, words
		return m, true
	}
	if readConstraintsWords(rest, m.level) == meantConstraints {
		m.kind = constraints
		return m, true
	}
	return mark{}, false
}

// atMargin reports whether the line stands outside containers, or goes on with
// the text of one although it stands at the left margin: its author did not
// mean it as a part of a list or quote.
func (t textLine) atMargin(src *source) bool {
	raw := src.line(t.line)
	return t.place != inList || (indent(raw) < 2 && raw[indent(raw):] == t.text)
}

// hasHash reports whether the line holds a hash or what is taken for one.
func hasHash(text string) bool {
	if strings.IndexByte(text, '#') >= 0 {
		return true
	}
	for _, mark := range [...]string{"\uff03", "\ufe5f", "\u266f"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// afterHashes returns the text behind the run of hashes, or of what is taken
// for them.
func afterHashes(text string) string {
	return strings.TrimLeftFunc(text, func(r rune) bool {
		to := foldRune(r)
		return to < 0 || to == ' ' || to == '#' || to == '\t'
	})
}

// sections cuts the plan at its marks. The first section, before any mark, has
// none: its line is 0.
func sections(src *source, list []mark) []section {
	secs := make([]section, 0, len(list)+1)
	secs = append(secs, section{body: Span{src.front + 1, src.count()}})
	for _, m := range list {
		secs[len(secs)-1].body.EndLine = m.line - 1
		secs = append(secs, section{mark: m, body: Span{m.end + 1, src.count()}})
	}
	return secs
}
