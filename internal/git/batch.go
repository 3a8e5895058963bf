package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// maxObject bounds an object that is read into memory, in bytes. Everything
// that git-sdd stores is below 1 MiB.
const maxObject = 1 << 30

// A batch is the long-lived process that answers reads. Git looks every name up
// anew, so that a ref that moved or a pack that came later is seen.
type batch struct {
	mu     sync.Mutex
	ctx    context.Context
	dir    string
	env    []string
	closed bool

	cmd    *exec.Cmd // nil: not running
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr *tail
}

// usageExit is git's exit status for an option that it does not know.
const usageExit = 129

var batchArgs = []string{"cat-file", "--batch-command"}

func newBatch(ctx context.Context, dir string, env []string) *batch {
	return &batch{ctx: ctx, dir: dir, env: env}
}

// moveTo says where a process starts that replaces a dead one.
func (b *batch) moveTo(dir string, env []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dir, b.env = dir, env
}

// start starts the process without waiting. A failure shows at the first read.
func (b *batch) start() {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.ensure()
}

func (b *batch) ensure() error {
	if b.closed {
		return errors.New("the repository was closed")
	}
	if b.cmd != nil {
		return nil
	}
	cmd := command(b.ctx, b.dir, b.env, batchArgs)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("starting git cat-file: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("starting git cat-file: %w", err)
	}
	b.stderr = &tail{}
	cmd.Stderr = b.stderr
	if err := cmd.Start(); err != nil {
		return &CmdError{Args: batchArgs, Exit: -1, Err: err}
	}
	b.cmd, b.stdin, b.stdout = cmd, stdin, bufio.NewReaderSize(stdout, 32<<10)
	return nil
}

// An answer is one reply: of an object, its id, type and size, and its data
// where contents were asked for; or why there is none.
type answer struct {
	id, kind string
	size     int64
	data     []byte
	err      error
}

// ask sends the requests, "contents NAME" or "info NAME" each, and hands every
// answer to each, in order. Requests are sent while answers come in, so that
// a thousand cost little more than one. An error of the process ends it all.
func (b *batch) ask(requests []string, each func(int, answer) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.ensure(); err != nil {
		return err
	}
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		w := bufio.NewWriter(b.stdin)
		for _, request := range requests {
			if _, err := w.WriteString(request + "\n"); err != nil {
				return // the reader sees the end and says why
			}
		}
		_ = w.Flush()
	}()
	for i, request := range requests {
		got, err := b.receive(strings.HasPrefix(request, "contents "))
		if err != nil {
			err = b.buried(err)
		} else {
			err = each(i, got)
		}
		if err != nil {
			b.end(true)
			<-sent
			return err
		}
	}
	<-sent
	return nil
}

func (b *batch) receive(contents bool) (answer, error) {
	header, err := b.stdout.ReadString('\n')
	if err != nil {
		return answer{}, err
	}
	got, err := parseHeader(strings.TrimSuffix(header, "\n"))
	if err != nil || got.err != nil || !contents {
		return got, err
	}
	if got.size > maxObject {
		return answer{}, fmt.Errorf("object %s has %d bytes, more than can be read at once: %w", got.id, got.size, ErrUnreadable)
	}
	got.data = make([]byte, got.size+1)
	if _, err := io.ReadFull(b.stdout, got.data); err != nil {
		return answer{}, err
	}
	got.data = got.data[:got.size:got.size]
	return got, nil
}

// nothing says what the last word of a reply means that is about no object. A
// name may hold blanks, and only the last word tells the two kinds of reply
// apart: in the other kind it is a number.
var nothing = map[string]error{
	"missing":   ErrMissing,
	"submodule": ErrMissing,
	"excluded":  ErrMissing,
	"ambiguous": ErrAmbiguous,
}

// parseHeader reads "<id> <type> <size>" or "<name> missing" and its like.
func parseHeader(header string) (answer, error) {
	cut := strings.LastIndexByte(header, ' ')
	if cut < 0 {
		return answer{}, fmt.Errorf("git cat-file answered %q", header)
	}
	name, last := header[:cut], header[cut+1:]
	if err, known := nothing[last]; known {
		return answer{err: fmt.Errorf("%q: %w", name, err)}, nil
	}
	id, kind, two := strings.Cut(name, " ")
	size, err := strconv.ParseInt(last, 10, 64)
	if err != nil || !two || size < 0 || !isHex(id) || !isKind(kind) {
		return answer{}, fmt.Errorf("git cat-file answered %q", header)
	}
	return answer{id: id, kind: kind, size: size}, nil
}

// buried turns the end of the process into the reason for it.
func (b *batch) buried(err error) error {
	exit := b.end(false)
	switch {
	case b.ctx.Err() != nil:
		err = context.Cause(b.ctx)
	case exit == usageExit:
		err = ErrTooOld // it does not know --batch-command
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = ErrUnreadable
	}
	return &CmdError{Args: batchArgs, Exit: exit, Stderr: strings.TrimRight(string(b.stderr.bytes()), "\n"), Err: err}
}

// end waits for the process, by force where it still has something to say.
func (b *batch) end(force bool) int {
	if b.cmd == nil {
		return -1
	}
	_ = b.stdin.Close()
	if force {
		killGroup(b.cmd)
	}
	_ = b.cmd.Wait()
	exit := exitOf(b.cmd)
	b.cmd = nil
	return exit
}

// renew has the next read begin with a process that remembers nothing. Git takes
// a packed-refs file for the one it knows when inode, size and second agree, and
// of two that are packed within a second they may: a reader may then answer with
// a ref that has moved on.
func (b *batch) renew() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.leave()
}

// leave lets the process end, which it does when nobody can ask it any more. It
// has nothing to say then, and nobody waits to hear it.
func (b *batch) leave() {
	if b.cmd == nil {
		return
	}
	_ = b.stdin.Close()
	go func(cmd *exec.Cmd) { _ = cmd.Wait() }(b.cmd)
	b.cmd = nil
}

func (b *batch) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.leave()
	return nil
}
