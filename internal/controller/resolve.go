package controller

import (
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// resolutions are the findings that leave open with this dispatch: those pinned
// RESOLVED, and the Minors that the caller parks.
func (r *run) resolutions(park []Park) ([]machine.Resolution, error) {
	all := resolvedFixes(r.view)
	for _, p := range park {
		if p.Evidence == "" {
			return nil, fault.New(fault.Invalid, "git sdd dispatch --park <finding> --evidence <evidence>", "parking %s needs --evidence", p.ID)
		}
		all = append(all, machine.Resolution{ID: r.findingID(p.ID), Disposition: "parked", Evidence: p.Evidence})
	}
	if len(park) > 0 && len(r.stillOpen(all)) == 0 && machine.AxesGood(r.view) {
		return nil, fault.New(fault.Invalid, "git sdd next", "with these parked nothing is left for a fixer")
	}
	return all, nil
}

// stillOpen returns the findings in scope that the resolutions leave open.
func (r *run) stillOpen(resolved []machine.Resolution) []machine.Recorded {
	return judge.StillOpen(r.view, resolved)
}

// findingsOf are the open findings that are a child's business: of the task, in
// the final loop of the run; for a worker those that do not leave open with its
// very dispatch.
func (r *run) findingsOf(d *dispatch) []machine.Recorded {
	return judge.FindingsOf(r.view, d.role, d.resolved)
}
