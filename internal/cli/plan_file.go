package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"

	"github.com/git-sdd/git-sdd/internal/fault"
)

// createFile writes a plan to a file that does not exist yet. One that holds
// these very bytes is as good, so that a command can be given again; any other
// is never overwritten, not even when it appears in between.
func createFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		if holds(path, data) {
			return nil
		}
		return misuse("name a file that does not exist, or move this one away", "%s exists and holds something else; it was not touched", path)
	}
	if err != nil {
		return misuse("name a file in a folder that can be written to", "%w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		err = errors.Join(err, os.Remove(path)) // half a plan would be read as a whole one
		return fault.New(fault.Internal, "make room, then call again", "writing %s: %w", path, err)
	}
	return nil
}

// holds reports whether a file has exactly these bytes. What is no regular file
// is not read: it might never end.
func holds(path string, data []byte) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false
	}
	have, err := os.ReadFile(path)
	return err == nil && bytes.Equal(have, data)
}
