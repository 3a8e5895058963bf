package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func verifyCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Category:  groupLook,
		Usage:     "replay a run from its ref and say whether what it claims is true",
		ArgsUsage: "[RUN...]",
		Description: `Needs no network and no worktree: the chain, every state, every artifact, every
report and every attested commit are derived again from what the clone holds. A
run that this program verified here before is continued from there; --full begins
anew. Exit 0 verified, 4 failed, 7 when objects of the ledger are missing here.

--signatures asks git about every signature, with the keys of
gpg.ssh.allowedSignersFile, and compares who signed with who recorded. What git
config sdd.sign names, rulings or all, must be signed, a recorded relink too.

With --range or --branch it says of every commit there whether a review stands for
it: covered, process, stale or uncovered. Only runs that verify count, as --full
and --signatures say. Exit 8 when a commit is uncovered or stale. It works in a
bare clone, and in CI once the runs are fetched:

git fetch origin 'refs/sdd/*:refs/sdd/*' 'refs/sdd-pins/*:refs/sdd-pins/*' 'refs/sdd-rulings/*:refs/sdd-rulings/*'`,
		Flags: readingFlags(
			&cli.BoolFlag{Name: "full", Usage: "begin at the first revision, whatever was verified before"},
			&cli.BoolFlag{Name: "signatures", Usage: "check signatures too; what git config sdd.sign says must be signed"},
			&cli.StringFlag{Name: "range", Usage: "say what review each commit of `A..B` rests on"},
			&cli.StringFlag{Name: "branch", Usage: "the same for what `BRANCH` has beyond the default base"},
		),
		Action: func(c *cli.Context) error {
			how := controller.VerifyOptions{Full: c.Bool("full"), Signatures: c.Bool("signatures")}
			o := controller.CoverageOptions{Range: c.String("range"), Branch: c.String("branch"), VerifyOptions: how}
			if o.Range != "" || o.Branch != "" {
				return runCoverage(c.Context, con, o, c.Args().Present() || c.String("run") != "")
			}
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runVerify(c.Context, con, t, c.Args().Slice(), how)
		},
	}
}

func runVerify(ctx context.Context, con *console, t target, runs []string, o controller.VerifyOptions) error {
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	v, err := c.Verify(ctx, runs, o)
	if err != nil {
		return err
	}
	if err := con.answer(v, func() { con.sayVerified(v) }); err != nil {
		return err
	}
	if f := v.Fault(); f != nil {
		return ended(f.Kind())
	}
	return nil
}

// sayVerified is a line a run, then what does not hold, then the way on.
func (con *console) sayVerified(v *controller.Verifications) {
	for _, r := range v.Runs {
		con.printf("run %s: %s, %s\n", shortRun(r.Run), r.Outcome, counted(r.Revisions, "revision"))
		for _, p := range r.Problems {
			where := "run"
			if p.Revision != nil {
				where = "r" + itoa(*p.Revision)
			}
			con.printf("  %-5s %s: %s\n", where, safe(p.Kind), safe(p.Message))
		}
		for _, n := range r.Notes {
			con.printf("  note  %s\n", safe(n))
		}
	}
	if f := v.Fault(); f != nil {
		con.printf("next: %s\n", f.Repair())
	}
}
