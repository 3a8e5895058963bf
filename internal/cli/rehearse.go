package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/plan"
	"github.com/git-sdd/git-sdd/internal/rehearsal"
)

func rehearseCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "rehearse",
		Category:  groupPlan,
		Usage:     "play a whole run of a plan with scripted children, in a throwaway clone",
		ArgsUsage: "PLAN",
		Description: `Shows every dispatch with its tier and what the child is given, what a human would
be asked, and the totals. No model is called; this repository is only read, and
the clone is gone afterwards. Gates are left out: they judge work.

Scenarios: "clean", where all goes well; "fix-loop", where each task's first review
and the final review find something; "blocked", where the first implementer is; or
a file with one answer a line, used once, or with * for TASK once for each task:

  implementer 2 context TEXT
      also: done, concerns KIND TEXT, blocked TEXT; and for fixer, final-fixer
  task-reviewer * finding SEVERITY TEXT
      also: approve, still (what was found is there); and for re-reviewer,
      final, final-re-reviewer
  human 2 answer TEXT
      answers the question of an implementer
  human 3 proceed REASON
      any decision that "next" offers

What a scenario does not say goes well. Where a human must rule and none does, the
rehearsal ends.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "scenario", Usage: "what the children answer: a `NAME`, or the path of a file", Value: "clean"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			return runRehearse(c.Context, con, c.Args().First(), c.String("scenario"))
		},
	}
}

func runRehearse(ctx context.Context, con *console, path, scenario string) error {
	script, err := con.scenario(ctx, scenario)
	if err != nil {
		return err
	}
	data, err := con.bounded(ctx, path, plan.MaxBytes, "a plan")
	if err != nil {
		return err
	}
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	r, err := c.Rehearse(ctx, controller.RehearseOptions{Plan: path, Data: data, Scenario: script, Name: scenario})
	if err != nil {
		return err
	}
	return con.answer(r, func() { con.sayRehearsal(r) })
}

// scenario finds a scenario by its name, or reads one.
func (con *console) scenario(ctx context.Context, name string) (*rehearsal.Scenario, error) {
	if s, ok := rehearsal.Builtin(name); ok {
		return s, nil
	}
	data, err := con.bounded(ctx, name, rehearsal.MaxScenario, "a scenario")
	if err != nil {
		return nil, misuse("git sdd rehearse --scenario clean PLAN", "the scenario is one of %s, or a file: %w", strings.Join(rehearsal.Names(), ", "), err)
	}
	s, err := rehearsal.Parse(string(data))
	var bad *rehearsal.LineError
	if errors.As(err, &bad) {
		return nil, fault.New(fault.Invalid, "git sdd help rehearse", "%s", bad.Message).WithCode("scenario").WithLocation(fmt.Sprintf("%s:%d", name, bad.Line))
	}
	return s, err
}

func (con *console) sayRehearsal(r *controller.Rehearsal) {
	con.printf("rehearsal of %s, %s, scenario %s\n\n", safe(r.Plan.Path), counted(r.Plan.Tasks, "task"), safe(r.Scenario))
	rows := [][]string{}
	for _, d := range r.Dispatches {
		who := d.Role + strings.Replace(roundOf(d.Round), " in", ",", 1)
		row := []string{fmt.Sprintf("  r%d", d.Revision), fmt.Sprintf("task %d", d.Task), who, d.Tier}
		if d.Model != "" {
			row = append(row, safe(d.Model))
		}
		rows = append(rows, append(row, kilobytes(d.Prompt), "+ "+kilobytes(d.Files), d.Answer))
	}
	con.table(rows, nil)
	for _, q := range r.Questions {
		con.sayQuestion(q)
	}
	for _, line := range r.Unused {
		con.printf("not reached: %s\n", safe(line))
	}
	con.sayRehearsed(r)
}

// sayQuestion tells what a human would be asked, and what the scenario answered.
func (con *console) sayQuestion(q controller.RehearsedQuestion) {
	con.printf("\nr%d, task %d: a human would be asked: %s\n", q.Revision, q.Task, safe(q.Why))
	for _, d := range q.Decisions {
		con.printf("  %-12s %s\n", d.Decision, safe(d.Effect))
	}
	if q.Ruling != "" {
		con.printf("the scenario says: %s\n", safe(q.Ruling))
	}
}

func (con *console) sayRehearsed(r *controller.Rehearsal) {
	t := r.Totals
	var roles, tiers []string
	for _, name := range t.Roles() {
		roles = append(roles, fmt.Sprintf("%s %d", name, t.ByRole[name]))
	}
	for _, name := range t.Tiers() {
		tiers = append(tiers, fmt.Sprintf("%s %d", name, t.ByTier[name]))
	}
	con.printf("\n%s: %s\n", dispatches(t.Dispatches), strings.Join(roles, ", "))
	con.printf("by tier: %s\n", strings.Join(tiers, ", "))
	con.printf("prompts %s, files beside them %s; %s, %s, %s to a human\n", kilobytes(t.PromptBytes), kilobytes(t.FileBytes),
		counted(t.Rounds, "fix round"), counted(t.Findings, "finding"), counted(len(r.Questions), "question"))
	ends := "stands in"
	if r.Action == "done" || r.Action == "blocked" {
		ends = "ended in"
	}
	con.printf("%s %s after %s\n", ends, safe(r.Phase), counted(t.Transitions, "transition"))
}

func dispatches(n int) string {
	if n == 1 {
		return "1 dispatch"
	}
	return itoa(n) + " dispatches"
}

// kilobytes shows a size as people compare it.
func kilobytes(n int) string { return fmt.Sprintf("%.1f KB", float64(n)/1000) }
