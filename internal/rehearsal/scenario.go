// Package rehearsal is a scripted agent: what a child of each role answers in a
// rehearsed run, and the report that it writes.
//
// It knows a run as any child does, from its prompt and the files that the prompt
// names, and obeys the contracts that stand there. What it answers is said by a
// scenario; what a scenario does not say goes well.
package rehearsal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// MaxScenario bounds a scenario, in bytes.
const MaxScenario = 64 << 10

// human is who rules, where a scenario says how.
const human = "human"

// answerContext is the human's word for an answer to an implementer's questions.
const answerContext = "answer"

// everyTask is the task of a line that holds once for each of them.
const everyTask = 0

// A line is one answer of a scenario: it is given once, to the first that asks,
// or once for each task.
type line struct {
	who    string // a role, or human
	task   int
	answer string
	words  string // severity or kind, where the answer has one
	text   string
	used   map[int]bool // by task
}

// A Scenario is what the children and the human of a rehearsed run answer. It is
// used up as they do.
type Scenario struct{ lines []line }

// builtin are the scenarios that have a name.
var builtin = map[string]string{
	"clean": "",
	"fix-loop": `task-reviewer * finding Important the case that the brief names last is not handled
final * finding Important two tasks handle the same case in unlike ways
`,
	"blocked": "implementer 1 blocked the brief asks for what an earlier rule forbids\n",
}

// Names are the scenarios that need no file.
func Names() []string { return []string{"clean", "fix-loop", "blocked"} }

// Builtin returns a scenario by its name, and false where it has none.
func Builtin(name string) (*Scenario, bool) {
	text, ok := builtin[name]
	if !ok {
		return nil, false
	}
	s, err := Parse(text)
	if err != nil {
		panic(err) // a test reads them all
	}
	return s, true
}

// An answerForm is what may stand behind an answer.
type answerForm struct {
	works  bool     // a worker's, else a reviewer's
	choice []string // the word that comes first
	text   bool     // and a text, which is needed
}

var answers = map[string]answerForm{
	"done":     {works: true},
	"concerns": {works: true, choice: []string{"observational", "correctness", "scope"}, text: true},
	"context":  {works: true, text: true},
	"blocked":  {works: true, text: true},
	"approve":  {},
	"finding":  {choice: []string{"Critical", "Important", "Minor"}, text: true},
	"still":    {},
}

// A LineError is what is wrong with a scenario, and where.
type LineError struct {
	Line    int
	Message string
}

// Error returns the fact with its line.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Parse reads a scenario: one answer a line, "WHO TASK ANSWER [TEXT]". Empty lines
// and those that begin with # say nothing. The error is a [*LineError].
func Parse(text string) (*Scenario, error) {
	s := &Scenario{}
	n := 0
	for raw := range strings.SplitSeq(text, "\n") {
		n++
		raw = strings.TrimSpace(raw)
		if raw == "" || raw[0] == '#' {
			continue
		}
		l, err := parseLine(raw)
		if err != nil {
			return nil, &LineError{n, err.Error()}
		}
		s.lines = append(s.lines, l)
	}
	return s, nil
}

func parseLine(raw string) (line, error) {
	words := strings.Fields(raw)
	if len(words) < 3 {
		return line{}, fmt.Errorf("%q is not WHO TASK ANSWER [TEXT]", raw)
	}
	l := line{who: words[0], answer: words[2], used: map[int]bool{}}
	if words[1] != "*" {
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 || strconv.Itoa(n) != words[1] {
			return l, fmt.Errorf("%q is no number of a task; write one, or * for each", words[1])
		}
		l.task = n
	}
	rest := words[3:]
	if l.who == human {
		l.text = strings.Join(rest, " ")
		if l.text == "" {
			return l, fmt.Errorf("human %s needs a reason behind it", l.answer)
		}
		return l, nil
	}
	return l, l.complete(rest)
}

// complete reads what stands behind a child's answer.
func (l *line) complete(rest []string) error {
	role, err := tier.ParseRole(l.who)
	if err != nil {
		return fmt.Errorf("%q is neither human nor a role: %w", l.who, err)
	}
	form, known := answers[l.answer]
	if !known || form.works != role.Works() {
		return fmt.Errorf("%q is no answer of the %s", l.answer, role)
	}
	if form.choice != nil {
		if len(rest) == 0 || !slices.Contains(form.choice, rest[0]) {
			return fmt.Errorf("behind %s stands one of %s", l.answer, strings.Join(form.choice, ", "))
		}
		l.words, rest = rest[0], rest[1:]
	}
	l.text = strings.Join(rest, " ")
	switch {
	case form.text && l.text == "":
		return fmt.Errorf("%s needs a text behind it", l.answer)
	case !form.text && l.text != "":
		return fmt.Errorf("%s takes no text, %q was given", l.answer, l.text)
	}
	return nil
}

// take returns the first answer that is left for somebody about a task.
func (s *Scenario) take(who string, task int) (line, bool) {
	for i := range s.lines {
		l := &s.lines[i]
		if l.who == who && (l.task == everyTask || l.task == task) && !l.used[task] {
			l.used[task] = true
			return *l, true
		}
	}
	return line{}, false
}

// Unused are the lines for one task that nobody came to give, as they were
// written: a scenario that says more than happened.
func (s *Scenario) Unused() []string {
	var left []string
	for _, l := range s.lines {
		if l.task != everyTask && !l.used[l.task] {
			left = append(left, strings.Join(strings.Fields(fmt.Sprintf("%s %d %s %s %s", l.who, l.task, l.answer, l.words, l.text)), " "))
		}
	}
	return left
}

// Rule returns the human's next ruling about a task, and false where the scenario
// has none left.
func (s *Scenario) Rule(task int) (decision, reason string, ok bool) {
	l, ok := s.take(human, task)
	return l.answer, l.text, ok
}

// IsAnswer reports whether a ruling is an answer to an implementer's questions.
func IsAnswer(decision string) bool { return decision == answerContext }
