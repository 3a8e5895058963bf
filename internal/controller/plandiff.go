package controller

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/plan"
)

// PlanDiff is the answer of `plan diff`: what changed in the plan's file against
// the bytes that the run is pinned to.
type PlanDiff struct {
	Schema  string       `json:"schema"`
	Run     string       `json:"run"`
	Plan    PlanStatus   `json:"plan"`
	Changes []PlanChange `json:"changes"`
	Diff    string       `json:"diff"`    // unified; line ends do not count
	Restore *string      `json:"restore"` // the command that brings the pinned bytes back, where they are not there
	Anew    *string      `json:"anew"`    // the other way out of an edited plan, while the run is live
}

// PlanChange is what changed in one task; null for what belongs to none.
type PlanChange struct {
	Task *int   `json:"task"`
	What string `json:"what"`
}

// PlanDiff compares the plan's file with the pinned plan. It changes nothing and
// refuses no difference.
func (c *Controller) PlanDiff(ctx context.Context) (*PlanDiff, error) {
	r, err := c.find(ctx, reading)
	if err != nil {
		return nil, err
	}
	defer r.close()
	pinned, err := r.plan()
	if err != nil {
		return nil, err
	}
	current, err := readBounded(r.view.PlanPath, plan.MaxBytes+1)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fault.New(fault.Identity, "make the plan file readable", "the plan file cannot be read: %w", err)
	}
	drift, _ := plan.Compare(pinned, current)
	d := &PlanDiff{
		Schema: "git-sdd/plan-diff/1", Run: r.id.String(), Changes: []PlanChange{},
		Plan: PlanStatus{Path: r.view.PlanPath, SHA256: r.view.PlanDigest, Drift: drift.String()},
	}
	if drift == plan.Edited {
		r.tellChanges(d, pinned, current)
		if !r.view.Phase.Terminal() {
			d.Anew = pointer(r.startAnew())
		}
	}
	if drift == plan.Edited || drift == plan.Missing {
		d.Restore = pointer(r.restorePlan())
	}
	return d, nil
}

func (r *run) tellChanges(d *PlanDiff, pinned, current []byte) {
	for _, change := range plan.Changes(pinned, current) {
		row := PlanChange{What: change.What}
		if change.Task != 0 {
			row.Task = &change.Task
		}
		d.Changes = append(d.Changes, row)
	}
	name := diffName(r.view.Worktree, r.view.PlanPath)
	d.Diff = plan.Diff(unixEnds(pinned), unixEnds(current), name+"\tpinned by run "+r.id.Prefix12(), name)
}

// unixEnds drops what the identity of a plan overlooks: a change would drown in
// lines that differ only in their ends.
func unixEnds(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// diffName is a path as a unified diff has it: beneath the work tree where it
// lies there, quoted where it would break the line.
func diffName(worktree, path string) string {
	if rel, err := filepath.Rel(worktree, path); err == nil && filepath.IsLocal(rel) {
		path = filepath.ToSlash(rel)
	}
	if strings.ContainsFunc(path, func(c rune) bool { return !strconv.IsPrint(c) || c == '"' }) {
		return strconv.Quote(path)
	}
	return path
}

func pointer(s string) *string { return &s }
