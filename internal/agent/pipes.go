package agent

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// How long output is still read once the child itself is gone: as long as what it
// left in its group may take to say the rest, and a moment more when that was
// ended too. Whoever holds an output after that left the group, and is cut off.
const (
	pipeDelay   = time.Second
	escapeDelay = 100 * time.Millisecond
)

// Pipes carry both outputs of a child. The ends that the child was given may
// outlive it, in the hands of what it started.
type pipes struct {
	read  []*os.File // our ends
	given []*os.File // the child's
	over  chan struct{}
}

// openPipes gives the command its two outputs.
func openPipes(cmd *exec.Cmd) (*pipes, error) {
	p := &pipes{over: make(chan struct{})}
	for _, to := range []*io.Writer{&cmd.Stdout, &cmd.Stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(p.read)
			closeAll(p.given)
			return nil, err
		}
		p.read, p.given, *to = append(p.read, r), append(p.given, w), w
	}
	return p, nil
}

// begin reads, once the child has its ends or could not be started.
func (p *pipes) begin(to ...io.Writer) {
	closeAll(p.given)
	var all sync.WaitGroup
	for i, r := range p.read {
		all.Go(func() { _, _ = io.Copy(to[i], r) })
	}
	go func() {
		all.Wait()
		close(p.over)
	}()
}

// within waits for the end of both outputs, and reports whether it came.
func (p *pipes) within(patience time.Duration) bool {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-p.over:
		return true
	case <-t.C:
		return false
	}
}

// cut ends the reading, whoever still holds an output.
func (p *pipes) cut() {
	closeAll(p.read)
	<-p.over
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
