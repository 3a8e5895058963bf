package machine

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MaxState is the bound on state.json in bytes. It does not bind the events by
// which a run ends without success, so that a run can always end.
const MaxState = 1 << 20

// endingSlack is what such an event can add to a state of the full size: its
// reason of 256 code points, each 4 bytes or one that is escaped, and a phase.
const endingSlack = 4 << 10

// maxInteger is the largest integer that canonical JSON keeps: beyond it,
// numbers that differ are written alike (RFC 8785, section 3.2.2.3).
const maxInteger = 1<<53 - 1

// ErrNewer is the error for a document whose schema number is higher than what
// this program knows: it was written by a newer git-sdd.
var ErrNewer = errors.New("written by a newer git-sdd")

// canonical returns a value as canonical JSON (RFC 8785).
func canonical(v any, opts ...json.Options) ([]byte, error) {
	data, err := json.Marshal(v, opts...)
	if err != nil {
		return nil, err
	}
	value := jsontext.Value(data)
	err = value.Canonicalize()
	return value, err
}

// EncodeState returns state.json: canonical JSON, the same bytes for the same
// state.
func EncodeState(s State) []byte {
	data, err := canonical(&s.view)
	if err != nil {
		// Only New, Apply and DecodeState make states, and all their content
		// has a form that JSON can hold.
		panic(fmt.Sprintf("machine: a state that cannot be written: %v", err))
	}
	return data
}

// DecodeState reads state.json. It takes exactly what [EncodeState] writes: an
// unknown, missing or repeated member, bytes that are not canonical, and a
// state that no run could be in are errors. The error is [ErrNewer] for a
// schema of a later program.
func DecodeState(data []byte) (State, error) {
	if len(data) > MaxState+endingSlack {
		return State{}, fmt.Errorf("state: %d bytes, at most %d are allowed", len(data), MaxState)
	}
	var view View
	err := json.Unmarshal(data, &view, json.RejectUnknownMembers(true))
	if err := checkSchema(data, err, view.Schema, stateSchema); err != nil {
		return State{}, err
	}
	if err := view.check(); err != nil {
		return State{}, fmt.Errorf("state: %w", err)
	}
	if len(data) > MaxState && !view.Phase.Terminal() {
		return State{}, fmt.Errorf("state: %d bytes, at most %d are allowed", len(data), MaxState)
	}
	return State{view}, sameBytes("state", data, func() ([]byte, error) { return canonical(&view) })
}

// checkSchema returns the error of a strict decoding. A document of a later
// schema may have members that this program cannot know, so its number is
// looked at before the error is believed.
func checkSchema(data []byte, err error, got, want string) error {
	if err == nil && got == want {
		return nil
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if e := json.Unmarshal(data, &head); e != nil {
		return oneLine(e)
	}
	name, mine, _ := cutSchema(want)
	if other, theirs, ok := cutSchema(head.Schema); ok && other == name && theirs > mine {
		return fmt.Errorf("schema %q: %w", head.Schema, ErrNewer)
	}
	if head.Schema != want {
		return fmt.Errorf("schema %q is not %s", clip(head.Schema), want)
	}
	return oneLine(err)
}

// cutSchema splits "git-sdd/state/1" into its name and number.
func cutSchema(schema string) (name string, number int, ok bool) {
	i := strings.LastIndexByte(schema, '/')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(schema[i+1:])
	return schema[:i], n, err == nil && n > 0 && strconv.Itoa(n) == schema[i+1:]
}

// sameBytes refuses a document that would be written otherwise: a member left
// out, members in another order, blanks, other escapes.
func sameBytes(name string, data []byte, encode func() ([]byte, error)) error {
	again, err := encode()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if bytes.Equal(data, again) {
		return nil
	}
	at := 0
	for at < len(data) && at < len(again) && data[at] == again[at] {
		at++
	}
	return fmt.Errorf("%s: not the canonical form, from byte %d on", name, at)
}
