package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEdit: the editor is the one that git would open, a shell command that gets
// the path as one word.
func TestEdit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	path := filepath.Join(dir, "a file's name")
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for _, row := range []struct {
		name             string
		variable, editor string
		want             string
		fails            string
	}{
		{"by git's own variable", "GIT_EDITOR", "printf one >", "one", ""},
		{"by the user's", "EDITOR", "printf two >", "two", ""},
		{"with words of its own", "GIT_EDITOR", `f() { printf 'three' > "$1"; }; f`, "three", ""},
		{"one that fails", "GIT_EDITOR", "exit 3; :", "", "exit status 3"},
		{"one that is not there", "GIT_EDITOR", "no-such-editor", "", "no-such-editor"},
	} {
		for _, name := range []string{"GIT_EDITOR", "VISUAL", "EDITOR"} {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
		t.Setenv(row.variable, row.editor)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		err := Edit(context.Background(), dir, path, Screen{In: os.Stdin, Out: out})
		got, readErr := os.ReadFile(path)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if string(got) != row.want || (err == nil) != (row.fails == "") || err != nil && !strings.Contains(err.Error(), row.fails) {
			t.Errorf("%s: %q and %v, want %q and %q", row.name, got, err, row.want, row.fails)
		}
	}
}

// TestNoEditor: at a dumb terminal git names none.
func TestNoEditor(t *testing.T) {
	dir := t.TempDir()
	for name, value := range map[string]string{"HOME": dir, "XDG_CONFIG_HOME": dir, "GIT_CONFIG_NOSYSTEM": "1", "TERM": "dumb", "GIT_EDITOR": "", "VISUAL": "", "EDITOR": ""} {
		t.Setenv(name, value)
		if value == "" {
			os.Unsetenv(name)
		}
	}
	if err := Edit(context.Background(), dir, "x", Screen{In: os.Stdin, Out: os.Stderr}); !errors.Is(err, ErrNoEditor) {
		t.Errorf("got %v, want ErrNoEditor", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Edit(ctx, dir, "x", Screen{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the cancelling", err)
	}
}
