package controller

import (
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/plan"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// A reach is the paths that belong to a piece of work: what the plan names as
// its files, where findings stand, and what rulings added.
type reach struct {
	paths []string
	named bool // the plan named files: without, nothing is outside
}

// reachOf returns the paths of the current task, in the final loop of all of
// them together. A single task that names no files leaves the whole open.
func (r *run) reachOf(role tier.Role) (reach, error) {
	p, err := r.parsedPlan()
	if err != nil {
		return reach{}, err
	}
	x := reach{named: true}
	for _, t := range p.Tasks() {
		if role.IsFinal() || t.Number == r.view.CurrentTask {
			files := plan.Files(p.Brief(t.Number))
			x.named = x.named && len(files) > 0
			x.add(files...)
		}
	}
	for _, f := range r.view.Findings {
		if role.IsFinal() || f.Task == r.view.CurrentTask {
			x.add(fileOf(f.Location))
		}
	}
	x.add(r.widened(role)...)
	return x, nil
}

// widened are the paths that rulings added to the scope of the work.
func (r *run) widened(role tier.Role) []string {
	var all []string
	task := r.id.String() + ":task-" + itoa(r.view.CurrentTask) + ":"
	for _, ruling := range r.view.Rulings {
		if ruling.Decision == machine.DecisionWiden && (role.IsFinal() || strings.HasPrefix(string(ruling.DispatchKey), task)) {
			all = append(all, ruling.Paths...)
		}
	}
	return all
}

func (x *reach) add(paths ...string) {
	for _, p := range paths {
		if p != "" && !slices.Contains(x.paths, p) {
			x.paths = append(x.paths, p)
		}
	}
}

// holds reports whether a path belongs to the work: it is named, lies below a
// named folder, or a named glob matches it.
func (x reach) holds(path string) bool {
	if !x.named {
		return true
	}
	for _, p := range x.paths {
		folder := strings.TrimSuffix(p, "/")
		if path == folder || strings.HasPrefix(path, folder+"/") || config.Match(p, path) {
			return true
		}
	}
	return false
}

// fileOf is the file of a location, "" for none.
func fileOf(location machine.Opt) string {
	file := string(location)
	if i := strings.LastIndexByte(file, ':'); i > 0 && strings.Trim(file[i+1:], "0123456789") == "" {
		file = file[:i]
	}
	if file == "none" {
		return ""
	}
	return file
}

// parsedPlan reads the pinned plan. It parsed when the run began.
func (r *run) parsedPlan() (*plan.Plan, error) {
	data, err := r.plan()
	if err != nil {
		return nil, err
	}
	p, defects := plan.Parse(data)
	if len(defects) > 0 {
		return nil, fault.New(fault.Identity, "git sdd show @:plan.md", "the pinned plan does not parse with this git-sdd: line %d: %s", defects[0].Line, defects[0].Message)
	}
	return p, nil
}

// brief is cut from the pinned plan, never from the file.
func (r *run) brief(role tier.Role) ([]byte, error) {
	p, err := r.parsedPlan()
	if err != nil {
		return nil, err
	}
	return judge.Brief(p, r.view, role), nil
}
