package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func policyCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "policy",
		Category: groupPlumbing,
		Usage:    "say which model each tier stands for",
		Description: `From [policy] and [tier.*] of the settings, and nothing else: no command and no
environment is shown. With --json it is the bare object of the capability contract.
A blockedReason in it, of the policy or of the ladder, means that git-sdd can start
no children; "start" refuses a ladder with a missing rung.

The ladder's revision is the SHA-256 of six lines, economy first: tier, provider,
model and thinking with a NUL between two of them, and a line feed at the end.`,
		Flags:  []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error { return runPolicy(c.Context, con) },
	}
}

func runPolicy(ctx context.Context, con *console) error {
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	p, err := c.Policy()
	if err != nil {
		return err
	}
	rungs, err := c.Rungs()
	if err != nil {
		return err
	}
	return con.answer(p, func() { con.sayPolicy(p, rungs) })
}

// sayPolicy prints the ladder, one tier a line, and what stands against it.
func (con *console) sayPolicy(p *controller.Policy, rungs []controller.Rung) {
	con.printf("policy: %s\n", safe(p.Policy.Mode))
	if p.Ladder.BlockedReason != nil {
		con.printf("blocked: %s\n", safe(*p.Ladder.BlockedReason))
	} else {
		con.printf("ladder: whole, revision %s\n", shortRun(*p.Ladder.Revision))
	}
	var rows [][]string
	for _, r := range rungs {
		model, thinking := "-", "-"
		if r.Set {
			model, thinking = safe(r.Provider)+"/"+safe(r.Model), safe(r.Thinking)
		}
		rows = append(rows, []string{"  " + r.Tier, model, thinking})
	}
	con.table(rows, nil)
}
