package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/fault"
)

func testApp() *cli.App { return newApp(&console{}) }

// TestReadLine shows each accepted order of words beside the order that the
// library gets.
func TestReadLine(t *testing.T) {
	for _, row := range []struct{ words, want string }{
		{"status", "git-sdd status --"},
		{"status --json", "git-sdd status --json --"},
		{"--json status", "git-sdd status --json --"},
		{"status 12ab --json", "git-sdd status --json -- 12ab"},
		{"start plan.md --base main", "git-sdd start --base main -- plan.md"},
		{"start --base=main plan.md", "git-sdd start --base main -- plan.md"},
		{"--base main start plan.md", "git-sdd start --base main -- plan.md"},
		{"status -C dir", "git-sdd -C dir status --"},
		{"-C dir status", "git-sdd -C dir status --"},
		{"plan --json check plan.md", "git-sdd plan check --json -- plan.md"},
		{"plan check plan.md -- ", "git-sdd plan check -- plan.md"},
		{"plan check -- --json", "git-sdd plan check -- --json"},
		{"plan check -", "git-sdd plan check -- -"},
		{"report - --dispatch k", "git-sdd report --dispatch k -- -"},
		{"abandon --reason -h", "git-sdd abandon --reason -h --"},
		{"abandon --reason --", "git-sdd abandon --reason -- --"},
		{"dispatch --park a --evidence b --park c --evidence d", "git-sdd dispatch --park a --evidence b --park c --evidence d --"},
		{"status -h", "git-sdd help -- status"},
		{"-h", "git-sdd help --"},
		{"plan check -h --json", "git-sdd help --json -- plan check"},
		{"start plan.md --base x -h", "git-sdd help -- start"},
		{"status status", "git-sdd status -- status"},
		{"--version", "git-sdd --version --"},
	} {
		l, err := readLine(testApp(), append([]string{program}, strings.Fields(row.words)...))
		if err != nil {
			t.Errorf("%s: %v", row.words, err)
			continue
		}
		if got := strings.Join(l.argv, " "); got != row.want {
			t.Errorf("%s\n got %s\nwant %s", row.words, got, row.want)
		}
	}
}

func TestReadLineRefuses(t *testing.T) {
	for _, row := range []struct{ words, message, repair string }{
		{"strat", `"strat" is not a git-sdd command`, "git sdd start"},
		{"STATUS", `"STATUS" is not a git-sdd command`, "git sdd status"},
		{"plan brif", `"brif" is not a command of git sdd plan`, "git sdd plan brief"},
		{"status --rnu x", `git sdd status has no flag "--rnu"`, "git sdd status --run"},
		{"status --base main", `git sdd status has no flag "--base"`, "git sdd help status"},
		{"--frob", `git sdd has no flag "--frob"`, "git sdd help"},
		{"status ---json", `git sdd status has no flag "---json"`, "git sdd status --json"},
		{"-C", `flag -C needs a value`, "git sdd … -C VALUE"},
		{"ls -- x", `ls takes no argument, "x" was given`, "git sdd ls"},
		{"plan brief p", `plan brief needs PLAN|- N, only one was given`, "git sdd plan brief PLAN|- N"},
		{"started --session <session>", `flag --session still says "<session>"`, "replace <session> by the real session"},
		{"report <report>", `argument still says "<report>"`, "replace <report> by the real report"},
	} {
		_, err := readLine(testApp(), append([]string{program}, strings.Fields(row.words)...))
		f := fault.Of(err)
		if err == nil || f.Kind() != fault.Invalid || f.Message() != row.message || f.Repair() != row.repair {
			t.Errorf("%s\n got %v; %s\nwant %s; %s", row.words, err, f.Repair(), row.message, row.repair)
		}
	}
}

// TestJSONIsSeen: an error is JSON wherever --json stands, and only then.
func TestJSONIsSeen(t *testing.T) {
	for words, want := range map[string]bool{
		"strat --json": true, "--json strat": true, "status --frob --json": true, "status --run --json": false,
		"status -- --json": false, "start plan.md --force --json": true, "status": false,
	} {
		l, _ := readLine(testApp(), append([]string{program}, strings.Fields(words)...))
		if l.json != want {
			t.Errorf("%s: json %v, want %v", words, l.json, want)
		}
	}
}

