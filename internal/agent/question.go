package agent

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// asks matches a line behind which a program waits for an answer: a question, a
// choice in brackets, a prompt that ends in a colon or an angle.
var asks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(\?|\[y(es)?/n(o)?\]|\(y(es)?/n(o)?\)|press (any key|enter|return).*|(password|passphrase|continue|confirm|choice|selection|answer)[^:]{0,40}:|[^-=]>)$`)
})

// escapes are the sequences with which programs move and colour on a terminal.
var escapes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\x1b(\\[[0-9;?]*[ -/]*[@-~]|\\][^\x07\x1b]*(\x07|\x1b\\\\)|[@-Z\\\\-_])")
})

// LastLine returns the last line of output that is not blank, without terminal
// sequences.
func LastLine(tail []byte) string {
	text := escapes().ReplaceAll(tail, nil)
	text = bytes.TrimRight(text, " \t\r\n\x00")
	if i := bytes.LastIndexAny(text, "\r\n"); i >= 0 {
		text = text[i+1:]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(text), "\ufffd"))
}

// Question returns the last line of the output of a child that went idle, where
// that asks something: it waits for an answer that nobody gives.
func (r Result) Question() (string, bool) {
	line := LastLine(r.Tail)
	return line, r.Cause == WentIdle && asks().MatchString(line)
}
