package machine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// eventSchema names the form of a stored event.
const eventSchema = "git-sdd/event/1"

// A Document is what event.json holds of one transition: the event, who
// recorded it and when, and the facts on which it was decided (contract: stored
// documents).
type Document struct {
	Revision int
	At       Instant
	By       By
	Event    Event
	Facts    Facts // nil where there are none
}

// By is who recorded an event, and by what way.
type By struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	Via   string `json:"via"` // terminal, program or run
}

var ways = tokens{"terminal", "program", "run"}

// storedDocument is a document as it stands in event.json.
type storedDocument struct {
	Schema   string         `json:"schema"`
	Revision int            `json:"revision"`
	At       Instant        `json:"at"`
	By       By             `json:"by"`
	Event    jsontext.Value `json:"event"`
	Facts    jsontext.Value `json:"facts"`
}

// A StoredText is bytes that a document only refers to, with their place in the
// tree of the same commit.
type StoredText struct {
	Path string
	Data []byte
}

// Texts returns what must be stored beside the document of an event, in the
// order prompt, bootstrap: nothing but for a dispatch intent.
func Texts(e Event) ([]StoredText, error) {
	carrier, ok := e.(interface{ intent() Intent })
	if !ok {
		return nil, nil
	}
	in := carrier.intent()
	stem, err := stemOf(in.DispatchKey)
	if err != nil {
		return nil, err
	}
	texts := []StoredText{{stem + promptSuffix, []byte(in.RenderedPrompt)}}
	if in.Bootstrap != "" {
		texts = append(texts, StoredText{stem + bootstrapSuffix, []byte(in.Bootstrap)})
	}
	return texts, nil
}

func (in Intent) intent() Intent { return in }

// PromptPathOf returns where a dispatch intent put its prompt; ok is false for
// every other event.
func PromptPathOf(e Event) (path string, ok bool) {
	carrier, ok := e.(interface{ intent() Intent })
	if !ok {
		return "", false
	}
	return carrier.intent().PromptPath, true
}

// stemOf returns what the artifacts of a dispatch begin with, read from its key.
func stemOf(key string) (string, error) {
	parts := strings.Split(key, ":")
	if len(parts) < 4 || len(parts) > 5 {
		return "", fmt.Errorf("dispatchKey %q is not a composed one", clip(key))
	}
	role, err := tier.ParseRole(parts[2])
	if err != nil {
		return "", err
	}
	task, attempt, round := numbered(parts[1], "task-"), numbered(parts[3], "attempt-"), 0
	if len(parts) == 5 {
		round = numbered(parts[4], "round-")
	}
	if DispatchKey(parts[0], task, role, attempt, round) != key {
		return "", fmt.Errorf("dispatchKey %q is not a composed one", clip(key))
	}
	return ArtifactStem(task, role, attempt, round), nil
}

// numbered returns the number after a prefix, 0 where there is none.
func numbered(s, prefix string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(s, prefix))
	return n
}

// EncodeEvent returns event.json: canonical JSON in which no member is left
// out. What [Texts] returns is referred to and must be stored beside it.
func EncodeEvent(d Document) ([]byte, error) {
	if d.Event == nil || !kinds[d.Event.Kind()].event.is(d.Event) {
		return nil, errors.New("event: not one of the machine's events")
	}
	row := kinds[d.Event.Kind()]
	if d.Facts != nil && !row.facts.is(d.Facts) {
		return nil, fmt.Errorf("event: %s does not go with %T", row.name, d.Facts)
	}
	if err := first(d.check(), checkFacts(d.Facts)); err != nil {
		return nil, fmt.Errorf("event: %w", err)
	}
	texts, err := Texts(d.Event)
	if err != nil {
		return nil, fmt.Errorf("event: %w", err)
	}
	event, err := row.event.encode(row.name, d.Event, json.WithMarshalers(json.MarshalToFunc(refer(texts))))
	if err != nil {
		return nil, oneLine(err)
	}
	facts, err := json.Marshal(d.Facts)
	if err != nil {
		return nil, oneLine(err)
	}
	data, err := canonical(storedDocument{eventSchema, d.Revision, d.At, d.By, event, facts})
	return data, oneLine(err)
}

// refer writes a blob as the reference to where its bytes are stored. The
// prompt is the first text of an event, the bootstrap the second.
func refer(texts []StoredText) func(*jsontext.Encoder, Blob) error {
	return func(enc *jsontext.Encoder, b Blob) error {
		if b == "" {
			return enc.WriteToken(jsontext.Null)
		}
		text := texts[0]
		if enc.StackPointer().LastToken() == "bootstrap" {
			text = texts[1]
		}
		return json.MarshalEncode(enc, refTo(text.Path, string(b)))
	}
}

func (d *Document) check() error {
	_, at := ParseInstant(string(d.At))
	return first(
		checkRange("revision", d.Revision, 0, maxInteger), at,
		checkByline("name", d.By.Name), checkByline("email", d.By.Email), ways.check("via", d.By.Via),
	)
}

// checkByline holds a part of an identity against its form. It is git's string
// and not one that somebody typed for the record, so it may be empty, and only
// what breaks a line is refused.
func checkByline(name, s string) error {
	if n := utf8.RuneCountInString(s); n > MaxText {
		return fmt.Errorf("%s has %d code points, at most %d are recorded", name, n, MaxText)
	}
	return ifPresent(checkLine, name, Opt(s))
}

// DecodeEvent reads event.json as [EncodeEvent] writes it, with the same
// strictness as [DecodeState]. Bytes that the document refers to are asked for
// by read, and held against the size and the SHA-256 that it states. A nil read
// leaves them out, for who only wants to look: the event is then not one to
// apply.
func DecodeEvent(data []byte, read func(BlobRef) ([]byte, error)) (Document, error) {
	var stored storedDocument
	err := json.Unmarshal(data, &stored, strict)
	if err := checkSchema(data, err, stored.Schema, eventSchema); err != nil {
		return Document{}, err
	}
	kind, err := kindOf(stored.Event)
	if err != nil {
		return Document{}, fmt.Errorf("event: %w", err)
	}
	refs := blobReader{read: read}
	d := Document{Revision: stored.Revision, At: stored.At, By: stored.By}
	d.Event, err = kinds[kind].event.decode(stored.Event, json.JoinOptions(strict, json.WithUnmarshalers(json.UnmarshalFromFunc(refs.decode))))
	if err != nil {
		return Document{}, fmt.Errorf("event: %w", oneLine(err))
	}
	if string(stored.Facts) != "null" {
		if d.Facts, err = kinds[kind].facts.decode(stored.Facts, strict); err != nil {
			return Document{}, fmt.Errorf("facts: %w", oneLine(err))
		}
	}
	if read == nil {
		return d, d.check()
	}
	return d, sameBytes("event", data, func() ([]byte, error) { return EncodeEvent(d) })
}

// A blobReader turns references back into the bytes they stand for.
type blobReader struct {
	read func(BlobRef) ([]byte, error)
}

func (r blobReader) decode(dec *jsontext.Decoder, b *Blob) error {
	var ref *BlobRef
	if err := json.UnmarshalDecode(dec, &ref, strict); err != nil || ref == nil || r.read == nil {
		return err
	}
	data, err := r.read(*ref)
	if err != nil {
		return err
	}
	if refTo(ref.Path, string(data)) != *ref {
		return fmt.Errorf("%q holds other bytes than the event refers to", clip(ref.Path))
	}
	*b = Blob(data)
	return nil
}
