package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNoEditor means that git names no editor here, as at a terminal that cannot
// move its cursor.
var ErrNoEditor = errors.New("git names no editor")

// A Screen is the terminal that an editor runs on.
type Screen struct {
	In, Out *os.File
}

// Edit opens a file in the user's editor and waits until it is closed. Git
// chooses: GIT_EDITOR, core.editor, VISUAL, EDITOR, by the settings that apply in
// dir, inside a repository or outside; "" is the current directory. The error
// wraps [ErrNoEditor] where there is none.
//
// The editor shares our process group: one in the background may not read from
// the terminal. A Ctrl-C is the editor's, which knows whether it means the text
// or itself; so the context does not end it.
func Edit(ctx context.Context, dir, path string, on Screen) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("finding the directory %q: %w", dir, err)
	}
	res, err := execute(ctx, dir, asked(os.Environ(), dir), call{args: []string{"var", "GIT_EDITOR"}})
	editor := strings.TrimSuffix(string(res.stdout), "\n")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || editor == "" {
		return fmt.Errorf("%w: %v", ErrNoEditor, err)
	}
	// The value is a shell command by git's own rule, such as "code --wait".
	cmd := exec.Command("sh", "-c", editor+` "$@"`, editor, path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = on.In, on.Out, on.Out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("editor %q: %w", editor, err)
	}
	return nil
}
