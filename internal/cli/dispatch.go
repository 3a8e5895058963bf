package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

// maxContext bounds the text that answers a child's question: what a brief may
// have (contract: bounds).
const maxContext = 256 << 10

func dispatchCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "dispatch",
		Category: groupLoop,
		Usage:    "record the intent for the next child and hand out its prompt",
		Description: `Writes the prompt and everything it names, records the intent in one commit,
and prints the bootstrap: the few lines that a child is started with. Called
again before the child is known, it prints the same bytes and changes nothing.`,
		Flags: writingFlags(
			&cli.StringFlag{Name: "context", Usage: "what the child asked for: a `FILE`, or - for standard input"},
			&cli.StringSliceFlag{Name: "park", Usage: "park the Minor finding `ID` before this fix; needs --evidence; may be repeated"},
			&cli.StringSliceFlag{Name: "evidence", Usage: "why, for each --park in turn: `TEXT`"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would be handed out and record nothing"},
		),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runDispatch(c.Context, con, t, dispatchOptions{
				context: c.String("context"), park: c.StringSlice("park"), evidence: c.StringSlice("evidence"), dryRun: c.Bool("dry-run"),
			})
		},
	}
}

type dispatchOptions struct {
	context  string // a path, or "-"
	park     []string
	evidence []string // one for each of park
	dryRun   bool
}

func runDispatch(ctx context.Context, con *console, t target, o dispatchOptions) error {
	parks, err := parksOf(o.park, o.evidence)
	if err != nil {
		return err
	}
	extra, err := con.answerOf(ctx, o.context)
	if err != nil {
		return err
	}
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	d, err := c.Dispatch(ctx, controller.DispatchOptions{Context: extra, Park: parks, DryRun: o.dryRun})
	if err != nil {
		return err
	}
	return con.answer(d, func() { con.sayDispatched(d) })
}

// answerOf reads the answer to a child's question; no path is none.
func (con *console) answerOf(ctx context.Context, path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	return con.bounded(ctx, path, maxContext, "a context")
}

// parksOf pairs each finding to park with its evidence.
func parksOf(ids, evidence []string) ([]controller.Park, error) {
	if len(ids) != len(evidence) {
		return nil, misuse("git sdd dispatch --park ID --evidence TEXT", "%s to park and %s of evidence were given", counted(len(ids), "finding"), counted(len(evidence), "text"))
	}
	var parks []controller.Park
	for i, id := range ids {
		parks = append(parks, controller.Park{ID: id, Evidence: evidence[i]})
	}
	return parks, nil
}

// sayDispatched prints the bootstrap in a form to paste, between two rules that
// are no part of it.
func (con *console) sayDispatched(d *controller.Dispatched) {
	con.sayTransitions(d.Transitions)
	con.printf("run %s, revision %d, %s\n", shortRun(d.Run), d.Revision, d.Phase)
	con.printf("task %d, %s%s, tier %s, attempt %d\n", d.Task, d.Role, roundOf(d.Round), d.Tier, d.Attempt)
	con.sayWarnings(d.Warnings)
	con.sayBootstrap(d.Tier, &d.Handout)
	if d.DryRun {
		con.printf("\nnothing was recorded\nnext: git sdd dispatch\n")
		return
	}
	con.printf("\nnext: %s\n", pasteable([]string{"git", "sdd", "started", "--session", "<session>"}))
}

// sayBootstrap prints what a child is started with.
func (con *console) sayBootstrap(tier string, h *controller.Handout) {
	con.printf("\nstart one child at tier %s in %s, with exactly these lines:\n\n", tier, safe(h.Cwd))
	con.printf("---8<---\n%s", safeText(h.Bootstrap))
	if len(h.Bootstrap) > 0 && h.Bootstrap[len(h.Bootstrap)-1] != '\n' {
		con.printf("\n")
	}
	con.printf("--->8---\n")
}
