package controller

import (
	"context"
	"errors"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// briefPath returns the name of the brief among the step's artifacts.
func (s *step) briefPath() string {
	for path := range s.files {
		if strings.HasSuffix(path, "/brief.md") {
			return path
		}
	}
	return ""
}

// addContext composes the files that carry what a fresh child cannot remember.
func (r *run) addContext(ctx context.Context, d *dispatch, o DispatchOptions) error {
	switch {
	case d.role == tier.Implementer && o.Context != nil:
		return r.addAnswer(ctx, d, o.Context)
	case d.role.Works() && d.role != tier.Implementer:
		return r.addFixContext(ctx, d)
	case d.role == tier.Final || d.role == tier.ReReviewer || d.role == tier.FinalReReviewer:
		in, err := r.findingPackage(ctx, d.role)
		if err != nil {
			return err
		}
		d.context = d.step.with(d.stem+".context.md", prompt.FindingPackage(in))
	}
	return nil
}

// addAnswer stores the answer beside everything that was asked and answered
// before: the next child remembers none of it.
func (r *run) addAnswer(ctx context.Context, d *dispatch, answer []byte) error {
	if len(strings.TrimSpace(string(answer))) == 0 {
		return fault.New(fault.Invalid, "git sdd dispatch --context <context>", "the answer is empty")
	}
	exchanges, err := r.exchanges()
	if err != nil {
		return err
	}
	exchanges = append(exchanges, prompt.Exchange{Questions: r.questions(), Answer: string(answer)})
	d.step.with(d.stem+".answer.md", answer)
	d.context = d.step.with(d.stem+".context.md", prompt.QuestionsContext(exchanges))
	return nil
}

// questions are what the last implementer said is missing; where a human made a
// BLOCKED into a question, the reason that it gave.
func (r *run) questions() []prompt.Question {
	work, defects := r.rawWork(r.view.Dispatch.Report.Path)
	if len(defects) > 0 || work == nil {
		return nil
	}
	return judge.Questions(work)
}

func (r *run) rawWork(path string) (*report.Work, []report.Defect) {
	data, err := r.file(path)
	if err != nil {
		return nil, []report.Defect{{Message: err.Error()}}
	}
	return report.ParseWork(data, report.WorkContext{AllowEmpty: true})
}

// askedFor says in one line what an answer is needed for.
func (r *run) askedFor() string {
	var whats []string
	for _, q := range r.questions() {
		whats = append(whats, q.What)
	}
	return abbreviate(strings.Join(whats, "; "))
}

// exchanges returns every question of the current task's implementers with its
// answer.
func (r *run) exchanges() ([]prompt.Exchange, error) {
	var all []prompt.Exchange
	for k := 2; k <= r.attemptsOf(tier.Implementer, 0); k++ {
		answered := machine.ArtifactStem(r.view.CurrentTask, tier.Implementer, k, 0)
		asked := machine.ArtifactStem(r.view.CurrentTask, tier.Implementer, k-1, 0)
		e, err := r.exchange(asked, answered)
		if err != nil {
			return nil, err
		}
		all = append(all, e...)
	}
	return all, nil
}

// fixExchanges returns what fixers of a role's scope asked or named, each with
// the answer that a human proceeded with.
func (r *run) fixExchanges(role tier.Role) ([]prompt.Exchange, error) {
	fixer, rounds := tier.Fixer, r.view.FixRound
	if role.IsFinal() {
		fixer, rounds = tier.FinalFixer, 0
	}
	var all []prompt.Exchange
	for round := min(rounds, 1); round <= rounds; round++ {
		stem := machine.ArtifactStem(r.view.CurrentTask, fixer, r.attemptsOf(fixer, round), round)
		e, err := r.exchange(stem, stem)
		if err != nil {
			return nil, err
		}
		all = append(all, e...)
	}
	return all, nil
}

// exchange reads one answer with what was asked, or nothing where none was
// given. Both names are stems of artifacts.
func (r *run) exchange(asked, answered string) ([]prompt.Exchange, error) {
	answer, err := r.file(answered + ".answer.md")
	if errors.Is(err, ledger.ErrNoFile) {
		return nil, nil
	}
	if err != nil {
		return nil, faultOfLedger(err)
	}
	e := prompt.Exchange{Answer: string(answer)}
	if work, defects := r.rawWork(asked + ".report.md"); len(defects) == 0 {
		e.Questions = judge.Questions(work)
	}
	return []prompt.Exchange{e}, nil
}

// lastAnswers names the newest artifact of questions and answers of the current
// task: it is named in every later prompt of the task.
func (r *run) lastAnswers() string {
	if inFinalLoop(r.view) {
		return ""
	}
	for k := r.attemptsOf(tier.Implementer, 0); k > 1; k-- {
		path := machine.ArtifactStem(r.view.CurrentTask, tier.Implementer, k, 0) + ".context.md"
		if _, err := r.file(path); err == nil {
			return path
		}
	}
	return ""
}

// attemptsOf is the number of attempts that a role of the current task has had.
func (r *run) attemptsOf(role tier.Role, round int) int {
	return machine.NextAttempt(r.view, role, r.view.CurrentTask, round) - 1
}
