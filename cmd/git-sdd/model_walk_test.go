package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// modelPlan has one task that may end without a commit.
const modelPlan = "# Plan\n\n## Task 1: Write one\n\n**Implementer tier:** Fast\n\n- [ ] Write one.txt.\n\n" +
	"## Task 2: Look at it\n\n**Implementer tier:** Capable\n\n- [ ] Look.\n"

// A walker takes one run from its start to an end.
type walker struct {
	shop
	*rand.Rand
	temper
	seen map[place]int
	repo *git.Repo
	out  [2]*os.File // what a command says, on both ways
	void *os.File    // what it hears

	run    string
	states []machine.State // by revision, derived from the events alone
	grew   int             // how many revisions the last command recorded
	trail  []string        // every command so far
	count  int             // makes names that nobody has
}

func newWalker(t *testing.T, rng *rand.Rand, temper temper, seen map[place]int) *walker {
	t.Helper()
	w := &walker{shop: newShop(t, map[string]string{"plan.md": modelPlan, "kept.txt": "kept\n"}), Rand: rng, temper: temper, seen: seen}
	repo, err := git.Open(context.Background(), w.dir)
	if err != nil {
		t.Fatal(err)
	}
	w.repo = repo
	t.Cleanup(func() { repo.Close() })
	for i := range w.out {
		if w.out[i], err = os.CreateTemp(t.TempDir(), "out"); err != nil {
			t.Fatal(err)
		}
	}
	if w.void, err = os.Open(os.DevNull); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, f := range []*os.File{w.out[0], w.out[1], w.void} {
			f.Close()
		}
		if t.Failed() {
			t.Logf("the walk:\n%s", strings.Join(w.trail, "\n"))
		}
	})
	if w.parks {
		w.git("config", "sdd.run.minors", "park")
	}
	return w
}

// walk goes from start to an end, and returns how many steps it took.
func (w *walker) walk() int {
	w.Helper()
	w.start()
	for step := 1; step <= mostSteps; step++ {
		n := w.next()
		if n.Action == "done" || n.Action == "blocked" {
			w.over(n)
			return step
		}
		w.step(n)
	}
	w.must("git", "reset", "--quiet", "--hard")
	w.checkAll()
	return mostSteps
}

func (w *walker) start() {
	w.Helper()
	args := []string{"start", "plan.md"}
	if w.dirty {
		w.write("left.txt", "from before\n")
	}
	if w.flip(0.5) {
		args = append(args, "--audit", "2")
	}
	if a := w.call(args...); w.run == "" {
		w.Fatalf("no run: %s", a.text())
	}
	w.cutShort()
}

// flip is true with a chance.
func (w *walker) flip(chance float64) bool { return w.Float64() < chance }

// one of several.
func one[E any](w *walker, all ...E) E { return all[w.IntN(len(all))] }

// step does one thing: mostly what is offered.
func (w *walker) step(n offer) {
	w.Helper()
	switch {
	case w.flip(w.trouble * 0.4):
		one(w, troubles...)(w, n)
	case w.flip(0.06):
		w.call(w.filled(one(w, strays...))...)
	case (n.Action == "spawn" || n.Action == "await") && w.flip(w.mistaken):
		w.call("decide", "mismatch", "--reason", "another model")
	case n.Action == "await" && !w.flip(w.lost):
		w.report(n)
	default:
		w.follow(n)
	}
}

// follow does one of the things that next offers. What it offers must work.
func (w *walker) follow(n offer) {
	w.Helper()
	choices := slices.Concat(n.Commands, n.Alternatives)
	command := n.Commands[0]
	switch {
	case n.Action == "decide":
		command = one(w, choices...)
	case n.Action == "await": // given up instead of waited for
		command = one(w, n.Alternatives...)
	case w.flip(0.15) || (n.Action == "spawn" && w.flip(w.lost)):
		command = one(w, choices...)
	}
	if ending(command) && !w.flip(w.ends) && !w.onlyEnds(choices) {
		command = n.Commands[0]
		if ending(command) {
			command = choices[slices.IndexFunc(choices, func(c []string) bool { return !ending(c) })]
		}
	}
	if command[2] == "report" {
		w.report(n)
		return
	}
	words := w.filled(command[2:])
	if a := w.call(words...); a.exit != 0 {
		w.Fatalf("next offers %q, and it is refused: %s", words, a.text())
	}
	w.cutShort()
}

