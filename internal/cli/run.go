package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/tier"
)

func runCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "run",
		Category: groupLoop,
		Usage:    "drive the run with the configured agents to its end or to the next human decision",
		Description: `Goes on from wherever the run stands, records each step as the other commands
do, and starts the commands of [agent] and [role.*] as children. Reviewers work
in a throwaway worktree of the commit that they judge. A report that is refused
goes back to its child twice; a child without a report is started again as often
as run.attempts says. Killed at any moment, it is called again and goes on.

--until "task 2" stops when task 2 is complete, --until review before a
reviewer, --until final before the final review. Where an implementer asked,
--context FILE answers and goes on. Ctrl-C asks the child to end, and again
kills it. Progress goes to standard error.

Exit status 5: a human must rule. 6: an agent failed. 130: interrupted.`,
		Flags: writingFlags(
			&cli.StringFlag{Name: "until", Usage: "stop at a `PLACE`: task N, review or final"},
			&cli.StringFlag{Name: "context", Usage: "what an implementer asked for: a `FILE`, or - for standard input"},
			&cli.BoolFlag{Name: "wave", Usage: "where only Minors are left at the end, have them fixed rather than ruled on"},
			&cli.BoolFlag{Name: "dry-run", Usage: "tell which child would be started, and start none"},
		),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runRun(c.Context, con, t, runOptions{until: c.String("until"), context: c.String("context"), wave: c.Bool("wave"), dryRun: c.Bool("dry-run")})
		},
	}
}

type runOptions struct {
	until   string
	context string // a path, or "-"
	wave    bool
	dryRun  bool
}

func runRun(ctx context.Context, con *console, t target, o runOptions) error {
	until, err := controller.ParseUntil(o.until)
	if err != nil {
		return err
	}
	answer, err := con.answerOf(ctx, o.context)
	if err != nil {
		return err
	}
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	p := &progress{con: con}
	a, err := c.Drive(ctx, controller.DriveOptions{Until: until, DryRun: o.dryRun, Context: answer, Wave: o.wave, Watch: p.say, Signals: signals})
	p.clear()
	if err != nil {
		return err
	}
	if err := con.answer(a, func() { con.sayDriven(a) }); err != nil || a.Stop == nil {
		return err
	}
	kind := kindNamed(a.Stop.Kind)
	if !con.json {
		_ = con.out.Flush() // what finish would say about it is said there
		printFault(con.errOut, fault.New(kind, a.Stop.Repair, "%s", a.Stop.Message))
	}
	return ended(kind)
}

func kindNamed(name string) fault.Kind {
	for i, row := range fault.Table() {
		if row.Name == name {
			return fault.Kind(i)
		}
	}
	return fault.Internal
}

// sayDriven tells what a drive took and where the run stands. Where it ended
// before its goal the way on is said last, on standard error.
func (con *console) sayDriven(a *controller.Driven) {
	if w := a.Would; w != nil {
		where := "as an argument or a file"
		if w.Stdin == "prompt" {
			where = "on standard input"
		}
		con.printf("would start the %s, prompt of %d bytes %s\n", childOf(w.Role, w.Task, w.Tier), w.PromptBytes, where)
		con.printf("  in %s: %s\n\n", safe(w.Cwd), pasteable(w.Argv))
	}
	if n := len(a.Transitions); n > 0 {
		con.printf("%s in %s\n", counted(n, "transition"), took(a.Totals.WallMS))
	}
	con.sayTotals(a.Totals)
	con.sayStanding(&a.Next)
	if a.Stop == nil {
		con.sayAlternatives(&a.Next)
		con.sayCommand(&a.Next)
	}
}

func (con *console) sayTotals(t controller.Totals) {
	if len(t.Dispatches) == 0 {
		return
	}
	var words []string
	for _, d := range t.Dispatches {
		words = append(words, fmt.Sprintf("%d %s (%s)", d.Count, safe(spokenRole(d.Role)), safe(d.Tier)))
	}
	con.sayList("children", words)
	words = nil
	for _, p := range t.Phases {
		if p.MS >= 1000 {
			words = append(words, took(p.MS)+" "+safe(p.Phase))
		}
	}
	con.sayList("time", words)
	words = []string{counted(t.Rounds, "fix round"), counted(t.Findings.All, "finding")}
	if t.Findings.All > 0 {
		words[1] += fmt.Sprintf(" (%d fixed, %d open, %d otherwise settled)", t.Findings.Fixed, t.Findings.Open, t.Findings.Other)
	}
	con.sayList("", append(words, counted(t.Repairs, "repair call")))
	con.printf("\n")
}

// sayList is one list below another: it keeps to the width of a line.
func (con *console) sayList(name string, words []string) {
	if len(words) == 0 {
		return
	}
	if name != "" {
		name += ": "
	}
	con.printf("%s\n", wrap(name+strings.Join(words, ", "), lineWidth-2, "\n  "))
}

// spokenRole is a role as people name it.
func spokenRole(role string) string {
	if role == tier.Final.String() {
		return "final reviewer"
	}
	return role
}

// took is a time in the unit that people read.
func took(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}
