package machine

import (
	"fmt"

	"github.com/go-json-experiment/json"
)

// DecodeHeader reads what event.json says beside the event itself: revision,
// time and author. It reads no other artifact, so that a log of a long run does
// not cost its prompts; [DecodeEvent] is the check.
func DecodeHeader(data []byte) (Document, error) {
	var stored storedDocument
	err := json.Unmarshal(data, &stored, json.RejectUnknownMembers(true))
	if err := checkSchema(data, err, stored.Schema, eventSchema); err != nil {
		return Document{}, err
	}
	d := Document{Revision: stored.Revision, At: stored.At, By: stored.By}
	if err := d.check(); err != nil {
		return Document{}, fmt.Errorf("event: %w", err)
	}
	return d, nil
}
