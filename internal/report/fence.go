package report

import "strings"

// A fence is an open code fence.
type fence struct {
	mark   byte // '`' or '~'
	size   int  // the number of marks
	line   int
	inItem bool // belongs to an item, whose text goes on inside
}

// openFence reads the opening of a code fence: at least three backticks without
// a further backtick on the line, or three tildes (CommonMark).
func openFence(text string) (fence, bool) {
	for _, mark := range []byte{'`', '~'} {
		size := len(text) - len(strings.TrimLeft(text, string(mark)))
		if size >= 3 && (mark == '~' || strings.IndexByte(text[size:], '`') < 0) {
			return fence{mark: mark, size: size}, true
		}
	}
	return fence{}, false
}

// closedBy reports whether the line, without its indentation, ends the fence.
func (f fence) closedBy(text string) bool {
	return len(text) >= f.size && strings.Trim(text, string(f.mark)) == ""
}
