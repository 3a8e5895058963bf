package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/cli"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// An offer is what `next --json` says.
type offer struct {
	Schema, Run, Phase, Drift, Action, Role, Why, Report string
	Revision, Task, Tasks, Round                         int
	Commands, Alternatives                               [][]string
	Decisions                                            []struct {
		Decision, Effect string
		Command          []string
	}
}

// text is everything that a command said.
func (a answer) text() string {
	return fmt.Sprintf("%q: exit %d\n%s%s", a.args, a.exit, a.stdout, a.stderr)
}

// call carries out a command in this process and holds it to the rules of all
// commands.
func (w *walker) call(args ...string) answer {
	w.Helper()
	before, stood := w.refs(), len(w.states)
	a := w.invoke(append(args, "--json")...)
	w.trail = append(w.trail, fmt.Sprintf("%d  %q", a.exit, args))
	w.checkAnswer(a)
	after := w.refs()
	recorded := a.exit == 0 || (args[0] == "start" && a.exit == fault.Waiting.Row().Exit)
	if !recorded && after != before {
		w.Fatalf("refused, and yet the refs moved from\n%s\nto\n%s\n%s", before, after, a.text())
	}
	if after != before {
		w.catchUp()
	}
	w.grew = len(w.states) - stood
	return a
}

// invoke is a command line in this process. The library and everything below it
// must not panic.
func (w *walker) invoke(args ...string) (a answer) {
	w.Helper()
	defer func() {
		if p := recover(); p != nil {
			w.Fatalf("%q panics: %v\n%s", args, p, debug.Stack())
		}
	}()
	for _, f := range w.out {
		if err := f.Truncate(0); err != nil {
			w.Fatal(err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			w.Fatal(err)
		}
	}
	a = answer{args: args}
	a.exit = cli.Main(append([]string{"git-sdd"}, args...), w.void, w.out[0], w.out[1])
	a.stdout, a.stderr = w.heard(0), w.heard(1)
	return a
}

// heard is what a command wrote.
func (w *walker) heard(i int) string {
	w.Helper()
	data, err := os.ReadFile(w.out[i].Name())
	if err != nil {
		w.Fatal(err)
	}
	return string(data)
}

// checkAnswer: the status is documented, an unclassified error is a bug, and with
// --json there is one document, on standard output alone.
func (w *walker) checkAnswer(a answer) {
	w.Helper()
	known := slices.ContainsFunc(fault.Table(), func(r fault.Row) bool { return r.Exit == a.exit })
	if a.exit != 0 && (!known || a.exit == fault.Internal.Row().Exit) {
		w.Fatalf("no status for a command to end with: %s", a.text())
	}
	schema, err := lookUp(a.stdout, "schema")
	if err != nil || !strings.HasPrefix(schema, "git-sdd/") || a.stderr != "" {
		w.Fatalf("not one document: %v\n%s", err, a.text())
	}
	if schema != "git-sdd/error/1" {
		return
	}
	for _, key := range []string{"error.message", "error.repair", "error.kind"} {
		if value, err := lookUp(a.stdout, key); err != nil || value == "" || strings.ContainsAny(value, "\n\x1b") {
			w.Fatalf("%s is %q: %v\n%s", key, value, err, a.text())
		}
	}
	if exit, _ := lookUp(a.stdout, "error.exit"); exit != strconv.Itoa(a.exit) {
		w.Fatalf("the document says %s: %s", exit, a.text())
	}
}

// refs is where every run and every pin stands.
func (w *walker) refs() string {
	w.Helper()
	var b strings.Builder
	for _, space := range []string{"sdd", "sdd-pins", "sdd-rulings"} {
		found, err := filepath.Glob(filepath.Join(w.dir, ".git", "refs", space, "*"))
		if err != nil {
			w.Fatal(err)
		}
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				w.Fatal(err)
			}
			fmt.Fprintf(&b, "%s/%s %s", space, filepath.Base(path), data)
		}
	}
	return b.String()
}

