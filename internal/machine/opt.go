package machine

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// Opt is a string that may be absent: "" in Go, null on the wire. No recorded
// string may be empty, so the two never mean different things, and an explicit
// empty string on the wire is refused.
type Opt string

// Blob is bytes that events carry and documents only refer to: the rendered
// prompt and the bootstrap. In a walk it is the text itself; in a stored
// document it is a [BlobRef], read back on replay. It is "" where there is none.
type Blob string

var errEmptyOpt = errors.New(`an empty string where null or no member stands for "none"`)

// MarshalJSONTo writes the string, or null where it is absent.
func (o Opt) MarshalJSONTo(enc *jsontext.Encoder) error {
	if o == "" {
		return enc.WriteToken(jsontext.Null)
	}
	return enc.WriteToken(jsontext.String(string(o)))
}

// UnmarshalJSONFrom reads a string or null.
func (o *Opt) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	s, err := optional(dec)
	*o = Opt(s)
	return err
}

// UnmarshalJSONFrom reads a text or null. It serves walks; stored documents
// bring a reader of their own that follows references.
func (b *Blob) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	s, err := textOrNull(dec)
	*b = Blob(s)
	return err
}

func optional(dec *jsontext.Decoder) (string, error) {
	null := dec.PeekKind() == 'n'
	s, err := textOrNull(dec)
	if err == nil && s == "" && !null {
		return "", errEmptyOpt
	}
	return s, err
}

func textOrNull(dec *jsontext.Decoder) (string, error) {
	token, err := dec.ReadToken()
	if err != nil {
		return "", err
	}
	switch token.Kind() {
	case 'n':
		return "", nil
	case '"':
		return token.String(), nil
	}
	return "", errors.New("neither a string nor null")
}
