package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// checkHeadings judges the form of every line that was meant as a task heading.
func (r *reading) checkHeadings() {
	for _, t := range r.tasks {
		plain := t.words.number() > 0
		switch {
		case t.paragraph:
			r.refuse(t.line, "heading-lookalike", r.rewrite(t), "CommonMark reads no heading in %q: %s", brief(r.src.line(t.line)), r.paragraphFault(t))
		case t.level != 2:
			r.refuse(t.line, "heading-depth", "git sdd plan convert PLAN; or "+r.rewrite(t),
				"%s stands at level %d (%s), tasks stand at level 2 (##)", t.name(), t.level, strings.Repeat("#", t.level))
		}
		switch {
		case !plain:
			r.refuse(t.line, "heading-id", numberRepair, "task id %q is not a number from 1 without leading zero", brief(t.words.id))
		case !visible(t.words.fullTitle()):
			r.refuse(t.line, "title-missing", fmt.Sprintf(`write the line as "## Task %s: <title>"`, t.words.id), "%s has no title", t.name())
		case !t.exact && !t.paragraph && t.level == 2:
			r.refuse(t.line, "heading-not-canonical", r.rewrite(t), "the heading of %s is not in the exact form: %s", t.name(), strings.Join(r.headingFaults(t), ", "))
		case t.exact:
			r.checkTitle(t)
		}
	}
}

func (r *reading) checkTitle(t taskRead) {
	if bad, found := forbidden(t.words.title); found {
		r.refuse(t.line, "control-character", "remove "+codePoint(bad)+" from the line",
			"the title of %s holds %s, which no title may hold", t.name(), codePoint(bad))
	}
	if n := utf8.RuneCountInString(t.words.title); n > MaxTitle {
		r.refuse(t.line, "title-too-long", "shorten it, and move the rest into the body of the task",
			"the title of %s has %d code points, %d are allowed", t.name(), n, MaxTitle)
	}
}

// rewrite returns the edit that gives the heading the exact form.
func (r *reading) rewrite(t taskRead) string {
	if t.words.number() == 0 {
		return "write it as \"## Task <number>: <title>\""
	}
	return fmt.Sprintf("write it as %q", t.words.canonical())
}

// paragraphFault says why CommonMark reads a paragraph.
func (r *reading) paragraphFault(t taskRead) string {
	raw := r.src.line(t.line)
	hashes := strings.TrimLeft(raw, " \t")
	rest := strings.TrimLeft(hashes, "#")
	next, _ := utf8.DecodeRuneInString(rest)
	switch n := len(hashes) - len(rest); {
	case n == 0:
		next, _ = utf8.DecodeRuneInString(hashes)
		return codePoint(next) + " stands before the hashes or in place of one"
	case n > 6:
		return fmt.Sprintf("it has %d hashes, 6 is the most", n)
	case next == ' ' || next == '\t':
		return "it is indented, and goes on with the paragraph above"
	case isSpace(next) || foldRune(next) < 0:
		return codePoint(next) + " follows the hashes in place of a blank (U+0020)"
	}
	return "no blank follows the hashes"
}

// headingFaults lists where a level 2 heading departs from the exact form. It
// is never empty for one that does: no suggestion may look like its line.
func (r *reading) headingFaults(t taskRead) []string {
	raw := r.src.line(t.line)
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if t.setext {
		add("it is underlined, and has to begin with ##")
	}
	if n := indent(raw); n > 0 {
		add("it is indented by %s", plural(n, "blank"))
	}
	if d := t.words.decoration(); d != "" {
		add("%q stands before the word Task", d)
	}
	list = append(list, strange(headPart(raw, t.words))...)
	if trailing := trailingBlanks(raw); trailing != "" {
		add("%s", trailing)
	}
	if closing := closingHashes(raw); closing != "" && !t.setext {
		add("closing hashes (%s)", closing)
	}
	if len(list) == 0 || t.words.marker != "" {
		list = append(list, formFaults(raw, t.words)...)
	}
	return list
}

// headPart returns the line without its title: in a title look-alikes are the
// author's own.
func headPart(raw string, w taskWords) string {
	if at := strings.LastIndex(raw, w.title); at > 0 && w.title != "" {
		return raw[:at]
	}
	return raw
}

// formFaults compares what stands before the title with the exact form.
func formFaults(raw string, w taskWords) []string {
	var list []string
	head := headPart(raw, w)
	word := strings.Index(strings.ToLower(head), "task")
	if word >= 0 && head[word:word+4] != "Task" {
		list = append(list, fmt.Sprintf("%q has to be \"Task\"", head[word:word+4]))
	}
	if w.marker != "" {
		list = append(list, fmt.Sprintf("%q belongs into the title", w.marker))
	}
	switch {
	case w.sep == "":
		list = append(list, "a colon is missing after the number")
	case w.sep != ":":
		list = append(list, fmt.Sprintf("%q has to be \":\"", w.sep))
	}
	if len(list) == 0 {
		list = append(list, headFault(head, "## Task "+w.id+": "))
	}
	return list
}

// headFault says where head first departs from the exact one.
func headFault(head, exact string) string {
	at := 0
	for at < len(head) && at < len(exact) && head[at] == exact[at] {
		at++
	}
	start := len(strings.TrimRight(head[:at], " \t"))
	run := head[start:]
	run = run[:len(run)-len(strings.TrimLeft(run, " \t"))]
	switch {
	case run == "" && at < len(exact) && exact[at] == ' ':
		return fmt.Sprintf("no blank follows %q", head[:at])
	case run != "" && run != " ":
		return fmt.Sprintf("%s (%s) where one (U+0020) has to follow %q", plural(len(run), "blank"), points([]rune(run)), head[:start])
	}
	return fmt.Sprintf("it begins %q, not %q", head, exact)
}

// closingHashes returns the closing sequence of an ATX heading, or "".
func closingHashes(raw string) string {
	trimmed := strings.TrimRight(raw, " \t")
	rest := strings.TrimRight(trimmed, "#")
	if rest == trimmed || !strings.HasSuffix(rest, " ") && !strings.HasSuffix(rest, "\t") {
		return ""
	}
	return trimmed[len(rest):]
}

// constraintsFault says how the heading of a section departs from the exact one.
func (r *reading) constraintsFault(s section) string {
	raw := r.src.line(s.line)
	var list []string
	switch {
	case s.paragraph:
		list = append(list, "CommonMark reads a paragraph")
	case s.setext:
		list = append(list, "it is underlined")
	case s.level != 2:
		list = append(list, fmt.Sprintf("it stands at level %d, not at level 2", s.level))
	}
	list = append(list, strange(raw)...)
	if trailing := trailingBlanks(raw); trailing != "" {
		list = append(list, trailing)
	}
	if closing := closingHashes(raw); closing != "" && !s.setext {
		list = append(list, fmt.Sprintf("closing hashes (%s)", closing))
	}
	switch {
	case len(list) > 0:
	case strings.Join(strings.Fields(raw), " ") == exactConstraints:
		list = append(list, headFault(raw, exactConstraints))
	default:
		list = append(list, "letter case, punctuation and further words count")
	}
	return strings.Join(list, ", ")
}
