package controller

import (
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// The ranges that a run judges follow from its state alone, so that whoever
// checks it later comes to the same: see package judge.

func (r *run) scopeEvidence() *machine.WorkEvidence { return judge.ScopeEvidence(r.view) }
func (r *run) lastJudged() string                   { return judge.LastJudged(r.view) }
func (r *run) workBase() string                     { return judge.WorkBase(r.view) }
func inFinalLoop(v machine.View) bool               { return judge.InFinalLoop(v) }

func (r *run) commitRef(commit string) (machine.CommitRef, error) {
	tree, err := r.site.TreeOf(commit)
	if err != nil {
		return machine.CommitRef{}, fault.New(fault.Identity, "git fsck", "commit %s cannot be read: %w", short(commit), err)
	}
	return machine.CommitRef{Commit: commit, Tree: tree}, nil
}
