package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/fault"
)

func trustCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "trust",
		Category: groupSettings,
		Usage:    "let the gates of the tracked git-sdd.toml run in this clone",
		Description: `A tracked file can be changed by whoever can commit to it, so its commands run
only once you have seen them. trust shows them, asks, and records the object name
of exactly this content in the git directory; when the file changes, it asks
again. Without a terminal, and in a hook, name the content with --blob.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "blob", Usage: "the object name `ID` of the content that is meant; asks nothing"},
			&cli.BoolFlag{Name: "show", Usage: "show what would be trusted and record nothing"},
			&cli.BoolFlag{Name: "revoke", Usage: "take the trust back"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			return runTrust(c.Context, con, controller.TrustOptions{Blob: c.String("blob"), Look: c.Bool("show"), Revoke: c.Bool("revoke")})
		},
	}
}

func runTrust(ctx context.Context, con *console, o controller.TrustOptions) error {
	if o.Look && o.Revoke {
		return misuse("git sdd trust --revoke", "trust takes --show or --revoke, not both: one records nothing")
	}
	c, err := con.open(ctx, target{})
	if err != nil {
		return err
	}
	defer c.Close()
	if !o.Look && !o.Revoke && o.Blob == "" {
		seen, err := c.Trust(ctx, controller.TrustOptions{Look: true})
		if err != nil {
			return err
		}
		if !seen.Trusted {
			if err := con.confirmTrust(ctx, seen); err != nil {
				return err
			}
		}
		o.Blob = seen.Blob // what was shown, should the file change meanwhile
	}
	t, err := c.Trust(ctx, o)
	if err != nil {
		return err
	}
	return con.answer(t, func() { con.sayTrust(t) })
}

// confirmTrust shows the commands and asks. Nobody is asked in a hook or a pipe,
// where no human would answer.
func (con *console) confirmTrust(ctx context.Context, t *controller.Trusted) error {
	if con.inHook() || con.json || !term.IsTerminal(int(con.stdin.Fd())) {
		return fault.New(fault.Waiting, "git sdd trust --blob "+t.Blob, "the gates of git-sdd.toml are not trusted, and nobody is here to ask: %s", gateWords(t.Gates))
	}
	fmt.Fprintf(con.errOut, "git-sdd.toml (%s) would run:\n", shortCommit(t.Blob))
	for _, g := range t.Gates {
		fmt.Fprintf(con.errOut, "  %s: %s\n", safe(g.Name), safe(pasteable(g.Command)))
	}
	fmt.Fprint(con.errOut, "Let these commands run in this clone? [y/N] ")
	if answer := con.replied(ctx); answer != "y" && answer != "yes" {
		return fault.New(fault.Waiting, "git sdd trust", "nothing was trusted")
	}
	return nil
}

// replied reads one answer of a human. A signal ends the wait.
func (con *console) replied(ctx context.Context) string {
	said := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(con.stdin).ReadString('\n')
		said <- strings.ToLower(strings.TrimSpace(text))
	}()
	select {
	case text := <-said:
		return text
	case <-ctx.Done():
		return ""
	}
}

// inHook reports whether git started this process for a hook: it names the
// repository, or the operation, in the environment.
func (con *console) inHook() bool {
	for _, name := range []string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_QUARANTINE_PATH", "GIT_PUSH_OPTION_COUNT", "GIT_REFLOG_ACTION"} {
		if con.env(name) != "" {
			return true
		}
	}
	return false
}

func gateWords(gates []controller.TrustedGate) string {
	if len(gates) == 0 {
		return "it names no command"
	}
	var words []string
	for _, g := range gates {
		words = append(words, fmt.Sprintf("%s runs %q", g.Name, g.Command))
	}
	return strings.Join(words, ", ")
}

func (con *console) sayTrust(t *controller.Trusted) {
	state := "not trusted"
	if t.Trusted {
		state = "trusted in this clone"
	}
	con.printf("git-sdd.toml with content %s is %s\n", shortCommit(t.Blob), state)
	for _, g := range t.Gates {
		con.printf("  %s: %s\n", safe(g.Name), safe(pasteable(g.Command)))
	}
	if !t.Trusted {
		con.printf("next: git sdd trust --blob %s\n", t.Blob)
	}
}
