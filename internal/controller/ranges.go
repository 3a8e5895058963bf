package controller

import (
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// baseOf is where the range of a role's work begins (architecture: facts,
// ranges). A task's base is the head at its first implementer dispatch; a
// re-review begins at the last judged head; the final loop at the merge base.
func (r *run) baseOf(role tier.Role, head string) (string, error) {
	switch role {
	case tier.ReReviewer, tier.FinalReReviewer:
		return r.lastJudged(), nil
	case tier.Final, tier.FinalFixer:
		return r.view.MergeBase, nil
	case tier.Implementer, tier.TaskReviewer, tier.Fixer:
		if e := r.taskEvidence(); e != nil && e.Base != nil {
			return e.Base.Commit, nil
		}
		return head, nil
	}
	return "", fault.New(fault.Internal, "git sdd next", "%s has no range", role)
}

// taskEvidence returns what is known of the current task, or nil before its
// first dispatch.
func (r *run) taskEvidence() *machine.WorkEvidence {
	for i := range r.view.Evidence.Tasks {
		if r.view.Evidence.Tasks[i].Task == r.view.CurrentTask {
			return &r.view.Evidence.Tasks[i].WorkEvidence
		}
	}
	return nil
}

// scopeEvidence returns what is known of the current task or, in the final
// loop, of the whole branch.
func (r *run) scopeEvidence() *machine.WorkEvidence {
	if inFinalLoop(r.view) {
		return r.view.Evidence.Final
	}
	return r.taskEvidence()
}

// lastJudged is the head that the last review in scope judged: before the first
// one the task's base, in the final loop the merge base.
func (r *run) lastJudged() string {
	e := r.scopeEvidence()
	if e != nil && len(e.Reviews) > 0 {
		if last := e.Reviews[len(e.Reviews)-1]; last.Head != nil {
			return last.Head.Commit
		}
	}
	if e != nil && e.Base != nil {
		return e.Base.Commit
	}
	return r.view.MergeBase
}

// workBase is where the work of an implementer or fixer of this scope begins.
func (r *run) workBase() string {
	if inFinalLoop(r.view) {
		return r.view.MergeBase
	}
	if e := r.taskEvidence(); e != nil && e.Base != nil {
		return e.Base.Commit
	}
	return r.view.MergeBase
}

func (r *run) commitRef(commit string) (machine.CommitRef, error) {
	tree, err := r.site.TreeOf(commit)
	if err != nil {
		return machine.CommitRef{}, fault.New(fault.Identity, "git fsck", "commit %s cannot be read: %w", short(commit), err)
	}
	return machine.CommitRef{Commit: commit, Tree: tree}, nil
}

// inFinalLoop reports whether the run is in its final loop, in an ambiguous
// dispatch and after its end too: the last child's role says so.
func inFinalLoop(v machine.View) bool {
	if v.Dispatch == nil {
		return false
	}
	role, err := tier.ParseRole(v.Dispatch.Role)
	return err == nil && role.IsFinal()
}
