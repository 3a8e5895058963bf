package plan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// taskWords is a line read as its author meant it: a task heading, whatever its
// form. The parts are cut from the original text.
type taskWords struct {
	lead   string // what stands before the word, such as "**" or "[x] "
	id     string // with look-alike digits replaced
	marker string // "(optional)" between id and separator
	sep    string // what stands between id and title, without blanks
	title  string // without emphasis that wraps the heading
}

// hugeNumber stands for every number that no plan can reach.
const hugeNumber = 1 << 30

// number returns the task number, or 0 where the id is not a plain one.
func (t taskWords) number() int {
	if t.id == "" || t.id[0] == '0' {
		return 0
	}
	n := 0
	for _, c := range []byte(t.id) {
		if c < '0' || c > '9' {
			return 0
		}
		n = min(n*10+int(c-'0'), hugeNumber)
	}
	return n
}

// canonical returns the heading in the only accepted form.
func (t taskWords) canonical() string { return "## Task " + t.id + ": " + t.fullTitle() }

// fullTitle returns the title with the marker that stood before the colon.
func (t taskWords) fullTitle() string {
	if t.marker == "" {
		return t.title
	}
	return strings.TrimSpace(t.title + " " + t.marker)
}

var (
	taskLead  = pattern(`^(?:[^\pL\pN\[]|\[[ xX]\]|\[)*`)
	taskWord  = pattern(`^(?i:task)([\s#_(\[№*-]*)`)
	idPlain   = pattern(`^\d[\pL\pN]*(?:[._/-]\d[\pL\pN]*|[._/-]\pL\b)*`)
	idLetters = pattern(`^(?i:[a-z]{1,3}[._-]?\d[\pL\pN.]*|[a-z]|[ivx]+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b`)
	colonNext = pattern("^[\\s*_`)\\]]*(?:[(\\[][^)\\]]*[)\\]]\\s*)?:")
	idMarker  = pattern("^([(\\[][^()\\[\\]]*[)\\]])[\\s*_`]*[:-]")
	separator = pattern(`^[\s)\]]*(?:[:|.,>]|-+)?`)
)

// readTaskWords reads the text of a heading, without its hashes. A word that is
// followed by something that is not an id, as in "Task Breakdown", makes no
// task (contract: plan grammar).
func readTaskWords(text string) (taskWords, bool) {
	if !mayNameTask(text) {
		return taskWords{}, false
	}
	if t, ok := readPlainWords(text); ok {
		return t, true
	}
	return readMeantWords(text)
}

// mayNameTask is a quick test that spares most headings the folding: in ASCII,
// only the word itself is taken for it.
func mayNameTask(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf || text[i]|0x20 == 't' && len(text) >= i+4 && strings.EqualFold(text[i:i+4], "task") {
			return true
		}
	}
	return false
}

