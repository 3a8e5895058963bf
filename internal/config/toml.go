package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// readTOML returns the items of a file in the order of their lines, and whether
// the file could be read to its end; what stands before the first error is
// returned beside it.
//
// Two parsers read every file. The one that gives the items knows the line of
// every key and looks at syntax alone; the other knows the rules about what may
// be said twice. A file that only one of them takes is refused. The second is
// spared what nests deeper than any setting, on which it spends minutes: no key
// is there and no list holds lists, so such a file is refused as it is.
func readTOML(data []byte) (items []item, flaws []flaw, whole bool) {
	if f := outerFlaw(data); f != nil {
		return nil, []flaw{*f}, false
	}
	r := newReader(data)
	for r.parser.NextExpression() {
		r.expression(r.parser.Expression())
	}
	switch err := r.parser.Error(); {
	case err != nil:
		return r.items, append(r.flaws, r.syntax(err)), false
	case len(r.flaws) > 0 || r.nested:
		return r.items, r.flaws, true
	}
	if f := secondReading(data); f != nil {
		return r.items, []flaw{*f}, false
	}
	return r.items, nil, true
}

// outerFlaw refuses what is no settings file whatever stands in it.
func outerFlaw(data []byte) *flaw {
	if len(data) > MaxSource {
		return &flaw{1, "too-long", fmt.Sprintf("the file has more than %d bytes, and no more are read", MaxSource), "remove what is not a setting"}
	}
	for line, rest := 1, data; len(rest) > 0; line++ {
		one, after, _ := bytes.Cut(rest, []byte("\n"))
		if !utf8.Valid(one) {
			return &flaw{line, "not-utf8", "the line is not UTF-8", "save the file as UTF-8"}
		}
		rest = after
	}
	return nil
}

// secondReading asks the parser that knows all rules of TOML.
func secondReading(data []byte) *flaw {
	var parse toml.ParseError
	_, err := toml.Decode(string(data), &map[string]any{})
	switch {
	case err == nil:
		return nil
	case errors.As(err, &parse):
		return notTOML(parse.Position.Line, parse.Message)
	}
	return notTOML(1, err.Error())
}

// notTOML says what a parser said, in the form of our own messages.
func notTOML(line int, message string) *flaw {
	message = printable(strings.TrimSuffix(message, "."))
	first, size := utf8.DecodeRuneInString(message)
	return &flaw{line, "syntax", "not TOML: " + string(unicode.ToLower(first)) + message[size:], fmt.Sprintf("correct line %d", line)}
}

// A reader turns the expressions of a file into items.
type reader struct {
	parser *unstable.Parser
	ends   []int // offsets of the line ends
	prefix []string
	seen   map[string]int // the line of each path
	closed map[string]int // the line of each inline table that has ended
	nested bool           // something nests deeper than any setting
	items  []item
	flaws  []flaw
}

func newReader(data []byte) *reader {
	// The parser places its nodes by the capacity of its slice.
	data = slices.Clip(bytes.Clone(bytes.TrimPrefix(data, byteOrderMark)))
	r := &reader{parser: &unstable.Parser{}, seen: map[string]int{}, closed: map[string]int{}}
	for i, b := range data {
		if b == '\n' {
			r.ends = append(r.ends, i)
		}
	}
	r.parser.Reset(data)
	return r
}

// line returns the line of a range of bytes.
func (r *reader) line(at unstable.Range) int {
	return sort.SearchInts(r.ends, int(at.Offset)) + 1
}

func (r *reader) syntax(err error) flaw {
	line := len(r.ends) + 1
	var parse *unstable.ParserError
	if errors.As(err, &parse) && len(parse.Highlight) > 0 {
		line = r.line(r.parser.Range(parse.Highlight))
	}
	return *notTOML(line, err.Error())
}

func (r *reader) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.Table:
		path, line := r.key(n, nil)
		r.prefix = path
		r.item(item{path, line, value{kind: table, line: line}})
	case unstable.ArrayTable:
		path, line := r.key(n, nil)
		r.prefix = path
		// Not held against seen: a second [[x]] is an element, no repetition.
		r.items = append(r.items, item{path, line, value{kind: tables, line: line}})
	case unstable.KeyValue:
		r.keyValue(n, r.prefix)
	}
}

// key returns the path of a node below prefix, and the line it begins on.
func (r *reader) key(n *unstable.Node, prefix []string) ([]string, int) {
	path, line := slices.Clone(prefix), 0
	for it := n.Key(); it.Next(); {
		path = append(path, string(it.Node().Data))
		if line == 0 {
			line = r.line(it.Node().Raw)
		}
	}
	r.nested = r.nested || len(path) > maxWords
	return path, line
}

func (r *reader) keyValue(n *unstable.Node, prefix []string) {
	path, line := r.key(n, prefix)
	if n.Value().Kind != unstable.InlineTable {
		r.item(item{path, line, r.value(n.Value(), line)})
		return
	}
	r.item(item{path, line, value{kind: table, line: line}})
	if len(path) > maxWords {
		return // refused where it begins
	}
	for it := n.Value().Children(); it.Next(); {
		if it.Node().Kind == unstable.KeyValue {
			r.keyValue(it.Node(), path)
		}
	}
	r.closed[item{path: path}.full()] = line
}

var tomlKinds = map[unstable.Kind]kind{
	unstable.String: text, unstable.Integer: number, unstable.Array: list, unstable.InlineTable: table,
	unstable.Bool: boolean, unstable.Float: fraction,
	unstable.LocalDate: date, unstable.LocalTime: date, unstable.LocalDateTime: date, unstable.DateTime: date,
}

// value reads a value; line is where it stands if its node does not know.
func (r *reader) value(n *unstable.Node, line int) value {
	if n.Raw.Length > 0 {
		line = r.line(n.Raw)
	}
	v := value{kind: tomlKinds[n.Kind], line: line, text: string(n.Data)}
	if n.Kind != unstable.Array {
		return v
	}
	for it := n.Children(); it.Next(); {
		if it.Node().Kind != unstable.Comment {
			e := r.value(it.Node(), line)
			r.nested = r.nested || e.kind == list || e.kind == table
			v.elements = append(v.elements, e)
		}
	}
	return v
}

// item adds an item, or says that its path was there before, or that a table
// around it is closed: the second parser lets keys into an inline table later.
func (r *reader) item(it item) {
	name := it.full()
	if first, again := r.seen[name]; again {
		r.flaws = append(r.flaws, flaw{it.line, "duplicate", fmt.Sprintf("%s stands twice, first on line %d", name, first), "remove one of the two"})
		return
	}
	for n := 1; n <= min(len(it.path), maxWords+1); n++ {
		if first, ended := r.closed[it.name(n)]; ended {
			r.flaws = append(r.flaws, flaw{it.line, "duplicate", fmt.Sprintf("%s stands outside of %s, which is closed on line %d", name, it.name(n), first), fmt.Sprintf("move it between the braces of line %d", first)})
			return
		}
	}
	r.seen[name] = it.line
	r.items = append(r.items, it)
}

// printable replaces what a terminal would act on.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if acts(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}
