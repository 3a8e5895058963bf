package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/machine"
)

// replay reads a run as plain git shows it and derives every state anew, from
// the events alone: no part of git-sdd but the machine has a say. It returns the
// last revision.
func (s shop) replay(run string) machine.View {
	s.Helper()
	ref := "refs/sdd/" + run
	commits := strings.Fields(s.git("rev-list", "--reverse", "--first-parent", ref))
	if got := s.git("rev-list", "--count", ref); got != strconv.Itoa(len(commits)) {
		s.Fatalf("the run is no chain: %s commits, %d by first parents", got, len(commits))
	}
	var state machine.State
	for number, commit := range commits {
		doc := s.event(commit)
		if doc.Revision != number {
			s.Fatalf("commit %s is the revision number %d and says %d", commit, number, doc.Revision)
		}
		state = s.apply(state, doc)
		if stored := s.git("cat-file", "blob", commit+":state.json"); !bytes.Equal([]byte(stored), machine.EncodeState(state)) {
			s.Fatalf("revision %d: the events lead to\n%s\nand stored is\n%s", number, machine.EncodeState(state), stored)
		}
	}
	return state.View()
}

func (s shop) event(commit string) machine.Document {
	s.Helper()
	doc, err := machine.DecodeEvent([]byte(s.git("cat-file", "blob", commit+":event.json")), func(ref machine.BlobRef) ([]byte, error) {
		return []byte(s.must("git", "cat-file", "blob", commit+":"+ref.Path)), nil
	})
	if err != nil {
		s.Fatalf("commit %s: %v", commit, err)
	}
	return doc
}

func (s shop) apply(state machine.State, doc machine.Document) machine.State {
	s.Helper()
	var next machine.State
	var err error
	if init, first := doc.Event.(machine.Init); first {
		next, err = machine.New(init, doc.At)
	} else {
		next, err = machine.Apply(state, machine.Input{At: doc.At, Event: doc.Event, Facts: doc.Facts})
	}
	if err != nil {
		s.Fatalf("revision %d: %v", doc.Revision, err)
	}
	return next
}

// subjectForm is what a line of the story looks like: whose task it is about, if
// it is about one, what happened, and the revision.
var subjectForm = regexp.MustCompile(`^(?:(?:task [1-9][0-9]*|final): )?[a-z]+[ ,]?\S.*\S \(r([0-9]+)\)$`)

// story demands that `git log --oneline` of the run reads as one, newest first,
// and returns it.
func (s shop) story(run string) string {
	s.Helper()
	text := s.git("log", "--oneline", "refs/sdd/"+run)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		_, subject, _ := strings.Cut(line, " ")
		m := subjectForm.FindStringSubmatch(subject)
		if m == nil || m[1] != fmt.Sprint(len(lines)-1-i) {
			s.Errorf("line %d from the end does not read as a part of the story: %q", i, line)
		}
	}
	return text
}
