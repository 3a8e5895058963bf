package nearest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestName(t *testing.T) {
	names := []string{"start", "started", "status", "next", "ls", "log", "plan"}
	for word, want := range map[string]string{
		"strat": "start", "statr": "start", "startde": "started", "satus": "status", "nxet": "next",
		"l": "ls", "lgo": "log", "plans": "plan", "STATUS": "status", "frobnicate": "", "": "", "x": "",
		strings.Repeat("start", 13): "",
	} {
		if got := Name(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// A distance is none only to itself, the same in both directions, and bounded by
// the length of the longer word.
func TestSlipsLaws(t *testing.T) {
	word := rapid.StringMatching(`[a-c]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := slips(a, b)
		if (d == 0) != (a == b) || d != slips(b, a) || d > max(len(a), len(b)) {
			t.Fatalf("slips(%q, %q) = %d, the other way %d", a, b, d, slips(b, a))
		}
	})
}
