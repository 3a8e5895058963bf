package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/machine"
)

// A stream is what `git fast-import` reads.
type stream struct{ bytes.Buffer }

// commit begins a commit; from is "" for one without parents. Files follow.
func (w *stream) commit(ref, from, message string, at time.Time) {
	fmt.Fprintf(w, "commit %s\ncommitter Ada <ada@example.com> %d +0000\n", ref, at.Unix())
	w.data(message)
	if from != "" {
		fmt.Fprintf(w, "from %s\n", from)
	}
}

func (w *stream) file(path, text string) {
	fmt.Fprintf(w, "M 100644 inline %s\n", path)
	w.data(text)
}

func (w *stream) data(text string) { fmt.Fprintf(w, "data %d\n%s\n", len(text), text) }

func (s *stall) fastImport(w *stream) {
	s.Helper()
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = s.dir, w
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("git fast-import: %v\n%s", err, out)
	}
}

// step writes one revision as git-sdd would.
func (s *stall) step(w *stream, state machine.State, doc machine.Document, from string) {
	s.Helper()
	event, err := machine.EncodeEvent(doc)
	if err != nil {
		s.Fatal(err)
	}
	at, err := time.Parse(time.RFC3339, string(doc.At))
	if err != nil {
		s.Fatal(err)
	}
	v := state.View()
	message := fmt.Sprintf("task 1: grown (r%d)\n\nSdd-Run: %s\nSdd-Revision: %d\nSdd-Event: %s\nSdd-Phase: %s\nSdd-Task: 1\nSdd-Nonce: %032x\n",
		v.Revision, v.RunID, v.Revision, doc.Event.Kind(), v.Phase, v.Revision)
	w.commit("refs/sdd/"+v.RunID, from, message, at)
	w.file("state.json", string(machine.EncodeState(state)))
	w.file("event.json", string(event))
}

// growRun takes the run to the given revision: a note a revision.
func (s *stall) growRun(revisions int) {
	s.Helper()
	run := s.start("plan.md")
	state, err := machine.DecodeState([]byte(s.git("cat-file", "blob", "refs/sdd/"+run+":state.json")))
	if err != nil {
		s.Fatal(err)
	}
	var w stream
	from := "refs/sdd/" + run + "^0"
	for state.Revision() < revisions {
		doc := machine.Document{
			Revision: state.Revision() + 1, At: state.View().UpdatedAt, By: machine.By{Name: "Ada", Email: "ada@example.com", Via: "program"},
			Event: machine.RecoveryRulingRecorded{Reason: "grown", Receipt: "none"},
		}
		state = s.apply(state, doc)
		s.step(&w, state, doc, from)
		from = ""
	}
	s.fastImport(&w)
	if n := s.git("rev-list", "--count", "refs/sdd/"+run); n != fmt.Sprint(revisions+1) {
		s.Fatalf("%s revisions", n)
	}
}

// growRuns adds runs of other branches to the one that is at work here.
func (s *stall) growRuns(runs int) {
	s.Helper()
	own := s.start("plan.md")
	first := s.event(s.git("rev-list", "--max-parents=0", "refs/sdd/"+own))
	begun, err := time.Parse(time.RFC3339, string(first.At))
	if err != nil {
		s.Fatal(err)
	}
	settings := s.git("cat-file", "blob", "refs/sdd/"+own+":artifacts/settings.json")
	var w stream
	for n := range runs {
		init := first.Event.(machine.Init)
		init.Branch = fmt.Sprintf("branch-%d", n)
		doc := first
		doc.At = machine.Instant(begun.Add(-time.Duration(n) * time.Second).UTC().Format("2006-01-02T15:04:05.000Z"))
		id := machine.RunID(init.PlanDigest, init.Worktree, init.Branch, init.MergeBase, doc.At)
		init.RunRoot = init.RunRoot[:len(init.RunRoot)-12] + id[:12]
		doc.Event = init
		s.step(&w, s.apply(machine.State{}, doc), doc, "")
		w.file("plan.md", onePlan)
		w.file("artifacts/settings.json", settings)
		w.commit("refs/sdd-pins/"+id, "", fmt.Sprintf("pin r0\n\nSdd-Run: %s\nSdd-Revision: 0\n", id), begun)
	}
	s.fastImport(&w)
	s.git("pack-refs", "--all") // as a gc does
	if n := strings.Count(s.git("for-each-ref", "refs/sdd/"), "\n") + 1; n != runs+1 {
		s.Fatalf("%d runs", n)
	}
}

// growFiles gives the project many files, before a run is started in it.
func (s *stall) growFiles(files int) {
	s.Helper()
	var w stream
	w.WriteString("blob\nmark :1\n")
	w.data("the same in each\n")
	w.commit("refs/heads/main", "refs/heads/main^0", "many files", time.Now())
	for n := range files {
		fmt.Fprintf(&w, "M 100644 :1 d%03d/f%03d\n", n/1000, n%1000)
	}
	s.fastImport(&w)
	s.git("reset", "--quiet", "--hard", "main")
	if entries, err := os.ReadDir(s.dir); err != nil || len(entries) < files/1000 {
		s.Fatalf("%d entries, %v", len(entries), err)
	}
	if n := strings.Count(s.git("ls-files"), "\n") + 1; n <= files {
		s.Fatalf("%d files", n)
	}
}
