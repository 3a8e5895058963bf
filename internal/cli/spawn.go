package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func spawnCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "spawn",
		Category: groupPlumbing,
		Usage:    "start one child at a tier, with the prompt from standard input",
		Description: `Starts the command of [agent] on the model of the tier and does not wait for it:
"git sdd session ID" tells how it stands. It belongs to no dispatch before
"git sdd started --session ID" says so, and to call it twice starts two children.

  git sdd dispatch --json | jq -j .bootstrap | git sdd spawn --tier standard

Refused before anything starts: no tier, an unknown one, a ladder without all six
rungs, a probe that fails, and a prompt whose first line names another tier. With
--json the answer is the bare object of the capability contract.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "tier", Usage: "the `TIER` of the child: economy, fast, standard, advanced, capable or frontier"},
			&cli.StringFlag{Name: "cwd", Usage: "the folder `DIR` in which it works, instead of this one"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			return runSpawn(c.Context, con, controller.SpawnOptions{Tier: c.String("tier"), Cwd: c.String("cwd")})
		},
	}
}

func runSpawn(ctx context.Context, con *console, o controller.SpawnOptions) (err error) {
	if o.Tier != "" { // without one nothing is waited for
		if o.Prompt, err = con.input(ctx, controller.MaxPrompt); err != nil {
			return err
		}
	}
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Spawn(ctx, o)
	if err != nil {
		return err
	}
	return con.answer(a, func() { con.printf("%s\n", safe(a.SessionID)) })
}
