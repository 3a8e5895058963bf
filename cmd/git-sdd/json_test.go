package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// json FILE PATH VALUE demands one whole JSON document in FILE ("stdout" for
// the last output) with that value at PATH. A path is keys and indexes parted by
// dots; "len" is the length of a list. With "!" the value must be another one, and
// without VALUE the place must not exist.
func jsonIs(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 && !(neg && len(args) == 2) {
		ts.Fatalf("usage: [!] json FILE PATH VALUE")
	}
	got, err := lookUp(ts.ReadFile(args[0]), args[1])
	switch {
	case neg && len(args) == 2:
		if err == nil {
			ts.Fatalf("%s is %s, want none", args[1], got)
		}
	case err != nil:
		ts.Fatalf("%v", err)
	case (got == args[2]) == neg:
		ts.Fatalf("%s is %q, want %q (not: %v)", args[1], got, args[2], neg)
	}
}

// grab NAME FILE PATH keeps a value of a JSON document as a variable.
func grab(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: grab NAME FILE PATH")
	}
	value, err := lookUp(ts.ReadFile(args[1]), args[2])
	ts.Check(err)
	ts.Setenv(args[0], value)
}

// lookUp finds a value in a text that must be exactly one JSON document.
func lookUp(text, path string) (string, error) {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return "", fmt.Errorf("not one JSON document: %w\n%s", err, text)
	}
	for step := range strings.SplitSeq(path, ".") {
		next, ok := descend(value, step)
		if !ok {
			return "", fmt.Errorf("%s: nothing at %q in %s", path, step, text)
		}
		value = next
	}
	if s, ok := value.(string); ok {
		return s, nil
	}
	data, err := json.Marshal(value)
	return string(data), err
}

func descend(value any, step string) (any, bool) {
	switch v := value.(type) {
	case map[string]any:
		next, ok := v[step]
		return next, ok
	case []any:
		if step == "len" {
			return float64(len(v)), true
		}
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}