// ending reports whether a command ends the run.
func ending(command []string) bool {
	return slices.Contains([]string{"abandon", "block", "mismatch", "reject"}, command[2]) ||
		(command[2] == "decide" && slices.Contains([]string{"block", "mismatch", "reject"}, command[3]))
}

// onlyEnds reports whether nothing but notes is left beside the ends.
func (w *walker) onlyEnds(choices [][]string) bool {
	return !slices.ContainsFunc(choices, func(c []string) bool { return !ending(c) && !slices.Contains(c, "note") })
}

// filled puts something into every place of a printed command.
func (w *walker) filled(words []string) []string {
	words = slices.Clone(words)
	for i, word := range words {
		switch word {
		case "<session>":
			w.count++
			words[i] = fmt.Sprintf("session-%d", w.count)
		case "<reason>", "<evidence>", "<receipt>":
			words[i] = one(w, said...)
		case "<path>":
			words[i] = one(w, "one.txt", "deep/er/file", "ü b.txt")
		case "<context>":
			words[i] = w.file("answer.txt", "the answer, number %d\n")
		case "<report>":
			words[i] = w.file("report.md", "STATUS: DONE\nnumber %d\n")
		case "<finding>":
			words[i] = w.minor()
		}
	}
	return words
}

// said is what people write: harmless, and near to every bound.
var said = []string{
	"because", "it's \"quoted\"; $(touch x) `y` && z | w", "ein Grund, größer als 日本", strings.Repeat("é", 256),
	"-- --json", "<reason> is what it says", "a word: Sdd-Phase, and no trailer", "\u00a0\u200c",
}

// file writes a file that lies outside of the work tree.
func (w *walker) file(name, format string) string {
	w.Helper()
	w.count++
	path := filepath.Join(filepath.Dir(w.out[0].Name()), name)
	w.write(path, fmt.Sprintf(format, w.count))
	return path
}

// minor is an open Minor that a ruling may park, or an id that nobody has.
func (w *walker) minor() string {
	for _, f := range machine.OpenInScope(w.view()) {
		if !f.LoadBearing && f.Verdict != "RESOLVED" {
			return f.ID
		}
	}
	return "F-77"
}

// over looks at a run that has ended: it takes nothing more.
func (w *walker) over(n offer) {
	w.Helper()
	if len(n.Commands)+len(n.Alternatives)+len(n.Decisions) != 0 {
		w.Errorf("the run is over, and next offers %v", n)
	}
	for _, words := range strays {
		if a := w.call(w.elsewhere(w.filled(words))...); a.exit == 0 {
			w.Errorf("%s takes %q", n.Phase, words)
		}
	}
	w.checkAll()
}

// strays are commands that are tried wherever the run stands: refused, or legal
// by chance.
var strays = [][]string{
	{"dispatch"}, {"dispatch", "--dry-run"}, {"dispatch", "--context", "<context>"}, {"dispatch", "--park", "<finding>", "--evidence", "<evidence>"},
	{"started", "--session", "<session>"}, {"report"}, {"report", "<report>"}, {"report", "no-such-file.md"}, {"advance"},
	{"advance", "--expected-revision", "9999"}, {"report", "--dispatch", "somebody-else"},
	{"decide", "approve", "--reason", "<reason>"}, {"decide", "proceed", "--reason", "<reason>"}, {"decide", "enrich", "--reason", "<reason>"},
	{"decide", "lost", "--reason", "<reason>"}, {"decide", "lost", "--receipt", "<receipt>", "--reason", "<reason>"},
	{"decide", "adopt", "--session", "<session>", "--reason", "<reason>"}, {"decide", "reissue", "--reason", "<reason>"},
	{"decide", "accept-empty", "--reason", "<reason>"}, {"decide", "leftovers", "keep", "--reason", "<reason>"},
	{"decide", "leftovers", "shelve", "--reason", "<reason>"}, {"decide", "contracts", "--reason", "<reason>"},
	{"decide", "park", "--finding", "<finding>", "--evidence", "<evidence>", "--reason", "<reason>"},
	{"decide", "adjudicate", "--finding", "F-1=park", "--evidence", "<evidence>", "--reason", "<reason>"},
	{"decide", "note", "--receipt", "<receipt>", "--reason", "<reason>"}, {"decide", "lost", "--reason", "two\nlines"},
	{"decide", "nothing", "--reason", "<reason>"}, {"decide", "note", "--receipt", "Sdd-Phase: COMPLETE", "--reason", "<reason>"},
}
