package agent

import "bytes"

// The lines between which a child that cannot write files gives its report on
// standard output.
const (
	ReportBegin = "-----BEGIN SDD REPORT-----"
	ReportEnd   = "-----END SDD REPORT-----"
)

// A Marked is a writer that keeps the last whole text between the marks: a child
// that repeats its instructions before it answers names the marks early.
type Marked struct {
	limit int    // bytes that are kept of a text
	line  []byte // the line that is not whole yet
	text  []byte
	open  bool
	last  []byte
	found bool
}

// NewMarked keeps at most limit bytes of a text.
func NewMarked(limit int) *Marked { return &Marked{limit: limit} }

// Write takes output; it never fails.
func (m *Marked) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			m.grow(rest)
			break
		}
		m.grow(rest[:i+1])
		m.take(m.line)
		m.line = m.line[:0]
		rest = rest[i+1:]
	}
	return len(p), nil
}

// grow adds to the line; what is longer than any text may be is cut.
func (m *Marked) grow(p []byte) {
	if room := m.limit + 1 - len(m.line); room < len(p) {
		p = p[:max(room, 0)]
	}
	m.line = append(m.line, p...)
}

func (m *Marked) take(line []byte) {
	switch mark := string(bytes.TrimSpace(line)); {
	case mark == ReportBegin:
		m.open, m.text = true, m.text[:0]
	case mark == ReportEnd && m.open:
		m.open, m.found = false, true
		m.last = append(m.last[:0], m.text...)
	case m.open && len(m.text) < m.limit:
		m.text = append(m.text, line...)
		m.text = m.text[:min(len(m.text), m.limit)]
	}
}

// Text returns the last whole text, and false where there was none.
func (m *Marked) Text() ([]byte, bool) {
	if len(m.line) > 0 {
		m.take(m.line)
		m.line = m.line[:0]
	}
	return m.last, m.found
}
