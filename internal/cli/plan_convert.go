package cli

import (
	"context"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/plan"
)

func planConvertCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "bring a plan as people write it into the strict grammar",
		ArgsUsage: "PLAN|-",
		Description: `Changes what is mechanical: line ends, blanks, separators, heading levels. What only
a human can decide has a flag, and is refused without it. A tier is never guessed and
never read from another field: without --tier or --tier-map a table of the tasks
opens in your editor, or the conversion is refused where there is no terminal.

The result goes to standard output or into OUT, never into PLAN. An OUT that holds
something else already is not touched. Before it is written it is read back: every
line of PLAN has to be where it was, task by task. What reaches no brief is listed,
line by line, on standard error, as are tasks that got another number; other text
that names them is left as it is.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Usage: "write the plan to `OUT`, a file that does not exist yet"},
			&cli.StringFlag{Name: "tier", Usage: "give `TIER` to every task that has none"},
			&cli.StringFlag{Name: "tier-map", Usage: "tiers by the new number of the task, before --tier: a `MAP` such as 1=Fast,2=Capable, or a file of such lines"},
			&cli.BoolFlag{Name: "renumber", Usage: "number the tasks 1, 2, 3 …; an old id stays in the title"},
			&cli.StringFlag{Name: "orphans", Usage: "`WHERE` sections go that hold steps and belong to no task: drop, previous or next"},
			&cli.StringFlag{Name: "constraints-from", Usage: "the section under `HEADING` becomes Global Constraints"},
			&cli.BoolFlag{Name: "fix-fences", Usage: "lengthen code fences that hold a fence, as their author meant them"},
			&cli.BoolFlag{Name: "diff", Usage: "print what changes as a unified diff, instead of the plan"},
			&cli.BoolFlag{Name: "check", Usage: "only report: write nothing, print no plan"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			return runPlanConvert(c.Context, con, convertOptions{
				path: c.Args().First(), out: c.String("o"),
				tier: c.String("tier"), tierMap: c.String("tier-map"), orphans: c.String("orphans"),
				renumber: c.Bool("renumber"), constraintsFrom: c.String("constraints-from"), fixFences: c.Bool("fix-fences"),
				diff: c.Bool("diff"), check: c.Bool("check"),
			})
		},
	}
}

// convertOptions are those of the command, as they were typed.
type convertOptions struct {
	path, out           string
	tier, tierMap       string
	orphans             string
	constraintsFrom     string
	renumber, fixFences bool
	diff, check         bool
}

func runPlanConvert(ctx context.Context, con *console, o convertOptions) error {
	if o.out == "-" {
		o.out = ""
	}
	if o.check && o.out != "" {
		return misuse("leave out --check or -o", "--check writes nothing, and -o %s was given", o.out)
	}
	opt, err := con.readConvertOptions(ctx, o)
	if err != nil {
		return err
	}
	if err := con.refuseInPlace(o); err != nil {
		return err
	}
	data, err := con.file(ctx, o.path, plan.MaxBytes)
	if err != nil {
		return err
	}
	conv, defects := plan.Convert(data, opt)
	if con.mayAskTiers(o, defects) {
		if conv, err = con.askTiers(ctx, o, data, opt); err != nil {
			return err
		}
	} else if conv == nil {
		return controller.ConvertFault(o.path, o.out, data, opt, defects)
	}
	if o.out != "" {
		if err := createFile(o.out, conv.Output); err != nil {
			return err
		}
	}
	return con.answerConversion(o, data, conv)
}

// readConvertOptions reads the decisions of the command line. A map of tiers
// has an equals sign; what has none is the name of a file.
func (con *console) readConvertOptions(ctx context.Context, o convertOptions) (opt plan.ConvertOptions, err error) {
	opt = plan.ConvertOptions{Renumber: o.renumber, ConstraintsFrom: o.constraintsFrom, FixFences: o.fixFences}
	if o.tier != "" {
		if opt.Tier, err = plan.ParseTierFlag(o.tier); err != nil {
			return opt, misuse("--tier Standard", "flag --tier: %w", err)
		}
	}
	if o.orphans != "" {
		if opt.Orphans, err = plan.ParseOrphans(o.orphans); err != nil {
			return opt, misuse("--orphans previous", "flag --orphans: %w", err)
		}
	}
	if o.tierMap == "" {
		return opt, nil
	}
	text := o.tierMap
	if !strings.Contains(text, "=") {
		if o.path == "-" && text == "-" {
			return opt, misuse("give the plan or the tiers as a file", "standard input cannot be both the plan and the tiers")
		}
		data, err := con.bounded(ctx, text, plan.MaxBytes, "a map of tiers")
		if err != nil {
			return opt, err
		}
		text = string(data)
	}
	if opt.TierMap, err = plan.ParseTierMap(text); err != nil {
		return opt, misuse("--tier-map 1=Fast,2=Capable", "flag --tier-map: %w", err)
	}
	return opt, nil
}

// refuseInPlace keeps a conversion from its own input, by whatever name or link,
// and from a shell that appends to it.
func (con *console) refuseInPlace(o convertOptions) error {
	in, err := os.Stat(o.path)
	if o.path == "-" {
		in, err = con.stdin.Stat()
	}
	if err != nil || !in.Mode().IsRegular() {
		return nil
	}
	if out, err := os.Stat(o.out); o.out != "" && err == nil && os.SameFile(in, out) {
		return misuse("name another file behind -o", "%s is the plan itself, and a plan is never converted in place", o.out)
	}
	if sink, ok := con.sink.(*os.File); ok && o.out == "" {
		if out, err := sink.Stat(); err == nil && os.SameFile(in, out) {
			return misuse("write to another file, with -o", "standard output is the plan itself, and a plan is never converted in place")
		}
	}
	return nil
}
