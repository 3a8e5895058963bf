package plan

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// An outline is what CommonMark says of a plan, as far as the grammar asks.
// Everything is in line order.
type outline struct {
	headings []heading  // outside containers
	texts    []textLine // lines of paragraphs, where a field or a heading may be meant
	steps    []int      // lines of checkboxes and numbered steps outside quotes
	fences   []*fence
	html     []htmlBlock
	inner    []int // lines of headings inside list items
}

// A heading is an ATX or setext heading outside containers.
type heading struct {
	line, end int // end is the underline of a setext heading
	level     int
	setext    bool
	text      string // without hashes; the lines of a setext heading joined by "\n"
}

// A place says what kind of block a line of text stands in.
type place uint8

const (
	inParagraph place = iota
	inList            // a list item, at any depth
	inQuote           // only as a lazy continuation, a line without its own ">"
)

// A textLine is one line of a paragraph.
type textLine struct {
	line  int
	place place
	text  string // without the indentation and the markers of its containers
}

// An htmlBlock is a block of raw HTML outside containers.
type htmlBlock struct {
	line, end int
	comment   bool
	closed    bool // a comment that ends
}

// maxDepth is the depth of containers beyond which a quote or list marker is
// text. No plan comes near it; without it a line of a million ">" takes
// quadratic time.
const maxDepth = 100

// blockParser returns a parser of block structure: no inline parsers, because
// no rule of the grammar looks inside a line. The fence parser notes its fences
// in the context of each parse.
func blockParser(nested bool) parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(fenceParser{parser.NewFencedCodeBlockParser(), nested}, 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
		),
	)
}

// The two readings of fences, made once: [parser.Parser] is safe to share.
var (
	commonMark = sync.OnceValue(func() parser.Parser { return blockParser(false) })
	nestingOne = sync.OnceValue(func() parser.Parser { return blockParser(true) })
)

// shallow keeps containers from nesting deeper than [maxDepth].
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if parent.Kind() != ast.KindList && depth(parent) >= maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

func depth(n ast.Node) int {
	d := 0
	for n = n.Parent(); n != nil; n = n.Parent() {
		d++
	}
	return d
}

// readMarkdown reads the plan as CommonMark does.
func readMarkdown(src *source) *outline {
	return readWith(commonMark(), src, nil)
}

// readWith reads the plan with one of the two parsers; flat holds the lines of
// fences that the nested reading must not nest.
func readWith(p parser.Parser, src *source, flat map[int]bool) *outline {
	base := 0
	if src.front > 0 {
		base = len(src.text)
		if src.front < src.count() {
			base = src.starts[src.front]
		}
	}
	pc := parser.NewContext()
	notes := &fenceNotes{src: src, base: base, flat: flat}
	pc.Set(fenceNotesKey, notes)
	md := []byte(src.text[base:])
	root := p.Parse(text.NewReader(md), parser.WithContext(pc))
	w := walker{src: src, base: base, md: md, out: &outline{fences: notes.fences}}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n, inParagraph)
	}
	return w.out
}

// A walker turns the block tree into an outline.
type walker struct {
	src  *source
	base int // offset of the Markdown in the plan's text
	md   []byte
	out  *outline
}

func (w *walker) lineAt(offset int) int { return w.src.lineAt(w.base + offset) }

func (w *walker) block(n ast.Node, where place) {
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n, where)
	case *ast.Paragraph, *ast.TextBlock:
		w.paragraph(n, where)
	case *ast.HTMLBlock:
		if where == inParagraph {
			w.html(n)
		}
	case *ast.List:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			w.item(item, n.IsOrdered(), where)
		}
	case *ast.Blockquote:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			w.block(c, inQuote)
		}
	}
}

func (w *walker) heading(n *ast.Heading, where place) {
	line := w.lineAt(n.Pos())
	if where != inParagraph {
		if where == inList {
			w.out.inner = append(w.out.inner, line)
		}
		return
	}
	h := heading{line: line, end: line, level: n.Level}
	lines := make([]string, n.Lines().Len())
	for i := range lines {
		seg := n.Lines().At(i)
		lines[i] = strings.TrimRight(string(w.md[seg.Start:seg.Stop]), "\n")
	}
	// The text of an ATX heading begins behind its hashes, that of a setext
	// heading where the heading itself begins.
	if h.setext = len(lines) > 0 && n.Lines().At(0).Start == n.Pos(); h.setext {
		h.end = line + len(lines)
	}
	h.text = strings.Join(lines, "\n")
	w.out.headings = append(w.out.headings, h)
}

func (w *walker) paragraph(n ast.Node, where place) {
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		line := w.lineAt(seg.Start)
		if where == inQuote && w.base+seg.Start-indent(w.src.line(line)) != w.src.starts[line-1] {
			continue
		}
		content := strings.TrimRight(string(w.md[seg.Start:seg.Stop]), "\n")
		w.out.texts = append(w.out.texts, textLine{line: line, place: where, text: content})
		if where == inParagraph && (startsCheckbox(content) || isStepTitle(content)) {
			w.out.steps = append(w.out.steps, line)
		}
	}
}

// indent returns the number of spaces and tabs at the front of a line.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func (w *walker) item(item ast.Node, ordered bool, where place) {
	if where != inQuote {
		where = inList
		first := item.FirstChild()
		switch {
		case ordered:
			w.out.steps = append(w.out.steps, w.lineAt(item.Pos()))
		case first != nil && first.Lines() != nil && first.Lines().Len() > 0:
			seg := first.Lines().At(0)
			if text := string(w.md[seg.Start:seg.Stop]); startsCheckbox(text) || isStepTitle(text) {
				w.out.steps = append(w.out.steps, w.lineAt(seg.Start))
			}
		}
	}
	for c := item.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, where)
	}
}

func (w *walker) html(n *ast.HTMLBlock) {
	b := htmlBlock{comment: n.HTMLBlockType == ast.HTMLBlockType2}
	b.line = w.lineAt(n.Lines().At(0).Start)
	b.end = b.line + n.Lines().Len() - 1
	if n.HasClosure() {
		b.end++
		b.closed = true
	} else {
		first := n.Lines().At(0)
		b.closed = n.Lines().Len() == 1 && strings.Contains(string(first.Value(w.md)), "-->")
	}
	w.out.html = append(w.out.html, b)
}
