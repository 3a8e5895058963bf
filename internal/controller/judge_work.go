package controller

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/report"
)

// judgeWork holds an implementer's or fixer's report against Git (architecture:
// facts). A report that claims to be done must show a commit, in the range, with
// nothing left uncommitted; one that asks or is blocked claims nothing.
func (r *run) judgeWork(ctx context.Context, in incoming) (step, error) {
	empty := judge.MayBeEmpty(r.view)
	work, defects := report.ParseWork(in.data, report.WorkContext{AllowEmpty: empty, Prompt: r.view.Dispatch.Prompt.SHA256})
	if len(defects) > 0 {
		return step{}, defectsFault(in, defects)
	}
	facts, err := r.intentFacts(ctx)
	if err != nil {
		return step{}, err
	}
	now, then, err := r.observedAgainst(facts)
	if err != nil {
		return step{}, err
	}
	now = now.WithoutUntracked(in.file)
	if work.Status == statusDone || work.Status == statusConcerns {
		against, err := r.contradictions(work, now, then, empty)
		if err != nil {
			return step{}, err
		}
		if len(against) > 0 {
			return step{}, contradicted(in, against)
		}
	}
	return r.workStep(in, work, now)
}

// observedAgainst returns what the work tree looks like now and what the
// dispatch saw. Our own .gitignore is put back first.
func (r *run) observedAgainst(facts machine.IntentFacts) (now, then evidence.Observation, err error) {
	if _, err = r.workspace(); err != nil {
		return now, then, err
	}
	data, err := r.file(facts.Observed.Path)
	if err != nil {
		return now, then, faultOfLedger(err)
	}
	if then, err = evidence.Decode(data); err != nil {
		return now, then, err
	}
	now, err = evidence.Observe(r.site)
	return now, then, err
}

// contradictions returns everything that Git says against a report of DONE.
func (r *run) contradictions(work *report.Work, now, then evidence.Observation, empty bool) ([]contradiction, error) {
	var all []contradiction
	// A fixer that rewrote what was judged has no range: the last judged head is
	// where its work begins, and before the first review the task's base.
	base, from := r.workBase(), r.lastJudged()
	descends, err := r.site.IsAncestor(from, now.Head)
	if err != nil {
		return nil, err
	}
	if !descends {
		all = append(all, contradiction{"head-not-descended",
			fmt.Sprintf("the branch head %s does not descend from %s, where this work began", short(now.Head), short(from)),
			"git branch keep && git reset --keep " + from + ", then do the work on top of it"})
	}
	if now.Head == r.lastJudged() && !empty {
		all = append(all, contradiction{"no-commit",
			fmt.Sprintf("the report says %s, and there is no new commit since %s", work.Status, short(now.Head)),
			"commit the work, then git sdd report; or git sdd decide accept-empty --reason <reason>"})
	}
	if c, err := r.commitContradiction(work.Commit, base, now.Head); err != nil || c != nil {
		if err != nil {
			return nil, err
		}
		all = append(all, *c)
	}
	if left := now.Beyond(then); len(left) > 0 {
		all = append(all, contradiction{"uncommitted",
			"uncommitted beyond what stood there at the dispatch: " + listed(left),
			"commit or remove it, then git sdd report"})
	}
	return all, nil
}

// commitContradiction checks that COMMIT names a commit of the range base..head.
func (r *run) commitContradiction(commit, base, head string) (*contradiction, error) {
	if commit == "" {
		return nil, nil
	}
	outside := &contradiction{"commit-outside",
		fmt.Sprintf("COMMIT %s is not in the range %s..%s", short(commit), short(base), short(head)),
		"name the last commit of the work: git rev-parse HEAD"}
	id, err := r.site.Resolve(commit + "^{commit}")
	if errors.Is(err, git.ErrMissing) {
		return &contradiction{"commit-missing", fmt.Sprintf("COMMIT %s does not exist", short(commit)), outside.repair}, nil
	}
	if err != nil {
		return nil, err
	}
	if id == head {
		if head == base && base != r.lastJudged() {
			return outside, nil
		}
		return nil, nil
	}
	inside, err := r.site.IsAncestor(id, head)
	if err != nil {
		return nil, err
	}
	before, err := r.site.IsAncestor(id, base)
	if err != nil {
		return nil, err
	}
	if !inside || before {
		return outside, nil
	}
	return nil, nil
}

// listed names at most a handful of paths.
func listed(names []string) string {
	return judge.Listed(names)
}

// workStep composes the event of a worker's report with its facts.
func (r *run) workStep(in incoming, work *report.Work, now evidence.Observation) (step, error) {
	d := r.view.Dispatch
	s := step{event: finishedWork(r.view.Phase, d.ReportPath, judge.Work(work))}
	base, err := r.commitRef(r.workBase())
	if err != nil {
		return step{}, err
	}
	head, err := r.commitRef(now.Head)
	if err != nil {
		return step{}, err
	}
	patch, err := r.site.PatchID(base.Commit, head.Commit)
	if err != nil {
		return step{}, err
	}
	s.facts = machine.FinishedFacts{
		Base: &base, Head: &head, PatchID: machine.Opt(patch), Branch: now.Branch,
		Report: s.with(r.stem()+".report.md", in.data), Gates: []machine.GateFact{},
	}
	s.attest = []string{base.Commit, head.Commit}
	return s, nil
}

// stem is the name of the current dispatch's artifacts, without their ending.
func (r *run) stem() string {
	d := r.view.Dispatch
	round := 0
	if d.Round != nil {
		round = *d.Round
	}
	return machine.ArtifactStem(d.Task, r.role(), d.Attempt, round)
}
