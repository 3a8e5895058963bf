package plan

import "strings"

// reading labels stand before files that a task looks at and leaves alone.
var readingLabels = map[string]bool{"read": true, "reads": true, "see": true, "reference": true, "references": true, "context": true}

// Files returns the paths that the brief of a task names as its own, in their
// order: what stands behind or below a line "Files:", as people write it in
// plans. A path may be a folder with a final slash, or a glob; lines of a file
// are left off. What is only to be read is not among them. The list is empty
// where the brief has no such line: then nobody said where the task works.
func Files(brief []byte) []string {
	f := fileList{seen: map[string]bool{}}
	fence := ""
	for line := range strings.SplitSeq(string(brief), "\n") {
		text := strings.TrimSpace(line)
		if mark := fenceMark(text); mark != "" && (fence == "" || strings.HasPrefix(text, fence) && strings.Trim(text, fence[:1]) == "") {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			f.open = false
			continue
		}
		if fence == "" {
			f.line(text)
		}
	}
	return f.paths
}

// fenceMark returns the run of backticks or tildes that begins a line, if it is
// long enough for a fence.
func fenceMark(text string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 {
			return text[:n]
		}
	}
	return ""
}

// A fileList collects paths while the lines of a brief go by.
type fileList struct {
	paths []string
	seen  map[string]bool
	open  bool // the lines are below "Files:"
	begun bool // and the list has begun
}

func (f *fileList) line(text string) {
	plain := strings.TrimSpace(strings.ReplaceAll(text, "*", ""))
	label, rest, found := strings.Cut(plain, ":")
	if found && strings.EqualFold(strings.TrimLeft(label, "#-+ "), "files") {
		f.open, f.begun = true, strings.TrimSpace(rest) != ""
		f.item(rest)
		return
	}
	item, isItem := cutItem(text)
	switch {
	case !f.open:
	case text == "":
		f.open = !f.begun // a blank line before the list, not within it
	case isItem:
		f.begun = true
		f.labelled(item)
	default:
		f.open = false
	}
}

// cutItem cuts the mark of a list and a checkbox.
func cutItem(text string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			rest = strings.TrimSpace(rest)
			for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
				rest = strings.TrimPrefix(rest, box)
			}
			return rest, true
		}
	}
	return "", false
}

// labelled reads an item such as "Create: `a.go`". A label is words without a
// backtick, a slash or a dot before the first colon.
func (f *fileList) labelled(item string) {
	label, rest, found := strings.Cut(item, ":")
	if !found || strings.ContainsAny(label, "`/.") {
		f.item(item)
		return
	}
	if words := strings.Fields(strings.ToLower(strings.Trim(label, "* "))); len(words) > 0 && readingLabels[words[0]] {
		return
	}
	f.item(rest)
}

// item takes the paths of one item: every code span before a remark in
// parentheses, or where there is none the words parted by commas.
func (f *fileList) item(text string) {
	spans := codeSpans(text)
	if spans == nil {
		text, _, _ = strings.Cut(text, " (")
		text, _, _ = strings.Cut(text, " — ")
		spans = strings.Split(text, ",")
	}
	for _, s := range spans {
		if s = pathIn(s); s != "" && !f.seen[s] {
			f.seen[s] = true
			f.paths = append(f.paths, s)
		}
	}
}

// codeSpans returns what stands between backticks outside of parentheses.
func codeSpans(text string) []string {
	var spans []string
	depth, within := 0, false
	from := 0
	for i, c := range text {
		switch {
		case c == '`' && within:
			if depth == 0 {
				spans = append(spans, text[from:i])
			}
			within = false
		case c == '`':
			within, from = true, i+1
		case within:
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		}
	}
	return spans
}

// pathIn cleans one path: no lines behind it, no "./" before it, and nothing
// that could not be a path of the repository.
func pathIn(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.LastIndexByte(s, ':'); i > 0 && strings.Trim(s[i+1:], "0123456789-, L") == "" {
		s = s[:i]
	}
	s, _, _ = strings.Cut(s, "#L")
	s = strings.TrimPrefix(s, "./")
	if s == "" || strings.HasPrefix(s, "/") || strings.ContainsAny(s, " \t\\:\"'<>|") || strings.EqualFold(s, "none") {
		return ""
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(s, "/"), "/") {
		if part == "" || part == "." || part == ".." {
			return ""
		}
	}
	return s
}
