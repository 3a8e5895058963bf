package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// attestations are the commits that facts name, as the walk meets them. They are
// looked at together at the end: one process for their history, however many.
type attestations struct {
	repo   *git.Repo
	ranges []attested
	order  []string
	trees  map[string]string // commit to the tree that facts state
}

type attested struct {
	revision   int
	base, head machine.CommitRef
}

func newAttestations(repo *git.Repo) attestations {
	return attestations{repo: repo, trees: map[string]string{}}
}

func (a *attestations) add(revision int, base, head *machine.CommitRef) {
	if base == nil || head == nil {
		return
	}
	a.ranges = append(a.ranges, attested{revision, *base, *head})
	for _, ref := range []*machine.CommitRef{base, head} {
		if !slices.Contains(a.order, ref.Commit) {
			a.order = append(a.order, ref.Commit)
		}
	}
}

// check holds every attested commit to what is stated of it: it exists, has the
// tree, and its range goes forward.
func (a *attestations) check(ctx context.Context, c *check) error {
	missing, err := a.checkTrees(c)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		c.res.CodeMissing = true
		c.res.Notes = append(c.res.Notes, fmt.Sprintf("%d attested commits are not here, beginning with %s; what is stored of them holds", len(missing), missing[0]))
	}
	if err := a.checkRanges(c, missing); err != nil {
		return err
	}
	return a.checkPins(c)
}

func (a *attestations) checkTrees(c *check) (missing []string, err error) {
	actual := map[string]string{}
	for _, id := range a.order {
		tree, err := a.repo.TreeOf(id)
		switch {
		case errors.Is(err, git.ErrMissing):
			missing = append(missing, id)
		case err != nil:
			return nil, err
		}
		actual[id] = tree
	}
	for _, r := range a.ranges {
		for _, ref := range []machine.CommitRef{r.base, r.head} {
			if tree := actual[ref.Commit]; tree != "" && tree != ref.Tree {
				c.res.add(r.revision, "tree-of-code", "commit %s has tree %s, %s is stated", ref.Commit, tree, ref.Tree)
			}
		}
	}
	return missing, nil
}

// checkRanges asks for the history of all attested commits once, and follows it
// here: a process for each range would make verification quadratic in practice.
func (a *attestations) checkRanges(c *check, missing []string) error {
	here := slices.DeleteFunc(slices.Clone(a.order), func(id string) bool { return slices.Contains(missing, id) })
	base := c.state.View().MergeBase
	if len(here) == 0 {
		return nil
	}
	args := append([]string{"--parents", "--topo-order"}, here...)
	if _, err := a.repo.Resolve(base + "^{commit}"); err == nil {
		args = append(args, "--boundary", "^"+base)
	}
	lines, err := a.repo.RevList(args...)
	if err != nil {
		return err
	}
	parents := map[string][]string{}
	for _, line := range lines {
		ids := strings.Fields(strings.TrimPrefix(line, "-"))
		parents[ids[0]] = ids[1:]
	}
	for _, r := range a.ranges {
		if slices.Contains(missing, r.base.Commit) || slices.Contains(missing, r.head.Commit) {
			continue
		}
		if !reaches(parents, r.head.Commit, r.base.Commit) {
			c.res.add(r.revision, "range", "head %s does not descend from base %s", r.head.Commit, r.base.Commit)
		}
	}
	return nil
}

func reaches(parents map[string][]string, from, to string) bool {
	seen := map[string]bool{from: true}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return true
		}
		for _, p := range parents[queue[0]] {
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return false
}

// checkPins holds the second ref to its form, and to what it must hold: every
// commit that a transition attests. A run that was fetched without its pins is
// noted, not failed: the pins only keep the code, they say nothing.
func (a *attestations) checkPins(c *check) error {
	tip, err := a.repo.Resolve(c.id.PinRef())
	if errors.Is(err, git.ErrMissing) {
		c.res.Notes = append(c.res.Notes, "the run has no pins here: a gc can take the code that it attests")
		return nil
	}
	if err != nil {
		return err
	}
	held, err := c.walkPins(tip)
	if err != nil {
		return err
	}
	if c.from > 0 {
		return nil // an earlier verification saw the rest
	}
	for _, id := range a.order {
		if !held[id] {
			c.res.add(-1, "pins", "attested commit %s is not held by %s", id, c.id.PinRef())
		}
	}
	for id := range held {
		if !slices.Contains(a.order, id) && !c.shelved(id) {
			c.res.Notes = append(c.res.Notes, fmt.Sprintf("%s holds %s, which no transition attests", c.id.PinRef(), id))
		}
	}
	return nil
}

// walkPins follows the chain of pins to its root and returns what it holds.
func (c *check) walkPins(tip string) (map[string]bool, error) {
	held := map[string]bool{}
	for pin, n := tip, 0; pin != ""; n++ {
		o, err := c.repo.Object(pin)
		if err != nil {
			return nil, err
		}
		k, err := git.ParseCommit(o.ID, o.Data)
		if err != nil {
			c.res.add(-1, "pins", "pin %s: %v", pin, err)
			return held, nil
		}
		if !strings.HasPrefix(k.Message, "pin r") || !strings.Contains(k.Message, "\nSdd-Run: "+c.id.String()+"\n") {
			c.res.add(-1, "pins", "%s in the chain of %s is no pin of this run", pin, c.id.PinRef())
			return held, nil
		}
		pin = ""
		for i, p := range k.Parents {
			if i == 0 {
				pin = p
				continue
			}
			if held[p] {
				c.res.add(-1, "pins", "commit %s is held twice", p)
			}
			held[p] = true
		}
	}
	return held, nil
}

// shelved reports whether a commit is one of leftovers that a ruling stored.
func (c *check) shelved(id string) bool {
	o, err := c.repo.Object(id)
	return err == nil && strings.Contains(string(o.Data), "\n\nleft by "+c.id.String()+":")
}

// codeHere looks whether the code that the state's evidence names is here, when
// nothing else is left to look at.
func (c *check) codeHere() error {
	v := c.state.View()
	var ids []string
	for _, e := range v.Evidence.Tasks {
		for _, ref := range []*machine.CommitRef{e.Base, e.Head} {
			if ref != nil {
				ids = append(ids, ref.Commit)
			}
		}
	}
	return c.repo.Infos(ids, func(_ int, _ git.Info, err error) error {
		if errors.Is(err, git.ErrMissing) {
			c.res.CodeMissing = true
			return nil
		}
		return err
	})
}
