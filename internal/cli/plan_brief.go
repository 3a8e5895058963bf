package cli

import (
	"context"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/plan"
)

func planBriefCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "brief",
		Usage:     "print the brief of one task",
		ArgsUsage: "PLAN|- N",
		Description: `The bytes that the implementer of task N gets: the Global Constraints, the task's
heading and its body, cut from the same parse that validates the plan.`,
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			return runPlanBrief(c.Context, con, c.Args().Get(0), c.Args().Get(1))
		},
	}
}

// A briefAnswer is git-sdd/brief/1.
type briefAnswer struct {
	Schema string `json:"schema"`
	Number int    `json:"number"`
	Title  string `json:"title"`
	Bytes  int    `json:"bytes"`
	Brief  string `json:"brief"`
}

func runPlanBrief(ctx context.Context, con *console, path, number string) error {
	data, err := con.file(ctx, path, plan.MaxBytes)
	if err != nil {
		return err
	}
	p, defects := plan.Parse(data)
	if len(defects) > 0 {
		return controller.PlanFault(path, data, defects)
	}
	tasks := p.Tasks()
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(tasks) || strconv.Itoa(n) != number {
		return misuse("git sdd plan brief "+quote(path)+" 1", "the plan has tasks 1 to %d, %q is none of them", len(tasks), number)
	}
	brief := p.Brief(n)
	if con.json {
		return con.document(briefAnswer{
			Schema: "git-sdd/brief/1", Number: n, Title: tasks[n-1].Title, Bytes: len(brief), Brief: string(brief),
		})
	}
	con.bytes(brief)
	return nil
}
