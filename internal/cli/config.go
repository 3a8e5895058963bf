package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func configCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "config",
		Category: groupSettings,
		Usage:    "show the settings, or some to begin with",
		Subcommands: []*cli.Command{
			configListCommand(con),
			configAgentCommand(con),
		},
	}
}

func configListCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list every setting that is in force, as TOML",
		Description: `Settings are read from the tracked git-sdd.toml at the top of the work tree, then
from git-sdd/config.toml in your configuration folder ($XDG_CONFIG_HOME, else
~/.config), then from git-sdd.toml in this clone's git directory, then from
"git config sdd.<key>"; what comes later wins, key by key. The tracked file may
hold [gate.*], [evidence] and [package] only.

What a run holds to since its start: git sdd show @:artifacts/settings.json`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "show-origin", Usage: "say of each setting which line of which file it comes from"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error { return runConfigList(c.Context, con, c.Bool("show-origin")) },
	}
}

func runConfigList(ctx context.Context, con *console, origins bool) error {
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	s, err := c.Settings()
	if err != nil {
		return err
	}
	return con.answer(s, func() { con.saySettings(s.Settings, origins) })
}

// saySettings prints one setting a line, in the form of a settings file.
func (con *console) saySettings(all []controller.Setting, origins bool) {
	var rows [][]string
	for _, s := range all {
		row := []string{safe(s.Key) + " = " + safe(s.Value)}
		if origins {
			row = []string{safe(s.Origin), row[0]}
		}
		rows = append(rows, row)
	}
	con.table(rows, nil)
}
