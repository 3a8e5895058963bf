package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		name, brief string
		want        []string
	}{
		{"as most plans write it", "## Task 1: X\n\n**Files:**\n- Create: `a/b.go`\n- Modify: `c.go:14-15` (insert after `Overview`)\n- Delete: `d/` (entire directory)\n- Test: `e_test.go:94,100`\n\n- [ ] **Step 1: use `other.go`**\n", []string{"a/b.go", "c.go", "d/", "e_test.go"}},
		{"to be read only", "**Files:**\n- Read: `spec.md`\n- Read: all 5 modified files\n- Create: `x.sh`\n", []string{"x.sh"}},
		{"on the line itself", "Files: `a.go`, `b.go`\n", []string{"a.go", "b.go"}},
		{"without code spans", "**Files:** a.go, ./dir/b.go (new)\n", []string{"a.go", "dir/b.go"}},
		{"a rename", "**Files:**\n- Rename: `old.go` → `new.go`\n", []string{"old.go", "new.go"}},
		{"items without labels, blank line between", "### Files:\n\n- `a.go`\n* b.go\n\nText with `c.go`.\n- `d.go`\n", []string{"a.go", "b.go"}},
		{"globs and lines by hash", "**Files:**\n- Modify: `src/**/*.ts`, `x.ts#L10-L20`\n", []string{"src/**/*.ts", "x.ts"}},
		{"twice the same", "**Files:**\n- Create: `a.go`\n- Test: `a.go`\n", []string{"a.go"}},
		{"no list", "## Task 1: X\n\n- [ ] Write `a.go`.\n", nil},
		{"none", "**Files:** none\n", nil},
		{"what is no path of the repository", "**Files:**\n- Create: `/etc/passwd`, `../up.go`, `a b`, `http://x/y`, `c//d`\n", nil},
		{"within a fence", "```md\n**Files:**\n- Create: `a.go`\n```\n", nil},
		{"a fence ends the list", "**Files:**\n- Create: `a.go`\n```sh\nls\n```\n- `b.go`\n", []string{"a.go"}},
	} {
		if d := cmp.Diff(c.want, Files([]byte(c.brief))); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}

func FuzzFiles(f *testing.F) {
	f.Add("**Files:**\n- Create: `a/b.go:1-2` (see `x`)\n")
	f.Add("Files: a, b\n```\n~~~\n")
	f.Fuzz(func(t *testing.T, brief string) {
		seen := map[string]bool{}
		for _, path := range Files([]byte(brief)) {
			if path == "" || seen[path] || strings.HasPrefix(path, "/") || strings.Contains("/"+path+"/", "/../") || strings.Contains(path, "\n") {
				t.Errorf("%q names %q", brief, path)
			}
			seen[path] = true
		}
	})
}
