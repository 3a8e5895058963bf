package controller

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/rehearsal"
)

// child plays the child that runs: it reads its prompt and what that names, works,
// writes its report, and the report is taken.
func (s *stage) child(n *Next) (bool, error) {
	var h *Handout
	err := s.command(func(c *Controller) (err error) {
		r, err := c.find(s.ctx, reading)
		if err != nil {
			return err
		}
		defer r.close()
		h, err = r.handout(s.ctx)
		return err
	})
	if err != nil {
		return false, err
	}
	data, err := readBounded(h.Prompt.Path, prompt.MaxBytes)
	if err != nil {
		return false, err
	}
	child, err := rehearsal.ReadPrompt(data)
	if err != nil {
		return false, err
	}
	answer := s.script.Answer(child)
	s.out.Dispatches[len(s.out.Dispatches)-1].Answer = answer.Word
	facts, err := s.work(child, answer, h)
	if err != nil {
		return false, fmt.Errorf("the rehearsed %s: %w", n.Role, err)
	}
	if err := os.WriteFile(child.Says("reportPath"), child.Report(answer, facts), 0o666); err != nil {
		return false, err
	}
	return false, s.command(func(c *Controller) error { _, err := c.Report(s.ctx, ReportOptions{}); return err })
}

// work does what the child does before it reports.
func (s *stage) work(child rehearsal.Child, answer rehearsal.Answer, h *Handout) (f rehearsal.Facts, err error) {
	var documents [][]byte
	for _, key := range []string{"contextPath", "findingPackagePath"} {
		if path := child.Says(key); path != "" {
			data, err := readBounded(path, maxRehearsedFile)
			if err != nil {
				return f, err
			}
			documents = append(documents, data)
		}
	}
	f.Recorded = rehearsal.Findings(documents...)
	err = s.inCopy(func(copied *git.Repo) error {
		switch {
		case !child.Role.Works():
			f.Changed, err = copied.ChangedPaths(h.Range.Base, *h.Range.Head)
		case answer.Commits():
			f.Changed, f.Commit, err = s.commit(copied, child)
		}
		return err
	})
	return f, err
}

// commit changes the files that the brief names and commits them. A file that
// cannot be written, because a folder or a link stands in its place, is passed
// over; the child's own file always can.
func (s *stage) commit(copied *git.Repo, child rehearsal.Child) (changed []string, id string, err error) {
	brief, err := readBounded(child.Says("briefPath"), maxRehearsedFile)
	if err != nil {
		return nil, "", err
	}
	line := fmt.Sprintf("rehearsed: %s of task %s, session %d\n", child.Role, child.Says("task"), s.sessions)
	add := func(old []byte) []byte { return append(old, line...) }
	for _, name := range child.Files(brief, s.planName) {
		if s.write(name, add) == nil {
			changed = append(changed, name)
		}
	}
	if len(changed) == 0 {
		if err := s.write(child.OwnFile(), add); err != nil {
			return nil, "", err
		}
		changed = []string{child.OwnFile()}
	}
	id, err = copied.CommitFiles(fmt.Sprintf("task %s: rehearsed by the %s", child.Says("task"), child.Role), changed...)
	return changed, id, err
}

// decide rules as the scenario's human does, and ends the rehearsal where it has
// nothing to say.
func (s *stage) decide(n *Next) (bool, error) {
	name, text, ok := s.script.Rule(n.Task)
	s.ask(n, name)
	if !ok {
		return true, nil
	}
	for _, d := range n.Decisions {
		if d.Decision == name {
			return false, s.rule(d, text)
		}
	}
	return false, fault.New(fault.Invalid, "name one of the decisions that are legal there", "the scenario's human rules %q on task %d in %s: %w", name, n.Task, n.Phase, errNotOffered(n.Decisions))
}

func errNotOffered(all []Decision) error {
	names := ""
	for _, d := range all {
		names += " " + d.Decision
	}
	return errors.New("offered are" + names)
}

// rule gives a decision as its command is printed, with one text in every place.
func (s *stage) rule(d Decision, text string) error {
	o := DecideOptions{Decision: d.Decision}
	words := d.Command[3:]
	if d.Command[2] == "decide" {
		words = words[1:]
	}
	for len(words) > 0 {
		flag := words[0]
		fill := rulingPlaces[flag]
		if fill == nil {
			o.Argument, words = flag, words[1:]
			continue
		}
		value := words[1]
		if value[0] == '<' {
			value = text
		}
		fill(&o, value)
		words = words[2:]
	}
	return s.command(func(c *Controller) (err error) {
		if d.Command[2] == "abandon" {
			_, err = c.Abandon(s.ctx, o.Reason)
			return err
		}
		_, err = c.Decide(s.ctx, o)
		return err
	})
}

// rulingPlaces is where a ruling's parts belong.
var rulingPlaces = map[string]func(*DecideOptions, string){
	"--reason":   func(o *DecideOptions, v string) { o.Reason = v },
	"--evidence": func(o *DecideOptions, v string) { o.Evidence = v },
	"--receipt":  func(o *DecideOptions, v string) { o.Receipt = v },
	"--session":  func(o *DecideOptions, v string) { o.Session = v },
	"--finding":  func(o *DecideOptions, v string) { o.Findings = append(o.Findings, v) },
	"--path":     func(o *DecideOptions, v string) { o.Paths = append(o.Paths, filepath.ToSlash(v)) },
	"--context":  func(o *DecideOptions, v string) { o.Context = []byte(v + "\n") },
}
