package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// A line is a command line as a person wrote it, put into the order that
// urfave/cli needs.
type line struct {
	argv []string // program, root flags, command words, its flags, "--", arguments
	json bool     // --json was given: errors are JSON too
}

// A given is one flag as it was written.
type given struct {
	word  string // as written, without its value
	name  string // without dashes
	value string
	takes bool // a value was read with it
}

// A reader takes a command line apart. Flags may stand anywhere before "--".
type reader struct {
	root   *cli.App
	known  map[string]cli.Flag // every flag of every command, by name
	path   []string            // the words that name the command
	args   []string
	flags  []given
	wantsH bool
}

// readLine takes a command line apart and refuses what the library would let
// pass: an unknown command or flag, a flag twice, without a value or with an
// empty one, a missing or superfluous argument, and a place to fill in that
// still says so. The line's json is set even when an error comes with it.
func readLine(app *cli.App, argv []string) (line, error) {
	r := &reader{root: app, known: allFlags(app)}
	err := r.scan(argv[1:])
	l := line{json: slices.ContainsFunc(r.flags, func(g given) bool { return g.name == "json" })}
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return l, err
	}
	l.argv = r.assemble(argv[0])
	return l, nil
}

// allFlags indexes the flags of all commands. A name takes a value
// everywhere or nowhere (a test holds this), so it can be read before the command
// is known.
func allFlags(app *cli.App) map[string]cli.Flag {
	known := map[string]cli.Flag{}
	add := func(flags []cli.Flag) {
		for _, f := range flags {
			for _, name := range f.Names() {
				known[name] = f
			}
		}
	}
	var walk func(list []*cli.Command)
	walk = func(list []*cli.Command) {
		for _, c := range list {
			add(c.Flags)
			walk(c.Subcommands)
		}
	}
	add(app.Flags)
	walk(app.Commands)
	return known
}

// scan sorts the words of a command line into command, flags and arguments.
// It reads to the end even where something is wrong, so that --json is seen.
func (r *reader) scan(words []string) error {
	var first error
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		var err error
		switch {
		case word == "--":
			r.args = append(r.args, words...)
			words = nil
		case len(word) > 1 && word[0] == '-':
			words, err = r.flag(word, words)
		default:
			err = r.word(word)
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// word takes the next word of the command's name, or an argument.
func (r *reader) word(word string) error {
	choices := r.root.Commands
	if c := commandAt(choices, r.path); c != nil {
		choices = c.Subcommands
	}
	if len(choices) == 0 || (len(r.path) > 0 && commandAt(r.root.Commands, r.path) == nil) {
		r.args = append(r.args, word)
		return nil
	}
	known := commandAt(choices, []string{word}) != nil
	r.path = append(r.path, word)
	if !known {
		return unknownCommand(choices, r.path)
	}
	return nil
}

// flag reads one flag with its value, and returns the words that are left.
func (r *reader) flag(word string, rest []string) ([]string, error) {
	word, value, joined := strings.Cut(word, "=")
	name := strings.TrimLeft(word, "-")
	if word != dashed(name) { // "-json" and "--C" are no flags of ours
		return rest, r.unknownFlag(word, r.takes())
	}
	if name == "h" || name == "help" {
		r.wantsH = true
		return rest, nil
	}
	g := given{word: word, name: name, value: value, takes: joined}
	f := r.known[name]
	var err error
	switch {
	case f == nil:
	case !takesValue(f) && joined:
		err = misuse("git sdd … "+dashed(name), "flag %s takes no value, %q was given", dashed(name), value)
	case takesValue(f) && !joined && len(rest) == 0:
		err = misuse("git sdd … "+dashed(name)+" VALUE", "flag %s needs a value", dashed(name))
	case takesValue(f) && !joined:
		g.value, g.takes, rest = rest[0], true, rest[1:]
	}
	r.flags = append(r.flags, g)
	return rest, err
}

// assemble writes the line in the order that urfave/cli reads without loss.
func (r *reader) assemble(program string) []string {
	if r.wantsH {
		r.path, r.args = []string{"help"}, r.path
		r.flags = slices.DeleteFunc(r.flags, func(g given) bool { return g.name != "json" })
	}
	root, own := []string{program}, []string{}
	for _, g := range r.flags {
		words := []string{dashed(g.name)}
		if g.takes {
			words = append(words, g.value)
		}
		if hasFlag(r.root.Flags, g.name) {
			root = append(root, words...)
		} else {
			own = append(own, words...)
		}
	}
	return slices.Concat(root, r.path, own, []string{"--"}, r.args)
}

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

func repeatable(f cli.Flag) bool {
	_, ok := f.(*cli.StringSliceFlag)
	return ok
}

func isNumber(f cli.Flag) bool {
	_, ok := f.(*cli.IntFlag)
	return ok
}

func hasFlag(flags []cli.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}

// dashed writes a flag's name as one types it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// wholeNumber reports whether a flag's value is a number from 0 up.
func wholeNumber(value string) bool {
	n, err := strconv.Atoi(value)
	return err == nil && n >= 0 && strconv.Itoa(n) == value
}
