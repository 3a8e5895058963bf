package report

import "strings"

// A section is a label and what stands under it.
type section struct {
	label  label
	line   int    // of the label
	inline string // what follows the label on its line
	none   bool   // the list is the word none
	lost   bool   // a defect of form hid items, so that their absence means nothing
	loose  bool   // the label was not in its exact form; an exact one takes its place
	items  []item // a text section has one
}

// An item is one entry of a list.
type item struct{ parts []part }

// line returns the line on which the item begins.
func (it item) line() int { return it.parts[0].line }

// text joins the item's lines.
func (it item) text() string { return joinParts(it.parts) }

// A part is one line of an item, without its indentation.
type part struct {
	line   int
	text   string
	fenced bool // stands in a code fence, where nothing is a token
}

func joinParts(parts []part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
	}
	return collapse(strings.Join(texts, "\n"))
}

// takesItems reports whether "- " lines below the label are its items.
func (s *section) takesItems() bool {
	return s != nil && (labels[s.label].form == formList || labels[s.label].form == formRecords)
}

// takesText reports whether an indented line continues what stands here.
func (s *section) takesText() bool {
	if s == nil || s.none {
		return false
	}
	return labels[s.label].form == formText || s.takesItems() && len(s.items) > 0
}

// extend appends a line to the last item.
func (s *section) extend(p part) {
	if len(s.items) == 0 {
		s.items = []item{{}}
	}
	last := &s.items[len(s.items)-1]
	last.parts = append(last.parts, p)
}

// broken reports whether unindented text below would be torn from what stands
// here, and not merely come after it.
func (s *section) broken() bool {
	return s != nil && !s.none && (s.takesItems() || labels[s.label].form == formText)
}
