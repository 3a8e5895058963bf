package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/git-sdd/git-sdd/internal/fault"
)

// A console is the only way in which a command hears and speaks.
//
// What is said on standard output is kept until the command ended, so that a
// program gets one whole JSON document or none, and a full disk is noticed.
type console struct {
	stdin       *os.File
	out         *bufio.Writer
	sink        io.Writer // below out
	errOut      io.Writer
	json        bool   // --json: one JSON document, also for an error
	command     string // "git-sdd status", for messages
	terminal    bool   // standard output is one
	errTerminal bool   // standard error is one
	env         func(string) string
	now         func() time.Time
}

func newConsole(stdin, stdout, stderr *os.File) *console {
	return &console{
		stdin:       stdin,
		out:         bufio.NewWriterSize(stdout, 16<<10),
		sink:        stdout,
		errOut:      stderr,
		terminal:    term.IsTerminal(int(stdout.Fd())),
		errTerminal: term.IsTerminal(int(stderr.Fd())),
		env:         os.Getenv,
		now:         time.Now,
	}
}

// An ended command said all it had to say in its own document, and only its exit
// status is left to give (interfaces: errors).
type ended fault.Kind

func (e ended) Error() string { return fault.Kind(e).Row().Meaning }

// errWaiting ends a command that stands at a human decision.
var errWaiting = ended(fault.Waiting)

// finish reports what went wrong, empties the output and gives the exit status.
func (con *console) finish(ctx context.Context, err error) int {
	status := con.conclude(ctx, err)
	switch flushed := con.out.Flush(); {
	case flushed == nil, errors.Is(flushed, syscall.EPIPE):
		return status // whoever stopped listening does not want to hear about it
	default:
		f := fault.New(fault.Internal, "git sdd next", "standard output: %w", flushed)
		printFault(con.errOut, f)
		return f.Kind().Row().Exit
	}
}

func (con *console) conclude(ctx context.Context, err error) int {
	if err == nil {
		return 0
	}
	var e ended
	if errors.As(err, &e) {
		return fault.Kind(e).Row().Exit
	}
	f := fault.Of(err)
	if ctx.Err() != nil && (f.Kind() == fault.Internal || errors.Is(err, context.Canceled)) {
		f = fault.New(fault.Interrupted, "git sdd next", "stopped by a signal; nothing is half done")
	}
	if con.json {
		con.out.Reset(con.sink) // half of another document may stand there
		if encodeErr := con.document(errorDocument(f)); encodeErr != nil {
			printFault(con.errOut, f)
		}
	} else {
		_ = con.out.Flush() // the way on stands last; what fails here, finish meets again
		printFault(con.errOut, f)
	}
	return f.Kind().Row().Exit
}

// printf writes to standard output. Every %s of foreign text goes through safe.
func (con *console) printf(format string, args ...any) { fmt.Fprintf(con.out, format, args...) }

// bytes writes foreign bytes: as they are for a program, shown harmless at a
// terminal, which would obey them.
func (con *console) bytes(data []byte) {
	if con.terminal {
		data = []byte(safeText(string(data)))
	}
	_, _ = con.out.Write(data) // a bufio.Writer keeps its error for Flush
}

// via is the way by which an event is recorded (contract: stored documents).
func (con *console) via() string {
	if term.IsTerminal(int(con.stdin.Fd())) {
		return "terminal"
	}
	return "program"
}

// input reads standard input up to limit bytes and one more, so that the reader
// can say that it was too long. A signal ends the wait.
func (con *console) input(ctx context.Context, limit int64) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(con.stdin, limit+1))
		done <- result{data, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.data, r.err
	}
}

// file reads a file that the user named, or standard input for "-", up to
// limit bytes and one more.
func (con *console) file(ctx context.Context, path string, limit int64) ([]byte, error) {
	if path == "-" {
		return con.input(ctx, limit)
	}
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() { // a pipe that nobody writes to must not outlive a signal
		data, err := readFile(path, limit)
		done <- result{data, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.data, r.err
	}
}

func readFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, misuse("give the path of a file that can be read, or - for standard input", "%w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		return nil, misuse("give the path of a file, or - for standard input", "%s is a folder", path)
	}
	var data bytes.Buffer
	if err == nil && info.Mode().IsRegular() {
		data.Grow(int(min(info.Size(), limit)) + bytes.MinRead) // read once, into its place
	}
	_, err = data.ReadFrom(io.LimitReader(f, limit+1))
	return data.Bytes(), err
}

// bounded is file for an input that has a limit: a longer one is refused.
func (con *console) bounded(ctx context.Context, path string, limit int64, what string) ([]byte, error) {
	data, err := con.file(ctx, path, limit)
	if err == nil && int64(len(data)) > limit {
		return nil, misuse("shorten it", "%s may have %d bytes at most, %s has more", what, limit, path)
	}
	return data, err
}
