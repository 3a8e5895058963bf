package machine

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzDecodeState: what is read is written back byte for byte, and the machine
// works on it.
func FuzzDecodeState(f *testing.F) {
	for _, line := range storedLines(f, "state") {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = tidied(data)
		s, err := DecodeState(data)
		if err != nil {
			oneLineOnly(t, err)
			return
		}
		if again := EncodeState(s); !bytes.Equal(again, data) {
			t.Fatalf("read\n%s\nwritten\n%s", data, again)
		}
		if bound := s.view.sizeAtMost(); bound < len(data) {
			t.Fatalf("%d bytes, estimated %d at most", len(data), bound)
		}
		for _, k := range Legal(s.Phase()) {
			e, err := kinds[k].event.decode([]byte("{}"), strict)
			if err != nil {
				t.Fatal(err)
			}
			if next, err := Apply(s, Input{At: s.view.UpdatedAt, Event: e}); err == nil {
				if err := checkStoredState(next); err != nil {
					t.Fatalf("%s: %v", k, err)
				}
			}
		}
	})
}

// FuzzDecodeEvent: what is read is written back byte for byte.
func FuzzDecodeEvent(f *testing.F) {
	for _, line := range storedLines(f, "event") {
		f.Add(line)
	}
	proven, err := EncodeEvent(proofDocument(proof()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(proven)
	texts := story(f).texts
	f.Fuzz(func(t *testing.T, data []byte) {
		data = tidied(data)
		d, err := DecodeEvent(data, func(ref BlobRef) ([]byte, error) { return texts[ref.Path], nil })
		if err != nil {
			oneLineOnly(t, err)
			return
		}
		again, err := EncodeEvent(d)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("read\n%s\nwritten\n%s\n%v", data, again, err)
		}
		if _, err := DecodeEvent(data, nil); err != nil {
			t.Fatalf("read with its texts and not without: %v", err)
		}
	})
}

// FuzzDecodeWalkEvent: an event that is read says what its text says, and no
// text makes the machine fail.
func FuzzDecodeWalkEvent(f *testing.F) {
	for _, line := range walkLines(f, filepath.Join(vectors, "machine.jsonl"))[:8] {
		var w walk
		if err := json.Unmarshal(line, &w); err != nil {
			f.Fatal(err)
		}
		for _, step := range w.Steps {
			f.Add([]byte(step.Event))
		}
	}
	runs := everyPhase(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := DecodeWalkEvent(data)
		if err != nil {
			oneLineOnly(t, err)
			return
		}
		for _, p := range Phases() {
			if r, ok := runs[p]; ok {
				next, err := Apply(r.s, Input{At: r.s.view.UpdatedAt, Event: e})
				if err != nil {
					oneLineOnly(t, err)
				} else if err := checkStoredState(next); err != nil {
					t.Fatalf("%s in %s: %v", e.Kind(), p, err)
				}
			}
		}
	})
}

// FuzzReduce: a walk gives an answer to each step, one line each.
func FuzzReduce(f *testing.F) {
	for _, line := range walkLines(f, filepath.Join(vectors, "machine.jsonl")) {
		if len(line) < 8<<10 {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := Reduce(data)
		if err != nil {
			oneLineOnly(t, err)
			return
		}
		var w walk
		if err := json.Unmarshal(data, &w); err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(out, []byte("\n")); got != len(w.Steps) {
			t.Fatalf("%d lines for %d steps", got, len(w.Steps))
		}
	})
}

// tidied brings data into the canonical form where it is JSON at all, so that
// not every change to it ends at the same check. The bytes of every second
// length stay as they are.
func tidied(data []byte) []byte {
	value := jsontext.Value(bytes.Clone(data))
	if len(data)%2 == 0 || value.Canonicalize() != nil {
		return data
	}
	return value
}

func oneLineOnly(t *testing.T, err error) {
	t.Helper()
	if text := err.Error(); text == "" || strings.ContainsAny(text, "\n\r") {
		t.Fatalf("not one line: %q", text)
	}
}

// storedLines returns the documents of one form from the fixed file.
func storedLines(t testing.TB, form string) (list [][]byte) {
	for _, line := range walkLines(t, filepath.Join(vectors, "stored.jsonl")) {
		if bytes.Contains(line, []byte(`"schema":"git-sdd/`+form+`/1"`)) {
			list = append(list, line)
		}
	}
	return list
}
