package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
)

// A trouble is what people and machines do to the place where a run lives. Each
// shows what must still work there, and puts right what would end the run.
var troubles = []func(*walker, offer){
	(*walker).cleaned, (*walker).switched, (*walker).edited, (*walker).reformatted, (*walker).stale, (*walker).insideChild, (*walker).colleague,
	(*walker).unhinted,
}

// refusedWith demands a refusal of that kind.
func (w *walker) refusedWith(kind fault.Kind, words ...string) {
	w.Helper()
	if a := w.call(words...); a.exit != kind.Row().Exit {
		w.Fatalf("want exit %d: %s", kind.Row().Exit, a.text())
	}
}

// main is the command that next offers first, filled in.
func (w *walker) main(n offer) []string { return w.filled(n.Commands[0][2:]) }

// elsewhere is a command that names its run.
func (w *walker) elsewhere(words []string) []string {
	if slices.Contains(words, "--run") {
		return words
	}
	return append(words, "--run", w.run)
}

// cleaned: the workspace is gone, as after git clean -fdx. It is disposable.
func (w *walker) cleaned(offer) {
	w.Helper()
	if err := os.RemoveAll(filepath.Join(w.dir, ".git-sdd")); err != nil {
		w.Fatal(err)
	}
}

// switched: another branch is checked out. Looking and the rulings that end a
// run work with --run, everything else waits for the branch.
func (w *walker) switched(n offer) {
	w.Helper()
	w.count++
	w.git("switch", "--quiet", "--create", "elsewhere-"+string(rune('a'+w.count%26))+strings.Repeat("x", w.count/26))
	defer func() { w.git("switch", "--quiet", "work") }()
	w.refusedWith(fault.Identity, "next")
	a := w.call("next", "--run", w.run)
	if drift, _ := lookUp(a.stdout, "drift"); a.exit != 0 || drift != "branch" {
		w.Fatalf("next from elsewhere: %s", a.text())
	}
	if command := w.main(n); !ending(n.Commands[0]) && !isNote(n.Commands[0]) {
		w.refusedWith(fault.Identity, w.elsewhere(command)...)
	}
	if a := w.call("decide", "note", "--receipt", "seen", "--reason", "from another branch", "--run", w.run); a.exit != 0 {
		w.Fatalf("a note works from anywhere: %s", a.text())
	}
}

func isNote(command []string) bool {
	return strings.Contains(strings.Join(command, " "), "decide note")
}

// edited: the plan is not the pinned one.
func (w *walker) edited(n offer) {
	w.Helper()
	w.write("plan.md", modelPlan+"\n- [ ] And one thing more.\n")
	defer w.write("plan.md", modelPlan)
	if !ending(n.Commands[0]) && !isNote(n.Commands[0]) {
		w.refusedWith(fault.Identity, w.main(n)...)
	}
	a := w.call("next")
	if drift, _ := lookUp(a.stdout, "drift"); a.exit != 0 || drift != "edited" {
		w.Fatalf("next beside an edited plan: %s", a.text())
	}
}

// reformatted: the checkout changed the line endings of the plan, and no more.
func (w *walker) reformatted(n offer) {
	w.Helper()
	w.write("plan.md", strings.ReplaceAll(modelPlan, "\n", "\r\n"))
	defer w.write("plan.md", modelPlan)
	a := w.call("next")
	if drift, _ := lookUp(a.stdout, "drift"); a.exit != 0 || drift != "line-endings" {
		w.Fatalf("next beside other line endings: %s", a.text())
	}
}

// stale: the caller read another revision.
func (w *walker) stale(n offer) {
	w.Helper()
	if n.Commands[0][2] != "start" {
		w.refusedWith(fault.Contended, append(w.main(n), "--expected-revision", "9999")...)
	}
}

// insideChild: the commands of a child that git-sdd started.
func (w *walker) insideChild(n offer) {
	w.Helper()
	w.Setenv("GIT_SDD_DISPATCH", "somebody")
	defer os.Unsetenv("GIT_SDD_DISPATCH")
	w.refusedWith(fault.Refused, w.main(n)...)
}

// colleague: somebody commits to the branch.
func (w *walker) colleague(offer) {
	w.Helper()
	w.git("commit", "--quiet", "--allow-empty", "--message", "from a colleague")
}

// unhinted: the hint that leads to the run is gone, or leads astray.
func (w *walker) unhinted(offer) {
	w.Helper()
	hint := filepath.Join(w.dir, ".git", "sdd-active")
	if w.flip(0.5) {
		if err := os.Remove(hint); err != nil && !os.IsNotExist(err) {
			w.Fatal(err)
		}
		return
	}
	w.write(hint, strings.Repeat("0", 64)+"\n")
}
