package plan

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// An outline is what CommonMark says of a plan, as far as the grammar asks.
// Everything is in line order.
type outline struct {
	headings []heading  // outside containers
	texts    []textLine // lines of paragraphs that may be meant as a field or a heading
	steps    []int      // lines of checkboxes, numbered steps and their headings, outside quotes
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

// A walker turns the block tree into an outline.
type walker struct {
	src  *source
	base int // offset of the Markdown in the plan's text
	out  *outline

	flat   map[int]bool // lines of fences that are not to be nested
	fences []*fence
	open   *fence // a fence is a leaf: one is open at most
	depth  []int  // lengths of the openers inside it, in the nested reading

	last int // the line that was asked for last, mostly close to the next one

	spareFences     []*ast.FencedCodeBlock
	spareParagraphs []*ast.Paragraph
}

// walk takes the children of the root, all but the last keep, in order.
func (w *walker) walk(root ast.Node, keep int) {
	for root.ChildCount() > keep {
		n := root.FirstChild()
		root.RemoveChild(root, n) // before the walk, which takes nodes back
		w.block(n, inParagraph)
	}
}

func (w *walker) lineAt(offset int) int {
	starts := w.src.starts
	offset += w.base
	for range 64 {
		switch {
		case w.last < 1 || starts[w.last-1] > offset:
			w.last = w.src.lineAt(offset)
			return w.last
		case w.last == len(starts) || starts[w.last] > offset:
			return w.last
		}
		w.last++
	}
	w.last = w.src.lineAt(offset)
	return w.last
}

// text returns the text of a segment without its line end.
func (w *walker) text(seg text.Segment) string {
	return strings.TrimSuffix(w.src.text[w.base+seg.Start:w.base+seg.Stop], "\n")
}

func (w *walker) block(n ast.Node, where place) {
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n, where)
	case *ast.Paragraph:
		w.paragraph(n.Lines(), where)
		w.spareParagraphs = append(w.spareParagraphs, n)
	case *ast.FencedCodeBlock:
		w.spareFences = append(w.spareFences, n)
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
		lines[i] = w.text(n.Lines().At(i))
	}
	// The text of an ATX heading begins behind its hashes, that of a setext
	// heading where the heading itself begins.
	if h.setext = len(lines) > 0 && n.Lines().At(0).Start == n.Pos(); h.setext {
		h.end = line + len(lines)
	}
	h.text = strings.Join(lines, "\n")
	if isStepTitle(h.text) {
		w.out.steps = append(w.out.steps, line)
	}
	w.out.headings = append(w.out.headings, h)
}

func (w *walker) paragraph(lines *text.Segments, where place) {
	for i := range lines.Len() {
		seg := lines.At(i)
		content := w.text(seg)
		step := where == inParagraph && (startsCheckbox(content) || isStepTitle(content))
		if !step && !notable(content) {
			continue
		}
		line := w.lineAt(seg.Start)
		if where == inQuote && w.base+seg.Start-indent(w.src.line(line)) != w.src.offset(line) {
			continue
		}
		w.out.texts = append(w.out.texts, textLine{line: line, place: where, text: content})
		if step {
			w.out.steps = append(w.out.steps, line)
		}
	}
}

// notable reports whether a line may be meant as a field or as a heading.
func notable(text string) bool {
	// What mentions no tier has no sign beyond ASCII either, unless it is long.
	return strings.IndexByte(text, '#') >= 0 || mentionsTier(text) || len(text) >= longLine && hasHash(text)
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
		case first != nil && first.Lines().Len() > 0:
			seg := first.Lines().At(0)
			if content := w.text(seg); startsCheckbox(content) || isStepTitle(content) {
				w.out.steps = append(w.out.steps, w.lineAt(seg.Start))
			}
		}
	}
	for c := item.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, where)
	}
}

func (w *walker) html(n *ast.HTMLBlock) {
	first := n.Lines().At(0)
	b := htmlBlock{line: w.lineAt(first.Start), comment: n.HTMLBlockType == ast.HTMLBlockType2}
	b.end = b.line + n.Lines().Len() - 1
	b.closed = n.Lines().Len() == 1 && strings.Contains(w.text(first), "-->")
	if n.HasClosure() {
		b.end++
		b.closed = true
	}
	w.out.html = append(w.out.html, b)
}
