package agent

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

var errIrregular = errors.New("no regular file")

// OpenRegular opens a file for reading in whose place a child may have put
// something else: a pipe there holds nobody up, and a link leads nowhere. The error
// is fs.ErrNotExist where there is nothing.
func OpenRegular(path string) (*os.File, error) {
	seen, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !seen.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %w", path, errIrregular)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if now, err := f.Stat(); err != nil || !now.Mode().IsRegular() {
		_ = f.Close()
		return nil, fmt.Errorf("%s is %w", path, errIrregular)
	}
	return f, nil
}

func readRegular(path string) ([]byte, error) {
	f, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
