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
	case r.open.takesItems() && r.open.lost:
	case r.open.takesItems() && !r.open.none:
		r.open.lost = true
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
	if l, rest, ok := exactLabel(entry); ok {
		r.decorated(l, n, rest) // a file of that name is written ./CHANGES
		return
	}
	if r.open.none {
		r.open.none = false
		r.add(r.open.line, "list-none", "write the items or the word none, not both", "%s is none and has an item in line %d", r.open.label, n)
	}
	switch entry {
	case "":
		r.open.lost = true
		r.add(n, "item-empty", "write the item behind its hyphen, or delete the line", "an item of %s is empty", r.open.label)
	default:
		_, fenced := openFence(entry)
		r.open.items = append(r.open.items, item{[]part{{n, entry, fenced}}})
	}
}

// prose reads unindented text. Below an item it looks like the item's
// continuation, so only after a blank line does it end the section.
func (r *reader) prose(n int, text string) {
	if r.open.broken() {
		if entry, ok := cutForeignItem(text); ok && r.open.takesItems() {
			r.add(n, "item-marker", `begin each item with "- "`, "%s begins with another mark than an item", quote(text))
			r.entry(n, entry)
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
	if first := r.sections[l]; first != nil && !first.loose {
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
		s.lost = true
		r.add(n, "label-inline", "write each item on a line of its own below the label"+noneRepair(row), "%s stands on the line of %s", quote(rest), l)
	}
}

// decorated reports a label in another form than the exact one. Where it can
// only be meant as that label it is read as if it were exact, so that one slip
// does not hide what else is wrong; otherwise what stands below is skipped.
func (r *reader) decorated(l label, n int, rest string) {
	row := labels[l]
	r.add(n, "label-form", "write "+row.name+": at the start of the line, in capitals, a blank behind the colon, no decoration",
		"the label %s is not in its exact form", l)
	s := &section{label: l, line: n}
	if row.in&r.kind == 0 || r.sections[l] != nil || s.takesItems() && rest != "" && rest != "none" {
		r.open = s
		return
	}
	r.begin(l, n, rest)
	r.open.loose = true
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

// cutForeignItem reads the mark of a list item in another style.
func cutForeignItem(text string) (string, bool) {
	for _, mark := range []string{"*", "+", "•", "–", "—"} {
		if rest, ok := strings.CutPrefix(text, mark); ok && startsBlank(rest) {
			return strings.TrimLeft(rest, " \t"), true
		}
	}
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		return rest, !strings.HasPrefix(rest, "-")
	}
	rest := strings.TrimLeft(text, "0123456789")
	if len(rest) == len(text) || rest == "" || rest[0] != '.' && rest[0] != ')' || !startsBlank(rest[1:]) {
		return "", false
	}
	return strings.TrimLeft(rest[1:], " \t"), true
}
