package report

import "strings"

// A field is one line of a record's grammar.
type field struct {
	name   string
	token  bool     // one word, whose continuation would be an error
	tokens []string // the words there are; none where the shape is checked elsewhere
}

// The records (contract: reports that children write). The first field of each
// is the one that opens an item in the contract; any order is read.
var (
	concernFields = []field{
		{name: "kind", token: true, tokens: []string{"observational", "correctness", "scope"}},
		{name: "note"},
	}
	missingFields = []field{{name: "what"}, {name: "why"}}
	verdictFields = []field{
		{name: "id", token: true},
		{name: "verdict", token: true, tokens: []string{"RESOLVED", "STILL_PRESENT", "REGRESSION", "NEEDS_CONTEXT"}},
		{name: "location", token: true},
		{name: "evidence"},
	}
	findingFields = []field{
		{name: "id", token: true},
		{name: "severity", token: true, tokens: []string{"Critical", "Important", "Minor"}},
		{name: "loadBearing", token: true, tokens: []string{"yes", "no"}},
		{name: "location", token: true},
		{name: "evidence"},
		{name: "impact"},
		{name: "correction"},
	}
	reconciliationFields = []field{
		{name: "id", token: true},
		{name: "recordedDisposition", token: true, tokens: []string{"fixed", "parked", "out-of-scope", "cannot-verify"}},
		{name: "stillPresent", token: true, tokens: []string{"yes", "no"}},
		{name: "note"},
	}
)

// exactField reads "name: value" of one of the fields.
func exactField(fields []field, text string) (i int, value string, ok bool) {
	for i, f := range fields {
		if after, found := strings.CutPrefix(text, f.name+":"); found && startsBlank(after) {
			return i, strings.TrimLeft(after, " \t"), true
		}
	}
	return -1, "", false
}

// nearField finds a field in another case or decoration, such as "**Impact:**"
// or "- impact:".
func nearField(fields []field, text string) (i int, value string, ok bool) {
	bare := strings.TrimLeft(text, leftDecoration)
	for i, f := range fields {
		if len(bare) < len(f.name) || !strings.EqualFold(bare[:len(f.name)], f.name) {
			continue
		}
		after := strings.TrimLeft(bare[len(f.name):], rightDecoration)
		if value, found := strings.CutPrefix(after, ":"); found {
			return i, strings.Trim(value, rightDecoration), true
		}
	}
	return -1, "", false
}

// opensRecord reports whether a line outside every section begins as a record
// does. It is never ignored: it is a finding or concern about to be lost.
func opensRecord(text string) bool {
	bare := strings.TrimLeft(text, leftDecoration)
	for _, row := range labels {
		if row.form != formRecords {
			continue
		}
		if _, _, ok := exactField(row.fields[:1], bare); ok {
			return true
		}
	}
	return false
}

// names lists fields for a message.
func names(fields []field) string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.name
	}
	return strings.Join(list, ", ")
}
