package controller

import (
	"context"
	"errors"
	"strings"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/coverage"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
)

// Coverage is the answer of `verify --range`.
type Coverage struct {
	Schema  string          `json:"schema"`
	Range   Span            `json:"range"`
	Commits []CoveredCommit `json:"commits"` // oldest first
	Notes   []string        `json:"notes"`
}

// Span is a range as it was resolved.
type Span struct {
	Base string `json:"base"`
	Head string `json:"head"`
}

// CoveredCommit is one commit and what it rests on. Task is 0 for the final loop.
type CoveredCommit struct {
	Commit  string  `json:"commit"`
	Subject string  `json:"subject"`
	State   string  `json:"state"` // covered, process, uncovered or stale
	Run     *string `json:"run"`
	Task    *int    `json:"task"`
	Verdict *string `json:"verdict"`
	Why     string  `json:"why"`
}

// CoverageOptions says which commits: a range "A..B", or all of a branch beyond
// the default base; and how the runs are verified on which they rest.
type CoverageOptions struct {
	Range, Branch string
	VerifyOptions
}

// Coverage says of each commit of a range what review it rests on. It needs the
// runs that had the commits reviewed, and only those count that verify.
func (c *Controller) Coverage(ctx context.Context, o CoverageOptions) (*Coverage, error) {
	base, head, err := c.spanOf(o)
	if err != nil {
		return nil, err
	}
	g := gathering{c: c, base: base, head: head, how: o.VerifyOptions}
	if err := g.gather(ctx); err != nil {
		return nil, err
	}
	process, err := g.process()
	if err != nil {
		return nil, err
	}
	out := &Coverage{Schema: "git-sdd/coverage/1", Range: Span{base, head}, Commits: []CoveredCommit{}, Notes: append([]string{}, g.notes...)}
	for _, row := range coverage.Judge(g.commits, g.ranges, g.segments, process) {
		k := CoveredCommit{Commit: row.Commit, Subject: row.Subject, State: row.State, Why: row.Why}
		if row.Run != "" {
			k.Run, k.Task, k.Verdict = &row.Run, &row.Task, &row.Verdict
		}
		out.Commits = append(out.Commits, k)
	}
	return out, nil
}

// Fault is the refusal that the answer stands for, or nil when every commit is
// accounted for.
func (o *Coverage) Fault() *fault.Error {
	open := 0
	for _, k := range o.Commits {
		if k.State == coverage.Uncovered || k.State == coverage.Stale {
			open++
		}
	}
	if open == 0 {
		return nil
	}
	return fault.New(fault.Refused, "have them reviewed: git sdd start <plan>, or fetch the runs that did: git fetch origin 'refs/sdd/*:refs/sdd/*'",
		"no review stands for %s", counted(open, "commit"))
}

// spanOf resolves what was asked for to two commits.
func (c *Controller) spanOf(o CoverageOptions) (base, head string, err error) {
	from, to, isRange := strings.Cut(o.Range, "..")
	if o.Branch != "" {
		to, isRange = o.Branch, true
	}
	if !isRange || to == "" || o.Branch == "" && from == "" || strings.HasPrefix(to, ".") {
		return "", "", fault.New(fault.Invalid, "git sdd verify --range <base>..<head>", "%q is not a range A..B", o.Range)
	}
	if head, err = c.commitNamed(to); err != nil {
		return "", "", err
	}
	if o.Branch == "" {
		base, err = c.commitNamed(from)
		return base, head, err
	}
	ref, err := c.repo.DefaultBase()
	if errors.Is(err, git.ErrNone) {
		return "", "", fault.New(fault.Invalid, "git sdd verify --range <base>.."+shellWord(o.Branch), "no base ref: the remote names no default branch, and there is no main or master")
	}
	if err != nil {
		return "", "", err
	}
	base, err = c.repo.MergeBase(head, ref)
	if errors.Is(err, git.ErrNone) {
		return "", "", fault.New(fault.Invalid, "git sdd verify --range <base>.."+shellWord(o.Branch), "branch %q and base %q have unrelated histories", o.Branch, ref)
	}
	return base, head, err
}

func (c *Controller) commitNamed(name string) (string, error) {
	if strings.HasPrefix(name, "-") {
		return "", fault.New(fault.Invalid, "git sdd verify --range <base>..<head>", "%q names no commit", name)
	}
	id, err := c.repo.Commit(name)
	if errors.Is(err, git.ErrMissing) || errors.Is(err, git.ErrBadName) || errors.Is(err, git.ErrAmbiguous) {
		return "", fault.New(fault.Invalid, "git fetch, then git sdd verify --range <base>..<head>", "%q names no commit here", name)
	}
	return id, err
}

// process tells which paths no review is about: the plans of the runs, and what
// the settings that are tracked at the base of the range say. A range cannot
// widen them for itself.
func (g *gathering) process() (func(string) bool, error) {
	globs := []string{}
	o, err := g.c.repo.Object(g.base + ":" + settingsName)
	if err == nil && o.Type == "blob" {
		loaded, defects := config.Load([]config.Source{{Layer: config.Tracked, Name: settingsName, Data: o.Data}}, nil)
		if len(defects) > 0 {
			g.notes = append(g.notes, settingsName+" at the base of the range has defects; it names no process paths")
		} else {
			globs = loaded.Pin().Process()
		}
	} else if err != nil && !errors.Is(err, git.ErrMissing) {
		return nil, err
	}
	return func(path string) bool { return g.plans[path] || config.MatchAny(globs, path) }, nil
}
