package plan

import (
	"slices"
	"strings"
	"testing"
)

// bulky are the codes whose examples would be too long to print.
var bulky = []string{"title-too-long", "tasks-too-many", "brief-too-large", "plan-too-large", "convert-unfaithful"}

func TestExplanations(t *testing.T) {
	for _, code := range Codes() {
		e, err := Explain(code)
		if err != nil || e.Meaning == "" {
			t.Fatalf("%s: %v, meaning %q", code, err, e.Meaning)
		}
		if slices.Contains(bulky, code) {
			if e.Example != "" {
				t.Errorf("%s has an example", code)
			}
			continue
		}
		p, defects := Parse([]byte(e.Example))
		if p != nil || defects[0].Code != code || len(defects) != 1 {
			t.Errorf("%s: its example gives %+v", code, defects)
		}
		if p, defects := Parse([]byte(e.Instead)); p == nil {
			t.Errorf("%s: what to write instead gives %+v", code, defects)
		}
	}
	for _, code := range WarningCodes() {
		e, err := Explain(code)
		if err != nil || e.Meaning == "" {
			t.Fatalf("%s: %v, meaning %q", code, err, e.Meaning)
		}
		p, defects := Parse([]byte(e.Example))
		if p == nil {
			t.Errorf("%s: its example is refused: %+v", code, defects)
			continue
		}
		if !slices.ContainsFunc(p.Warnings(), func(w Warning) bool { return w.Code == code }) {
			t.Errorf("%s: its example gives %+v", code, p.Warnings())
		}
	}
}

func TestExplainUnknown(t *testing.T) {
	_, err := Explain("tier-mising")
	if err == nil || !strings.Contains(err.Error(), "tier-missing") {
		t.Errorf("got %v, want the list of codes", err)
	}
}

func TestSkeleton(t *testing.T) {
	p, defects := Parse(Skeleton())
	if p == nil {
		t.Fatalf("refused: %+v", defects)
	}
	if len(p.Tasks()) != 2 {
		t.Errorf("%d tasks, want 2", len(p.Tasks()))
	}
	for _, w := range p.Warnings() {
		if w.Code != "unread" || w.Line != 1 {
			t.Errorf("warning: %+v", w)
		}
	}
	for _, want := range []string{"Economy ", "Frontier ", "### Interfaces"} {
		if !strings.Contains(string(Skeleton()), want) {
			t.Errorf("no %q", want)
		}
	}
	for _, task := range p.Tasks() {
		if body := string(p.Brief(task.Number)); strings.Contains(body[strings.Index(body, "## Task"):][3:], "\n## ") {
			t.Errorf("a heading of level 2 inside task %d", task.Number)
		}
	}
}
