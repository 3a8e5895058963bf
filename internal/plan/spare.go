package plan

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Most nodes of a plan are paragraphs and fences, and each is gone as soon as it
// was walked over. They are used again: fresh memory costs more than the parse.

// A paragraphParser is CommonMark's parser of paragraphs with nodes of ours.
type paragraphParser struct{ parser.BlockParser }

func (p paragraphParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := reader.PeekLine()
	if util.IsBlank(line) {
		return nil, parser.NoChildren
	}
	node := pc.Get(walkerKey).(*walker).newParagraph()
	node.Lines().Append(seg)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

func (w *walker) newParagraph() *ast.Paragraph {
	top := len(w.spareParagraphs) - 1
	if top < 0 {
		return ast.NewParagraph()
	}
	n := w.spareParagraphs[top]
	w.spareParagraphs = w.spareParagraphs[:top]
	lines := *n.Lines()
	lines.SetSliced(0, 0)
	*n = ast.Paragraph{}
	n.SetLines(&lines)
	return n
}

func (w *walker) newFence() *ast.FencedCodeBlock {
	top := len(w.spareFences) - 1
	if top < 0 {
		return ast.NewFencedCodeBlock(nil)
	}
	n := w.spareFences[top]
	w.spareFences = w.spareFences[:top]
	*n = ast.FencedCodeBlock{}
	return n
}
