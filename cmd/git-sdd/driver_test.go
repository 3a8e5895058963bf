package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A waiting is what `git sdd next --json` says.
type waiting struct {
	Run, Action, Role, Phase, Why, Report string
	Revision, Task, Round                 int
	Commands                              [][]string
	Prompt                                struct{ Path string }
	Range                                 struct {
		Base string
		Head *string
	}
}

// A driver carries a run to its end. It knows nothing of phases: it does what
// `next --json` says, and writes reports in their grammar, with what the prompt
// names. Its children work for real: they commit, and reviewers look at the range.
type driver struct {
	shop
	findings bool // every task review reports a finding, once
	wave     bool // so does the final review
	do       func(words []string)

	spawned  waiting // the last dispatch as it was handed out
	sessions int
	found    map[string]bool // the reviews that have reported theirs
}

func newDriver(s shop) *driver {
	d := &driver{shop: s, found: map[string]bool{}}
	d.do = func(words []string) { s.Helper(); s.must(words...) }
	return d
}

func (d *driver) next() waiting {
	d.Helper()
	var w waiting
	d.sdd(&w, "next")
	return w
}

// drive goes on until the run is done.
func (d *driver) drive() {
	d.Helper()
	for w := d.next(); w.Action != "done"; w = d.next() {
		if w.Revision > 2000 {
			d.Fatalf("the run does not end: %+v", w)
		}
		d.step(w)
	}
}

// step does what waits.
func (d *driver) step(w waiting) {
	d.Helper()
	switch w.Action {
	case "dispatch", "advance":
		d.do(w.Commands[0])
	case "spawn":
		d.spawned = w
		d.sessions++
		d.do(filled(w.Commands[0], "<session>", fmt.Sprintf("session-%d", d.sessions)))
	case "await":
		if _, err := os.Stat(w.Report); err != nil {
			d.report(w)
		}
		d.do(w.Commands[0])
	default:
		d.Fatalf("r%d %s: a driver cannot %s: %s", w.Revision, w.Phase, w.Action, w.Why)
	}
}

// filled puts a value where a command leaves a place for it.
func filled(words []string, place, value string) []string {
	words = slices.Clone(words)
	for i := range words {
		if words[i] == place {
			words[i] = value
		}
	}
	return words
}

// report does the work of the child that was spawned and writes what it says.
func (d *driver) report(w waiting) {
	d.Helper()
	prompt, err := os.ReadFile(d.spawned.Prompt.Path)
	if err != nil {
		d.Fatal(err)
	}
	h := handed{Role: w.Role, Report: w.Report, prompt: prompt, context: contextOf(string(prompt))}
	body, err := d.say(h, w)
	if err != nil {
		d.Fatal(err)
	}
	d.write(w.Report, fmt.Sprintf("PROMPT: %x\n%s", sha256.Sum256(prompt), body))
}

func (d *driver) say(h handed, w waiting) (string, error) {
	if d.spawned.Range.Head == nil {
		return h.work("DONE", []string{fmt.Sprintf("work-%d.txt", w.Task)}, "")
	}
	if !d.finds(w) {
		return h.review("SPEC: PASS\nQUALITY: APPROVED\n", nil)
	}
	changed := strings.Fields(d.git("diff", "--name-only", d.spawned.Range.Base, *d.spawned.Range.Head))
	return h.review("SPEC: PASS\nQUALITY: CHANGES_REQUESTED\n", []string{"Important " + changed[0] + ":1 the line does not say why"})
}

// finds reports whether this review has something to find, the first time that
// it is asked.
func (d *driver) finds(w waiting) bool {
	key := fmt.Sprintf("%s %d", w.Role, w.Task)
	due := w.Role == "task-reviewer" && d.findings || w.Role == "final" && d.wave
	if !due || d.found[key] {
		return false
	}
	d.found[key] = true
	return true
}
