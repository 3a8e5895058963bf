package cli

import (
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSafe(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                "plain",
		"grün 日本 🎉":            "grün 日本 🎉",
		"a\x1b[31mb":           `a\x1b[31mb`,
		"a\nb\tc\rd":           `a\nb\tc\rd`,
		"nul\x00":              `nul\x00`,
		"csi\u009b":            `csi\u{9b}`,
		"bidi \u202eevil":      `bidi \u{202e}evil`,
		"isolate\u2066x\u2069": `isolate\u{2066}x\u{2069}`,
		"mark\u200f":           `mark\u{200f}`,
		"line\u2028sep":        `line\u{2028}sep`,
		"zero\u200bwidth":      `zero\u{200b}width`,
		"bom\ufeff":            `bom\u{feff}`,
		"tag\U000e0041":        `tag\u{e0041}`,
		"bad\xff\xfe":          `bad\xff\xfe`,
		"joiner 👩\u200d👧":      "joiner 👩\u200d👧",
		"del\x7f":              `del\x7f`,
		"\u00a0nbsp":           "\u00a0nbsp",
		"replacement \ufffd":   "replacement \ufffd",
	} {
		if got := safe(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got, want := safeText("a\n\tb\x1b\r\n"), "a\n\tb\\x1b\\r\n"; got != want {
		t.Errorf("safeText: %q, want %q", got, want)
	}
}

// TestSafeIsSafe: no byte that moves, colours or reverses comes through, and a
// second pass changes nothing.
func TestSafeIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		got := safe(text)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !harmless(r) }) {
			t.Fatalf("%q comes through as %q", text, got)
		}
		if safe(got) != got {
			t.Fatalf("%q is not settled", got)
		}
	})
}

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"plan.md": "plan.md", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'",
		"<session>": `"<session>"`, "<>": "'<>'", "<a;b>": "'<a;b>'", "~x": "'~x'", "#x": "'#x'", "-": "-", "@:plan.md": "@:plan.md",
		"grün": "'grün'", "a=b": "a=b", "{a,b}": "'{a,b}'", "*": "'*'",
	} {
		if got := quote(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

// TestQuoteIsReadBack: a POSIX shell takes each quoted word back as it was.
func TestQuoteIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[ -~äß日]{0,12}`), 1, 40).Draw(t, "words")
		var script strings.Builder
		script.WriteString(`printf '%s\n'`)
		for _, w := range words {
			script.WriteString(" " + quote(w))
		}
		out, err := exec.Command("sh", "-c", script.String()).Output()
		if want := strings.Join(words, "\n") + "\n"; err != nil || string(out) != want {
			t.Fatalf("%v\n got %q\nwant %q", err, out, want)
		}
	})
}

func TestClip(t *testing.T) {
	for _, row := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 5, "short"}, {"longer", 5, "long…"}, {"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"},
	} {
		if got := clip(row.text, row.limit); got != row.want || columns(got) > row.limit {
			t.Errorf("%q to %d: %q, want %q", row.text, row.limit, got, row.want)
		}
	}
}
