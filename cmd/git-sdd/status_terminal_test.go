//go:build unix

package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// escapes are the colours that status may use.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

const widePlan = "# Plan\n\n## Task 1: Write one, and name it so that nobody who reads the list of tasks at eighty columns can miss it\n\n" +
	"**Implementer tier:** Fast\n\n- [ ] Write it.\n\n## Task 2: Write two\n\n**Implementer tier:** Fast\n\n- [ ] Write it.\n"

// A status is what `status --json` says, as far as people are shown it.
type status struct {
	Run, Phase, Branch string
	Tasks              []struct {
		Number, FixRounds, Open int
		State                   string
		Head                    *string
	}
	Findings []struct{ ID, Severity, Disposition, Summary string }
	Next     struct {
		Why      string
		Commands [][]string
	}
}

// TestStatusAtATerminal: a run that waits for its third fix round, as people see
// it: at 80 columns, coloured by git's settings, with the facts of --json and the
// next command last.
func TestStatusAtATerminal(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": widePlan})
	s.must("git-sdd", "start", "plan.md")
	turn := func(args ...string) { s.must(append([]string{"turn"}, args...)...) }
	turn("done", "one.txt")
	turn("fail", "Important one.txt:1 the line does not end, and whoever reads the file after it finds two lines in one, which is wrong", "Minor one.txt:1 long")
	turn("done", "one.txt")
	turn("fail", "T1:F-1=STILL_PRESENT", "T1:F-2=RESOLVED")
	turn("done", "one.txt")
	turn("fail", "T1:F-1=STILL_PRESENT")

	shown := s.atTerminal("false", false, "git-sdd", "status")
	plain := escapes.ReplaceAllString(shown.shown, "")
	if shown.exit != 0 || plain == shown.shown {
		t.Fatalf("exit %d, or no colour:\n%s", shown.exit, shown.shown)
	}
	for line := range strings.Lines(plain) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 && !strings.HasPrefix(line, "in ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if bad := raw(plain); bad != "" {
		t.Errorf("shows %s raw:\n%s", bad, plain)
	}
	if piped := s.must("git-sdd", "status"); steady(piped) != steady(plain) {
		t.Errorf("a pipe gets\n%s\nand a terminal\n%s", piped, plain)
	}
	s.holdsFacts(plain)

	for name, quiet := range map[string]func(t *testing.T){
		"NO_COLOR":        func(t *testing.T) { t.Setenv("NO_COLOR", "1") },
		"color.ui false":  func(t *testing.T) { s.git("config", "color.ui", "false") },
		"color.sdd never": func(t *testing.T) { s.git("config", "color.ui", "always"); s.git("config", "color.sdd", "never") },
	} {
		t.Run(name, func(t *testing.T) {
			defer s.try("git", "config", "--remove-section", "color")
			quiet(t)
			if got := s.atTerminal("false", false, "git-sdd", "status"); steady(got.shown) != steady(plain) {
				t.Errorf("shows\n%s", got.shown)
			}
		})
	}
}

// ages are what of a status depends on when it is asked, with what they align.
var ages = regexp.MustCompile(`[0-9]+ (s|min)\b| +`)

func steady(text string) string { return ages.ReplaceAllString(text, " ") }

// holdsFacts compares what people see with the facts of --json.
func (s shop) holdsFacts(shown string) {
	s.Helper()
	var st status
	s.sdd(&st, "status")
	wanted := []string{"\nphase   " + st.Phase + "\n", "\nbranch  work, from main at ", "run     " + st.Run[:12]}
	for _, task := range st.Tasks {
		row := fmt.Sprintf("\n  %d  %s", task.Number, task.State)
		wanted = append(wanted, row)
		if task.Head != nil {
			wanted = append(wanted, (*task.Head)[:7])
		}
		if task.FixRounds > 0 {
			wanted = append(wanted, fmt.Sprintf("%d rounds", task.FixRounds), fmt.Sprintf("%d open", task.Open))
		}
	}
	for _, f := range st.Findings {
		wanted = append(wanted, fmt.Sprintf("\n  %s  %-9s  %s", f.ID, f.Severity, f.Disposition))
	}
	for _, want := range wanted {
		if !strings.Contains(shown, want) {
			s.Errorf("%q is not shown:\n%s", want, shown)
		}
	}
	if len(st.Findings) != 2 || st.Findings[0].Disposition != "open" || st.Findings[1].Disposition != "fixed" {
		s.Errorf("the story went another way: %+v", st.Findings)
	}
	if want := "\nnext: " + strings.Join(st.Next.Commands[0], " ") + "\n"; !strings.HasSuffix(shown, want) {
		s.Errorf("the last line is not %q:\n%s", want, shown)
	}
}

// TestByTerminal: what a person records at a terminal says so, and log tells it.
func TestByTerminal(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	s.must("git-sdd", "start", "plan.md")
	if a := s.atTerminal("false", false, "git-sdd", "decide", "note", "--receipt", "seen", "--reason", "by hand"); a.exit != 0 {
		t.Fatal(a.shown)
	}
	var log struct {
		Entries []struct {
			By struct{ Name, Email, Via string }
		}
	}
	s.sdd(&log, "log")
	for i, via := range []string{"program", "program", "program", "program", "terminal"} {
		if by := log.Entries[i].By; by.Via != via || by.Name != "Ada" || by.Email != "ada@example.com" {
			t.Errorf("revision %d is by %+v, want %s", i, by, via)
		}
	}
	said := s.must("git-sdd", "log")
	if !strings.Contains(said, "(Ada <ada@example.com>, program)") || !strings.Contains(said, "note recorded  (Ada <ada@example.com>, terminal)\n") {
		t.Errorf("log does not tell who:\n%s", said)
	}
	s.fsck()
}
