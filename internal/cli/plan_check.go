package cli

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/plan"
)

func planCheckCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "validate a plan and list its tasks",
		ArgsUsage: "[PLAN|-]",
		Description: `Lists each task with its lines, its tier and the size of its brief, and every
line of the plan that reaches no brief. A plan that is refused exits 2 and names
all that is wrong with it, each with its line and its repair; where one conversion
would do, its command too.

--explain says what a code means, with an example; of PLAN, where one is named, it
lists the places.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "explain", Usage: "explain a `CODE` of a refusal or a warning instead"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			if c.IsSet("explain") {
				return runPlanExplain(c.Context, con, c.String("explain"), c.Args().First())
			}
			return runPlanCheck(c.Context, con, c.Args().First())
		},
	}
}

// A planAnswer is git-sdd/plan/1 (interfaces: looking).
type planAnswer struct {
	Schema            string     `json:"schema"`
	SHA256            string     `json:"sha256"`
	GlobalConstraints *string    `json:"globalConstraints"`
	Tasks             []planTask `json:"tasks"`
	Unread            []planSpan `json:"unread"`
	Warnings          []planWarn `json:"warnings"`
}

type planTask struct {
	Number          int    `json:"number"`
	Title           string `json:"title"`
	ImplementerTier string `json:"implementerTier"`
	Line            int    `json:"line"`
	EndLine         int    `json:"endLine"`
	BriefBytes      int    `json:"briefBytes"`
}

type planSpan struct {
	Line    int `json:"line"`
	EndLine int `json:"endLine"`
}

type planWarn struct {
	Code     string `json:"code"`
	Location string `json:"location"`
	Message  string `json:"message"`
}

func runPlanCheck(ctx context.Context, con *console, path string) error {
	if path == "" {
		return misuse("git sdd plan check PLAN, or - for standard input", "plan check needs PLAN|-, none was given")
	}
	data, err := con.file(ctx, path, plan.MaxBytes)
	if err != nil {
		return err
	}
	digest := make(chan string, 1)
	go func() { digest <- plan.Digest(data) }() // beside the parse: it takes a twentieth of it
	p, defects := plan.Parse(data)
	if len(defects) > 0 {
		return controller.PlanFault(path, data, defects)
	}
	a := planAnswerOf(path, <-digest, p)
	return con.answer(a, func() { con.sayPlan(path, a) })
}

func planAnswerOf(path, digest string, p *plan.Plan) planAnswer {
	a := planAnswer{Schema: "git-sdd/plan/1", SHA256: digest}
	if text, ok := p.Constraints(); ok {
		a.GlobalConstraints = &text
	}
	for _, t := range p.Tasks() {
		a.Tasks = append(a.Tasks, planTask{
			Number: t.Number, Title: t.Title, ImplementerTier: t.Tier.String(),
			Line: t.Line, EndLine: t.EndLine, BriefBytes: p.BriefBytes(t.Number),
		})
	}
	for _, s := range p.Unread() {
		a.Unread = append(a.Unread, planSpan(s))
	}
	for _, w := range p.Warnings() {
		a.Warnings = append(a.Warnings, planWarn{Code: w.Code, Location: at(path, w.Line), Message: w.Message})
	}
	return a
}

// sayPlan prints the table of tasks, the warnings, and the next command.
func (con *console) sayPlan(path string, a planAnswer) {
	con.printf("%s: %s, sha256 %s\n\n", safe(path), counted(len(a.Tasks), "task"), prefix(a.SHA256, 12))
	rows := [][]string{{"TASK", "TIER", "LINES", "BRIEF", "TITLE"}}
	for _, t := range a.Tasks {
		rows = append(rows, []string{
			itoa(t.Number), t.ImplementerTier, itoa(t.Line) + "-" + itoa(t.EndLine), size(t.BriefBytes), clip(safe(t.Title), 44),
		})
	}
	con.table(rows, nil)
	con.printf("\n")
	if a.GlobalConstraints != nil {
		lines := strings.Count(*a.GlobalConstraints, "\n") + 1
		con.printf("every brief begins with the Global Constraints (%s)\n", counted(lines, "line"))
	}
	for _, w := range a.Warnings {
		con.printf("warning: %s: %s\n", safe(w.Location), safe(w.Message))
	}
	if path == "-" {
		path = "PLAN"
	}
	con.printf("next: %s\n", pasteable([]string{"git", "sdd", "start", path}))
}

// size is a count of bytes as people read it.
func size(n int) string {
	if n < 1<<10 {
		return itoa(n) + " B"
	}
	return itoa((n+1<<9)>>10) + " KiB"
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}
