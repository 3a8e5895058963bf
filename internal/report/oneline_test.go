package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestOneLine(t *testing.T) {
	long := strings.Repeat("ä", 256)
	for _, row := range []struct{ name, in, want string }{
		{"plain", "the bound is 8", "the bound is 8"},
		{"lines, tabs, blanks", "  the\n\n\tbound \r\n  is\t 8 \n", "the bound is 8"},
		{"at the limit", long, long},
		{"one past it", long + "x", strings.Repeat("ä", 255) + "…"},
		{"far past it", long + long, strings.Repeat("ä", 255) + "…"},
		{"a no-break space stays", "a\u00a0b", "a\u00a0b"},
		{"Sdd- within", "see Sdd-Run", "see Sdd-Run"},
		{"another case", "sdd-run", "sdd-run"},
		{"two hyphens", "-- x", "-- x"},
		{"another comment", "<!-- x -->", "<!-- x -->"},
		{"code points above the basic plane", strings.Repeat("😀", 257), strings.Repeat("😀", 255) + "…"},
	} {
		if got, err := OneLine(row.in); err != nil || got != row.want {
			t.Errorf("%s: OneLine(%q) = %q, %v; want %q", row.name, row.in, got, err, row.want)
		}
	}
}

func TestOneLineRefuses(t *testing.T) {
	rows := map[string]string{
		"empty": "", "blank": " \n\t\r\n", "invalid UTF-8": "a\xff", "carriage return": "a\rb",
		"trailer": "Sdd-Run: 1", "trailer after blanks": "\n  Sdd-Run: 1", "patch": "--- a", "rule": "---",
		"audit mark": "a <!-- sdd-transition: 1", "audit mark over two lines": "a <!--\n\tsdd-transition: 1",
		"audit mark past the cut": strings.Repeat("a ", 300) + "<!-- sdd-transition: 1",
		"control past the cut":    strings.Repeat("a ", 300) + "\x00",
	}
	for r := rune(0); r < 0x20; r++ {
		if r != '\t' && r != '\n' {
			rows["C0 "+string(r)] = "a" + string(r) + "b"
		}
	}
	for r := rune(0x7f); r <= 0x9f; r++ {
		rows["C1 "+string(r)] = "a" + string(r) + "b"
	}
	for _, r := range []rune{0x2028, 0x2029} {
		rows["separator "+string(r)] = "a" + string(r) + "b"
	}
	for name, in := range rows {
		if got, err := OneLine(in); err == nil || got != "" {
			t.Errorf("%s: OneLine(%q) = %q, %v; want an error and nothing else", name, in, got, err)
		}
	}
}

// What OneLine returns can be recorded, and is its own normal form.
func TestOneLineLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkOneLine(t, rapid.String().Draw(t, "text")) })
}

func FuzzOneLine(f *testing.F) {
	for _, s := range []string{"a b", "a\n\tb", "---", "Sdd-", "<!-- sdd-transition:", strings.Repeat("ä ", 200), "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkOneLine(t, s) })
}

func checkOneLine(t interface{ Fatalf(string, ...any) }, s string) {
	got, err := OneLine(s)
	if err != nil {
		if got != "" {
			t.Fatalf("OneLine(%q) = %q beside %v", s, got, err)
		}
		return
	}
	if err := recordable(got); err != nil {
		t.Fatalf("OneLine(%q) = %q: %v", s, got, err)
	}
	if n := utf8.RuneCountInString(got); n > 256 || n < 1 {
		t.Fatalf("OneLine(%q) has %d code points", s, n)
	}
	if again, err := OneLine(got); err != nil || again != got {
		t.Fatalf("OneLine(%q) = %q, then %q, %v", s, got, again, err)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a\x1b":                  `"a\x1b"`,
		strings.Repeat("é", 60):  `"` + strings.Repeat("é", 60) + `"`,
		strings.Repeat("é", 61):  `"` + strings.Repeat("é", 60) + `…"`,
		strings.Repeat("é", 600): `"` + strings.Repeat("é", 60) + `…"`,
	} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %s, want %s", in, got, want)
		}
	}
}
