package plan

import (
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/tier"
)

func seeds(f *testing.F, add func(data []byte)) {
	for _, c := range readCases(f) {
		add(c.data)
	}
	for _, code := range append(Codes(), WarningCodes()...) {
		e, err := Explain(code)
		if err != nil {
			f.Fatal(err)
		}
		add([]byte(e.Example))
		add([]byte(e.Instead))
	}
	add(Skeleton())
	add([]byte(strings.Join(scraps, "\n")))
}

func FuzzParse(f *testing.F) {
	seeds(f, func(data []byte) { f.Add(data) })
	f.Fuzz(func(t *testing.T, data []byte) {
		p, defects := Parse(data)
		if (p == nil) == (len(defects) == 0) {
			t.Fatalf("plan %v and defects %+v", p, defects)
		}
		checkDefects(t, data, defects)
		if p == nil {
			return
		}
		for _, task := range p.Tasks() {
			b := string(p.Brief(task.Number))
			if strings.Contains(b, "\r") || !strings.HasSuffix(b, "\n") || strings.HasSuffix(b, "\n\n") || len(b) > MaxBrief {
				t.Fatalf("brief %d: %q", task.Number, b)
			}
		}
		if d, _ := Compare(data, data); d != None || Diff(data, data, "a", "b") != "" {
			t.Fatal("a plan differs from itself")
		}
	})
}

func FuzzConvert(f *testing.F) {
	seeds(f, func(data []byte) { f.Add(data, byte(1), byte(3), true) })
	f.Fuzz(func(t *testing.T, data []byte, level, orphans byte, flags bool) {
		opt := ConvertOptions{Tier: tier.Tier(level % 7), Orphans: Orphans(orphans % byte(numOrphans)), Renumber: flags, FixFences: flags}
		conv, defects := Convert(data, opt)
		if (conv == nil) == (len(defects) == 0) {
			t.Fatalf("conversion %v and defects %+v", conv, defects)
		}
		checkDefects(t, data, defects)
		if conv != nil {
			if p, defects := Parse(conv.Output); p == nil {
				t.Fatalf("the output is refused: %+v\n%s", defects, conv.Output)
			}
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add([]byte("## Task 1: A\n\n**Implementer tier:** Fast\n\n- [ ] a\n"), []byte("## Task 1: A\n\n**Implementer tier:** Fast\n\n- [x] a\n"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		drift, what := Compare(a, b)
		if (drift == Edited) != (what != "") || strings.Contains(what, "\n") {
			t.Fatalf("%s: %q", drift, what)
		}
		if got := applyDiff(t, string(a), Diff(a, b, "a", "b")); got != string(b) {
			t.Fatalf("the diff gives %q, want %q", got, b)
		}
	})
}