// readPlainWords reads the usual form "Task 1: Title", as readMeantWords would.
func readPlainWords(text string) (taskWords, bool) {
	rest, ok := strings.CutPrefix(text, "Task ")
	if !ok {
		return taskWords{}, false
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	id, title := rest[:digits], rest[digits:]
	if id == "" || len(title) < 3 || title[:2] != ": " || title[2] <= ' ' || title[2] > '~' {
		return taskWords{}, false
	}
	return taskWords{id: id, sep: ":", title: strings.TrimFunc(title[1:], isSpace)}, true
}

// readMeantWords reads a heading in whatever form.
func readMeantWords(text string) (taskWords, bool) {
	f := fold(text)
	lead := len(taskLead().FindString(f.text))
	word := taskWord().FindStringSubmatch(f.text[lead:])
	if word == nil {
		return taskWords{}, false
	}
	at := lead + len(word[0])
	id := readID(f.text[at:], word[1] == "")
	if id == "" {
		return taskWords{}, false
	}
	t := taskWords{lead: f.cut(0, lead), id: id}
	t.readRest(f, at+len(id))
	return t, true
}

// readID returns the id at the front of s, or "". Letters are an id only where
// a colon follows, for "Task v2 migration" is no heading of a task; glued says
// that the id follows the word "Task" without a blank.
func readID(s string, glued bool) string {
	if id := idPlain().FindString(s); id != "" {
		return id
	}
	if id := idLetters().FindString(s); id != "" && !glued {
		if rest := s[len(id):]; colonNext().MatchString(rest) || (strings.ContainsAny(id, "0123456789") && strings.TrimSpace(rest) == "") {
			return id
		}
	}
	return ""
}

// readRest reads what follows the id: marker, separator and title.
func (t *taskWords) readRest(f folded, at int) {
	skip := func(cutset string) {
		at += len(f.text[at:]) - len(strings.TrimLeft(f.text[at:], cutset))
	}
	start := at
	emphasis := strings.TrimLeft(t.lead[len(strings.TrimRight(t.lead, "*_`")):], " ")
	if emphasis != "" {
		skip("*_`")
	}
	skip(" \t")
	sepFrom := at
	if m := idMarker().FindStringSubmatch(f.text[at:]); m != nil {
		t.marker = f.cut(at, at+len(m[1]))
		at += len(m[1])
		sepFrom = at
		if emphasis != "" {
			skip("*_`")
		}
	}
	at += len(separator().FindString(f.text[at:]))
	t.sep = strings.TrimFunc(f.cut(sepFrom, at), isSpace)
	if sepFrom == at && at == start {
		t.sep = ""
	}
	t.title = unwrap(strings.TrimFunc(f.cut(at, len(f.text)), isSpace), emphasis)
}

// unwrap takes the emphasis that wraps the whole heading, or its front, off
// the title.
func unwrap(title, emphasis string) string {
	if emphasis == "" {
		return title
	}
	if rest, ok := strings.CutSuffix(title, emphasis); ok && strings.Count(title, emphasis)%2 == 1 {
		return strings.TrimFunc(rest, isSpace)
	}
	if rest, ok := strings.CutPrefix(title, emphasis); ok && strings.Count(title, emphasis)%2 == 1 {
		return strings.TrimFunc(rest, isSpace)
	}
	return title
}

// decoration returns what stands before the word and is more than emphasis and
// blanks, such as a checkbox.
func (t taskWords) decoration() string {
	return strings.TrimFunc(t.lead, func(r rune) bool { return isSpace(r) || strings.ContainsRune("*_`", r) || foldRune(r) < 0 })
}

// constraintsWords says how a heading relates to the section of constraints.
type constraintsWords uint8

const (
	notConstraints constraintsWords = iota
	meantConstraints
)

// readConstraintsWords reads the text of a heading of the given level, without
// its hashes. At levels that end a section a longer heading is meant too, for
// its text would otherwise reach nobody; below, only the two words alone are.
func readConstraintsWords(text string, level int) constraintsWords {
	words := strings.FieldsFunc(strings.ToLower(fold(text).text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	switch {
	case len(words) < 2 || words[0] != "global" || (words[1] != "constraints" && words[1] != "constraint"):
		return notConstraints
	case len(words) > 2 && level > 2:
		return notConstraints
	}
	return meantConstraints
}

var stepTitle = pattern("^[*_` ]*(?i:step)[\\s*_`]*\\d+[\\s*_`]*([:.)-]|—|–|$)")

// startsCheckbox reports whether the text of a paragraph or list item begins
// with a box to tick.
func startsCheckbox(text string) bool {
	text = strings.TrimLeft(text, " \t")
	r, _ := utf8.DecodeRuneInString(text)
	return (r == '[' && isCheckbox(text)) || r == '\u2610' || r == '\u2611' || r == '\u2612'
}

// isCheckbox reports whether text begins with "[ ]" or "[x]" and a blank, or is
// that alone.
func isCheckbox(text string) bool {
	return len(text) >= 3 && strings.IndexByte(" xX", text[1]) >= 0 && text[2] == ']' && (len(text) == 3 || strings.IndexByte(" \t\n\f\r", text[3]) >= 0)
}

// isStepTitle reports whether the text is the title of a numbered step, such as
// "**Step 1: write the test**".
func isStepTitle(text string) bool {
	if len(text) < 5 || strings.IndexByte("*_`Ss ", text[0]) < 0 {
		return false
	}
	word := strings.TrimLeft(text, "*_` ")
	return word != "" && (word[0]|0x20 == 's' || word[0] >= utf8.RuneSelf) && stepTitle().MatchString(text)
}
