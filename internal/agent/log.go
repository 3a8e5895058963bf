package agent

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"syscall"
)

// headBytes is how much of a child's first output a log keeps; of the rest it
// keeps the last [TailBytes].
const headBytes = 1 << 20

// A Log is a file that holds a child's output: all of it where that is little,
// else its beginning and its end with a line between them. It never grows beyond
// a little more than 1 MiB, however much the child writes.
type Log struct {
	file  *os.File
	total int64
	tail  tail
	dirty bool
	err   error
}

// NewLog creates the file, readable by its owner alone.
func NewLog(path string) (*Log, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|syscall.O_NONBLOCK, 0o600) // a pipe there holds nobody up
	if err != nil {
		return nil, err
	}
	return &Log{file: f}, nil
}

// add takes output. A log that cannot be written, on a full disk above all, ends
// no child: Close says so.
func (l *Log) add(p []byte) {
	if room := headBytes - l.total; room > 0 {
		n := min(int64(len(p)), room)
		if _, err := l.file.WriteAt(p[:n], l.total); err != nil && l.err == nil {
			l.err = err
		}
		l.total += n
		p = p[n:]
	}
	if len(p) > 0 {
		l.total += int64(len(p))
		l.tail.add(p)
		l.dirty = true
	}
}

// flush writes what stands behind the head anew.
func (l *Log) flush() {
	if !l.dirty {
		return
	}
	l.dirty = false
	rest := l.tail.bytes()
	if left := l.total - headBytes - int64(len(rest)); left > 0 {
		rest = append(fmt.Appendf(nil, "\n[%d bytes left out]\n", left), rest...)
	}
	_, err := l.file.WriteAt(rest, headBytes)
	if err == nil {
		err = l.file.Truncate(headBytes + int64(len(rest)))
	}
	if err != nil && l.err == nil {
		l.err = err
	}
}

// Close writes what is left and returns the first error of all writes.
func (l *Log) Close() error {
	l.flush()
	if err := l.file.Close(); l.err == nil {
		l.err = err
	}
	return l.err
}

// Remark adds a line of git-sdd's own to the end of a session's output, once.
func (s Sessions) Remark(id, text string) error {
	path, err := s.LogPath(id)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	line := fmt.Appendf(nil, "[git-sdd: %s]\n", text)
	last := make([]byte, min(size, int64(len(line))))
	if _, err := f.ReadAt(last, size-int64(len(last))); err != nil {
		return err
	}
	if bytes.Equal(last, line) {
		return nil // a killed process came this far
	}
	if size > 0 && last[len(last)-1] != '\n' {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	return err
}
