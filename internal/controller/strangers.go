package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// noteStrangers names the commits that came to the branch by somebody else's
// hand since the run itself saw its head, and says who will judge them. A branch
// that does not hold that head any more is refused: what was judged or reported
// would be gone, and nothing would say so (architecture: facts, stale).
func (r *run) noteStrangers(role tier.Role, head string) error {
	known, fate := r.lastKnownHead(role)
	if err := r.mustHold(known, head); err != nil {
		return err
	}
	return r.noteCommits(known, head, "by somebody else", fate)
}

// mustHold refuses a head from which a commit that the run knows is not reached.
func (r *run) mustHold(known, head string) error {
	if known == "" || known == head {
		return nil
	}
	forward, err := r.site.IsAncestor(known, head)
	if errors.Is(err, git.ErrMissing) {
		forward, err = false, nil
	}
	if err != nil || forward {
		return err
	}
	return fault.New(fault.Identity, "git branch keep && git reset --keep "+known+", then go on",
		"branch %q does not hold %s any more, which the run knows as its head; it stands at %s", r.view.Branch, short(known), short(head))
}

// noteLostWork names the commits of a child that did not end DONE: they stay in
// the range, and whoever follows builds on them.
func (r *run) noteLostWork(ctx context.Context) error {
	if r.site == nil || !r.mayLeave() {
		return nil
	}
	facts, err := r.intentFacts(ctx)
	if err != nil {
		return err
	}
	head, err := r.site.Resolve("HEAD^{commit}")
	if err != nil {
		return nil // the ground says what is wrong with the branch
	}
	return r.noteCommits(facts.Head.Commit, head, "since the dispatch of the "+r.view.Dispatch.Role, "they stay in the range")
}

// noteCommits names what lies between a head that is known and the head of now.
func (r *run) noteCommits(known, head, whose, fate string) error {
	if known == "" || known == head {
		return nil
	}
	forward, err := r.site.IsAncestor(known, head)
	if err != nil {
		return err
	}
	if !forward {
		r.notes = append(r.notes, fmt.Sprintf("the branch moved from %s to %s, and not forward", short(known), short(head)))
		return nil
	}
	commits, err := r.site.Touched(known, head)
	if err != nil {
		return err
	}
	var named []string
	for _, c := range commits {
		named = append(named, fmt.Sprintf("%s %q", short(c.ID), c.Subject))
	}
	more := ""
	if n := len(named) - 8; n > 0 {
		named, more = named[:8], fmt.Sprintf(" and %d more", n)
	}
	r.notes = append(r.notes, fmt.Sprintf("%s %s beyond %s, %s: %s%s", counted(len(commits), "commit"), whose, short(known), fate, strings.Join(named, ", "), more))
	return nil
}

// lastKnownHead is the head that the run itself saw last, and what becomes of
// commits after it.
func (r *run) lastKnownHead(role tier.Role) (head, fate string) {
	switch {
	case role == tier.Fixer, role == tier.FinalFixer:
		return r.lastJudged(), "the re-review judges them"
	case role == tier.Final:
		return r.lastReviewOf(r.view.CurrentTask), "the final review judges them"
	case !role.Works():
		if e := r.scopeEvidence(); e != nil && e.Head != nil {
			return e.Head.Commit, "the review judges them"
		}
	case r.view.CurrentTask > 1 && r.attemptsOf(tier.Implementer, 0) == 0:
		return r.lastReviewOf(r.view.CurrentTask - 1), "in no task's range; the final review sees them"
	}
	return "", ""
}

// lastReviewOf is the head that the last review of a task judged, or "".
func (r *run) lastReviewOf(task int) string {
	for _, e := range r.view.Evidence.Tasks {
		if n := len(e.Reviews); e.Task == task && n > 0 && e.Reviews[n-1].Head != nil {
			return e.Reviews[n-1].Head.Commit
		}
	}
	return ""
}
