package cli

import (
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/plan"
)

// A convertAnswer is git-sdd/convert/1.
type convertAnswer struct {
	Schema     string          `json:"schema"`
	Path       *string         `json:"path"` // the file that holds the result; null for none
	SHA256     string          `json:"sha256"`
	Plan       *string         `json:"plan"` // the result; null with --check, and where a file holds it
	Tasks      []planTask      `json:"tasks"`
	Changes    []planChange    `json:"changes"`
	Loss       []planLoss      `json:"loss"`
	Renumbered []planNewNumber `json:"renumbered"`
	Diff       *string         `json:"diff"` // null without --diff
}

type planChange struct {
	Line int    `json:"line"`
	What string `json:"what"`
}

type planLoss struct {
	Line    int    `json:"line"`
	EndLine int    `json:"endLine"`
	Why     string `json:"why"`
	Text    string `json:"text"`
}

type planNewNumber struct {
	Line     int    `json:"line"`
	Old      string `json:"old"`
	New      int    `json:"new"`
	Mentions []int  `json:"mentions"` // lines that still name the old one
}

func (con *console) answerConversion(o convertOptions, data []byte, conv *plan.Conversion) error {
	diff := ""
	if o.diff {
		diff = plan.Diff(unixEnds(data), conv.Output, safe(o.path), safe(o.path)+"\tconverted")
	}
	if con.json {
		return con.document(convertAnswerOf(o, diff, conv))
	}
	con.sayConversion(o, conv)
	switch {
	case o.diff:
		con.bytes([]byte(diff))
	case !o.check && o.out == "":
		con.bytes(conv.Output)
	}
	return nil
}

// unixEnds leaves the ends of lines out of a diff: all of them would differ.
func unixEnds(text []byte) []byte { return []byte(strings.ReplaceAll(string(text), "\r\n", "\n")) }

func convertAnswerOf(o convertOptions, diff string, conv *plan.Conversion) convertAnswer {
	p, _ := plan.Parse(conv.Output)
	checked := planAnswerOf(o.path, plan.Digest(conv.Output), p)
	a := convertAnswer{Schema: "git-sdd/convert/1", Path: optional(o.out), SHA256: checked.SHA256, Tasks: checked.Tasks}
	if !o.check && o.out == "" {
		text := string(conv.Output)
		a.Plan = &text
	}
	if o.diff {
		a.Diff = &diff
	}
	for _, c := range conv.Changes {
		a.Changes = append(a.Changes, planChange(c))
	}
	for _, l := range conv.Loss {
		a.Loss = append(a.Loss, planLoss{l.Line, l.EndLine, l.Why, l.Text})
	}
	for _, r := range conv.Renumbered {
		a.Renumbered = append(a.Renumbered, planNewNumber(r))
	}
	return a
}

// note writes to standard error: what is to be known beside a result that is
// read by another program or goes into a file.
func (con *console) note(format string, args ...any) { fmt.Fprintf(con.errOut, format, args...) }

// sayConversion reports what a conversion took: the changes, the numbers that
// are new, and every line that reaches no brief.
func (con *console) sayConversion(o convertOptions, conv *plan.Conversion) {
	switch n := len(conv.Changes); {
	case n == 0:
		con.note("nothing to change: %s is in the strict grammar\n", safe(o.path))
	case o.check:
		con.note("%s:\n", counted(n, "change"))
		for _, c := range conv.Changes {
			con.note("  %s\n", safe(at(o.path, c.Line)+": "+c.What))
		}
	default:
		con.note("%s (--check lists them, --diff shows them)\n", counted(n, "change"))
	}
	for _, r := range conv.Renumbered {
		con.note("renumbered: %s: task %s is task %d now%s\n", safe(at(o.path, r.Line)), safe(r.Old), r.New, stillNamed(r))
	}
	con.sayLoss(conv.Loss)
	if o.out != "" {
		con.note("next: %s\n", pasteable([]string{"git", "sdd", "start", o.out}))
	}
}

func stillNamed(r plan.Renumbered) string {
	if len(r.Mentions) == 0 {
		return ""
	}
	lines := make([]string, len(r.Mentions))
	for i, n := range r.Mentions {
		lines[i] = itoa(n)
	}
	if len(lines) == 1 {
		return fmt.Sprintf("; line %s still says %q", lines[0], "Task "+safe(r.Old))
	}
	return fmt.Sprintf("; lines %s still say %q", strings.Join(lines, ", "), "Task "+safe(r.Old))
}

// sayLoss lists every line that reaches no brief, with its number in the plan.
func (con *console) sayLoss(loss []plan.Lost) {
	if len(loss) == 0 {
		con.note("every line of the plan reaches a brief\n")
	}
	for _, l := range loss {
		con.note("reaches no brief: %s, %s\n", l.Span, safe(l.Why))
		number := l.Line
		for line := range strings.SplitSeq(l.Text, "\n") {
			if strings.TrimSpace(line) != "" {
				con.note("%6d  %s\n", number, safe(line))
			}
			number++
		}
	}
}
