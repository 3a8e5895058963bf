package cli

import (
	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/tier"
)

func tierCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "tier",
		Category: groupPlumbing,
		Usage:    "compute a role's tier from the implementer's",
		Description: `Only the implementer's tier stands in a plan; every other one follows from it.

  git sdd tier --implementer standard --role fixer --round 4`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "implementer", Usage: "the `TIER` that the plan gives the task: economy, fast, standard, advanced, capable or frontier"},
			&cli.StringFlag{Name: "role", Usage: "the `ROLE`: implementer, task-reviewer, fixer, re-reviewer, final, final-fixer or final-re-reviewer"},
			&cli.IntFlag{Name: "round", Usage: "the fix round `N`, from 1 to 5, for a fixer"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			return runTier(con, tierOptions{implementer: c.String("implementer"), role: c.String("role"), round: c.Int("round")})
		},
	}
}

type tierOptions struct {
	implementer string
	role        string
	round       int
}

// A tierAnswer is the bare object of `tier --json`.
type tierAnswer struct {
	Tier string `json:"tier"`
	Echo string `json:"echo"` // the first line of a prompt at this tier
}

func runTier(con *console, o tierOptions) error {
	const usage = "git sdd tier --implementer TIER --role ROLE [--round N]"
	for flag, value := range map[string]string{"--implementer": o.implementer, "--role": o.role} {
		if value == "" {
			return misuse(usage, "tier needs %s", flag)
		}
	}
	from, err := tier.Parse(o.implementer)
	if err != nil {
		return misuse(usage, "%w", err)
	}
	role, err := tier.ParseRole(o.role)
	if err != nil {
		return misuse(usage, "%w", err)
	}
	t, err := tier.For(role, from, o.round)
	if err != nil {
		return misuse(usage, "%w", err)
	}
	a := tierAnswer{Tier: t.String(), Echo: "Model tier: " + t.String()}
	return con.answer(a, func() { con.printf("%s\n", a.Tier) })
}
