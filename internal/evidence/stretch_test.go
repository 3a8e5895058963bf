package evidence

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/git"
)

// TestAuthors walks a branch with a merge: base < a < b < m < c, and m merges x.
func TestAuthors(t *testing.T) {
	var commits []RangeCommit
	for _, c := range [][]string{{"a", "base"}, {"x", "base"}, {"b", "a"}, {"m", "b", "x"}, {"c", "m"}, {"d", "c"}} {
		commits = append(commits, RangeCommit{Commit: git.Commit{ID: c[0], Parents: c[1:]}})
	}
	for _, c := range []struct {
		name      string
		stretches []Stretch
		want      map[string]string
	}{
		{"none", nil, map[string]string{}},
		{"from the base", []Stretch{{"i", "base", "b"}}, map[string]string{"a": "i", "b": "i"}},
		{"a merge brings what it merges", []Stretch{{"i", "b", "m"}}, map[string]string{"m": "i", "x": "i"}},
		{"with a gap between", []Stretch{{"i", "base", "a"}, {"f", "m", "c"}}, map[string]string{"a": "i", "c": "f"}},
		{"the earliest counts", []Stretch{{"i", "base", "b"}, {"f", "base", "c"}}, map[string]string{"a": "i", "b": "i", "m": "f", "x": "f", "c": "f"}},
		{"an empty one", []Stretch{{"i", "c", "c"}}, map[string]string{}},
		{"an end outside", []Stretch{{"i", "base", "elsewhere"}}, map[string]string{}},
	} {
		if d := cmp.Diff(c.want, Authors(commits, c.stretches)); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}
