package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/fault"
)

func gateCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:        "gate",
		Category:    groupLook,
		Usage:       "run the gates, or show that one can tell good from bad",
		Subcommands: []*cli.Command{gateRunCommand(con), gateProveCommand(con)},
	}
}

func gateRunCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "run one gate or all, as a dispatch does, and record nothing",
		ArgsUsage: "[NAME]",
		Description: `Each gate runs without a shell in a clean checkout of the commit, and once more
in a fresh one where it fails: one that passes then is flaky and counts as passed.
Where a run lives its pinned gates run, elsewhere those of the settings as they
are. Gates of a tracked git-sdd.toml run only once git sdd trust let them.

Exit status 8: a gate failed, or could not run, which is neither a pass nor a
failure.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "commit", Usage: "what the gates run on: any revision `C`; without it HEAD"},
			&cli.StringFlag{Name: "command", Usage: "instead of a gate, a command as plans write it: one `STRING` of plain and quoted words"},
			runFlag(), jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runGates(c.Context, con, t, controller.GateOptions{Name: c.Args().First(), Commit: c.String("commit"), Command: c.String("command")})
		},
	}
}

func runGates(ctx context.Context, con *console, t target, o controller.GateOptions) error {
	if o.Name != "" && o.Command != "" {
		return misuse("git sdd gate run "+quote(o.Name), "gate run takes the name of a gate or --command, not both")
	}
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	g, err := c.GateRun(ctx, o)
	if err != nil {
		return err
	}
	if err := con.answer(g, func() { con.sayGates(g, o.Command != "") }); err != nil {
		return err
	}
	return con.refusal(g.Fault())
}

// refusal ends a command whose answer was given: the answer of a program holds the
// fault already, a person is told what it is and the way on.
func (con *console) refusal(f *fault.Error) error {
	switch {
	case f == nil:
		return nil
	case con.json:
		return ended(f.Kind())
	}
	return f
}

// sayGates is a line a gate, below one that did not pass at once the end of what
// it put out.
func (con *console) sayGates(g *controller.GateRuns, adHoc bool) {
	whose := "gates of the settings as they are"
	switch {
	case adHoc:
		whose = "a command of its own"
	case g.Run != nil:
		whose = "gates that run " + shortRun(*g.Run) + " is pinned to"
	}
	con.printf("commit %s, %s\n", shortCommit(g.Commit), whose)
	for i := range g.Gates {
		con.sayGate(g.Gates[i].Name, &g.Gates[i])
	}
	con.sayAround(g.Touched, g.Warnings)
}

func (con *console) sayGate(label string, g *controller.GateSeen) {
	how := g.Ended
	if g.Why != "" {
		how = g.Why
	}
	con.printf("%s: %s, %s%s, in %s\n", safe(label), g.Outcome, safe(how), again(g), took(g.DurationMS))
	if g.Outcome != "passed" {
		con.sayTail(g.Tail)
	}
}

func again(g *controller.GateSeen) string {
	switch {
	case g.Outcome == "flaky":
		return " when it was run again on the same commit"
	case g.Runs > 1:
		return fmt.Sprintf(", run %d times", g.Runs)
	}
	return ""
}

// tailLines is how much of a gate's output a person is shown.
const tailLines = 40

func (con *console) sayTail(tail string) {
	lines := strings.Split(strings.TrimRight(tail, "\n"), "\n")
	if n := len(lines) - tailLines; n > 0 {
		lines = append([]string{"[…]"}, lines[n:]...)
	}
	for _, line := range lines {
		if line = strings.TrimRight(line, "\r"); line != "" {
			con.printf("    %s\n", clip(safe(strings.ReplaceAll(line, "\t", "    ")), 400))
		}
	}
}

// sayAround tells what changed around a gate, and what is worth a word.
func (con *console) sayAround(touched, warnings []string) {
	con.sayWarnings(touched)
	con.sayWarnings(warnings)
}

func gateProveCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "prove",
		Usage:     "hold a gate against a negative control",
		ArgsUsage: "NAME",
		Description: `Runs the gate on HEAD, which it should pass, and on a control, which it should
fail: the merge base with only the test files of HEAD. A file is a test by its
path: the usual names of each ecosystem, or what --tests adds. What the command
runs and the merge base lacks comes along. With --control it is another commit,
as it is.

  discriminates          it passed HEAD and failed the control
  does not discriminate  it passed both: it would not have noticed
  cannot tell            everything else, with the reason

A run that lives here records it, unless the gate could not run, and the packages
of its reviewers show it.

Exit status 8: the gate does not discriminate, or it cannot be told.`,
		Flags: writingFlags(
			&cli.StringFlag{Name: "control", Usage: "what the gate should refuse: any revision `C`, as it is"},
			&cli.StringSliceFlag{Name: "tests", Usage: "a `GLOB` of more paths that are tests; may be repeated"},
		),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runProve(c.Context, con, t, controller.ProveOptions{Name: c.Args().First(), Control: c.String("control"), Tests: c.StringSlice("tests")})
		},
	}
}

func runProve(ctx context.Context, con *console, t target, o controller.ProveOptions) error {
	if o.Control != "" && len(o.Tests) > 0 {
		return misuse("git sdd gate prove "+quote(o.Name)+" --control C", "a control that is named is taken as it is: --tests adds nothing to it")
	}
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	p, err := c.Prove(ctx, o)
	if err != nil {
		return err
	}
	if err := con.answer(p, func() { con.sayProof(p) }); err != nil {
		return err
	}
	return con.refusal(p.Fault())
}

// sayProof tells what both runs showed, and whether it is recorded.
func (con *console) sayProof(p *controller.GateProof) {
	con.printf("%s: %s, %s\n", safe(p.Name), p.Outcome, safe(p.Why))
	if p.Head != nil {
		con.sayGate("head "+shortCommit(p.Head.Commit), p.Head)
	}
	if p.Control != nil {
		label := "control " + shortCommit(p.Control.Commit)
		if p.TestCount > 0 {
			label += " with " + listed(p.Tests)
		}
		con.sayGate(label, p.Control)
	}
	con.sayAround(p.Touched, p.Warnings)
	for _, t := range p.Transitions {
		con.printf("recorded as r%d of run %s\n", t.Revision, shortRun(*p.Run))
	}
	switch {
	case p.Run == nil:
		con.printf("nothing is recorded: no run lives here\n")
	case len(p.Transitions) == 0:
		con.printf("nothing is recorded: a gate that could not run shows nothing\n")
	}
}

// listed names a few of many.
func listed(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
