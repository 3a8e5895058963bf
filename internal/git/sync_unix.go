//go:build unix

package git

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// errNotDirectory is what the system says of a path beneath a plain file.
const errNotDirectory = syscall.ENOTDIR

// syncDir makes the names in a directory durable. A directory that is gone, as
// after a gc that packed what was in it, needs nothing; nor does a file system
// that cannot sync directories.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}
