package report

import (
	"slices"
	"strings"
)

// has reports whether the section is there, be it none.
func (doc *document) has(l label) bool { return doc.sections[l] != nil }

// hidden reports whether items of a list may have gone unread.
func (doc *document) hidden(l label) bool {
	s := doc.sections[l]
	return s == nil || s.lost
}

// lineOf returns the line of a label, or 1 where the label is missing.
func (doc *document) lineOf(l label) int {
	if s := doc.sections[l]; s != nil {
		return s.line
	}
	return 1
}

// need reports a label that has to be there and is not.
func (doc *document) need(l label, line int, why string) {
	if doc.has(l) {
		return
	}
	if n := doc.fenced[l]; n != 0 {
		doc.add(line, "label-missing", "take the sections out of the code fence", "%s is missing%s; line %d has it in a code fence, where it is not read", l, why, n)
		return
	}
	doc.add(line, "label-missing", "add "+l.String()+":", "%s is missing%s", l, why)
}

// token returns the word on a label's line, or "" with a defect where it is none
// of the label's words.
func (doc *document) token(l label) string {
	s, tokens := doc.sections[l], labels[l].tokens
	switch {
	case s == nil:
		return ""
	case slices.Contains(tokens, s.inline):
		return s.inline
	}
	doc.add(s.line, "token", "write exactly one of "+strings.Join(tokens, ", "), "%s is %s", l, quote(s.inline))
	return ""
}

// checkLists reports every list that holds nothing and does not say so.
func (doc *document) checkLists() {
	for l := noLabel + 1; l < numLabels; l++ {
		s, row := doc.sections[l], labels[l]
		if !s.takesItems() || len(s.items) > 0 || s.lost {
			continue
		}
		switch {
		case s.none && !row.none:
			doc.add(s.line, "list-none", "list at least one item, or delete the section", "%s cannot be none", l)
		case !s.none && row.none:
			doc.add(s.line, "list-empty", "write "+row.name+": none, or the items", "%s is empty, as if the report broke off here", l)
		case !s.none:
			doc.add(s.line, "list-empty", "list at least one item, or delete the section", "%s is empty", l)
		}
	}
}

// texts returns the items of a list, each joined to one line in full, and
// reports those that are not built as the list wants them.
func (doc *document) texts(l label) []string {
	s := doc.sections[l]
	if s == nil {
		return nil
	}
	var list []string
	for _, it := range s.items {
		text := it.text()
		if pair := labels[l].pair; pair != "" && !isPair(text) {
			doc.add(it.line(), "item-form", "write "+pair, "an item of %s is %s", l, quote(text))
		}
		doc.printable(it.parts)
		list = append(list, text)
	}
	return list
}

// isPair reports whether a text without outer blanks is "left: right" with
// something on both sides.
func isPair(text string) bool { return strings.Index(text, ": ") > 0 }

// checkPrompt compares a PROMPT line with the prompt that was handed out.
func (doc *document) checkPrompt(want string) {
	s := doc.sections[labelPrompt]
	switch {
	case s == nil:
	case !isHex(s.inline, 64):
		doc.add(s.line, "token", "write the SHA-256 of the prompt, 64 lowercase hexadecimal digits, or delete the line", "PROMPT is %s", quote(s.inline))
	case want != "" && s.inline != want:
		doc.add(s.line, "prompt-mismatch", "answer the prompt with the hash "+want, "the report answers the prompt %s, another was handed out", s.inline)
	}
}

// isHex reports whether s is exactly n lowercase hexadecimal digits.
func isHex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}
