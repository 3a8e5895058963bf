package cli

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

// program is what error lines begin with.
const program = "git-sdd"

func rootFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "C", Usage: "act as if started in `DIR`"},
		&cli.BoolFlag{Name: "version", Usage: "print the version"},
	}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "answer with one JSON document"}
}

func runFlag() cli.Flag {
	return &cli.StringFlag{Name: "run", Usage: "the run whose id begins with `PREFIX`, instead of the one of this worktree and branch"}
}

func reasonFlag() cli.Flag {
	return &cli.StringFlag{Name: "reason", Usage: "why, in one line of at most 256 characters: recorded as `TEXT`"}
}

// readingFlags are those of every command that looks at a run.
func readingFlags(own ...cli.Flag) []cli.Flag { return append(own, runFlag(), jsonFlag()) }

// writingFlags are those of every command that records something.
func writingFlags(own ...cli.Flag) []cli.Flag {
	return append(own, runFlag(), revisionFlag(), jsonFlag())
}

func revisionFlag() cli.Flag {
	return &cli.IntFlag{Name: "expected-revision", Usage: "refuse with exit 3 unless the run stands at revision `N`"}
}

// A target is the run that a command works on, and the revision that the caller
// believes it has.
type target struct {
	run      string
	revision *int
}

// targetOf reads the target from the flags and the argument that may name a run.
func targetOf(c *cli.Context, argument string) (target, error) {
	t := target{run: c.String("run")}
	if argument != "" {
		if t.run != "" {
			return t, misuse("name the run once", "both --run %q and the argument %q name a run", t.run, argument)
		}
		t.run = argument
	}
	if c.IsSet("expected-revision") {
		n := c.Int("expected-revision")
		t.revision = &n
	}
	return t, nil
}

// open opens the controller on a target. The caller closes it. A target without
// a run is resolved by the controller, from GIT_SDD_RUN or from where it stands.
func (con *console) open(ctx context.Context, t target) (*controller.Controller, error) {
	return controller.Open(ctx, controller.Options{
		Run: t.run, ExpectedRevision: t.revision, Via: con.via(), Env: con.env, Version: version(), Say: con.told,
	})
}

// told shows a person who watches what takes long; a program is spared it.
func (con *console) told(text string) {
	if con.errTerminal {
		fmt.Fprintln(con.errOut, safe(text))
	}
}
