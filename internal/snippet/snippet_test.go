package snippet_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/snippet"
)

// Every action of next (interfaces: the loop).
var actions = []string{"dispatch", "spawn", "await", "advance", "decide", "done", "blocked"}

func all(t *testing.T) []snippet.Snippet {
	t.Helper()
	list := []snippet.Snippet{snippet.Skill()}
	for _, name := range snippet.Names() {
		s, err := snippet.For(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// A lesson is 15 to 20 lines, names every action, and says how this tool starts a
// child.
func TestSnippets(t *testing.T) {
	texts := map[string]string{}
	for _, s := range all(t) {
		body := s.Text
		if strings.HasPrefix(body, "---\n") {
			_, after, closed := strings.Cut(body[4:], "\n---\n\n")
			if !closed {
				t.Errorf("%s: the front matter has no end", s.Tool)
			}
			body = after
		}
		if n := strings.Count(body, "\n"); n < 15 || n > 20 || !strings.HasSuffix(body, "\n") {
			t.Errorf("%s has %d lines, want 15 to 20", s.Tool, n)
		}
		for _, action := range actions {
			if !strings.Contains(body, "`"+action+"`") {
				t.Errorf("%s does not say what to do for %q", s.Tool, action)
			}
		}
		if strings.Contains(s.Text, "{start}") {
			t.Errorf("%s: a place is left", s.Tool)
		}
		if was := texts[s.Text]; was != "" {
			t.Errorf("%s and %s say the same", was, s.Tool)
		}
		texts[s.Text] = s.Tool
	}
}

// A skill is found by its name and its description.
func TestSkill(t *testing.T) {
	front := regexp.MustCompile(`^---\nname: git-sdd\ndescription: [^\n]{40,1000}\n---\n`)
	if s := snippet.Skill(); !front.MatchString(s.Text) || s.File != "SKILL.md" {
		t.Errorf("%s begins with %.300q", s.File, s.Text)
	}
}

func TestUnknownSnippet(t *testing.T) {
	_, err := snippet.For("emacs")
	if err == nil || !strings.Contains(err.Error(), "claude, codex, opencode, pi, cursor") {
		t.Errorf("got %v", err)
	}
}
