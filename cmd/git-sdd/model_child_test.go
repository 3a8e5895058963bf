package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// report lets the child of the dispatch do its work, and takes its report. What
// Git or the grammar contradicts is refused; then the child tries again, and at
// last says something that nobody can refuse.
func (w *walker) report(n offer) {
	w.Helper()
	var a answer
	for try := range 4 {
		h := w.handed(n)
		body, err := w.work(h, try == 3)
		if err != nil {
			w.Fatal(err)
		}
		w.write(h.Report, fmt.Sprintf("PROMPT: %x\n%s", sha256.Sum256(h.prompt), body))
		switch a = w.call("report"); a.exit {
		case 0:
			w.cutShort()
			return
		case fault.Invalid.Row().Exit:
		case fault.Identity.Row().Exit: // the branch moved, and no round is left
			w.git("reset", "--quiet", "--keep", h.context["headSha"])
		default:
			w.Fatalf("a report is taken or refused, nothing else: %s\n%s", a.text(), body)
		}
	}
	w.Fatalf("the %s can say nothing right: %s", n.Role, a.text())
}

// handed is what the child knows: its prompt.
func (w *walker) handed(n offer) handed {
	w.Helper()
	h := handed{Action: n.Action, Role: n.Role, Report: n.Report}
	var err error
	if h.prompt, err = h.readPrompt(); err != nil {
		w.Fatal(err)
	}
	if err := os.MkdirAll(dirOf(h.Report), 0o755); err != nil {
		w.Fatal(err)
	}
	h.context = contextOf(string(h.prompt))
	return h
}

func dirOf(path string) string { return path[:strings.LastIndexByte(path, '/')] }

// work is what the child does and says; plain is the straight way.
func (w *walker) work(h handed, plain bool) (string, error) {
	w.Helper()
	switch h.Role {
	case "implementer", "fixer", "final-fixer":
		if plain {
			w.git("add", "--all")
			return h.work("DONE", []string{"one.txt"}, "")
		}
		return w.worker(h)
	}
	if plain {
		return h.review("SPEC: PASS\nQUALITY: APPROVED\n", nil)
	}
	return w.reviewer(h)
}

// worker is an implementer or a fixer.
func (w *walker) worker(h handed) (string, error) {
	w.Helper()
	note := one(w, said...)
	switch {
	case w.flip(w.asks):
		w.leave()
		return reports["context"](h, []string{note, one(w, said...)})
	case w.flip(w.blocks):
		w.leave()
		return reports["blocked"](h, []string{note})
	case w.flip(w.concerns):
		kind := one(w, "observational", "correctness", "scope")
		return reports["concerns"](h, []string{kind, note, "one.txt"})
	case w.flip(w.empty):
		return reports["empty"](h, nil)
	}
	return h.work("DONE", []string{one(w, "one.txt", "two.txt")}, "")
}

// leave leaves something uncommitted, now and then.
func (w *walker) leave() {
	w.Helper()
	if w.flip(0.4) {
		w.count++
		w.write(fmt.Sprintf("half-%d.txt", w.count), "half\n")
	}
	if w.flip(0.2) {
		w.git("commit", "--quiet", "--allow-empty", "--message", "half of it")
	}
}

// reviewer judges what it is asked and finds what its temper finds. Its axes
// follow from that.
func (w *walker) reviewer(h handed) (string, error) {
	w.Helper()
	strict, other := map[string]float64{"final": w.final, "final-re-reviewer": w.wave}[h.Role]
	if !other {
		strict = w.strict
	}
	var args []string
	bad := false
	open := map[string]bool{} // by id: bears load
	for _, f := range machine.OpenInScope(w.view()) {
		open[f.ID] = f.LoadBearing
	}
	for _, id := range strings.FieldsFunc(h.context["findingIds"], func(r rune) bool { return r == ',' || r == ' ' }) {
		if w.flip(strict) {
			args = append(args, id+"="+one(w, "STILL_PRESENT", "REGRESSION", "NEEDS_CONTEXT"))
			bad = bad || open[id]
		}
	}
	if w.flip(strict) && len(w.view().Findings) < 200 {
		args = append(args, one(w, "Important", "Critical")+" "+one(w, "kept.txt:1", "kept.txt", "none")+" "+one(w, said...))
		bad = true
	}
	if w.flip(w.minors) {
		args = append(args, "Minor "+one(w, "one.txt:1", "kept.txt", "none")+" "+one(w, said...))
	}
	axes := "SPEC: PASS\nQUALITY: APPROVED\n"
	if bad {
		axes = one(w, "SPEC: FAIL\nQUALITY: APPROVED\n", "SPEC: PASS\nQUALITY: CHANGES_REQUESTED\n", "SPEC: FAIL\nQUALITY: CHANGES_REQUESTED\n")
	}
	return h.review(axes, args)
}
