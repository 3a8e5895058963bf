package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrNoTemporary is returned where the system's folder for temporary files is not
// there, or cannot be written to.
var ErrNoTemporary = errors.New("the folder for temporary files cannot be used")

// temporary makes a private folder. Its path leads there from everywhere: the
// system's may be named from where this process stands, and git stands elsewhere.
func temporary(pattern string) (string, error) {
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoTemporary, err)
	}
	dir, err = filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	return dir, err
}
