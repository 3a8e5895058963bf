package controller

import (
	"slices"
	"testing"

	"github.com/git-sdd/git-sdd/internal/prompt"
)

func TestUnfound(t *testing.T) {
	files := []prompt.PackageFile{
		{Status: 'M', Path: "src/a.go"},
		{Status: 'R', Path: "lib/new.go", Was: "old/name.go"},
		{Status: 'D', Path: "gone.txt"},
	}
	for _, c := range []struct {
		change string
		want   []string
	}{
		{"src/a.go: returns the error", nil},
		{"./src/a.go: the same", nil},
		{"`src/a.go`: the same", nil},
		{"old/name.go: has another name", nil},
		{"gone.txt: not needed", nil},
		{"src/: several", nil},
		{"old: moved", nil},
		{"none: nothing to do", nil},
		{"both of src/a.go, lib/new.go: words, not a path", nil},
		{"src/b.go: says so", []string{"src/b.go"}},
		{"./docs/: says how", []string{"docs/"}},
		{"a.go: another folder", []string{"a.go"}},
		{"src/a: the beginning of a name", []string{"src/a"}},
		{"../elsewhere.txt: outside", []string{"../elsewhere.txt"}},
	} {
		if got := unfound([]string{c.change}, files); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q", c.change, got)
		}
	}
}
