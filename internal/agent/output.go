package agent

import (
	"io"
	"sync"
	"time"
)

// TailBytes is how much of a child's last output is kept.
const TailBytes = 64 << 10

// An output is what a child says on both streams, in the order in which it came.
type output struct {
	mu    sync.Mutex
	log   *Log
	copy  io.Writer // of the standard output
	both  io.Writer
	tail  tail
	total int64
	at    time.Time
}

func (o *output) take(p []byte, standard bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.total += int64(len(p))
	o.at = time.Now()
	o.tail.add(p)
	if o.log != nil {
		o.log.add(p)
	}
	if o.both != nil {
		_, _ = o.both.Write(p) // as below
	}
	if standard && o.copy != nil {
		_, _ = o.copy.Write(p) // a reader that had enough does not end the child
	}
}

// last is when the child last said something, or began.
func (o *output) last(began time.Time) time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.at.IsZero() {
		return began
	}
	return o.at
}

func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.log != nil {
		o.log.flush()
	}
}

func (o *output) rest() (int64, []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.total, o.tail.bytes()
}

// A tail is a ring of the last [TailBytes] bytes.
type tail struct {
	ring []byte
	next int
	full bool
}

func (t *tail) add(p []byte) {
	if t.ring == nil {
		t.ring = make([]byte, TailBytes)
	}
	if over := len(p) - len(t.ring); over > 0 {
		p = p[over:]
	}
	for len(p) > 0 {
		n := copy(t.ring[t.next:], p)
		p = p[n:]
		t.next += n
		if t.next == len(t.ring) {
			t.next, t.full = 0, true
		}
	}
}

func (t *tail) bytes() []byte {
	if !t.full {
		return append([]byte(nil), t.ring[:t.next]...)
	}
	return append(append([]byte(nil), t.ring[t.next:]...), t.ring[:t.next]...)
}
