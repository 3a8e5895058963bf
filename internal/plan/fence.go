package plan

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A fence is a fenced code block, at any depth of containers.
type fence struct {
	char   byte
	length int
	open   int // line of the opener
	close  int // line of the closer; 0 where its container or the plan ended first
	last   int // its last line, the closer included
	inner  int // line of the first opener inside it that is at least as long; 0 for none
}

// span returns the lines that the fence covers.
func (f *fence) span() Span { return Span{f.open, f.last} }

// fenceNotes is what one parse notes about its fences.
type fenceNotes struct {
	src    *source
	base   int
	flat   map[int]bool
	fences []*fence
	open   *fence // a fence is a leaf: one is open at most
	depth  []int  // lengths of the openers inside it, in the nested reading
}

var fenceNotesKey = parser.NewContextKey()

// A fenceParser is CommonMark's parser of fenced code, watched: the block tree
// does not say where a fence ended, nor whether by a closer. In the nested
// reading an opener inside a fence opens another one, as authors often mean it
// and CommonMark never reads it.
type fenceParser struct {
	parser.BlockParser
	nested bool
}

func (p fenceParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := reader.PeekLine()
	node, state := p.BlockParser.Open(parent, reader, pc)
	if node == nil {
		return node, state
	}
	notes := pc.Get(fenceNotesKey).(*fenceNotes)
	char, length, _ := fenceRun(line[pc.BlockOffset():])
	at := notes.src.lineAt(notes.base + seg.Start)
	notes.open = &fence{char: char, length: length, open: at, last: at}
	notes.depth = notes.depth[:0]
	notes.fences = append(notes.fences, notes.open)
	return node, state
}

func (p fenceParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	notes := pc.Get(fenceNotesKey).(*fenceNotes)
	f := notes.open
	line, seg := reader.PeekLine()
	at := notes.src.lineAt(notes.base + seg.Start)
	f.last = at
	length, info := f.inside(line, reader.LineOffset())
	switch {
	case length == 0:
	case info:
		if f.inner == 0 {
			f.inner = at
		}
		if p.nested && !notes.flat[f.open] {
			notes.depth = append(notes.depth, length)
		}
	case len(notes.depth) > 0:
		if top := len(notes.depth) - 1; length >= notes.depth[top] {
			notes.depth = notes.depth[:top]
		}
		node.Lines().Append(seg)
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	state := p.BlockParser.Continue(node, reader, pc)
	if state&parser.Close != 0 {
		f.close = at
	}
	return state
}

// inside reads a line within the fence: the length of a run of the fence's own
// character that is at least as long as the opener's, 0 where there is none,
// and whether text follows it, which makes it an opener.
func (f *fence) inside(line []byte, offset int) (length int, info bool) {
	width, pos := util.IndentWidth(line, offset)
	if width > 3 || pos >= len(line) || line[pos] != f.char {
		return 0, false
	}
	char, length, rest := fenceRun(line[pos:])
	if length < f.length {
		return 0, false
	}
	rest = bytes.TrimSpace(rest)
	if char == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return 0, false
	}
	return length, len(rest) > 0
}

// fenceRun returns the character that line begins with, the length of its run,
// and what follows.
func fenceRun(line []byte) (char byte, length int, rest []byte) {
	char = line[0]
	for length < len(line) && line[length] == char {
		length++
	}
	return char, length, line[length:]
}
