package controller

import (
	"errors"
	"slices"

	"github.com/git-sdd/git-sdd/internal/coverage"
	"github.com/git-sdd/git-sdd/internal/git"
)

// Bounds of the search for commits that were cut into several or joined: with
// more neighbours only single commits and whole ranges are compared.
const (
	maxNeighbours = 24
	maxSegments   = 600
)

// addPatches works out what every commit changes, and what neighbours change
// together, of the range that is asked about and of those that were reviewed.
func (g *gathering) addPatches() error {
	var spans []git.Span
	collect := func(commits []coverage.Commit) {
		for _, k := range commits {
			if len(k.Parents) < 2 {
				spans = append(spans, g.single(k))
			}
		}
	}
	collect(g.commits)
	segments := g.linear(g.commits)
	for _, s := range segments {
		spans = append(spans, s.span)
	}
	sums := make([][]segment, len(g.ranges))
	for i, r := range g.ranges {
		collect(r.Commits)
		sums[i] = g.linear(r.Commits)
		for _, s := range sums[i] {
			spans = append(spans, s.span)
		}
		if len(r.Commits) > 0 {
			spans = append(spans, git.Span{Base: r.Base, Head: r.Head})
		}
	}
	ids, err := g.c.repo.ChangeIDs(spans)
	if errors.Is(err, git.ErrMissing) {
		g.notes = append(g.notes, "objects of the range or of the reviewed commits are not here: content was not compared")
		return nil
	}
	if err != nil {
		return err
	}
	g.setPatches(ids, segments, sums)
	return g.addLoose(segments)
}

// addLoose works out the patch ids as a run stores them, where one has nothing else
// to show for its commits.
func (g *gathering) addLoose(segments []segment) error {
	if !slices.ContainsFunc(g.ranges, func(r coverage.Range) bool { return r.Loose != "" }) {
		return nil
	}
	var spans []git.Span
	for _, k := range g.commits {
		if len(k.Parents) < 2 {
			spans = append(spans, g.single(k))
		}
	}
	for _, s := range segments {
		spans = append(spans, s.span)
	}
	ids, err := g.c.repo.PatchIDs(spans)
	if err != nil {
		return err
	}
	for i, k := range g.commits {
		if len(k.Parents) < 2 {
			g.commits[i].Loose = ids[g.single(k)]
		}
	}
	for i, s := range segments {
		g.segments[i].Loose = ids[s.span]
	}
	return nil
}

func (g *gathering) setPatches(ids map[git.Span]string, segments []segment, sums [][]segment) {
	set := func(commits []coverage.Commit) {
		for i, k := range commits {
			if len(k.Parents) < 2 {
				commits[i].Patch = ids[g.single(k)]
			}
		}
	}
	set(g.commits)
	for _, s := range segments {
		g.segments = append(g.segments, coverage.Segment{Commits: s.commits, Patch: ids[s.span]})
	}
	for i := range g.ranges {
		set(g.ranges[i].Commits)
		g.ranges[i].Patch = ids[git.Span{Base: g.ranges[i].Base, Head: g.ranges[i].Head}]
		for _, s := range sums[i] {
			if id := ids[s.span]; id != "" {
				g.ranges[i].Sums = append(g.ranges[i].Sums, coverage.Segment{Commits: s.commits, Patch: id})
			}
		}
	}
}

func (g *gathering) single(k coverage.Commit) git.Span { return g.c.spanOfCommit(k.ID, k.Parents) }

// spanOfCommit is what a commit changes against its first parent, a root against
// nothing.
func (c *Controller) spanOfCommit(id string, parents []string) git.Span {
	if len(parents) == 0 {
		return git.Span{Base: c.repo.ObjectID("tree", nil), Head: id}
	}
	return git.Span{Base: parents[0], Head: id}
}

// A segment is two or more neighbours.
type segment struct {
	commits []string
	span    git.Span
}

// linear returns the runs of neighbouring commits, each the only child of the one
// before it, longest first.
func (g *gathering) linear(commits []coverage.Commit) []segment {
	var all []segment
	for begin := 0; begin < len(commits); {
		end := begin + 1
		for end < len(commits) && len(commits[end].Parents) == 1 && commits[end].Parents[0] == commits[end-1].ID {
			end++
		}
		if chain := commits[begin:end]; len(chain[0].Parents) < 2 {
			all = append(all, g.segmentsOf(chain)...)
		}
		begin = end
	}
	return all[:min(len(all), maxSegments)]
}

func (g *gathering) segmentsOf(chain []coverage.Commit) []segment {
	var all []segment
	for length := min(len(chain), maxNeighbours); length > 1; length-- {
		for i := 0; i+length <= len(chain); i++ {
			part := chain[i : i+length]
			s := segment{span: git.Span{Base: g.single(part[0]).Base, Head: part[length-1].ID}}
			for _, k := range part {
				s.commits = append(s.commits, k.ID)
			}
			all = append(all, s)
		}
	}
	return all
}
