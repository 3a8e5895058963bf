package controller

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/git-sdd/git-sdd/internal/coverage"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// Relinked is the answer of `relink`: which commits of a branch are the reviewed
// ones under another name.
type Relinked struct {
	Schema   string `json:"schema"`
	Run      string `json:"run"`
	Range    Span   `json:"range"`
	Links    []Link `json:"links"`
	Stale    []Link `json:"stale"` // were reviewed, and their content changed
	Recorded bool   `json:"recorded"`
	Commit   string `json:"commit"` // of the ruling, where one was recorded
}

// Link is one commit and the task whose review stands for it; 0 is the final
// loop.
type Link struct {
	Task   int    `json:"task"`
	Commit string `json:"commit"`
	Why    string `json:"why"`
}

// RelinkOptions says where to look and, with a reason, to record the mapping.
type RelinkOptions struct {
	Range  string // "A..B"; "" for what HEAD has beyond the run's merge base
	Reason string // "" proposes and records nothing
}

// relinkData is what a relink ruling holds.
type relinkData struct {
	Base  string `json:"base"`
	Head  string `json:"head"`
	Links []Link `json:"links"`
}

// Relink finds the run's reviewed commits again by their content, after a
// rebase, a squash or a cherry-pick. Recorded, the mapping serves when the old
// commits are gone.
func (c *Controller) Relink(ctx context.Context, o RelinkOptions) (*Relinked, error) {
	if o.Reason != "" {
		if err := c.refuseChild(); err != nil {
			return nil, err
		}
	}
	r, err := c.find(ctx, reading)
	if err != nil {
		return nil, err
	}
	defer r.close()
	base, head, err := r.relinkSpan(o)
	if err != nil {
		return nil, err
	}
	out, err := r.proposed(ctx, base, head)
	if err != nil || o.Reason == "" {
		return out, err
	}
	if len(out.Links) == 0 {
		return nil, fault.New(fault.Invalid, "git sdd verify --range "+short(base)+".."+short(head), "nothing between %s and %s is a reviewed commit under another name", short(base), short(head))
	}
	if err := machine.CheckText("reason", o.Reason); err != nil {
		return nil, fault.New(fault.Invalid, "git sdd relink --reason <reason>", "%w", err)
	}
	out.Commit, err = r.recordRelink(ctx, out, o.Reason)
	out.Recorded = err == nil
	return out, err
}

func (r *run) relinkSpan(o RelinkOptions) (base, head string, err error) {
	if o.Range != "" {
		return r.c.spanOf(CoverageOptions{Range: o.Range})
	}
	if head, err = r.c.commitNamed("HEAD"); err != nil {
		return "", "", err
	}
	base, err = r.c.repo.MergeBase(r.view.MergeBase, head)
	if errors.Is(err, git.ErrNone) || isCommandError(err) {
		return "", "", fault.New(fault.Invalid, "git sdd relink --range <base>..<head>", "HEAD and the run's merge base %s have nothing in common here", short(r.view.MergeBase))
	}
	return base, head, err
}

// proposed judges the range by this run alone.
func (r *run) proposed(ctx context.Context, base, head string) (*Relinked, error) {
	g := gathering{c: r.c, base: base, head: head, plans: map[string]bool{}}
	var err error
	if g.commits, err = r.c.commitsBetween(base, head); err != nil {
		return nil, err
	}
	if err := g.addRun(ctx, r.id, r.view); err != nil {
		return nil, err
	}
	if err := r.c.addPaths(base, head, g.commits); err != nil {
		return nil, err
	}
	if err := g.addPatches(); err != nil {
		return nil, err
	}
	out := &Relinked{Schema: "git-sdd/relink/1", Run: r.id.String(), Range: Span{base, head}, Links: []Link{}, Stale: []Link{}}
	held := map[string]bool{}
	for _, reviewed := range g.ranges {
		for _, k := range reviewed.Commits {
			held[k.ID] = true
		}
	}
	for _, row := range coverage.Judge(g.commits, g.ranges, g.segments, func(p string) bool { return g.plans[p] }) {
		link := Link{Task: row.Task, Commit: row.Commit, Why: row.Why}
		switch {
		case row.State == coverage.Covered && !held[row.Commit]:
			out.Links = append(out.Links, link)
		case row.State == coverage.Stale:
			out.Stale = append(out.Stale, link)
		}
	}
	return out, nil
}

func (r *run) recordRelink(ctx context.Context, out *Relinked, reason string) (string, error) {
	data, err := json.Marshal(relinkData{Base: out.Range.Base, Head: out.Range.Head, Links: out.Links})
	if err != nil {
		return "", err
	}
	name, email, err := r.c.repo.Identity()
	if err != nil {
		return "", err
	}
	sign, err := r.c.signs(true)
	if err != nil {
		return "", err
	}
	commit, err := ledger.AppendRuling(ctx, r.c.repo, r.id, ledger.Ruling{
		At: string(r.c.instant("")), By: ledger.RulingBy{Name: name, Email: email, Via: r.c.opt.Via},
		Kind: "relink", Reason: reason, Data: data,
	}, sign)
	var moved *git.ErrMoved
	if errors.As(err, &moved) {
		return "", fault.New(fault.Contended, "git sdd relink --reason <reason>", "another process recorded a ruling on run %s first", r.id.Prefix12())
	}
	return commit, faultOfLedger(err)
}

// relinked returns the commits that recorded relinks name, by task.
func (c *Controller) relinked(ctx context.Context, id ledger.RunID) (map[int][]string, error) {
	rulings, err := ledger.Rulings(ctx, c.repo, id)
	if err != nil {
		return nil, faultOfLedger(err)
	}
	mapped := map[int][]string{}
	for _, ruling := range rulings {
		var data relinkData
		if ruling.Kind != "relink" || json.Unmarshal(ruling.Data, &data) != nil {
			continue
		}
		for _, l := range data.Links {
			if !slices.Contains(mapped[l.Task], l.Commit) {
				mapped[l.Task] = append(mapped[l.Task], l.Commit)
			}
		}
	}
	return mapped, nil
}
