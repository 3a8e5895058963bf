package cli

import (
	"context"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func logCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "log",
		Category:  groupLook,
		Usage:     "tell a run as a story, transition by transition",
		ArgsUsage: "[RUN]",
		Description: `The oldest transition first: revision, time, commit, what happened, and below it
the reason that a human gave. "git log refs/sdd/<run>" shows the same commits.`,
		Flags: append(readingFlags(), &cli.IntFlag{Name: "max-count", Aliases: []string{"n"}, Usage: "tell only the newest `N` transitions"}),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, c.Args().First())
			if err != nil {
				return err
			}
			newest := -1
			if c.IsSet("max-count") {
				newest = c.Int("max-count")
			}
			return runLog(c.Context, con, t, newest)
		},
	}
}

func runLog(ctx context.Context, con *console, t target, newest int) error {
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	l, err := c.Log(ctx, newest)
	if err != nil {
		return err
	}
	return con.answer(l, func() { con.sayLog(l) })
}

func (con *console) sayLog(l *controller.Log) {
	con.printf("run %s\n", shortRun(l.Run))
	day, who := "", ""
	for _, e := range l.Entries {
		if d := prefix(e.At, len("2026-09-01")); d != day {
			day = d
			con.printf("\n%s\n", safe(day))
		}
		by := fmt.Sprintf("%s <%s>, %s", e.By.Name, e.By.Email, e.By.Via)
		told := ""
		if by != who {
			who, told = by, "  ("+safe(by)+")"
		}
		con.printf("  %s  r%-3d %s  %s%s\n", safe(clockOf(e.At)), e.Revision, shortCommit(e.Commit), safe(storyOf(e)), told)
		if e.Reason != "" {
			con.printf("%28s%s\n", "", safe(e.Reason))
		}
	}
}

// clockOf is the time of day within an instant of the ledger.
func clockOf(at string) string {
	if len(at) < len("2026-09-01T12:00:00") {
		return at
	}
	return at[len("2026-09-01T"):len("2026-09-01T12:00:00")]
}

// storyOf is the subject of a transition's commit without the revision that
// ends it, which has a column of its own.
func storyOf(e controller.LogEntry) string {
	end := " (r" + strconv.Itoa(e.Revision) + ")"
	if n := len(e.Subject) - len(end); n > 0 && e.Subject[n:] == end {
		return e.Subject[:n]
	}
	if e.Subject == "" {
		return e.Event
	}
	return e.Subject
}
