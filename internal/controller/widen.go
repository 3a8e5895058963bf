package controller

import (
	"context"
	"strings"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// inFixLoop reports whether a task is being fixed, or is about to be.
func (r *run) inFixLoop() bool { return judge.InFixLoop(r.view) }

// widenStep adds paths to the scope of the fix.
func widenStep(_ context.Context, r *run, o DecideOptions) (step, error) {
	var paths []string
	for _, p := range o.Paths {
		paths = append(paths, cleanPath(p))
	}
	return step{event: machine.RulingRecorded{Ruling: machine.Ruling{
		Decision: machine.DecisionWiden, Reason: o.Reason, Paths: paths, DispatchKey: machine.Opt(r.view.Dispatch.DispatchKey),
	}}}, nil
}

// cleanPath is a path of the repository, from its top, as rulings name it.
func cleanPath(p string) string {
	return strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
}
