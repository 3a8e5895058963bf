package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Run runs the child in a process group of its own and returns when nothing of
// that group is left. A child that could not be started is a result with the
// cause [NotStarted] and an error; however else it ended there is no error.
// Cancelling the context kills the group.
func Run(ctx context.Context, c Command) (Result, error) {
	if len(c.Argv) == 0 || c.Timeout <= 0 || c.Idle <= 0 {
		return Result{Cause: NotStarted, Exit: -1}, errors.New("a child needs a command, a timeout and an idle limit")
	}
	seen := &output{log: c.Log, copy: c.Stdout, both: c.Output}
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	cmd.WaitDelay = pipeDelay // for the input, which it need not read
	ownGroup(cmd)
	if c.Word != nil {
		defer c.Word.Close()
		cmd.ExtraFiles = []*os.File{c.Word}
	}
	outputs, err := openPipes(cmd)
	if err != nil {
		return Result{Cause: NotStarted, Exit: -1}, fmt.Errorf("%s cannot be listened to: %w", c.Argv[0], err)
	}
	began := time.Now()
	err = cmd.Start()
	if c.Word != nil {
		_ = c.Word.Close() // only the child's own is left, so that its end is seen
	}
	outputs.begin(stream{seen, true}, stream{seen, false})
	if err != nil {
		outputs.cut()
		return Result{Cause: NotStarted, Exit: -1}, fmt.Errorf("%s cannot be started: %w", c.Argv[0], err)
	}
	if c.Started != nil {
		c.Started(groupOf(cmd.Process.Pid))
	}
	w := watch{command: c, group: cmd.Process.Pid, seen: seen, began: began, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended is in ProcessState; input that it did not read is no failure
		close(w.ended)
	}()
	cause := w.until(ctx)
	outputs.within(pipeDelay)
	res := Result{Cause: cause, Exit: cmd.ProcessState.ExitCode(), Signal: signalOf(cmd.ProcessState), Straggle: endGroup(w.group, c.grace())}
	res.Escaped = !outputs.within(escapeDelay)
	outputs.cut()
	res.Took = time.Since(began)
	res.Output, res.Tail = seen.rest()
	return res, nil
}

// Find reports that a program cannot be found, before anybody relies on it. A path
// with a slash is looked for in the folder where the child will stand, so it is
// not looked for here.
func Find(program string) error {
	if strings.ContainsAny(program, `/\`) {
		return nil
	}
	_, err := exec.LookPath(program)
	return err
}

func (c Command) grace() time.Duration {
	if c.Grace > 0 {
		return c.Grace
	}
	return DefaultGrace
}

// A watch waits for a child and ends it where it must.
type watch struct {
	command Command
	group   int
	seen    *output
	began   time.Time
	ended   chan struct{}
}

// tick is how often limits are looked at.
const tick = 100 * time.Millisecond

// until returns once the child is gone, with the reason.
func (w *watch) until(ctx context.Context) Cause {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-w.ended:
			return Exited
		case <-ctx.Done():
			return w.end(Interrupted, os.Kill)
		case s := <-w.command.Signal:
			if s == Kill {
				return w.end(Interrupted, os.Kill)
			}
			return w.end(Interrupted, os.Interrupt)
		case <-ticker.C:
			w.seen.flush()
			switch now := time.Now(); {
			case now.Sub(w.began) >= w.command.Timeout:
				return w.end(TimedOut, terminate)
			case now.Sub(w.seen.last(w.began)) >= w.command.Idle:
				return w.end(WentIdle, terminate)
			}
		}
	}
}

// end asks the whole group, waits for the grace, and kills what is left.
func (w *watch) end(why Cause, how os.Signal) Cause {
	signalGroup(w.group, how)
	if how != os.Kill {
		patience := time.NewTimer(w.command.grace())
		defer patience.Stop()
	wait:
		for {
			select {
			case <-w.ended:
				return why
			case s := <-w.command.Signal:
				if s == Kill {
					break wait
				}
			case <-patience.C:
				break wait
			}
		}
		signalGroup(w.group, os.Kill)
	}
	<-w.ended
	return why
}

// moment is how long a process may still be there that has let go of its outputs:
// it is about to end by itself.
const moment = 50 * time.Millisecond

// endGroup ends what outlived the child in its group, and reports whether
// anything did.
func endGroup(group int, grace time.Duration) bool {
	for end := time.Now().Add(moment); ; time.Sleep(5 * time.Millisecond) {
		if !groupAlive(group) {
			return false
		}
		if time.Now().After(end) {
			break
		}
	}
	signalGroup(group, terminate)
	for end := time.Now().Add(grace); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if !groupAlive(group) {
			return true
		}
	}
	signalGroup(group, os.Kill)
	return true
}

// stream is one of the two outputs.
type stream struct {
	*output
	standard bool
}

func (s stream) Write(p []byte) (int, error) {
	s.take(p, s.standard)
	return len(p), nil
}

var _ io.Writer = stream{}
