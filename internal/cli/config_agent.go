package cli

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/preset"
)

func configAgentCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "agent",
		Usage:     "print settings for an agent, to read and to keep",
		ArgsUsage: strings.Join(preset.Names(), "|"),
		Description: `A command that starts the agent without a person beside it, and a model for each
tier. Read what it allows the agent before you keep it: in this clone with

  git sdd config agent claude -o "$(git rev-parse --git-common-dir)/git-sdd.toml"

or for all your repositories in git-sdd/config.toml of your configuration folder.
A tracked git-sdd.toml may hold no agent. Each preset names the version of the tool
that it was made for.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "write to `OUT`, a file that does not exist yet"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error { return runConfigAgent(con, c.Args().First(), c.String("o")) },
	}
}

// A presetAnswer is git-sdd/preset/1.
type presetAnswer struct {
	Schema   string  `json:"schema"`
	Agent    string  `json:"agent"`
	Package  string  `json:"package"`
	Version  string  `json:"version"`
	Path     *string `json:"path"` // null where it went nowhere but here
	Settings string  `json:"settings"`
}

func runConfigAgent(con *console, agent, out string) error {
	p, err := preset.For(agent)
	if err != nil {
		return misuse("git sdd config agent "+preset.Names()[0], "%w", err)
	}
	a := presetAnswer{Schema: "git-sdd/preset/1", Agent: p.Agent, Package: p.Package, Version: p.Version, Path: optional(out), Settings: p.TOML}
	return con.print(out, p.TOML, a)
}
