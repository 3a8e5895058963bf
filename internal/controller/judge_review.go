package controller

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// judgeReview holds a review against Git: the reviewer changed nothing, and the
// branch is where it was when the review was handed out, or moved forward while
// it went on.
func (r *run) judgeReview(ctx context.Context, in incoming) (step, error) {
	facts, err := r.intentFacts(ctx)
	if err != nil {
		return step{}, err
	}
	review, err := r.parseReview(in, facts)
	if err != nil {
		return step{}, err
	}
	now, then, err := r.observedAgainst(facts)
	if err != nil {
		return step{}, err
	}
	now = now.WithoutUntracked(in.file)
	moved, err := r.movedSince(facts, now)
	if err != nil {
		return step{}, err
	}
	if changed := r.changedByReviewer(now, then); len(changed) > 0 {
		return step{}, contradicted(in, []contradiction{{"reviewer-changed",
			fmt.Sprintf("the %s is read-only, and since its dispatch these changed: %s", spoken(r.role()), listed(changed)),
			"put them back as they were (" + r.shownObserved(facts) + " lists what stood there), then git sdd report"}})
	}
	if refs := now.MovedRefs(then); len(refs) > 0 {
		r.notes = append(r.notes, "other branches or the stash moved during the review: "+listed(refs))
	}
	recorded := judge.Review(review, r.view.Dispatch.ReportPath)
	if err := r.addControlled(&recorded, facts, moved); err != nil {
		return step{}, err
	}
	return r.reviewStep(in, recorded, facts)
}

func (r *run) shownObserved(facts machine.IntentFacts) string {
	return "git sdd show @:" + facts.Observed.Path
}

// parseReview reads the report by what the run knows of findings.
func (r *run) parseReview(in incoming, facts machine.IntentFacts) (*report.Review, error) {
	role := r.role()
	base, head := facts.Base.Commit, facts.Head.Commit
	changed, err := r.site.ChangedPaths(base, head)
	if err != nil {
		return nil, err
	}
	inRange := map[string]bool{}
	for _, p := range changed {
		inRange[p] = true
	}
	c := judge.Context(r.view, role)
	c.InRange = func(p string) bool { return inRange[p] }
	c.FileExists = func(p string) bool { return inRange[p] || r.exists(head, p) || r.exists(base, p) }
	review, defects := report.ParseReview(in.data, c)
	if len(defects) > 0 {
		return nil, defectsFault(in, defects)
	}
	return review, nil
}

// exists reports whether a commit holds a path. A path that git cannot answer
// for is not there: the report names it, and the report is refused.
func (r *run) exists(commit, path string) bool {
	ok, err := r.site.PathExists(commit, path)
	return err == nil && ok
}

// movedSince says which commits came to the branch after the judged head: none,
// or those that make the review stale. A branch that moved in any other way, or
// at a point where no round is left to judge them, refuses the report.
func (r *run) movedSince(facts machine.IntentFacts, now evidence.Observation) ([]string, error) {
	judged := facts.Head.Commit
	if now.Head == judged {
		return nil, nil
	}
	forward, err := r.site.IsAncestor(judged, now.Head)
	if err != nil {
		return nil, err
	}
	back := "git branch keep && git reset --keep " + judged + ", then git sdd report"
	if !forward {
		return nil, fault.New(fault.Identity, back, "branch %q moved from %s to %s during the review, and not forward", r.view.Branch, short(judged), short(now.Head))
	}
	commits, err := r.site.Commits(judged, now.Head)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, k := range commits {
		ids = append(ids, k.ID)
	}
	if !r.roundLeft() {
		return nil, fault.New(fault.Identity, back, "%s came to branch %q during the review, and no round is left for another review", counted(len(ids), "commit"), r.view.Branch)
	}
	return ids, nil
}

// roundLeft reports whether a fix round, or the one final wave, is still to be
// had after this review.
func (r *run) roundLeft() bool {
	if inFinalLoop(r.view) {
		return !r.view.FinalFixUsed
	}
	return r.view.FixRound < tier.MaxRounds
}

// changedByReviewer names what is not as the dispatch saw it. A path that a
// commit of somebody else took over is not the reviewer's change.
func (r *run) changedByReviewer(now, then evidence.Observation) []string {
	var changed []string
	for _, name := range now.Changed(then) {
		if now.Head != then.Head && r.committedAs(name, now, then) {
			continue
		}
		changed = append(changed, name)
	}
	return changed
}

// committedAs reports whether the new head holds the path just as it stood in
// the work tree at the dispatch.
func (r *run) committedAs(name string, now, then evidence.Observation) bool {
	if _, still := now.Path(name); still {
		return false
	}
	before, _ := then.Path(name)
	id, err := r.site.Resolve(now.Head + ":" + name)
	return err == nil && strings.HasSuffix(before.Work, ":"+id)
}

func (r *run) reviewStep(in incoming, review machine.Review, facts machine.IntentFacts) (step, error) {
	s := step{event: reviewEvents[r.role()](review)}
	patch, err := r.site.PatchID(facts.Base.Commit, facts.Head.Commit)
	if err != nil {
		return step{}, err
	}
	s.facts = machine.FinishedFacts{
		Base: facts.Base, Head: facts.Head, PatchID: machine.Opt(patch), Branch: r.view.Branch,
		Report: s.with(r.stem()+".report.md", in.data), Gates: []machine.GateFact{},
	}
	s.attest = []string{facts.Base.Commit, facts.Head.Commit}
	return s, nil
}

// reviewEvents is the event of a review by role.
var reviewEvents = map[tier.Role]func(machine.Review) machine.Event{
	tier.TaskReviewer:    func(v machine.Review) machine.Event { return machine.TaskReviewFinished{Review: v} },
	tier.ReReviewer:      func(v machine.Review) machine.Event { return machine.RereviewFinished{Review: v} },
	tier.Final:           func(v machine.Review) machine.Event { return machine.FinalReviewFinished{Review: v} },
	tier.FinalReReviewer: func(v machine.Review) machine.Event { return machine.FinalRereviewFinished{Review: v} },
}
