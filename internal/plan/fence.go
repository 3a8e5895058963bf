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

	longest int // the longest run inside it that the nested reading takes for a fence
}

// span returns the lines that the fence covers.
func (f *fence) span() Span { return Span{f.open, f.last} }

// A fenceParser is CommonMark's parser of fenced code, but for the code: its
// lines are of no interest, and are not kept. It notes what the block tree does
// not say, where a fence ended and whether by a closer. In the nested reading an
// opener inside a fence opens another one, as authors often mean it and CommonMark
// never reads it.
type fenceParser struct {
	parser.BlockParser // what may open where
	nested             bool
}

func (p fenceParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := reader.PeekLine()
	if pc.BlockOffset() < 0 {
		return nil, parser.NoChildren
	}
	char, length, info := fenceRun(line[pc.BlockOffset():])
	if length < 3 || char == '`' && bytes.IndexByte(info, '`') >= 0 {
		return nil, parser.NoChildren
	}
	w := pc.Get(walkerKey).(*walker)
	at := w.lineAt(seg.Start)
	w.open = &fence{char: char, length: length, open: at, last: at}
	w.depth = w.depth[:0]
	w.fences = append(w.fences, w.open)
	return w.newFence(), parser.NoChildren
}

func (p fenceParser) Continue(_ ast.Node, reader text.Reader, pc parser.Context) parser.State {
	w := pc.Get(walkerKey).(*walker)
	f := w.open
	line, _ := reader.PeekLine()
	f.last++
	length, info, closes := f.inside(line, reader.LineOffset())
	reader.AdvanceToEOL()
	switch {
	case closes && len(w.depth) == 0:
		f.close = f.last
		return parser.Close
	case length > 0 && (info || len(w.depth) > 0):
		p.inner(w, length, info)
	}
	return parser.Continue | parser.NoChildren
}

// Close has nothing to do: the library's parser would look for what its own Open
// leaves behind.
func (p fenceParser) Close(ast.Node, text.Reader, parser.Context) {}

// inner notes an opener or a closer that stands inside the open fence.
func (p fenceParser) inner(w *walker, length int, info bool) {
	if f := w.open; info && f.inner == 0 {
		f.inner = f.last
	}
	top := len(w.depth) - 1
	switch {
	case info && p.nested && !w.flat[w.open.open]:
		w.depth = append(w.depth, length)
		w.open.longest = max(w.open.longest, length)
	case !info && length >= w.depth[top]:
		w.depth = w.depth[:top]
		w.open.longest = max(w.open.longest, length)
	}
}

// inside reads a line within the fence: the length of a run of the fence's own
// character that is at least as long as the opener's, 0 where there is none,
// whether text follows it, which makes it an opener, and whether nothing does,
// which makes it a closer. A blank that is not ASCII makes it neither.
func (f *fence) inside(line []byte, offset int) (length int, info, closes bool) {
	width, pos := util.IndentWidth(line, offset)
	if width > 3 || pos >= len(line) || line[pos] != f.char {
		return 0, false, false
	}
	char, length, rest := fenceRun(line[pos:])
	if length < f.length || char == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return 0, false, false
	}
	return length, len(bytes.TrimSpace(rest)) > 0, util.IsBlank(rest)
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
