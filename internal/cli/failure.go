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
	facts, repairs := f.Defects(), []string{}
	if len(facts) == 0 {
		facts = []fault.Defect{{Location: f.Location(), Message: f.Message(), Repair: f.Repair()}}
	}
	same := true
	for _, d := range facts {
		fmt.Fprintf(w, "%s: %s\n", program, safe(placed(d.Location, d.Message)))
		same = same && (d.Repair == "" || d.Repair == f.Repair())
	}
	if same {
		repairs = append(repairs, f.Repair())
	} else {
		repairs = repairsOf(facts)
	}
	for _, repair := range repairs {
		fmt.Fprintf(w, "%s: repair: %s\n", program, safe(repair))
	}
}

// repairsOf lists the repairs of several defects, each with its place and none
// twice.
func repairsOf(defects []fault.Defect) []string {
	seen, repairs := map[string]bool{}, []string{}
	for _, d := range defects {
		text := placed(d.Location, d.Repair)
		if d.Repair == "" || seen[text] {
			continue
		}
		seen[text] = true
		repairs = append(repairs, text)
	}
	return repairs
}

// placed leads a text with its location, where there is one.
func placed(location, text string) string {
	if location == "" {
		return text
	}
	return location + ": " + text
}
