package cli

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
)

func sessionsCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "sessions",
		Category: groupLook,
		Usage:    "list the children that git-sdd started here, and what shows how they stand",
		Description: `Read-only. What children leave is kept in this clone alone. A child that is not
in the list proves nothing: others may have started it, or removed its record.`,
		Flags: readingFlags(),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runSessions(c.Context, con, t)
		},
	}
}

func runSessions(ctx context.Context, con *console, t target) error {
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Sessions(ctx)
	if err != nil {
		return err
	}
	return con.answer(a, func() {
		if len(a.Sessions) == 0 {
			con.printf("git-sdd started no child here\n")
			return
		}
		rows := [][]string{{"SESSION", "STANDING", "TASK", "ROLE", "AGE"}}
		for _, s := range a.Sessions {
			task := ""
			if n := ownTask(s.Role, s.Task); n > 0 {
				task = itoa(n)
			}
			rows = append(rows, []string{safe(s.Session), safe(s.Standing), task, safe(spokenRole(s.Role)), con.age(s.StartedAt)})
		}
		con.table(rows, nil)
	})
}

func sessionCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "session",
		Category:  groupLook,
		Usage:     "show one child: what it was, how it stands, where its output is",
		ArgsUsage: "ID",
		Flags:     []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			return runSession(c.Context, con, c.Args().First())
		},
	}
}

func runSession(ctx context.Context, con *console, id string) error {
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	a, err := c.Session(id)
	if err != nil {
		return err
	}
	return con.answer(a, func() { con.saySession(a) })
}

func (con *console) saySession(a *controller.SessionAnswer) {
	if a.Run == "" {
		con.printf("session %s: %s at tier %s, of no run\n%s: %s\n", safe(a.Session), safe(a.Role), safe(a.Tier), safe(a.Standing), safe(a.Proof))
	} else {
		con.printf("session %s: %s\n%s: %s\n", safe(a.Session), childOf(a.Role, a.Task, a.Tier), safe(a.Standing), safe(a.Proof))
		con.printf("dispatch %s, handed out by revision %d\n", safe(a.DispatchKey), a.Revision)
	}
	if a.PID != 0 {
		con.printf("pid %d on %s, started %s\n", a.PID, safe(a.Host), safe(a.StartedAt))
	}
	if a.End != nil {
		con.printf("ended %s: %s, exit status %d, %d bytes of output\n", safe(a.End.At), safe(string(a.End.Cause)), a.End.Exit, a.End.Output)
		if a.End.Question != "" {
			con.printf("it waited for an answer: %s\n", safe(a.End.Question))
		}
	}
	con.printf("in %s\noutput: %s\n", safe(a.Cwd), safe(a.Log))
}
