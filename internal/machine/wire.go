package machine

import (
	"errors"

	"github.com/go-json-experiment/json"
)

// typed is an event as it stands on the wire: its members, and which it is.
type typed[E Event] struct {
	Type  string `json:"type"`
	Event E      `json:",embed"`
}

// An eventForm knows the Go type of one kind's event.
type eventForm struct {
	encode func(name string, e Event, opts json.Options) ([]byte, error)
	decode func([]byte, json.Options) (Event, error)
	is     func(Event) bool
}

func eventOf[E Event]() eventForm {
	return eventForm{
		encode: func(name string, e Event, opts json.Options) ([]byte, error) {
			return json.Marshal(typed[E]{name, e.(E)}, opts)
		},
		decode: func(data []byte, opts json.Options) (Event, error) {
			var e typed[E]
			err := json.Unmarshal(data, &e, opts)
			return e.Event, err
		},
		is: func(e Event) bool { _, ok := e.(E); return ok },
	}
}

// A factsForm knows the Go type of the facts that go with one kind. Facts may
// always be absent.
type factsForm struct {
	decode func([]byte, json.Options) (Facts, error)
	is     func(Facts) bool
}

// noFacts is the form for kinds whose facts are always null.
var noFacts = factsForm{
	decode: func([]byte, json.Options) (Facts, error) { return nil, errors.New("this event takes no facts") },
	is:     func(Facts) bool { return false },
}

func factsOf[F Facts]() factsForm {
	return factsForm{
		decode: func(data []byte, opts json.Options) (Facts, error) {
			var f F
			err := json.Unmarshal(data, &f, opts)
			return f, err
		},
		is: func(f Facts) bool { _, ok := f.(F); return ok },
	}
}

// strict refuses members that the Go type does not have. Names that repeat,
// differ in case, or are not UTF-8 are refused in any case.
var strict = json.RejectUnknownMembers(true)

// kindOf reads which event a JSON object says it is.
func kindOf(data []byte) (Kind, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return noKind, oneLine(err)
	}
	if head.Type == "" {
		return noKind, errors.New("type is missing")
	}
	return ParseKind(head.Type)
}