// catchUp derives the states of the revisions that are new, from their events
// alone, and compares them with what is stored.
func (w *walker) catchUp() {
	w.Helper()
	if w.run == "" {
		found, err := filepath.Glob(filepath.Join(w.dir, ".git", "refs", "sdd", "*"))
		if err != nil || len(found) != 1 {
			w.Fatalf("%v, %d runs", err, len(found))
		}
		w.run = filepath.Base(found[0])
	}
	ctx := context.Background()
	id, err := ledger.ParseRunID(w.run)
	if err != nil {
		w.Fatal(err)
	}
	stored, err := ledger.Load(ctx, w.repo, id)
	if err != nil {
		w.Fatal(err)
	}
	err = ledger.Walk(ctx, w.repo, stored.Tip, len(w.states), func(rev ledger.Revision) error {
		doc, err := machine.DecodeEvent(rev.Event, func(ref machine.BlobRef) ([]byte, error) {
			return ledger.ReadFile(w.repo, rev.Commit, ref.Path)
		})
		if err != nil {
			return err
		}
		var before machine.State
		if len(w.states) > 0 {
			before = w.states[len(w.states)-1]
		}
		state := w.apply(before, doc)
		if want := machine.EncodeState(state); !bytes.Equal(rev.State, want) {
			return fmt.Errorf("revision %d: the events lead to\n%s\nand stored is\n%s", rev.Number, want, rev.State)
		}
		w.states = append(w.states, state)
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
}

// view is the state of now.
func (w *walker) view() machine.View { return w.states[len(w.states)-1].View() }

// next asks what waits, and holds the answer to what it promises.
func (w *walker) next() offer {
	w.Helper()
	words := []string{"next"}
	if w.flip(0.3) {
		words = w.elsewhere(words)
	}
	a := w.call(words...)
	var n offer
	w.read(a.stdout, &n)
	v := w.view()
	w.seen[place{v.Phase, n.Action}]++
	over := n.Action == "done" || n.Action == "blocked"
	switch {
	case a.exit != 0:
		w.Fatalf("next fails: %s", a.text())
	case n.Phase != v.Phase.String() || n.Revision != v.Revision || n.Task != v.CurrentTask || n.Round < v.FixRound:
		w.Fatalf("next does not say where the run stands, %s at %d: %s", v.Phase, v.Revision, a.text())
	case over != v.Phase.Terminal() || over != (len(n.Commands) == 0):
		w.Fatalf("in %s there must be a command if and only if the run is not over: %s", v.Phase, a.text())
	case n.Why == "" || (n.Action == "decide") != (len(n.Decisions) > 0):
		w.Fatalf("next must say why, and name decisions if and only if a human decides: %s", a.text())
	}
	for _, command := range slices.Concat(n.Commands, n.Alternatives) {
		if len(command) < 3 || command[0] != "git" || command[1] != "sdd" {
			w.Fatalf("no command: %q", command)
		}
	}
	w.looks(a)
	return n
}

// looks calls the commands that only look, now and then: they say the same again,
// and people can read it.
func (w *walker) looks(a answer) {
	w.Helper()
	if w.flip(0.2) {
		if again := w.call(a.args[:len(a.args)-1]...); again.stdout != a.stdout {
			w.Fatalf("next is another one when asked again:\n%s\n%s", a.stdout, again.stdout)
		}
	}
	for _, words := range [][]string{{"next"}, {"status"}, {"log"}, {"ls"}, {"show", "@"}} {
		if !w.flip(0.03) {
			continue
		}
		if words[0] != "ls" {
			words = append(words, "--run", w.run)
		}
		if said := w.invoke(words...); said.exit != 0 || said.stderr != "" || strings.Contains(said.stdout, "\x1b") {
			w.Fatalf("not for people: %s", said.text())
		}
	}
}

// checkAll replays the whole run once more, and has git look at the repository.
func (w *walker) checkAll() {
	w.Helper()
	last := len(w.states)
	w.states = nil
	w.catchUp()
	if len(w.states) != last {
		w.Errorf("%d revisions were %d", len(w.states), last)
	}
	w.fsck()
}

// cutShort does now and then what a kill between two commits of one command
// does: the later ones do not exist.
func (w *walker) cutShort() {
	w.Helper()
	if w.grew < 2 || !w.flip(w.cut) {
		return
	}
	back := 1 + w.IntN(w.grew-1)
	w.trail = append(w.trail, fmt.Sprintf("   killed, %d commits short", back))
	w.git("update-ref", "refs/sdd/"+w.run, fmt.Sprintf("refs/sdd/%s~%d", w.run, back))
	w.states = w.states[:len(w.states)-back]
}
