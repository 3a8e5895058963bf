package preset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/preset"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// A tool is what the help of a tool's version says of its command line, as far as
// a preset may use it: which flags take a value and which values there are, what
// stands before them, what is left over, and who reads standard input.
type tool struct {
	words  []string            // the program and its command
	values map[string][]string // a flag with a value: the values there are, nil for any
	flags  []string            // a flag without one
	rest   int                 // arguments that are left
	stdin  bool                // the prompt may come on standard input
	once   string              // what makes it end by itself: a flag, a word or a last argument
	levels []string            // what {thinking} may be; nil for any
}

var tools = map[string]tool{
	"claude": {
		words: []string{"claude"}, flags: []string{"-p"}, stdin: true, once: "-p",
		values: map[string][]string{
			"--model": nil, "--allowedTools": nil,
			"--effort":          {"low", "medium", "high", "xhigh", "max"},
			"--permission-mode": {"acceptEdits", "auto", "bypassPermissions", "manual", "dontAsk", "plan"},
		},
	},
	"codex": {
		words: []string{"codex", "exec"}, rest: 1, stdin: true, once: "-",
		values: map[string][]string{
			"--model": nil, "--config": nil, "--color": {"always", "never", "auto"},
			"--sandbox": {"read-only", "workspace-write", "danger-full-access"},
		},
		levels: []string{"low", "medium", "high", "xhigh", "max"},
	},
	"gemini": {
		words: []string{"gemini"}, flags: []string{"--skip-trust"}, stdin: true, once: "-p",
		values: map[string][]string{"--model": nil, "-p": nil, "--approval-mode": {"default", "auto_edit", "yolo", "plan"}},
	},
	"opencode": {
		words: []string{"opencode", "run"}, flags: []string{"--auto"}, rest: 1, once: "run",
		values: map[string][]string{"--model": nil, "--variant": nil},
	},
	"pi": {
		words: []string{"pi"}, flags: []string{"-p", "--no-session"}, rest: 1, once: "-p",
		values: map[string][]string{"--provider": nil, "--model": nil, "--thinking": {"off", "minimal", "low", "medium", "high", "xhigh"}},
	},
}

// take reads a command line as the tool would and returns its values and what is
// left over.
func (tl tool) take(argv []string) (map[string]string, []string, error) {
	if len(argv) < len(tl.words) || !slices.Equal(argv[:len(tl.words)], tl.words) {
		return nil, nil, fmt.Errorf("begins with %q", argv)
	}
	values, rest := map[string]string{}, []string{}
	for words := argv[len(tl.words):]; len(words) > 0; words = words[1:] {
		word := words[0]
		known, takes := tl.values[word]
		switch {
		case takes && len(words) == 1:
			return nil, nil, fmt.Errorf("%s without a value", word)
		case takes && known != nil && !slices.Contains(known, words[1]):
			return nil, nil, fmt.Errorf("%s %q, and there are %q", word, words[1], known)
		case takes:
			values[word] = words[1]
			words = words[1:]
		case slices.Contains(tl.flags, word):
		case len(word) > 1 && word[0] == '-':
			return nil, nil, fmt.Errorf("no flag %s", word)
		default:
			rest = append(rest, word)
		}
	}
	if len(rest) != tl.rest {
		return nil, nil, fmt.Errorf("%q are left over, want %d", rest, tl.rest)
	}
	return values, rest, nil
}

// Every preset loads as settings, resolves all six tiers, and for each of them
// its tool understands the command line and gets the prompt one way, not two.
func TestPresets(t *testing.T) {
	if len(tools) != len(preset.Names()) {
		t.Fatalf("presets for %v, and %d tools are known", preset.Names(), len(tools))
	}
	for _, name := range preset.Names() {
		t.Run(name, func(t *testing.T) {
			p, err := preset.For(name)
			if err != nil {
				t.Fatal(err)
			}
			s, defects := config.Load([]config.Source{{Layer: config.User, Name: name, Data: []byte(p.TOML)}}, nil)
			if len(defects) > 0 {
				t.Fatal(defects)
			}
			if !s.HasLadder() || len(s.Missing()) > 0 {
				t.Errorf("the ladder lacks %v", s.Gaps())
			}
			for _, note := range []string{p.Package + " " + p.Version, "npm package"} {
				if !strings.Contains(p.TOML, note) {
					t.Errorf("the settings do not say %q", note)
				}
			}
			for _, role := range tier.Roles() {
				a, ok := s.Agent(role)
				if !ok {
					t.Fatalf("no agent for %s", role)
				}
				for _, tr := range tier.All() {
					check(t, tools[name], s, a, tr)
				}
			}
		})
	}
}

func check(t *testing.T, tl tool, s *config.Settings, a config.Agent, tr tier.Tier) {
	t.Helper()
	rung, _ := s.Rung(tr)
	const bootstrap = "Model tier: x\nprompt: /p\n"
	argv := config.Expand(a.Command, config.Values{
		Model: rung.Model, Provider: rung.Provider, Thinking: rung.Thinking, Tier: tr.String(),
		Prompt: "/p", Bootstrap: bootstrap, Report: "/r", Cwd: "/w",
	})
	if strings.ContainsAny(strings.Join(argv, ""), "{}") {
		t.Errorf("a place is left in %q", argv)
	}
	values, rest, err := tl.take(argv)
	if err != nil {
		t.Fatalf("%s: %v: %q", tr, err, argv)
	}
	if model := values["--model"]; model != rung.Model && model != rung.Provider+"/"+rung.Model {
		t.Errorf("%s: --model %q, want %q", tr, model, rung.Model)
	}
	if tl.levels != nil && !slices.Contains(tl.levels, rung.Thinking) {
		t.Errorf("%s: there is no level %q", tr, rung.Thinking)
	}
	if !slices.Contains(argv, tl.once) {
		t.Errorf("nothing makes it end by itself: %q", argv)
	}
	if byStdin := a.Prompt == config.PromptStdin; byStdin != tl.stdin || byStdin == slices.Contains(rest, bootstrap) {
		t.Errorf("the prompt goes by %s, and the arguments are %q", a.Prompt, argv)
	}
	if a.TimeoutMS <= 0 || a.IdleMS <= 0 || len(a.Probe) == 0 || a.Probe[0] != tl.words[0] {
		t.Errorf("limits and probe: %+v", a)
	}
}

func TestUnknownPreset(t *testing.T) {
	_, err := preset.For("Claude")
	if err == nil || !strings.Contains(err.Error(), "claude, codex, gemini, opencode, pi") {
		t.Errorf("got %v", err)
	}
}
