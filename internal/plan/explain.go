package plan

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// An Explanation says what a code means.
type Explanation struct {
	Code    string
	Meaning string // why it matters and what to do, in a few sentences
	Example string // a plan that is refused, or warned of, with the code; empty where it would be too long; print it with [Visible]
	Instead string // the same plan without the fault
}

//go:embed explain.txt
var explanationsText string

// explanations are in the order of the table: refusals, conversion, warnings.
var explanations = sync.OnceValue(func() []explanation { return parseExplanations(explanationsText) })

// Codes returns the code of every defect, in the order of the table of refusals.
func Codes() []string { return codesOf(false) }

// WarningCodes returns the code of every warning.
func WarningCodes() []string { return codesOf(true) }

func codesOf(warning bool) []string {
	var list []string
	for _, e := range explanations() {
		if e.warning == warning {
			list = append(list, e.Code)
		}
	}
	return list
}

// Explain returns what a code of a defect or a warning means.
func Explain(code string) (Explanation, error) {
	for _, e := range explanations() {
		if e.Code == code {
			return e.Explanation, nil
		}
	}
	return Explanation{}, fmt.Errorf("%q is not a code; the codes are %s", code, strings.Join(append(Codes(), WarningCodes()...), ", "))
}

type explanation struct {
	Explanation
	warning bool
}

// parseExplanations reads the table: a line "= code" or "? code" for a warning,
// the meaning, then "- refused" and "- instead" with the lines of the examples,
// in which <SP>, <NBSP>, <NUL> and the like stand for characters that do not show.
func parseExplanations(table string) []explanation {
	var list []explanation
	var into *string
	for _, line := range strings.SplitAfter(table, "\n") {
		name := strings.TrimSpace(strings.TrimLeft(line, "=?"))
		switch {
		case strings.HasPrefix(line, "= "), strings.HasPrefix(line, "? "):
			list = append(list, explanation{Explanation{Code: name}, line[0] == '?'})
			into = &list[len(list)-1].Meaning
		case line == "- refused\n":
			into = &list[len(list)-1].Example
		case line == "- instead\n":
			into = &list[len(list)-1].Instead
		case into != nil:
			*into += line
		}
	}
	for i := range list {
		e := &list[i]
		e.Meaning = strings.TrimSpace(e.Meaning)
		e.Example, e.Instead = example(e.Example), example(e.Instead)
	}
	return list
}

// example takes the indentation of two blanks off, and puts in what the table
// writes with visible signs.
func example(text string) string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(strings.Trim(text, "\n"), "\n") {
		b.WriteString(strings.TrimPrefix(line, "  "))
	}
	return strings.NewReplacer("<NUL>", "\x00", "<CR>", "\r", "<NBSP>", "\u00a0", "<RLO>", "\u202e", "<E9>", "\xe9", "<SP>", " ").Replace(b.String())
}
