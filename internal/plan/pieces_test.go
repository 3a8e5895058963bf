package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

// written is an outline as text, to compare.
func written(o *outline) string {
	var b strings.Builder
	fmt.Fprintf(&b, "headings %+v\ntexts %+v\nsteps %v\nhtml %+v\ninner %v\n", o.headings, o.texts, o.steps, o.html, o.inner)
	for _, f := range o.fences {
		fmt.Fprintf(&b, "fence %+v\n", *f)
	}
	return b.String()
}

func readingsOf(text string) map[string]reader {
	src := newSource([]byte(text))
	return map[string]reader{"CommonMark": {commonMark(), src, nil}, "nested": {nestingOne(), src, nil}}
}

// Whatever stands before a cut, the pieces are those of the whole, or the plan
// is not read in pieces.
func TestPiecesAreTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		both := string(unixEnds(mixed(t))) + "\n" + string(unixEnds(mixed(t)))
		for name, r := range readingsOf(both) {
			begin := r.src.front + 1
			out := r.pieces(cuts(r.src, begin, rapid.IntRange(1, 64).Draw(t, "size")))
			if out == nil {
				continue
			}
			if diff := cmp.Diff(written(r.piece(begin, r.src.count())), written(out)); diff != "" {
				t.Fatalf("%s (-whole +pieces)\n%s\n%s", name, diff, both)
			}
		}
	})
}

// TestPieces shows where a plan is cut, and what keeps it from being cut.
func TestPieces(t *testing.T) {
	const second = "\n\n## Task 2: B\n\ntext\n"
	for _, c := range []struct {
		name, text string
		cuts       string
		whole      bool
	}{
		{"at a task", "## Task 1: A" + second, "[1 3 6]", false},
		{"at a task of another level", "### Task 1: A\n\n### Task 2: B\n", "[1 3 4]", false},
		{"not behind text", "## Task 1: A\n\ntext\n## Task 2: B\n", "[1 5]", true},
		{"not at another heading", "## Task 1: A\n\n## Notes\n", "[1 4]", true},
		{"not at an indented one", "## Task 1: A\n\n ## Task 2: B\n", "[1 4]", true},
		{"behind front matter", "---\na: b\n---\n\n## Task 1: A" + second, "[4 5 7 10]", false},
		{"a list is closed", "- a\n\n  b" + second, "[1 5 8]", false},
		{"a fence in a list is not, by a closer", "- ```" + second, "[1 3 6]", true},
		{"a fence is open", "```" + second + "```\n", "[1 3 7]", true},
		{"a fence is closed", "```\n```" + second, "[1 4 7]", false},
		{"a comment is open", "<!--" + second + "-->\n", "[1 3 7]", true},
		{"a comment is closed", "<!--\n\n-->" + second, "[1 5 8]", false},
		{"a script is open", "<script>" + second, "[1 3 6]", true},
		{"an instruction is open", "<?a" + second, "[1 3 6]", true},
		{"a tag ends at the blank line", "<div>" + second, "[1 3 6]", false},
	} {
		r := readingsOf(c.text)["CommonMark"]
		begin := r.src.front + 1
		list := cuts(r.src, begin, 1)
		if got := fmt.Sprint(list); got != c.cuts {
			t.Errorf("%s: cut at %s, want %s", c.name, got, c.cuts)
		}
		if out := r.pieces(list); (out == nil) != c.whole {
			t.Errorf("%s: read as a whole: %v, want %v", c.name, out == nil, c.whole)
		}
	}
}

// A plan that is long enough is cut into pieces of the size that pays.
func TestPiecesOfALongPlan(t *testing.T) {
	src := newSource(bulk(MaxTasks, 1<<20))
	list := cuts(src, 1, pieceBytes)
	if len(list) < 8 || len(list) > 9 {
		t.Errorf("cut at %v", list)
	}
	if (reader{commonMark(), src, nil}).pieces(list) == nil {
		t.Error("it is read as a whole")
	}
}

// The quick readings say the same as the thorough ones, or nothing.
func TestQuickWords(t *testing.T) {
	letters := rapid.SampledFrom([]string{"T", "t", "ask", "Task", "TAS\u212a", "ta\u017fk", " ", "1", "12", "0", "a", ":", ": ", "-", "(", ")", "[x] ", "**", "`", "é", "\u200b", "\u00a0", "Title", "．", "\t"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(letters, 0, 9).Draw(t, "text"), "")
		if rapid.Bool().Draw(t, "plain") {
			text = "Task 1: " + text
		}
		want, is := readMeantWords(text)
		if is && !mayNameTask(text) {
			t.Fatalf("%q names a task", text)
		}
		if got, ok := readPlainWords(text); ok && (!is || got != want) {
			t.Fatalf("%q: quickly %+v, thoroughly %+v, %v", text, got, want, is)
		}
	})
	for _, text := range []string{"Task 1: Title", "Task 12: T: é:"} {
		if _, ok := readPlainWords(text); !ok {
			t.Errorf("%q is read thoroughly", text)
		}
	}
	if mayNameTask("What it is") {
		t.Error("a heading without the word is read thoroughly")
	}
}

// The parser of this package, which keeps no more of a plan than it must, reads
// what the library's own does.
func TestReadsAsTheLibrary(t *testing.T) {
	stock := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...), parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
	rapid.Check(t, func(t *rapid.T) {
		src := newSource(unixEnds(mixed(t)))
		w := &walker{src: src, base: src.offset(src.front + 1), out: &outline{}}
		root := stock.Parse(text.NewReader(src.raw[w.base:]))
		loosen(root)
		w.walk(root, 0)
		own := readMarkdown(src)
		own.fences = nil // the library does not tell where they end
		if diff := cmp.Diff(written(w.out), written(own)); diff != "" {
			t.Fatalf("(-library +own)\n%s\n%s", diff, src.text)
		}
	})
}

// loosen makes paragraphs of the text blocks of tight lists.
func loosen(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if block, ok := c.(*ast.TextBlock); ok {
			p := ast.NewParagraph()
			p.SetLines(block.Lines())
			n.ReplaceChild(n, block, p)
			c = p
		}
		loosen(c)
	}
}
