package plan

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxDepth is the depth of containers beyond which a quote or list marker is
// text. No plan comes near it; without it a line of a million ">" takes
// quadratic time.
const maxDepth = 100

// maxReferences is the number of lines beyond which a paragraph keeps its link
// reference definitions: finding them takes time with the square of the lines,
// and it matters here only where a line of dashes follows.
const maxReferences = 256

// blockParser returns a parser of block structure: no inline parsers, because
// no rule of the grammar looks inside a line.
func blockParser(nested bool) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			streamed(parser.NewSetextHeadingParser(), 100),
			streamed(parser.NewThematicBreakParser(), 200),
			streamed(list{shallow{parser.NewListParser()}}, 300),
			streamed(parser.NewListItemParser(), 400),
			streamed(parser.NewCodeBlockParser(), 500),
			streamed(parser.NewATXHeadingParser(), 600),
			streamed(fenceParser{parser.NewFencedCodeBlockParser(), nested}, 700),
			streamed(shallow{parser.NewBlockquoteParser()}, 800),
			streamed(parser.NewHTMLBlockParser(), 900),
			streamed(paragraphParser{parser.NewParagraphParser()}, 1000),
		),
		parser.WithParagraphTransformers(util.Prioritized(references{}, 100)),
	)
}

// The two readings of fences, made once: [parser.Parser] is safe to share.
var (
	commonMark = sync.OnceValue(func() parser.Parser { return blockParser(false) })
	nestingOne = sync.OnceValue(func() parser.Parser { return blockParser(true) })
)

// readMarkdown reads the plan as CommonMark does.
func readMarkdown(src *source) *outline { return readWith(commonMark(), src, nil) }

// readWith reads the plan with one of the two parsers; flat holds the lines of
// fences that the nested reading must not nest.
func readWith(p parser.Parser, src *source, flat map[int]bool) *outline {
	r := reader{p, src, flat}
	begin := src.front + 1
	if out := r.pieces(cuts(src, begin, pieceBytes)); out != nil {
		return out
	}
	return r.piece(begin, src.count())
}

// A reader reads the block structure of one plan.
type reader struct {
	parser parser.Parser
	src    *source
	flat   map[int]bool
}

// piece reads the lines from begin to end, as if nothing stood before or behind.
func (r reader) piece(begin, end int) *outline {
	w := &walker{src: r.src, base: r.src.offset(begin), flat: r.flat, out: &outline{}}
	pc := parser.NewContext()
	pc.Set(walkerKey, w)
	lines := text.NewReader(r.src.raw[w.base:r.src.offset(end+1)])
	w.walk(r.parser.Parse(lines, parser.WithContext(pc)), 0)
	w.out.fences = w.fences
	return w.out
}

// walkerKey is where a parse keeps its walker.
var walkerKey = parser.NewContextKey()

// A stream hands the blocks outside containers to the walker as soon as they
// are complete, and takes them out of the tree. So a parse holds a few blocks
// at a time and not the whole tree, and the pass over all lines with which the
// library ends a parse, there for inline parsers, has nothing left to do.
type stream struct{ parser.BlockParser }

func streamed(p parser.BlockParser, priority int) util.PrioritizedValue {
	return util.Prioritized(stream{p}, priority)
}

// unfinished is the number of blocks at the end that may still change when a
// block opens: the one before it is not closed yet, and where that is a setext
// heading, the paragraph it is made of stands before it.
const unfinished = 2

func (s stream) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	node, state := s.BlockParser.Open(parent, reader, pc)
	if node != nil && parent.Kind() == ast.KindDocument {
		pc.Get(walkerKey).(*walker).walk(parent, unfinished)
	}
	return node, state
}

// shallow keeps containers from nesting deeper than [maxDepth].
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if parent.Kind() != ast.KindList && depth(parent) >= maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// A list does not care whether it is tight: that says how its paragraphs look,
// and finding out copies them.
type list struct{ shallow }

func (list) Close(ast.Node, text.Reader, parser.Context) {}

func depth(n ast.Node) int {
	d := 0
	for n = n.Parent(); n != nil; n = n.Parent() {
		d++
	}
	return d
}

// references takes link reference definitions out of paragraphs.
type references struct{}

func (references) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	if lines.Len() == 0 || lines.Len() > maxReferences {
		return
	}
	first := lines.At(0)
	first = first.TrimLeftSpace(reader.Source())
	text := reader.Source()[first.Start:lines.At(lines.Len()-1).Stop]
	if len(text) > 0 && text[0] == '[' && bytes.Contains(text, []byte("]:")) {
		parser.LinkReferenceParagraphTransformer.Transform(node, reader, pc)
	}
}
