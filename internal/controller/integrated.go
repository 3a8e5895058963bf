package controller

import (
	"errors"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/coverage"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// Whether the result of a complete run is in the branch that it began from.
const (
	integratedNo       = "no"
	integratedAncestry = "ancestry" // the branch holds the reviewed head itself
	integratedContent  = "content"  // it holds the same changes under other names
	integratedReverted = "reverted" // they came, and were taken back since, in whole or in part
)

// Integrated says whether a complete run's result is in its target branch. It is
// worked out each time and never recorded: a branch can be moved back.
type Integrated struct {
	State string  `json:"state"` // no, ancestry, content or reverted
	Into  *string `json:"into"`  // the target; null where it is not here
}

// integrated answers for many runs at once, nil for those that are not complete:
// one process a target where the result is there by ancestry.
func (c *Controller) integrated(views []*machine.View) ([]*Integrated, error) {
	all := make([]*Integrated, len(views))
	byTarget := map[string][]int{}
	for i, v := range views {
		if v == nil || v.Phase != machine.Complete {
			continue
		}
		all[i] = &Integrated{State: integratedNo}
		byTarget[v.BaseRef] = append(byTarget[v.BaseRef], i)
	}
	for target, members := range byTarget {
		tip, err := c.repo.Commit(target)
		if err != nil {
			if errors.Is(err, git.ErrMissing) || errors.Is(err, git.ErrAmbiguous) || errors.Is(err, git.ErrBadName) {
				continue
			}
			return nil, err
		}
		left, err := c.byAncestry(tip, views, members, all)
		if err != nil {
			return nil, err
		}
		for _, i := range members {
			all[i].Into = &target
		}
		for _, i := range left {
			same, err := c.byContent(tip, views[i])
			if err != nil {
				return nil, err
			}
			if same {
				all[i].State = integratedContent
			}
		}
		for _, i := range members {
			if all[i].State == integratedNo {
				continue
			}
			back, err := c.takenBack(tip, views[i])
			if err != nil {
				return nil, err
			}
			if back {
				all[i].State = integratedReverted
			}
		}
	}
	return all, nil
}

// resultOf is the head that the last review of the whole work judged.
func resultOf(v *machine.View) string {
	if e := v.Evidence.Final; e != nil && len(e.Reviews) > 0 && e.Reviews[len(e.Reviews)-1].Head != nil {
		return e.Reviews[len(e.Reviews)-1].Head.Commit
	}
	return ""
}

// byAncestry marks the runs whose result the target holds, and returns the rest.
func (c *Controller) byAncestry(tip string, views []*machine.View, members []int, all []*Integrated) (left []int, err error) {
	var heads, specs []string
	for _, i := range members {
		specs = append(specs, resultOf(views[i])+"^{commit}")
	}
	here := map[int]string{}
	err = c.repo.Infos(specs, func(n int, info git.Info, err error) error {
		if err == nil {
			here[members[n]] = info.ID
			heads = append(heads, info.ID)
		}
		return nil // a result that is gone may be there by content
	})
	if err != nil || len(heads) == 0 {
		return members, err
	}
	beyond, err := c.repo.RevListOf(nil, append(heads, "^"+tip))
	if err != nil {
		return nil, err
	}
	outside := map[string]bool{}
	for _, id := range beyond {
		outside[id] = true
	}
	for _, i := range members {
		if id := here[i]; id != "" && !outside[id] {
			all[i].State = integratedAncestry
		} else {
			left = append(left, i)
		}
	}
	return left, nil
}

// maxTarget is how many commits of a target are compared by content: a list must
// stay cheap beside a branch that moved on for years.
const maxTarget = 200

// byContent compares what the run changed with what came to the target since the
// merge base: as one commit, or commit by commit.
func (c *Controller) byContent(tip string, v *machine.View) (bool, error) {
	work := v.Evidence.Final
	head := resultOf(v)
	if work == nil || head == "" {
		return false, nil
	}
	lines, err := c.repo.RevListOf([]string{"--no-merges", "--parents", "--max-count=" + itoa(maxTarget)}, []string{tip, "^" + v.MergeBase})
	if err != nil {
		if isCommandError(err) {
			return false, nil // the merge base is not here
		}
		return false, err
	}
	var spans []git.Span
	for _, line := range lines {
		ids := strings.Fields(line)
		spans = append(spans, c.spanOfCommit(ids[0], ids[1:]))
	}
	if len(spans) == 0 {
		return false, nil
	}
	commits, err := c.commitsBetween(v.MergeBase, head)
	switch {
	case isCommandError(err) || errors.Is(err, git.ErrMissing):
		return c.storedThere(work, head, spans)
	case err != nil:
		return false, err
	}
	return c.allThere(git.Span{Base: v.MergeBase, Head: head}, commits, spans)
}

// storedThere compares with what the run stored of its work, where the reviewed
// commits are gone: the whole of it, as one commit, but for white space.
func (c *Controller) storedThere(work *machine.WorkEvidence, head string, came []git.Span) (bool, error) {
	if work.Head == nil || work.Head.Commit != head || work.PatchID == "" {
		return false, nil
	}
	ids, err := c.repo.PatchIDs(came)
	for _, id := range ids {
		if err == nil && id == string(work.PatchID) {
			return true, nil
		}
	}
	return false, ignoreMissing(err)
}

func ignoreMissing(err error) error {
	if errors.Is(err, git.ErrMissing) {
		return nil
	}
	return err
}

// allThere reports whether the whole work came as one commit, or each of its
// commits by itself.
func (c *Controller) allThere(work git.Span, commits []coverage.Commit, came []git.Span) (bool, error) {
	all := []git.Span{work}
	for _, k := range commits {
		if len(k.Parents) < 2 {
			all = append(all, c.spanOfCommit(k.ID, k.Parents))
		}
	}
	ids, err := c.repo.ChangeIDs(slices.Concat(all, came))
	if err != nil {
		return false, ignoreMissing(err)
	}
	there := map[string]bool{}
	for _, s := range came {
		there[ids[s]] = ids[s] != ""
	}
	if there[ids[work]] {
		return true, nil
	}
	missing := slices.ContainsFunc(all[1:], func(s git.Span) bool { return ids[s] != "" && !there[ids[s]] })
	return len(commits) > 0 && !missing, nil
}
