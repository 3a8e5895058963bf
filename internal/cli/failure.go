package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

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
	if f.Phase() != "" { // the phase that the refusal stands for
		fmt.Fprintf(w, "%s: no run was recorded: %s\n", program, f.Phase())
	}
	for _, repair := range repairsOf(f.Repair(), facts) {
		fmt.Fprintf(w, "%s: repair: %s\n", program, safe(repair))
	}
}

// maxEdits is how many edits stand beside one command that does them all. More
// would only hide it.
const maxEdits = 3

// repairsOf lists the repairs of several defects, and last the repair of the
// whole where it is none of theirs. An edit that begins with the whole says it
// already, and more.
func repairsOf(whole string, defects []fault.Defect) []string {
	edits := editsOf(defects)
	known := slices.ContainsFunc(edits, func(d fault.Defect) bool { return strings.HasPrefix(d.Repair, whole) })
	switch {
	case len(edits) == 0, !known && len(edits) > maxEdits:
		return []string{whole}
	case known && len(edits) == 1:
		return []string{edits[0].Repair}
	}
	var lines []string
	for _, d := range edits {
		lines = append(lines, placed(d.Location, d.Repair))
	}
	switch {
	case known:
		return lines
	case len(edits) == 1:
		return append(lines, "or: "+whole)
	}
	return append(lines, "or all at once: "+whole)
}

// editsOf lists each repair once, without a place where it is that of several
// defects.
func editsOf(defects []fault.Defect) []fault.Defect {
	var edits []fault.Defect
	known := map[string]int{}
	for _, d := range defects {
		switch i, again := known[d.Repair]; {
		case again:
			edits[i].Location = ""
		case d.Repair != "":
			known[d.Repair] = len(edits)
			edits = append(edits, d)
		}
	}
	return edits
}

// placed leads a text with its location, where there is one.
func placed(location, text string) string {
	if location == "" {
		return text
	}
	return location + ": " + text
}
