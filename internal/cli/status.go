package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func statusCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "status",
		Category:  groupLook,
		Usage:     "show where a run stands: plan, tasks, findings, what waits",
		ArgsUsage: "[RUN]",
		Description: `Read-only. Without a live run in this worktree and on this branch it shows the
newest finished one. Colours follow color.sdd, color.ui and NO_COLOR.`,
		Flags: readingFlags(),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, c.Args().First())
			if err != nil {
				return err
			}
			return runStatus(c.Context, con, t)
		},
	}
}

func runStatus(ctx context.Context, con *console, t target) error {
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	s, err := c.Status(ctx)
	if err != nil {
		return err
	}
	return con.answer(s, func() { con.sayStatus(s, con.palette(ctx)) })
}

// driftWords says what the plan file is, against the pinned bytes.
var driftWords = map[string]string{
	"none":         "",
	"line-endings": ", other line endings than the pinned plan",
	"missing":      ", the file is missing",
	"edited":       ", the file was edited",
}

// lineWidth is what a line of status keeps to.
const lineWidth = 80

// sayStatus draws a run for people. The next command stands last.
func (con *console) sayStatus(s *controller.Status, p palette) {
	drift, known := driftWords[s.Plan.Drift]
	if !known {
		drift = ", " + s.Plan.Drift
	}
	con.line("plan", "%s (%s)%s", safe(inside(s.Worktree, s.Plan.Path)), counted(len(s.Tasks), "task"), p.paint("alert", safe(drift)))
	branch := refName(s.Branch) + ", from " + refName(s.BaseRef) + " at " + shortCommit(s.MergeBase)
	con.line("branch", "%s", wrap(branch, lineWidth-8, "\n        "))
	con.line("in", "%s", safe(s.Worktree))
	con.line("run", "%s, revision %d, begun %s ago, moved %s ago", shortRun(s.Run), s.Revision, con.age(s.CreatedAt), con.age(s.UpdatedAt))
	con.line("phase", "%s", safe(s.Phase))
	if s.Integrated != nil {
		con.line("result", "%s", intoText(s.Integrated))
	}
	con.printf("\n")
	con.sayTasks(s, p)
	con.sayFindings(s.Findings, p)
	con.printf("\n")
	con.sayDispatch(s.Dispatch)
	if s.Next != nil {
		con.sayWaiting(s.Next)
	}
}

// sayWaiting tells what waits. The next command stands last, and is the only one
// unless a human rules: next lists the others.
func (con *console) sayWaiting(n *controller.Next) {
	con.line("waits", "%s", wrap(safe(n.Why), lineWidth-8, "\n        "))
	for _, w := range n.Warnings {
		con.printf("warning: %s\n", safe(w)) // whole, for the commands in it
	}
	switch {
	case n.Action == "decide":
		con.sayAction(n)
		con.sayAlternatives(n)
	case len(n.Alternatives) > 0:
		con.printf("or: %s, which git sdd next lists\n", counted(len(n.Alternatives), "other command"))
	}
	con.sayCommand(n)
}

// line prints one fact behind its name.
func (con *console) line(name, format string, args ...any) {
	con.printf("%-7s ", name)
	con.printf(format+"\n", args...)
}

// sayTasks is one line a task: state, rounds, open findings, age, commit, title.
func (con *console) sayTasks(s *controller.Status, p palette) {
	var rows [][]string
	for _, t := range s.Tasks {
		rows = append(rows, []string{
			"  " + itoa(t.Number), t.State, rounds(t.FixRounds), openCount(t.Open), con.taskAge(s, t), headOf(t), safe(t.Title),
		})
	}
	fit(rows, lineWidth)
	con.table(rows, func(row, column int, cell string) string {
		if column != 1 {
			return cell
		}
		return p.paint(s.Tasks[row].State, cell)
	})
}

// taskAge says how long ago the task at work moved; a task that rests has none.
func (con *console) taskAge(s *controller.Status, t controller.TaskStatus) string {
	if t.State != "active" {
		return ""
	}
	return con.age(s.UpdatedAt)
}

func headOf(t controller.TaskStatus) string {
	if t.Head == nil {
		return ""
	}
	return shortCommit(*t.Head)
}

func rounds(n int) string {
	if n == 0 {
		return ""
	}
	return counted(n, "round")
}

func openCount(n int) string {
	if n == 0 {
		return ""
	}
	return itoa(n) + " open"
}

// fit shortens the last column so that no row is wider than limit.
func fit(rows [][]string, limit int) {
	if len(rows) == 0 {
		return
	}
	last, before := len(rows[0])-1, 0
	for column := range last {
		widest := 0
		for _, row := range rows {
			widest = max(widest, columns(row[column]))
		}
		before += widest + 2
	}
	for _, row := range rows {
		row[last] = clip(row[last], max(limit-before, 16))
	}
}

// sayFindings lists what reviews found, the open ones first.
func (con *console) sayFindings(findings []controller.FindingStatus, p palette) {
	var rows [][]string
	var slots []string
	for _, wanted := range []bool{true, false} {
		for _, f := range findings {
			if (f.Disposition == "open") != wanted {
				continue
			}
			where := ""
			if f.Location != nil {
				where = safe(*f.Location)
			}
			rows = append(rows, []string{"  " + safe(f.ID), safe(f.Severity), safe(f.Disposition), clip(where, 24), safe(f.Summary)})
			slots = append(slots, f.Disposition)
		}
	}
	if len(rows) == 0 {
		return
	}
	fit(rows, lineWidth)
	con.printf("\nfindings\n")
	con.table(rows, func(row, column int, cell string) string {
		if column != 2 {
			return cell
		}
		return p.paint(slots[row], cell)
	})
}

// sayDispatch tells whom the work was handed to.
func (con *console) sayDispatch(d *controller.DispatchStatus) {
	if d == nil {
		return
	}
	where := "no session is recorded"
	if d.Session != nil {
		where = "in session " + clip(safe(*d.Session), 32)
	}
	switch {
	case d.Report != nil:
		where += ", its report is taken"
	case d.StartedAt != nil:
		where += ", started " + con.age(*d.StartedAt) + " ago"
	}
	if d.Reissued {
		where += ", reissued"
	}
	con.line("child", "%s of task %d%s, attempt %d, tier %s,\n        %s", safe(d.Role), d.Task, roundOf(d.Round), d.Attempt, safe(d.Tier), where)
}
