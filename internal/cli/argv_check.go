package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/nearest"
)

// check compares what was written with what the command takes.
func (r *reader) check() error {
	command, flags := commandAt(r.root.Commands, r.path), r.takes()
	seen := map[string]bool{}
	for _, g := range r.flags {
		if err := r.checkFlag(g, flags, seen[g.name]); err != nil {
			return err
		}
		seen[g.name] = true
	}
	if r.wantsH {
		return nil
	}
	for _, a := range r.args {
		if err := checkFilledIn("argument", a); err != nil {
			return err
		}
	}
	switch {
	case command == nil && len(r.args) > 0:
		return misuse("git sdd COMMAND -- "+quote(r.args[0]), "no command stands before %q", r.args[0])
	case command == nil || len(command.Subcommands) > 0:
		return nil
	}
	return checkArguments(command, r.path, r.args)
}

// takes lists the flags that may stand on this line.
func (r *reader) takes() []cli.Flag {
	if command := commandAt(r.root.Commands, r.path); command != nil {
		return slices.Concat(r.root.Flags, command.Flags)
	}
	return r.root.Flags
}

// checkFlag refuses a flag that the command does not take, or a value that
// cannot be meant.
func (r *reader) checkFlag(g given, takes []cli.Flag, again bool) error {
	i := slices.IndexFunc(takes, func(f cli.Flag) bool { return slices.Contains(f.Names(), g.name) })
	if i < 0 {
		return r.unknownFlag(g.word, takes)
	}
	switch f := takes[i]; {
	case again && !repeatable(f):
		return misuse("give "+dashed(g.name)+" once", "flag %s was given twice", dashed(g.name))
	case !g.takes:
		return nil
	case g.value == "":
		return misuse("leave "+dashed(g.name)+" out, or give it a value", "flag %s was given an empty value", dashed(g.name))
	case isNumber(f) && !wholeNumber(g.value):
		return misuse(dashed(g.name)+" 7", "flag %s takes a whole number, %q was given", dashed(g.name), g.value)
	}
	return checkFilledIn("flag "+dashed(g.name), g.value)
}

// places are the elements of a printed command that are to be replaced before
// it is typed (interfaces: the loop).
var places = []string{"<session>", "<reason>", "<receipt>", "<report>", "<context>", "<finding>", "<evidence>", "<path>"}

// checkFilledIn refuses a place that nobody filled in: recorded, it could never
// be taken back.
func checkFilledIn(where, value string) error {
	if !slices.Contains(places, value) {
		return nil
	}
	return misuse("replace "+value+" by the real "+strings.Trim(value, "<>"), "%s still says %q", where, value)
}

// checkArguments counts arguments against the command's own description of
// them: "PLAN N" takes two, "[RUN]" takes none or one.
func checkArguments(c *cli.Command, path, args []string) error {
	low, high := arity(c.ArgsUsage)
	name := strings.Join(path, " ")
	switch {
	case len(args) < low:
		return misuse(usageLine(c, path), "%s needs %s, %s", name, c.ArgsUsage, countOf(len(args)))
	case len(args) > high && high == 0:
		return misuse(usageLine(c, path), "%s takes no argument, %q was given", name, args[0])
	case len(args) > high:
		return misuse(usageLine(c, path), "%s takes %s, %q is one too many", name, c.ArgsUsage, args[high])
	case slices.Contains(args, ""):
		return misuse(usageLine(c, path), "%s was given an empty argument", name)
	}
	return nil
}

// arity reads how many arguments a usage such as "PLAN [N]" stands for.
// A word that ends in "..." stands for any number.
func arity(usage string) (low, high int) {
	for _, word := range strings.Fields(usage) {
		switch {
		case strings.HasSuffix(strings.Trim(word, "[]"), "..."):
			high += 1 << 16
		case word[0] == '[':
			high++
		default:
			low++
			high++
		}
	}
	return low, high
}

func countOf(n int) string {
	switch n {
	case 0:
		return "none was given"
	case 1:
		return "only one was given"
	}
	return "too few were given"
}

// usageLine is how the command is typed, without its flags.
func usageLine(c *cli.Command, path []string) string {
	return strings.TrimSpace("git sdd " + strings.Join(path, " ") + " " + c.ArgsUsage)
}

// unknownCommand says what may stand in the place of a word that is no command.
func unknownCommand(choices []*cli.Command, path []string) error {
	var names []string
	for _, c := range choices {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	word, before := path[len(path)-1], strings.Join(path[:len(path)-1], " ")
	repair := strings.TrimSpace("git sdd help " + before)
	if like := nearest.Name(word, names); like != "" {
		repair = strings.Join(strings.Fields("git sdd "+before+" "+like), " ")
	}
	if before == "" {
		return misuse(repair, "%q is not a git-sdd command", word)
	}
	return misuse(repair, "%q is not a command of git sdd %s", word, before)
}

// unknownFlag says which flag was probably meant.
func (r *reader) unknownFlag(word string, takes []cli.Flag) error {
	var names []string
	for _, f := range takes {
		for _, name := range f.Names() {
			if len(name) > 1 { // every letter is one slip from any other
				names = append(names, name)
			}
		}
	}
	command := strings.Join(slices.Concat([]string{"git", "sdd"}, r.path), " ")
	repair := strings.Join(slices.Concat([]string{"git", "sdd", "help"}, r.path), " ")
	if like := nearest.Name(strings.TrimLeft(word, "-"), names); like != "" {
		repair = command + " " + dashed(like)
	}
	return misuse(repair, "%s has no flag %q", command, word)
}
