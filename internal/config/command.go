package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/argv"
	"github.com/git-sdd/git-sdd/internal/nearest"
)

// The bounds of a command.
const (
	MaxArguments = 256     // elements, the program included
	MaxArgument  = 8 << 10 // bytes of one element
)

// placeholders are the words that an agent's command may hold in braces, each
// with its value (interfaces: settings).
var placeholders = []struct {
	name  string
	probe bool // also in a probe, which runs before there is any prompt
	value func(*Values) string
}{
	{"model", true, func(v *Values) string { return v.Model }},
	{"provider", true, func(v *Values) string { return v.Provider }},
	{"thinking", true, func(v *Values) string { return v.Thinking }},
	{"tier", true, func(v *Values) string { return v.Tier }},
	{"prompt", false, func(v *Values) string { return v.Prompt }},
	{"bootstrap", false, func(v *Values) string { return v.Bootstrap }},
	{"report", false, func(v *Values) string { return v.Report }},
	{"cwd", true, func(v *Values) string { return v.Cwd }},
}

// Values are what stands for the placeholders of a command.
type Values struct {
	Model, Provider, Thinking, Tier string
	Prompt, Bootstrap, Report, Cwd  string // the bootstrap is text, the others are paths
}

// asVector refuses a command that is a string, with the list that says the same.
// Nothing is split here behind the user's back: what runs is what stands in the
// settings.
func (k *key) asVector(it item) *flaw {
	words, err := argv.Parse(it.value.text)
	var refused *argv.RefusedError
	takes := ""
	if errors.As(err, &refused) {
		if takes = fmt.Sprintf(" with %s, which takes a shell", refused.What); refused.Repair == "" {
			return &flaw{message: fmt.Sprintf("%s is a string, %s; it must be a list of strings", it.full(), refused.What), repair: k.example()}
		}
		words = argv.ByShell(it.value.text)
	}
	return &flaw{
		message: fmt.Sprintf("%s is a string%s; it must be a list of strings", it.full(), takes),
		repair:  fmt.Sprintf("write %s = %s", k.name, listOf(words).literal()),
	}
}

// Expand returns the argument vector with every placeholder replaced. It reads
// each argument once: braces within a value stay as they are.
func Expand(command []string, v Values) []string {
	var pairs []string
	for _, p := range placeholders {
		pairs = append(pairs, "{"+p.name+"}", p.value(&v))
	}
	replace := strings.NewReplacer(pairs...)
	argv := make([]string, len(command))
	for i, arg := range command {
		argv[i] = replace.Replace(arg)
	}
	return argv
}

// holds reports whether an argument of the command has the placeholder.
func holds(command []string, placeholder string) bool {
	return slices.ContainsFunc(command, func(arg string) bool { return strings.Contains(arg, "{"+placeholder+"}") })
}

// braced returns the lower-case words that stand in braces, without them. All
// other braces are text: {} and {"a":1} are none of ours.
func braced(arg string) []string {
	var words []string
	for {
		_, after, found := strings.Cut(arg, "{")
		if !found {
			return words
		}
		end := strings.IndexFunc(after, func(r rune) bool { return r < 'a' || r > 'z' })
		if end > 0 && after[end] == '}' {
			words = append(words, after[:end])
		}
		arg = after
	}
}

func agentCommand(name string, v value) []flaw {
	return placed(name, v, func(int) bool { return true })
}

func probeCommand(name string, v value) []flaw {
	return placed(name, v, func(i int) bool { return placeholders[i].probe })
}

// placed checks a command whose placeholders are those that allowed accepts.
func placed(name string, v value, allowed func(int) bool) []flaw {
	flaws := gateCommand(name, v)
	var known []string
	for i, p := range placeholders {
		if allowed(i) {
			known = append(known, "{"+p.name+"}")
		}
	}
	for i, e := range v.elements {
		for _, w := range braced(e.text) {
			switch token := "{" + w + "}"; {
			case !slices.Contains(known, token):
				flaws = append(flaws, flaw{e.line, "unknown-placeholder", fmt.Sprintf("%s holds %s; the placeholders are %s", name, token, strings.Join(known, " ")), meant(token, known)})
			case i == 0:
				flaws = append(flaws, flaw{e.line, "bad-value", fmt.Sprintf("the program of %s is %q; a program is written out", name, e.text), "write the program's name"})
			}
		}
	}
	return flaws
}

func meant(token string, known []string) string {
	if near := nearest.Name(token, known); near != "" {
		return "write " + near
	}
	return "remove " + token
}

// gateCommand checks an argument vector: it is run as it stands, without a shell.
func gateCommand(name string, v value) []flaw {
	flaws := strangers(name, v)
	switch n := len(v.elements); {
	case n == 0:
		return bad(v, `write the program and its arguments, like ["make", "test"]`, "%s is empty", name)
	case n > MaxArguments:
		return bad(v, "put it into a script of the repository", "%s has %d elements, at most %d are allowed", name, n, MaxArguments)
	case v.elements[0].kind == text && v.elements[0].text != strings.TrimSpace(v.elements[0].text), v.elements[0].kind == text && v.elements[0].text == "":
		flaws = append(flaws, flaw{v.elements[0].line, "bad-value", fmt.Sprintf("the program of %s is %q, which is empty or begins or ends with a blank", name, v.elements[0].text), "write the program's name"})
	}
	for i, e := range v.elements {
		switch {
		case strings.ContainsRune(e.text, 0):
			flaws = append(flaws, flaw{e.line, "bad-value", fmt.Sprintf("element %d of %s holds a NUL, which no argument can", i+1, name), "remove it"})
		case len(e.text) > MaxArgument:
			flaws = append(flaws, flaw{e.line, "bad-value", fmt.Sprintf("element %d of %s has %d bytes, at most %d are allowed", i+1, name, len(e.text), MaxArgument), "put it into a file"})
		}
	}
	return flaws
}
