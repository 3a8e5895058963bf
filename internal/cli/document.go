package cli

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	v1 "github.com/go-json-experiment/json/v1"
)

// document writes the one JSON document that a command answers with: one line,
// angle brackets as they are, an empty list and never null for a list, and text
// that is no UTF-8 repaired instead of refused, since it is only shown.
func (con *console) document(v any) error {
	err := json.MarshalWrite(con.out, v,
		jsontext.AllowInvalidUTF8(true), v1.OmitEmptyWithLegacySemantics(true))
	if err != nil {
		return err
	}
	return con.out.WriteByte('\n')
}

// answer says a document to a program, or lets human say it to a person.
func (con *console) answer(v any, human func()) error {
	if con.json {
		return con.document(v)
	}
	human()
	return nil
}
