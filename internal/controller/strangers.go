package controller

import (
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// noteStrangers names the commits that came to the branch by somebody else's
// hand: since the last worker's report before a review, which judges them too,
// or since the last review before a new task, where nobody does.
func (r *run) noteStrangers(role tier.Role, head string) error {
	known, fate := r.lastKnownHead(role)
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
	var ids []string
	for _, c := range commits {
		ids = append(ids, fmt.Sprintf("%s %q", short(c.ID), c.Subject))
	}
	r.notes = append(r.notes, fmt.Sprintf("%s by somebody else since %s, %s: %s", counted(len(ids), "commit"), short(known), fate, strings.Join(ids[:min(len(ids), 8)], ", ")))
	return nil
}

// lastKnownHead is the head that the run itself saw last, and what becomes of
// commits after it.
func (r *run) lastKnownHead(role tier.Role) (head, fate string) {
	if !role.Works() {
		if e := r.scopeEvidence(); e != nil && e.Head != nil && role != tier.Final {
			return e.Head.Commit, "the review judges them"
		}
	}
	if role == tier.Implementer && r.view.CurrentTask > 1 && r.attemptsOf(tier.Implementer, 0) == 0 {
		for _, e := range r.view.Evidence.Tasks {
			if n := len(e.Reviews); e.Task == r.view.CurrentTask-1 && n > 0 && e.Reviews[n-1].Head != nil {
				return e.Reviews[n-1].Head.Commit, "in no task's range; the final review sees them"
			}
		}
	}
	return "", ""
}
