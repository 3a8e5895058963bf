package report

import (
	"slices"
	"strings"
)

// A value is what a field or a label holds, with the line of each part.
type value struct {
	line  int
	parts []part
}

// text returns the value on one line, as the child wrote it.
func (v value) text() string { return joinParts(v.parts) }

// A record is an item of fields. A field that is missing or wrong was reported
// and holds no parts; whole is then false.
type record struct {
	line   int
	whole  bool
	fields []field
	values []value
}

// get returns a field by its name.
func (r record) get(name string) value {
	return r.values[slices.IndexFunc(r.fields, func(f field) bool { return f.name == name })]
}

// word returns the text of a field that is one word, or "".
func (r record) word(name string) string { return r.get(name).text() }

// records reads the items of a section of records. Every item comes back, also
// one with defects, so that what is missing is not reported as absent.
func (doc *document) records(l label) []record {
	s := doc.sections[l]
	if s == nil {
		return nil
	}
	list := make([]record, 0, len(s.items))
	for _, it := range s.items {
		list = append(list, doc.record(l, it))
	}
	return list
}

// record reads one item and reports everything that is wrong with its form.
func (doc *document) record(l label, it item) record {
	fields := labels[l].fields
	rec := record{line: it.line(), fields: fields, values: make([]value, len(fields))}
	before := len(doc.defects)
	current := -1
	for n, p := range it.parts {
		i, ok := doc.fieldPart(&rec, current, p)
		switch {
		case ok:
			current = i
		case n == 0:
			doc.add(p.line, "item-form", `begin the item with "`+fields[0].name+`: "`, "an item of %s begins with %s, which is no field", l, quote(p.text))
			return rec
		}
	}
	for i, f := range fields {
		doc.checkField(l, f, rec.values[i], rec.line)
	}
	rec.whole = len(doc.defects) == before
	return rec
}

// fieldPart puts one line of an item into its record: it opens a field or
// continues the current one. It returns the field that the line opened.
func (doc *document) fieldPart(rec *record, current int, p part) (int, bool) {
	i, text, ok := -1, "", false
	if !p.fenced {
		if i, text, ok = exactField(rec.fields, p.text); !ok {
			if i, text, ok = nearField(rec.fields, p.text); ok {
				doc.add(p.line, "field-form", "write "+rec.fields[i].name+": exactly so, without decoration", "the field %s is not in its exact form", rec.fields[i].name)
			}
		}
	}
	switch {
	case ok && rec.values[i].line != 0:
		doc.add(p.line, "field-repeated", `begin the next item with "- " at the start of the line`, "%s stands here and in line %d of one item", rec.fields[i].name, rec.values[i].line)
	case ok:
		rec.values[i] = value{p.line, []part{{p.line, text, false}}}
	case current >= 0 && rec.fields[current].token:
		doc.add(p.line, "field-unknown", "write one of the fields "+names(rec.fields), "%s is no field, and %s ends on its own line", quote(p.text), rec.fields[current].name)
	case current >= 0:
		v := &rec.values[current]
		v.parts = append(v.parts, p)
	}
	return i, ok
}

// checkField reports a field that is absent, empty, or not one of its words.
func (doc *document) checkField(l label, f field, v value, itemLine int) {
	switch text := v.text(); {
	case v.line == 0:
		doc.add(itemLine, "field-missing", "add "+f.name+": to the item", "an item of %s has no %s", l, f.name)
	case text == "":
		doc.add(v.line, "field-empty", "say it behind "+f.name+":", "%s is empty", f.name)
	case f.tokens != nil && !slices.Contains(f.tokens, text):
		doc.add(v.line, "token", "write one of "+strings.Join(f.tokens, ", "), "%s is %s", f.name, quote(text))
	}
}

// recorded returns a text in the form in which it is recorded, or reports at its
// line what may not be recorded.
func (doc *document) recorded(name string, v value) string {
	if len(v.parts) == 0 || !doc.printable(v.parts) || v.text() == "" {
		return ""
	}
	text, err := OneLine(v.text())
	if err != nil {
		doc.add(v.line, "text", "reword the text", "%s cannot be recorded: %v", name, err)
	}
	return text
}

// printable reports control characters and line separators, each at its line.
func (doc *document) printable(parts []part) bool {
	ok := true
	for _, p := range parts {
		if r, bad := forbidden(strings.ReplaceAll(p.text, "\t", " ")); bad {
			doc.add(p.line, "control-character", "remove the character", "the line holds %U, which may not be recorded", r)
			ok = false
		}
	}
	return ok
}
