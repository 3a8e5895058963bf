// Package cli is the command line of git-sdd: one file per command, each with
// its literal, its options and a run function that never sees the CLI library.
//
// Nothing below this package prints and nothing but main ends the process.
// Everything a command says goes through a [console], which knows whether a
// person or a program listens.
package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/fault"
)

// gcPercent lets the heap of a command grow to 16 MiB before any of it is
// collected: nearly every command ends before that.
const gcPercent = 400

// Main carries out one command line and returns the exit status of the process.
// args holds the program's name first.
func Main(args []string, stdin, stdout, stderr *os.File) int {
	debug.SetGCPercent(gcPercent)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	con := newConsole(stdin, stdout, stderr)
	return con.finish(ctx, run(ctx, con, args))
}

// run reads the command line, then lets urfave/cli carry it out. What the
// library would accept silently was refused by [readLine] before.
func run(ctx context.Context, con *console, args []string) error {
	if len(args) > 1 && args[1] == controller.ChildCommand {
		return controller.Child(ctx, args[2:])
	}
	app := newApp(con)
	line, err := readLine(app, args)
	con.json = line.json
	if err != nil {
		return err
	}
	return app.RunContext(ctx, line.argv)
}

// newApp builds the application with five defaults of urfave/cli v2 cured:
//
//  1. A mistyped command exits 3, which is our status for contention. Here
//     [readLine] refuses it, and the root action refuses what slips through.
//  2. An unknown flag prints help on standard output and exits 1. OnUsageError
//     is not inherited, so cure sets it on each command.
//  3. A flag after an argument is taken as an argument and ignored. [readLine]
//     puts flags first and arguments behind "--".
//  4. cli.Exit ends the process inside the library. ExitErrHandler does nothing.
//  5. Required flags print help on standard output. No flag is marked required:
//     run functions check, and say what is missing.
func newApp(con *console) *cli.App {
	app := &cli.App{
		Name:                      program,
		Commands:                  commands(con),
		Flags:                     rootFlags(),
		HideHelp:                  true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		Writer:                    io.Discard,
		ErrWriter:                 io.Discard,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              usageError,
		Before:                    changeDir,
		Action: func(c *cli.Context) error {
			if c.Bool("version") {
				return runVersion(con)
			}
			return misuse("git sdd help", "no command was given")
		},
	}
	cure(con, app.Commands)
	return app
}

// cure gives each command what urfave/cli does not let it inherit.
func cure(con *console, commands []*cli.Command) {
	for _, c := range commands {
		c.HideHelp = true
		c.OnUsageError = usageError
		if len(c.Subcommands) > 0 {
			cure(con, c.Subcommands)
			c.Action = func(*cli.Context) error {
				return misuse("git sdd help "+c.Name, "%s needs one of its commands", c.Name)
			}
			continue
		}
		act := c.Action
		c.Action = func(ctx *cli.Context) error {
			con.command = ctx.Command.HelpName
			return act(ctx)
		}
	}
}

// usageError turns a complaint of the library into a fault. It is the second
// line of defence: [readLine] words what it finds itself.
func usageError(c *cli.Context, err error, _ bool) error {
	return misuse("git sdd help", "%w", err)
}

// misuse is the fault of a wrong command line.
func misuse(repair, format string, args ...any) *fault.Error {
	return fault.New(fault.Invalid, repair, format, args...).WithCode("usage")
}

// changeDir goes where -C says, before anything else is looked at, as git does.
func changeDir(c *cli.Context) error {
	dir := c.String("C")
	if dir == "" {
		return nil
	}
	if err := os.Chdir(dir); err != nil {
		return misuse("git sdd -C DIR COMMAND, with a folder that exists", "%w", err)
	}
	return nil
}

// commandAt finds a command by its words, or nil.
func commandAt(list []*cli.Command, words []string) *cli.Command {
	var found *cli.Command
	for _, word := range words {
		i := slices.IndexFunc(list, func(c *cli.Command) bool { return c.HasName(word) })
		if i < 0 {
			return nil
		}
		found, list = list[i], list[i].Subcommands
	}
	return found
}
