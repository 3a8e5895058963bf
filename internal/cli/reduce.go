package cli

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/machine"
)

func reduceCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "reduce",
		Category: groupPlumbing,
		Usage:    "run the pure machine over walks on standard input",
		Description: `Each line of standard input is a walk: {"init":{...},"steps":[{"at","event"}...]}.
One JSON line per step: the fields of the next state, or why the event is
refused. It touches no repository.`,
		Flags:  []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error { return runReduce(c.Context, con) },
	}
}

func runReduce(ctx context.Context, con *console) error {
	in := bufio.NewReaderSize(con.stdin, 64<<10)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 || (len(line) == 1 && line[0] != '\n') {
			if stepErr := con.reduceLine(number, line); stepErr != nil {
				return stepErr
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

func (con *console) reduceLine(number int, walk []byte) error {
	steps, err := machine.Reduce(walk)
	if err != nil {
		return misuse("correct line "+itoa(number)+" of standard input", "line %d: %w", number, err)
	}
	con.bytes(steps)
	return nil
}
