package machine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// oneLine returns an error of the JSON package as a user can read it: the fact
// in one line, the place in the document, and no word of Go's types.
func oneLine(err error) error {
	if err == nil {
		return nil
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return syntaxError(syntax)
	}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		return semanticError(semantic)
	}
	return err
}

func syntaxError(e *jsontext.SyntacticError) error {
	if errors.Is(e.Err, jsontext.ErrDuplicateName) {
		return fmt.Errorf("%s stands twice", member(e.JSONPointer))
	}
	reason := strings.TrimPrefix(strings.ReplaceAll(e.Err.Error(), "\n", " "), "jsontext: ")
	return fmt.Errorf("not JSON at byte %d: %s", e.ByteOffset, reason)
}

func semanticError(e *json.SemanticError) error {
	switch {
	case errors.Is(e.Err, json.ErrUnknownName):
		return fmt.Errorf("%s is not a member here", member(e.JSONPointer))
	case e.Err == nil, e.JSONValue != nil:
		return fmt.Errorf("%s is a JSON %s, which does not fit there", member(e.JSONPointer), kindName(e.JSONKind))
	}
	return fmt.Errorf("%s: %w", member(e.JSONPointer), oneLine(e.Err))
}

// member names a place in a document: its path without the leading slash.
func member(p jsontext.Pointer) string {
	if p == "" {
		return "the document"
	}
	return fmt.Sprintf("%q", clip(strings.TrimPrefix(string(p), "/")))
}

// kindName names a kind of JSON value; a number that does not fit is one that
// is no integer or too large.
func kindName(k jsontext.Kind) string {
	switch k {
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return k.String()
}
