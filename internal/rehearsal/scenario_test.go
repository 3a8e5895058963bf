package rehearsal

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestBuiltinScenarios(t *testing.T) {
	for _, name := range Names() {
		if _, ok := Builtin(name); !ok {
			t.Errorf("there is no scenario %q", name)
		}
	}
	if len(Names()) != len(builtin) {
		t.Errorf("%d names for %d scenarios", len(Names()), len(builtin))
	}
	if _, ok := Builtin("Clean"); ok {
		t.Error("names match in any case")
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"implementer 1":                           "WHO TASK ANSWER",
		"\n# fine\nimplementer 0 done":            "line 3: \"0\" is no number of a task",
		"implementer 01 done":                     "no number of a task",
		"implementer x done":                      "no number of a task",
		"reviewer 1 approve":                      "neither human nor a role",
		"implementer 1 approve":                   "\"approve\" is no answer of the implementer",
		"final 1 done":                            "is no answer",
		"implementer 1 done quickly":              "takes no text",
		"implementer 1 blocked":                   "needs a text",
		"implementer 1 concerns":                  "observational, correctness, scope",
		"implementer 1 concerns size it is large": "observational, correctness, scope",
		"task-reviewer 1 finding Minor":           "needs a text",
		"task-reviewer 1 finding minor a name":    "Critical, Important, Minor",
		"human 1 proceed":                         "needs a reason",
	} {
		s, err := Parse(text)
		var bad *LineError
		if s != nil || !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A line is used once, one with a star once for each task, and in their order.
func TestTake(t *testing.T) {
	s, err := Parse("final * still\nimplementer 2 blocked no\nimplementer * context which\nhuman 2 proceed it is fine\nfixer 7 done\n")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ask := range []struct {
		who  string
		task int
	}{{"implementer", 1}, {"implementer", 1}, {"implementer", 2}, {"implementer", 2}, {"implementer", 2}, {"final", 3}} {
		l, ok := s.take(ask.who, ask.task)
		if !ok {
			l.answer = "-"
		}
		got = append(got, l.answer)
	}
	if want := []string{"context", "-", "blocked", "context", "-", "still"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if decision, reason, ok := s.Rule(2); !ok || decision != "proceed" || reason != "it is fine" {
		t.Errorf("the ruling is %q, %q, %v", decision, reason, ok)
	}
	if _, _, ok := s.Rule(2); ok {
		t.Error("a ruling is given twice")
	}
	if left := s.Unused(); !slices.Equal(left, []string{"fixer 7 done"}) {
		t.Errorf("left is %q", left)
	}
}

// FuzzParse: whatever a scenario says, it is taken or refused with a line that it
// has; what is taken and named again parses again.
func FuzzParse(f *testing.F) {
	for _, text := range builtin {
		f.Add(text)
	}
	f.Add("human 1 answer dash\r\n\n#\nfixer * concerns scope a  b\nre-reviewer 3 still")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		var bad *LineError
		if err != nil {
			if !errors.As(err, &bad) || bad.Line < 1 || bad.Line > strings.Count(text, "\n")+1 || s != nil {
				t.Fatalf("%v", err)
			}
			return
		}
		again, err := Parse(strings.Join(s.Unused(), "\n"))
		if err != nil || !slices.Equal(again.Unused(), s.Unused()) {
			t.Fatalf("%q reads as %v, %v", s.Unused(), again, err)
		}
	})
}
