package cli

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/snippet"
)

func snippetCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "snippet",
		Category:  groupSettings,
		Usage:     "print the lines that teach an agent the loop",
		ArgsUsage: "[" + strings.Join(snippet.Names(), "|") + "]",
		Description: `For an agent that acts as the controller: it asks next, starts the children and
hands in what they report. The lines go to standard output; put them into the file
that they are for, which --json names. With -o they are written to a file that does
not exist yet, and nowhere else.

Where git-sdd starts the children itself, no agent has to know any of this.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "skill", Usage: "print a SKILL.md, for a folder named git-sdd among an agent's skills"},
			&cli.StringFlag{Name: "o", Usage: "write to `OUT`, a file that does not exist yet"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			return runSnippet(con, snippetOptions{tool: c.Args().First(), skill: c.Bool("skill"), out: c.String("o")})
		},
	}
}

type snippetOptions struct {
	tool  string
	skill bool
	out   string
}

// A snippetAnswer is git-sdd/snippet/1.
type snippetAnswer struct {
	Schema string  `json:"schema"`
	Tool   string  `json:"tool"`
	File   string  `json:"file"` // where the tool looks for it, from the top of the work tree
	Path   *string `json:"path"` // null where it went nowhere but here
	Text   string  `json:"text"`
}

func runSnippet(con *console, o snippetOptions) error {
	const usage = "git sdd snippet claude, or git sdd snippet --skill"
	if o.skill == (o.tool != "") {
		return misuse(usage, "name one tool (%s), or ask for --skill", strings.Join(snippet.Names(), ", "))
	}
	s := snippet.Skill()
	if !o.skill {
		var err error
		if s, err = snippet.For(o.tool); err != nil {
			return misuse(usage, "%w", err)
		}
	}
	a := snippetAnswer{Schema: "git-sdd/snippet/1", Tool: s.Tool, File: s.File, Path: optional(o.out), Text: s.Text}
	return con.print(o.out, s.Text, a)
}

// print gives a text to whoever asked: on standard output, or into a file that
// was asked for.
func (con *console) print(out, text string, answer any) error {
	if out != "" {
		if err := createFile(out, []byte(text)); err != nil {
			return err
		}
	}
	return con.answer(answer, func() {
		if out != "" {
			con.printf("%s: written\n", safe(out))
			return
		}
		con.printf("%s", text)
	})
}
