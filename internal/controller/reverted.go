package controller

import (
	"errors"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// takenBack reports whether what a run changed came to its target and was reverted
// there since, in whole or in part: a later commit undoes the whole, or one of the
// reviewed commits, and none does the same again after it. A revert that changes
// more or less than that is not recognised, and code that is gone cannot tell.
func (c *Controller) takenBack(tip string, v *machine.View) (bool, error) {
	base, head := v.MergeBase, resultOf(v)
	suspect, err := c.someChanged(base, head, tip)
	if err != nil || !suspect {
		return false, goneIsNo(err)
	}
	reviewed, err := c.commitsBetween(base, head)
	if err != nil {
		return false, goneIsNo(err)
	}
	spans := []git.Span{{Base: base, Head: head}}
	for _, k := range reviewed {
		if len(k.Parents) == 1 {
			spans = append(spans, git.Span{Base: k.Parents[0], Head: k.ID})
		}
	}
	lines, err := c.repo.RevListOf([]string{"--no-merges", "--parents", "--topo-order", "--reverse", "--max-count=" + itoa(maxTarget)}, []string{tip, "^" + base})
	if err != nil {
		return false, goneIsNo(err)
	}
	var came []git.Span
	for _, line := range lines {
		ids := strings.Fields(line)
		came = append(came, c.spanOfCommit(ids[0], ids[1:]))
	}
	return c.undone(spans, came)
}

// undone follows what came to the target, oldest first, and reports whether one of
// the spans is undone at its end.
func (c *Controller) undone(spans, came []git.Span) (bool, error) {
	all := append([]git.Span{}, came...)
	for _, s := range spans {
		all = append(all, s, git.Span{Base: s.Head, Head: s.Base})
	}
	ids, err := c.repo.ChangeIDs(all)
	if err != nil {
		return false, goneIsNo(err)
	}
	undoes, isUndone := map[string]string{}, map[string]bool{}
	for _, s := range spans {
		if back := ids[git.Span{Base: s.Head, Head: s.Base}]; back != "" {
			undoes[back] = ids[s]
		}
	}
	for _, s := range came {
		id := ids[s]
		if delete(isUndone, id); id == ids[spans[0]] {
			clear(isUndone) // all of it is done again, or for the first time
		}
		if forward := undoes[id]; forward != "" {
			isUndone[forward] = true
		}
	}
	return len(isUndone) > 0, nil
}

// someChanged reports whether a path that the run changed is at the tip not as the
// run left it: the cheap sign without which nothing was reverted.
func (c *Controller) someChanged(base, head, tip string) (bool, error) {
	paths, err := c.repo.ChangedPaths(base, head)
	if err != nil {
		return false, err
	}
	var specs []string
	for _, p := range paths {
		if !strings.ContainsAny(p, "\n\x00") {
			specs = append(specs, head+":"+p, tip+":"+p)
		}
	}
	some, left := len(specs) < 2*len(paths), ""
	err = c.repo.Infos(specs, func(i int, info git.Info, err error) error {
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return err
		}
		if i%2 == 0 {
			left = info.ID
		} else {
			some = some || info.ID != left
		}
		return nil
	})
	return some, err
}

// goneIsNo takes objects that are not here, or a git that did not find what it was
// to walk, for a no.
func goneIsNo(err error) error {
	if isCommandError(err) {
		return nil
	}
	return ignoreMissing(err)
}
