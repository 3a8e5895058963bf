package report

import "strings"

// A document is a report cut into its sections.
type document struct {
	defects
	sections [numLabels]*section
	fenced   [numLabels]int // the line where a label stands in a code fence, and is not read
}

// A reader cuts a report into sections, line by line.
type reader struct {
	*document
	kind  audience
	open  *section // what indented lines and items belong to
	fence *fence
	blank bool // the line before was blank
}

// readDocument cuts a report into sections. It returns false where the bytes
// could not be read as lines at all.
func readDocument(data []byte, kind audience) (*document, bool) {
	doc := &document{}
	lines := sourceLines(data, &doc.defects)
	if lines == nil {
		return doc, false
	}
	r := reader{document: doc, kind: kind}
	for i, text := range lines {
		if text == "" {
			r.blank = true
			continue
		}
		r.line(i+1, text)
		r.blank = false
	}
	if r.fence != nil {
		r.add(r.fence.line, "fence-open", "close the fence", "the code fence opened here is never closed, and hides the rest of the report")
	}
	return doc, true
}

// line reads one line that is not blank.
func (r *reader) line(n int, text string) {
	body := strings.TrimLeft(text, " \t")
	indented := len(body) < len(text)
	l, rest, isLabel := exactLabel(text)
	switch {
	case r.fence != nil:
		r.inFence(n, body, indented)
	case r.opensFence(n, text, body, indented):
	case isLabel:
		r.begin(l, n, rest)
	case indented:
		r.indented(n, body)
	default:
		r.margin(n, text)
	}
}

// opensFence begins a code fence if the line opens one. Within an item the
// fence is text of the item.
func (r *reader) opensFence(n int, text, body string, indented bool) bool {
	entry, isItem := cutItem(text)
	if isItem {
		body = entry
	}
	f, ok := openFence(body)
	if !ok {
		return false
	}
	f.line = n
	switch {
	case isItem && r.open.takesItems():
		r.entry(n, entry)
		f.inItem = r.open.takesText()
	case indented && r.open.takesText():
		r.open.extend(part{n, body, true})
		f.inItem = true
	case !indented:
		r.prose(n, text)
	}
	r.fence = &f
	return true
}

// inFence reads a line within a code fence.
func (r *reader) inFence(n int, body string, indented bool) {
	f := r.fence
	if f.inItem && !indented {
		r.add(n, "fence-outdent", "indent every line of the fence", "an unindented line stands in the code fence that line %d opened within an item", f.line)
		f.inItem = false
	}
	if f.inItem {
		r.open.extend(part{n, body, true})
	}
	if l, _, ok := exactLabel(body); ok && r.fenced[l] == 0 {
		r.fenced[l] = n
	}
	if f.closedBy(body) {
		r.fence = nil
	}
}

// indented reads a line that begins with a blank.
func (r *reader) indented(n int, body string) {
	if r.open.takesText() {
		if l, rest, ok := exactLabel(body); ok {
			r.decorated(l, n, rest)
			return
		}
		r.open.extend(part{n, body, false})
		return
	}
	if l, rest, ok := nearLabel(" " + body); ok {
		r.decorated(l, n, rest)
		return
	}
	switch {
	case r.open.takesItems() && !r.open.none:
		r.add(n, "item-indent", `begin each item with "- " at the start of the line`, "an indented line stands under %s before its first item", r.open.label)
	case r.open != nil && !r.blank:
		r.add(n, "token-continued", "put further text into a section that takes it", "%s ends on its own line, and an indented line continues it", r.open.label)
	default:
		r.free(n, body)
	}
}

// margin reads a line that begins at the left margin and is no exact label.
func (r *reader) margin(n int, text string) {
	if entry, ok := cutItem(text); ok && r.open.takesItems() {
		r.entry(n, entry)
		return
	}
	if l, rest, ok := nearLabel(text); ok {
		r.decorated(l, n, rest)
		return
	}
	if word, ok := unknownLabel(text); ok {
		r.add(n, "label-unknown", "use the labels of the prompt; indent text that only looks like one", "%s: is not a label of any report", word)
		r.open = nil
		return
	}
	r.prose(n, text)
}

