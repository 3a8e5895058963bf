package machine

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MaxRecord is the bound in bytes on a file that brings one event, without its
// prompt.
const MaxRecord = 64 << 10

// DecodeWalkEvent reads an event as walks and people write it: a JSON object
// with its type and payload. What is optional may be left out. An unknown type
// or member is refused, and so is an event with an at of its own, because the
// store has the time (contract: payload rules). Whether the payload is right is
// for [Apply] to say.
func DecodeWalkEvent(data []byte) (Event, error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, oneLine(err)
	}
	if _, ok := members["at"]; ok {
		return nil, errors.New("an event does not bring its own at, the store has the time")
	}
	kind, err := kindOf(data)
	if err != nil {
		return nil, err
	}
	e, err := kinds[kind].event.decode(data, strict)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, oneLine(err))
	}
	// An empty list says that nothing was found, and only a list says it.
	if _, ok := e.(interface{ review() }); ok && members["findings"].Kind() != '[' {
		return nil, fmt.Errorf("%s: findings is missing", kind)
	}
	return e, nil
}

func (Review) review() {}

// DecodeRecord is [DecodeWalkEvent] for a file that somebody hands over, of at
// most [MaxRecord] bytes beside its prompt.
func DecodeRecord(data []byte) (Event, error) {
	var large struct {
		Prompt jsontext.Value `json:"renderedPrompt"`
	}
	if err := json.Unmarshal(data, &large); err != nil {
		return nil, oneLine(err)
	}
	if n := len(data) - len(large.Prompt); n > MaxRecord {
		return nil, fmt.Errorf("the event has %d bytes, at most %d are taken", n, MaxRecord)
	}
	return DecodeWalkEvent(data)
}
