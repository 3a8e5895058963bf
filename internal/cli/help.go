package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
)

//go:generate go test -run=^TestReadme$ -update .

func helpCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "help",
		Category:  groupSelf,
		Usage:     "explain a command, or one of: exit-codes, phases, ways",
		ArgsUsage: "[TOPIC...]",
		Flags:     []cli.Flag{jsonFlag()},
		Action:    func(c *cli.Context) error { return runHelp(con, commands(con), c.Args().Slice()) },
	}
}

// topics are what help explains beside the commands.
var topics = map[string]func() string{
	"exit-codes": exitCodes,
	"phases":     machine.Markdown,
	"ways":       controller.Ways,
}

// A helpAnswer is git-sdd/help/1.
type helpAnswer struct {
	Schema string `json:"schema"`
	Topic  string `json:"topic"`
	Text   string `json:"text"`
}

func runHelp(con *console, list []*cli.Command, words []string) error {
	topic, text := strings.Join(words, " "), ""
	switch command := commandAt(list, words); {
	case topic == "":
		text = overview(list)
	case command != nil:
		text = commandHelp(command, words)
	case topics[topic] != nil:
		text = topics[topic]()
	default:
		return misuse("git sdd help", "there is no help on %q", topic)
	}
	return con.answer(helpAnswer{Schema: "git-sdd/help/1", Topic: topic, Text: text}, func() { con.printf("%s", text) })
}

// overview is what `git sdd -h` prints: one line a command.
func overview(list []*cli.Command) string {
	var b strings.Builder
	b.WriteString("git sdd: Subagent-Driven Development, with every step a commit on refs/sdd\n\n")
	b.WriteString("usage: git sdd [-C DIR] COMMAND [FLAGS] [ARGUMENTS]\n")
	group := ""
	for _, c := range list {
		if c.Category != group {
			group = c.Category
			fmt.Fprintf(&b, "\n%s\n", group)
		}
		fmt.Fprintf(&b, "  %-9s %s\n", c.Name, c.Usage)
	}
	b.WriteString("\nnext: git sdd help COMMAND, git sdd help exit-codes, git sdd help phases, git sdd help ways\n")
	return b.String()
}

// commandHelp is what `git sdd COMMAND -h` prints.
func commandHelp(c *cli.Command, words []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nusage: %s", wrap("git sdd "+strings.Join(words, " ")+": "+c.Usage, lineWidth, "\n  "), usageLine(c, words))
	if len(c.Subcommands) > 0 {
		b.WriteString(" COMMAND")
	}
	if len(c.Flags) > 0 {
		b.WriteString(" [FLAGS]")
	}
	b.WriteString("\n")
	if c.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", flow(c.Description))
	}
	for i, sub := range c.Subcommands {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "  %-9s %s\n", sub.Name, sub.Usage)
	}
	for i, f := range c.Flags {
		if i == 0 {
			b.WriteString("\nflags:\n")
		}
		name, usage := describe(f)
		fmt.Fprintf(&b, "  %s\n        %s\n", name, wrap(usage, lineWidth-8, "\n        "))
	}
	return b.String()
}

// flow breaks paragraphs to the width of a terminal. One that holds commands to
// paste, or lines that are set in, stays as it is.
func flow(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		set := slices.ContainsFunc(strings.Split(p, "\n"), func(line string) bool {
			return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "git fetch ")
		})
		if !set {
			paragraphs[i] = wrap(p, lineWidth, "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// describe gives a flag as it is typed, and what it does. The place of its
// value is the word in backquotes in its usage.
func describe(f cli.Flag) (name, usage string) {
	name = dashed(f.Names()[0])
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return name, ""
	}
	usage = d.GetUsage()
	if before, rest, found := strings.Cut(usage, "`"); found {
		value, after, _ := strings.Cut(rest, "`")
		return name + " " + value, before + value + after
	}
	return name, usage
}

// exitCodes is the table of exit statuses, from the one that feeds them all.
func exitCodes() string {
	var b strings.Builder
	b.WriteString("| exit | kind | meaning |\n| --- | --- | --- |\n| 0 | done | the command did what it says; what waits next is in its answer |\n")
	for _, row := range fault.Table() {
		fmt.Fprintf(&b, "| %d | `%s` | %s |\n", row.Exit, row.Name, row.Meaning)
	}
	return b.String()
}