// entry reads an item of the open list.
func (r *reader) entry(n int, entry string) {
	l, rest, isLabel := exactLabel(entry)
	switch {
	case isLabel:
		r.decorated(l, n, rest)
	case r.open.none:
		r.add(n, "list-none", "write the items or the word none, not both", "%s is none and has an item", r.open.label)
	case entry == "":
		r.add(n, "item-empty", "write the item behind its hyphen, or delete the line", "an item of %s is empty", r.open.label)
	default:
		r.open.items = append(r.open.items, item{[]part{{n, entry, strings.HasPrefix(entry, "```") || strings.HasPrefix(entry, "~~~")}}})
	}
}

// prose reads unindented text. Below an item it looks like the item's
// continuation, so only after a blank line does it end the section.
func (r *reader) prose(n int, text string) {
	if r.open.broken() {
		if r.open.takesItems() && foreignBullet(text) {
			r.add(n, "item-marker", `begin each item with "- "`, "%s begins with another mark than an item", quote(text))
			return
		}
		if !r.blank {
			r.add(n, "line-stray", "indent the line to continue the text above, or set it apart by a blank line", "unindented text stands directly below %s", r.open.label)
			return
		}
	}
	r.open = nil
	r.free(n, text)
}

// free reads a line outside every section, which nothing is made of.
func (r *reader) free(n int, text string) {
	if opensRecord(text) {
		r.add(n, "record-stray", "move it under its label", "%s stands outside every section, where it is not read", quote(text))
	}
}

// begin opens a section.
func (r *reader) begin(l label, n int, rest string) {
	row := labels[l]
	s := &section{label: l, line: n, inline: rest}
	r.open = s
	if row.in&r.kind == 0 {
		r.add(n, "label-role", "delete the section", "%s does not belong in %s", l, audienceNames[r.kind])
		return
	}
	if first := r.sections[l]; first != nil {
		r.add(n, "label-repeated", "merge the two sections", "%s stands here and in line %d", l, first.line)
		return
	}
	r.sections[l] = s
	switch {
	case row.form == formText && rest != "":
		s.extend(part{n, rest, false})
	case s.takesItems() && rest == "none":
		s.none = true
	case s.takesItems() && rest != "":
		r.add(n, "label-inline", "write each item on a line of its own below the label"+noneRepair(row), "%s stands on the line of %s", quote(rest), l)
	}
}

// decorated reports a label in another form than the exact one, and reads on as
// if it were exact, so that one slip does not hide what else is wrong.
func (r *reader) decorated(l label, n int, rest string) {
	r.add(n, "label-form", "write "+labels[l].name+": at the start of the line, in capitals, a blank behind the colon, no decoration (a file of that name as ./"+labels[l].name+")",
		"the label %s is not in its exact form", l)
	r.begin(l, n, rest)
}

func noneRepair(row labelRow) string {
	if row.none {
		return "; where there is none, the word none behind it"
	}
	return ""
}

// cutItem reads the mark of an item.
func cutItem(text string) (string, bool) {
	rest, ok := strings.CutPrefix(text, "-")
	if !ok || !startsBlank(rest) {
		return "", false
	}
	return strings.TrimLeft(rest, " \t"), true
}

// foreignBullet reports whether a line begins as a list item of another style.
func foreignBullet(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	if len(rest) < len(text) {
		return rest != "" && (rest[0] == '.' || rest[0] == ')') && startsBlank(rest[1:])
	}
	for _, mark := range []string{"*", "+", "•", "–", "—"} {
		if after, ok := strings.CutPrefix(text, mark); ok && startsBlank(after) {
			return true
		}
	}
	return strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--")
}
