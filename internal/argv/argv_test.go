package argv

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		command string
		want    []string
	}{
		{"make test", []string{"make", "test"}},
		{"  go  test\t./... ", []string{"go", "test", "./..."}},
		{`grep '|' "a;b" x\;y '$(x)' "2>/dev/null"`, []string{"grep", "|", "a;b", "x;y", "$(x)", "2>/dev/null"}},
		{`echo '' "" a''b "it's" 'say "hi"' a\ b`, []string{"echo", "", "", "ab", "it's", `say "hi"`, "a b"}},
		{`echo "\$x \"q\" \\ \n" "a` + "\\\n" + `b" c` + "\\\n" + `d`, []string{"echo", `$x "q" \ \n`, "ab", "cd"}},
		{`pytest -k 'not slow' tests/a.py::test_b`, []string{"pytest", "-k", "not slow", "tests/a.py::test_b"}},
		{`bash -lc 'make test | tee log'`, []string{"bash", "-lc", "make test | tee log"}},
		{`npm run a=b --x={} "*" '?' \*`, []string{"npm", "run", "a=b", "--x={}", "*", "?", "*"}},
		{`make \{a,b} {a\,b} {a,b\} {'a,b'} "{"a,b} {1".."3}`, []string{"make", "{a,b}", "{a,b}", "{a,b}", "{a,b}", "{a,b}", "{1..3}"}},
		{`make a:~ --to=~/y 1a=~ "a"=~ a=\~ a="~" a=x\:~ a=b~`, []string{"make", "a:~", "--to=~/y", "1a=~", "a=~", "a=~", "a=~", "a=x:~", "a=b~"}},
		{"echo é ü", []string{"echo", "é", "ü"}},
	} {
		got, err := Parse(c.command)
		if d := cmp.Diff(c.want, got); err != nil || d != "" {
			t.Errorf("%s: %v\n%s", c.command, err, d)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ command, what string }{
		{"", "a command without words"},
		{"# make", "a command without words"},
		{"make test # all", "a comment (#)"},
		{"a;b", "a list of commands (; or a line end)"},
		{"a;", "a list of commands (;)"},
		{"a\nb", "a list of commands (; or a line end)"},
		{"a && b", "a list of commands (&&)"},
		{"a || b", "a list of commands (||)"},
		{"a | b", "a pipe (|)"},
		{"a |& b", "a pipe (|&)"},
		{"a &", "a command in the background (&)"},
		{"! a", "a negation (!)"},
		{"a 2>/dev/null", "a redirection (>)"},
		{"a <in", "a redirection (<)"},
		{"a <<<x", "a redirection (<<<)"},
		{"a &>log", "a redirection (&>)"},
		{"a $(x)", "a command substitution ($())"},
		{"a \"$(x)\"", "a command substitution ($())"},
		{"a `x`", "a command substitution (``)"},
		{"a $HOME", "a variable ($)"},
		{"a \"${x:-1}\"", "a variable ($)"},
		{"a $((1+1))", "an arithmetic expansion ($(()))"},
		{"a <(x)", "a process substitution (<())"},
		{"a $'x'", "quoting with a dollar ($'')"},
		{"a $\"x\"", `quoting with a dollar ($"")`},
		{"CI=1 make", "an assignment (CI=)"},
		{"CI=1", "an assignment (CI=)"},
		{"a *.go", "a pattern (*)"},
		{"a x?", "a pattern (?)"},
		{"a [ab]", "a pattern ([)"},
		{"a {b,c}", "a brace expansion ({})"},
		{"a {1..3}", "a brace expansion ({})"},
		{`a {"b",c}`, "a brace expansion ({})"},
		{`a {b'x',c}`, "a brace expansion ({})"},
		{"a to=~/x", "a home folder (~)"},
		{"a PATH+=/x:~", "a home folder (~)"},
		{"a +(x)", "a pattern (+()"},
		{"~/bin/x", "a home folder (~)"},
		{"(a)", "a subshell (())"},
		{"{ a; }", "a block ({})"},
		{"if a; then b; fi", "a construct of the shell (If)"},
		{"for x in y; do z; done", "a construct of the shell (For)"},
		{"f() { a; }", "a construct of the shell (FuncDecl)"},
		{"[[ a ]]", "a construct of the shell (Test)"},
		{"'' a", "an empty word as the program"},
		{`a\`, "a backslash at the end"},
	} {
		got, err := Parse(c.command)
		var refused *RefusedError
		if !errors.As(err, &refused) || got != nil {
			t.Errorf("%q became %q, %v", c.command, got, err)
			continue
		}
		repair := "bash -lc " + Quote(c.command)
		if strings.HasPrefix(c.what, "a command without") || strings.HasPrefix(c.what, "text") {
			repair = ""
		}
		if refused.What != c.what || refused.Repair != repair {
			t.Errorf("%q: %q, want %q; repair %s", c.command, refused.What, c.what, refused.Repair)
		}
	}
	for _, command := range []string{"a 'b", `a "b`, "a )", "a $(", "a && ", "a\x00b"} {
		var refused *RefusedError
		if got, err := Parse(command); !errors.As(err, &refused) || refused.Repair != "" {
			t.Errorf("%q became %q, %v", command, got, err)
		}
	}
}

// TestQuoteRoundTrip holds that a quoted vector comes back word for word, from
// here and from a real shell.
func TestQuoteRoundTrip(t *testing.T) {
	text := rapid.StringOf(rapid.SampledFrom([]rune("ab '\"\\$`;|&<>(){}[]*?~#!=\n\té")))
	rapid.Check(t, func(t *rapid.T) {
		words := append([]string{"printf", `%s\0`}, rapid.SliceOf(text).Draw(t, "words")...)
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, Quote(w))
		}
		got, err := Parse(strings.Join(quoted, " "))
		if err != nil || !slices.Equal(got, words) {
			t.Fatalf("%q became %q, %v", words, got, err)
		}
	})
}

// FuzzParse holds every command that is accepted against what a shell makes of
// it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"make test", `a '|' "b\"c" d\ e`, "x {a} =b ~c", "a\\\nb", `"\a"`, "a#b", `a {"b",c}`, "a b=~", "a b=c:~"} {
		f.Add(s)
	}
	sh, err := exec.LookPath("bash")
	if err != nil {
		f.Skip("no bash to compare with")
	}
	f.Fuzz(func(t *testing.T, command string) {
		words, err := Parse(command)
		if err != nil || strings.ContainsAny(command, "\r") || len(command) > 200 {
			return
		}
		cmd := exec.Command(sh, "--norc", "-c", `set -f; set -- `+strings.TrimLeft(command, " \t\n")+"\n"+`printf '%s\0' "$@"`)
		out, err := cmd.Output()
		if err != nil {
			return // a shell that refuses it makes nothing else of it
		}
		if want := strings.Join(words, "\x00") + "\x00"; string(out) != want {
			t.Errorf("%q: %q, a shell has %q", command, words, out)
		}
	})
}