// TestFlagsMeanOneThing: a flag is read before its command is known, so its name
// takes a value everywhere or nowhere, and is written as its length demands.
func TestFlagsMeanOneThing(t *testing.T) {
	app := testApp()
	takes := map[string]bool{}
	var walk func(path string, list []*cli.Command)
	walk = func(path string, list []*cli.Command) {
		for _, c := range list {
			for _, f := range c.Flags {
				for _, name := range f.Names() {
					if before, seen := takes[name]; seen && before != takesValue(f) {
						t.Errorf("%s%s: %s takes a value here and none elsewhere", path, c.Name, dashed(name))
					}
					takes[name] = takesValue(f)
					if hasFlag(app.Flags, name) || name == "h" || name == "help" {
						t.Errorf("%s%s: %s is a flag of the root", path, c.Name, dashed(name))
					}
				}
			}
			walk(path+c.Name+" ", c.Subcommands)
		}
	}
	walk("", app.Commands)
	for _, name := range []string{"json", "run", "expected-revision", "reason"} {
		if _, ok := takes[name]; !ok {
			t.Errorf("no command has --%s", name)
		}
	}
}

// TestEveryCommandIsCured: what urfave/cli does not inherit is set on each.
func TestEveryCommandIsCured(t *testing.T) {
	var walk func(list []*cli.Command)
	walk = func(list []*cli.Command) {
		for _, c := range list {
			if c.OnUsageError == nil || !c.HideHelp || c.Action == nil || c.Usage == "" {
				t.Errorf("%s: usage error %v, help hidden %v, action %v, usage %q", c.Name, c.OnUsageError != nil, c.HideHelp, c.Action != nil, c.Usage)
			}
			if c.Name != "help" && len(c.Subcommands) == 0 && !hasFlag(c.Flags, "json") {
				t.Errorf("%s has no --json", c.Name)
			}
			for _, f := range c.Flags {
				if r, ok := f.(cli.RequiredFlag); ok && r.IsRequired() {
					t.Errorf("%s: flag %v is marked required, which prints help on standard output", c.Name, f.Names())
				}
			}
			walk(c.Subcommands)
		}
	}
	walk(testApp().Commands)
}

func TestArity(t *testing.T) {
	for usage, want := range map[string][2]int{
		"": {0, 0}, "PLAN": {1, 1}, "PLAN|- N": {2, 2}, "[RUN]": {0, 1}, "[FILE|-]": {0, 1}, "[TOPIC...]": {0, 1 << 16},
	} {
		low, high := arity(usage)
		if got := [2]int{low, high}; got != want {
			t.Errorf("%q: %v, want %v", usage, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	got, err := numbers("--audit", "1,4,12")
	if diff := cmp.Diff([]int{1, 4, 12}, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for _, list := range []string{"0", "a", "1;2", "01", "-1", ",", "1.5", " 1"} {
		if got, err := numbers("--audit", list); err == nil {
			t.Errorf("%q is read as %v", list, got)
		}
	}
}

// FuzzReadLine: whatever is typed, it is refused or put into an order that the
// library reads back: flags first, then "--", then every argument as it was.
func FuzzReadLine(f *testing.F) {
	for _, seed := range []string{"status --json x", "plan check -- --json", "-C a status", "abandon --reason= x", "--", "-", "start -h --json"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, " ")
		l, err := readLine(testApp(), append([]string{program}, words...))
		if err != nil {
			if f := fault.Of(err); f.Kind() != fault.Invalid || f.Repair() == "" {
				t.Fatalf("%q: %v is no usage error", text, err)
			}
			return
		}
		end := slices.Index(l.argv, "--")
		if end < 0 {
			t.Fatalf("%q: no end of flags in %q", text, l.argv)
		}
		for _, word := range l.argv[1:] {
			if word != "--" && word != "help" && !slices.ContainsFunc(words, func(w string) bool {
				return w == word || strings.HasPrefix(w, word+"=") || strings.HasSuffix(w, "="+word)
			}) {
				t.Fatalf("%q: %q was not typed", text, word)
			}
		}
	})
}

// TestHelpFits: what help says of a command fits a terminal, but for commands to
// paste.
func TestHelpFits(t *testing.T) {
	var walk func(list []*cli.Command, path []string)
	walk = func(list []*cli.Command, path []string) {
		for _, c := range list {
			words := append(slices.Clone(path), c.Name)
			for line := range strings.Lines(commandHelp(c, words)) {
				if columns(strings.TrimSuffix(line, "\n")) > lineWidth && !strings.HasPrefix(strings.TrimSpace(line), "git ") && !strings.HasPrefix(line, "usage: ") {
					t.Errorf("help %s is wider than a terminal: %s", strings.Join(words, " "), line)
				}
			}
			walk(c.Subcommands, words)
		}
	}
	walk(testApp().Commands, nil)
}
