package cli

import (
	"fmt"
	"io"

	"github.com/git-sdd/git-sdd/internal/fault"
)

// An errorAnswer is git-sdd/error/1 (interfaces: errors and exit codes).
type errorAnswer struct {
	Schema string    `json:"schema"`
	Error  errorBody `json:"error"`
}

type errorBody struct {
	Kind     string       `json:"kind"`
	Exit     int          `json:"exit"`
	Message  string       `json:"message"`
	Repair   string       `json:"repair"`
	Code     *string      `json:"code"`
	Location *string      `json:"location"`
	Phase    *string      `json:"phase"`
	Defects  []defectBody `json:"defects,omitzero"`
}

type defectBody struct {
	Code     *string `json:"code"`
	Location *string `json:"location"`
	Message  string  `json:"message"`
	Repair   *string `json:"repair"`
}

// errorDocument is a fault as programs read it.
func errorDocument(f *fault.Error) errorAnswer {
	row := f.Kind().Row()
	body := errorBody{
		Kind: row.Name, Exit: row.Exit, Message: f.Message(), Repair: f.Repair(),
		Code: optional(f.Code()), Location: optional(f.Location()), Phase: optional(f.Phase()),
	}
	for _, d := range f.Defects() {
		body.Defects = append(body.Defects, defectBody{
			Code: optional(d.Code), Location: optional(d.Location), Message: d.Message, Repair: optional(d.Repair),
		})
	}
	return errorAnswer{Schema: "git-sdd/error/1", Error: body}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// printFault is a fault as people read it: every fact on a line of its own,
// then what repairs it.
func printFault(w io.Writer, f *fault.Error) {
	facts := f.Defects()
	if len(facts) == 0 {
		facts = []fault.Defect{{Location: f.Location(), Message: f.Message(), Repair: f.Repair()}}
	}
	for _, d := range facts {
		fmt.Fprintf(w, "%s: %s\n", program, safe(placed(d.Location, d.Message)))
	}
	for _, repair := range repairsOf(f.Repair(), facts) {
		fmt.Fprintf(w, "%s: repair: %s\n", program, safe(repair))
	}
}

// maxEdits is how many edits stand beside one command that does them all. More
// would only hide it.
const maxEdits = 3

// repairsOf lists the repairs of several defects: each once, with its place
// where it is that of one defect alone. A repair of the whole that is none of
// theirs comes last.
func repairsOf(whole string, defects []fault.Defect) []string {
	times, repairs := map[string]int{}, []string{}
	for _, d := range defects {
		times[d.Repair]++
	}
	for _, d := range defects {
		switch n := times[d.Repair]; {
		case d.Repair == "" || n == 0:
			continue
		case n == 1:
			repairs = append(repairs, placed(d.Location, d.Repair))
		default:
			repairs = append(repairs, d.Repair)
		}
		times[d.Repair] = 0
	}
	switch _, own := times[whole]; {
	case len(repairs) == 0 || len(repairs) == 1 && own:
		return []string{whole}
	case own:
		return repairs
	case len(repairs) > maxEdits:
		return []string{whole}
	}
	if len(repairs) == 1 {
		return append(repairs, "or: "+whole)
	}
	return append(repairs, "or all at once: "+whole)
}

// placed leads a text with its location, where there is one.
func placed(location, text string) string {
	if location == "" {
		return text
	}
	return location + ": " + text
}
