package config

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	for _, row := range []struct{ glob, yes, no string }{
		{"Makefile", "Makefile", "makefile sub/Makefile Makefile/x Makefile2"},
		{"**/Makefile", "Makefile a/Makefile a/b/Makefile", "aMakefile a/Makefile/b"},
		{"scripts/**", "scripts scripts/a scripts/a/b", "script scripts2/a a/scripts/b"},
		{"**", "a a/b .a", ""},
		{"*", "a .a a.b", "a/b"},
		{"*.md", "a.md .md", "a.mdx d/a.md"},
		{"docs/*/x", "docs/a/x", "docs/x docs/a/b/x"},
		{"docs/**/x", "docs/x docs/a/x docs/a/b/x docs/x/x", "docs/ax docs x"},
		{"**/a/**/b", "a/b x/a/y/b a/a/b/b", "a b b/a x/ab"},
		{"**/**", "a a/b", ""},
		{"a/**/**/b", "a/b a/x/b", "a ab"},
		{"a*b*c", "abc axxbxxc abbcc abcbc", "ab acb abcx a/bc"},
		{"*a*", "a bab", "b"},
		{"?", "a é ☃", "ab"},
		{"*??xab", "yzxab ☃yxab", "☃xab xab"},
		{"a?c", "abc a-c", "ac a/c"},
		{"[abc]", "a b c", "d ab [abc]"},
		{"[a-cx]y", "ay cy xy", "dy"},
		{"[!a-c]", "d ☃", "a b"},
		{"[^a]b", "bb", "ab"},
		{"*.[ch]", "a.c a.h", "a.x a.ch"},
		{`app/\[id\]/page`, "app/[id]/page", "app/i/page"},
		{`[\]\-]`, "] -", `\`},
		{`\*\?\{\}\!\^\-\\`, `*?{}!^-\`, "a"},
		{`a\*`, "a*", "ab"},
		{"[é-ü]", "é ö", "e"},
		{"a!b", "a!b", "ab"},
	} {
		if _, err := checkGlob(row.glob); err != nil {
			t.Errorf("%q: %v", row.glob, err)
		}
		for _, path := range strings.Fields(row.yes) {
			if !Match(row.glob, path) {
				t.Errorf("%q does not match %q", row.glob, path)
			}
		}
		for _, path := range append(strings.Fields(row.no), "") {
			if Match(row.glob, path) {
				t.Errorf("%q matches %q", row.glob, path)
			}
		}
	}
	if Match("\ufffd", "\xff") || Match("[\ufffd]", "\xff") || !Match("?", "\xff") || !Match("[!a]", "\xff") || !Match("\ufffd", "\ufffd") {
		t.Error("a byte that is no UTF-8 is one character, and equal to none")
	}
	if !MatchAny([]string{"a", "b/**"}, "b/c") || MatchAny([]string{"a", "b/**"}, "c") || MatchAny(nil, "a") {
		t.Error("MatchAny is not one of them")
	}
}

func TestCheckGlob(t *testing.T) {
	for glob, want := range map[string]error{
		"": errEmptyGlob, strings.Repeat("a", MaxGlob+1): errLongGlob, strings.Repeat("a", MaxGlob): nil,
		"a\xff": errGlobBytes, "a\nb": errGlobBytes, "a\u202eb": errGlobBytes, "a\x00": errGlobBytes,
		"!a": errNegated, `\!a`: nil,
		"/": errSegment, "/a": errSegment, "a//b": errSegment, "./a": errSegment, "a/..": errSegment, "a/./b": errSegment, "...": nil,
		"a/": errFolder, "a/**/": errFolder,
		"a**": errStars, "**a": errStars, "***": errStars, "a/**b/c": errStars, `\**`: nil,
		"{a,b}": errBrace, "a}": errBrace, `\{`: nil, "[{]": nil,
		"[": errClass, "[]": errClass, "[!]": errClass, "[a": errClass, "[a-": errClass, "[a-]": errClass, "[-a]": errClass, "[z-a]": errClass, "[a/b]": errClass, "[[a]]": errClass, "[a-a]": nil, "]": nil,
		`a\`: errEscape, `scripts\test`: errEscape, `\/`: errFolder, `\/a`: errEscape, `[\a]`: errEscape, `[a-\z]`: errEscape, `[\]]`: nil, `[\`: errEscape,
	} {
		repair, err := checkGlob(glob)
		if err != want || (err != nil) != (repair != "") {
			t.Errorf("%q: %v, repair %q; want %v", glob, err, repair, want)
		}
		if err != nil && Match(glob, glob) {
			t.Errorf("%q is not valid and matches", glob)
		}
	}
}

// TestGlobEffort: what makes a backtracking matcher run for ever.
func TestGlobEffort(t *testing.T) {
	for glob, path := range map[string]string{
		strings.Repeat("*a", 500):                    strings.Repeat("a", 4000) + "b",
		strings.Repeat("**/a/", 200) + "b":           strings.Repeat("a/", 2000) + "c",
		strings.Repeat("**/", 340) + "x":             strings.Repeat("a/", 2000) + "c",
		strings.Repeat("[!b]*", 200) + "c":           strings.Repeat("a", 4000) + "b",
		strings.Repeat("**/*a*/", 140) + "b":         strings.Repeat("aa/", 1300) + "c",
		"*" + strings.Repeat("?", 1000) + "[a-zA-Z]": strings.Repeat("a", 4000) + "1",
	} {
		start := time.Now()
		if Match(glob, path) {
			t.Errorf("%.20q matches", glob)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%.20q took %v", glob, took)
		}
	}
}

// reference is a glob as a regular expression of Go, which never backtracks.
func reference(glob string) *regexp.Regexp {
	var segments []string
	for segment := range strings.SplitSeq(glob, "/") {
		if segment == "**" {
			segments = append(segments, "(?:/[^/]*)*")
			continue
		}
		segments = append(segments, "/"+referenceSegment(segment))
	}
	return regexp.MustCompile(`\A(?s:` + strings.Join(segments, "") + `)\z`)
}

func referenceSegment(segment string) string {
	var b strings.Builder
	class, runes := false, []rune(segment)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case r == '\\':
			i++
			b.WriteString(regexp.QuoteMeta(string(runes[i])))
		case class && (r == ']' || r == '-'):
			b.WriteRune(r)
			class = class && r != ']'
		case class && (r == '^' || r == '!') && runes[i-1] == '[':
			b.WriteByte('^')
		case class:
			b.WriteString(regexp.QuoteMeta(string(r)))
		case r == '[':
			b.WriteRune(r)
			class = true
		case r == '*':
			b.WriteString("[^/]*")
		case r == '?':
			b.WriteString("[^/]")
		default:
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return b.String()
}

// TestMatchAgreesWithRegexp compares every decision with that of an engine that
// works in another way.
func TestMatchAgreesWithRegexp(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b", "aa", "*", "?", "[ab]", "[!a]", "[a-c]", "é", `\*`, "."})
	segment := rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 3).Draw(t, "stars") == 0 {
			return "**"
		}
		return strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "pieces"), "")
	})
	path := rapid.SliceOfN(rapid.StringMatching(`[abcé*.]{1,5}`), 1, 5)
	matched := 0
	rapid.Check(t, func(t *rapid.T) {
		glob := strings.Join(rapid.SliceOfN(segment, 1, 5).Draw(t, "glob"), "/")
		if _, err := checkGlob(glob); err != nil {
			t.Skip("not valid: two stars, or a segment of dots")
		}
		p := strings.Join(path.Draw(t, "path"), "/")
		want := reference(glob).MatchString("/" + p)
		if got := Match(glob, p); got != want {
			t.Fatalf("%q and %q: %v, want %v", glob, p, got, want)
		}
		if want {
			matched++
		}
	})
	if matched == 0 {
		t.Error("nothing matched")
	}
}

// writeOut makes a path into the glob that names it alone.
var writeOut = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`, "!", `\!`)

func FuzzMatch(f *testing.F) {
	for _, seed := range [][2]string{{"**/a*", "x/ab"}, {`[\]a-c]?`, "bx"}, {"a/**/b", "a/b"}, {"[!a]", "\xff"}, {"{", "{"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, glob, path string) {
		_, err := checkGlob(glob)
		if err != nil {
			if Match(glob, path) {
				t.Errorf("%q is not valid and matches %q", glob, path)
			}
			return
		}
		// A path matches the glob that writes it out.
		written := writeOut.Replace(path)
		if _, err := checkGlob(written); err == nil && !Match(written, path) {
			t.Errorf("%q does not match itself, written %q", path, written)
		}
		if path != "" && !Match("**", path) {
			t.Errorf("** does not match %q", path)
		}
		if Match(glob, path) && !Match("**/"+glob, "x/"+path) && len(glob) < MaxGlob-3 {
			t.Errorf("%q matches %q, and not below a folder", glob, path)
		}
	})
}
