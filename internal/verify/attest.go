package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// attestations are the commits that facts name, as the walk meets them. They are
// looked at together at the end: few processes for all of them, however many.
type attestations struct {
	repo    *git.Repo
	ranges  []attested
	order   []string
	known   map[string]bool // what order holds
	claims  []claim
	patches []patch
}

type attested struct {
	revision   int
	base, head machine.CommitRef
}

// A claim is the commit that a worker's report names as its last.
type claim struct {
	revision           int
	commit, base, head string
}

// A patch is the id that a result states for its range.
type patch struct {
	revision int
	span     git.Span
	id       string
}

func newAttestations(repo *git.Repo) attestations {
	return attestations{repo: repo, known: map[string]bool{}}
}

func (a *attestations) add(revision int, base, head *machine.CommitRef) {
	if base == nil || head == nil {
		return
	}
	a.ranges = append(a.ranges, attested{revision, *base, *head})
	a.hold(base.Commit)
	a.hold(head.Commit)
}

// hold adds a commit that the pins must hold.
func (a *attestations) hold(id string) {
	if !a.known[id] {
		a.known[id] = true
		a.order = append(a.order, id)
	}
}

func (a *attestations) patch(revision int, base, head machine.CommitRef, id string) {
	a.patches = append(a.patches, patch{revision, git.Span{Base: base.Commit, Head: head.Commit}, id})
}

// check holds every attested commit to what is stated of it: it exists, has the
// tree, its range goes forward, and changes what is stated.
func (a *attestations) check(c *check) error {
	missing, err := a.checkTrees(c)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		c.codeMissing(missing.first(a.order))
	}
	if err := a.checkRanges(c, missing); err != nil {
		return err
	}
	if err := a.checkPatches(c, missing); err != nil {
		return err
	}
	return a.checkPins(c)
}

func (c *check) codeMissing(first string) {
	c.res.CodeMissing = true
	c.res.Notes = append(c.res.Notes, fmt.Sprintf("attested commits are not here, beginning with %s; what is stored of them holds", first))
}

// absent are the attested commits that are not here.
type absent map[string]bool

func (m absent) first(order []string) string {
	return order[slices.IndexFunc(order, func(id string) bool { return m[id] })]
}

// checkTrees reads every attested commit, by its own bytes.
func (a *attestations) checkTrees(c *check) (absent, error) {
	actual, missing := map[string]string{}, absent{}
	err := a.repo.Objects(a.order, func(i int, o git.Object, err error) error {
		id := a.order[i]
		if errors.Is(err, git.ErrMissing) {
			missing[id] = true
			return nil
		}
		if err != nil {
			return err
		}
		k, err := git.ParseCommit(id, o.Data)
		if err != nil || o.Type != "commit" || a.repo.ObjectID("commit", o.Data) != id {
			c.res.add(-1, "object", "attested object %s is not the commit of that name", id)
			return nil
		}
		actual[id] = k.Tree
		return nil
	})
	if err != nil {
		return nil, err
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
func (a *attestations) checkRanges(c *check, missing absent) error {
	here := slices.DeleteFunc(slices.Clone(a.order), func(id string) bool { return missing[id] })
	base, args := c.state.View().MergeBase, []string{"--parents", "--topo-order"}
	if len(here) == 0 {
		return nil
	}
	if _, err := a.repo.Resolve(base + "^{commit}"); err == nil {
		here, args = append(here, "^"+base), append(args, "--boundary")
	}
	lines, err := a.repo.RevListOf(args, here)
	if err != nil {
		return err
	}
	parents := map[string][]string{}
	for _, line := range lines {
		ids := strings.Fields(strings.TrimPrefix(line, "-"))
		parents[ids[0]] = ids[1:]
	}
	seen := map[git.Span]bool{}
	for _, r := range a.ranges {
		s := git.Span{Base: r.base.Commit, Head: r.head.Commit}
		if missing[s.Base] || missing[s.Head] || seen[s] {
			continue
		}
		seen[s] = true
		if !reaches(parents, s.Head, s.Base) {
			c.res.add(r.revision, "range", "head %s does not descend from base %s", s.Head, s.Base)
		}
	}
	for _, k := range a.claims {
		if missing[k.head] || missing[k.base] || k.commit == k.head {
			continue
		}
		if !reaches(parents, k.head, k.commit) || reaches(parents, k.base, k.commit) {
			c.res.add(k.revision, "range", "the report names commit %s, which is not in the work that ends at %s", k.commit, k.head)
		}
	}
	return nil
}

// checkPatches works out again what each range changes.
func (a *attestations) checkPatches(c *check, missing absent) error {
	here := slices.DeleteFunc(slices.Clone(a.patches), func(p patch) bool { return missing[p.span.Base] || missing[p.span.Head] })
	var spans []git.Span
	for _, p := range here {
		spans = append(spans, p.span)
	}
	ids, err := a.repo.PatchIDs(spans)
	if errors.Is(err, git.ErrMissing) {
		c.res.Notes = append(c.res.Notes, "trees of attested commits are not here; their patch ids were not worked out again")
		return nil
	}
	if err != nil {
		return err
	}
	for _, p := range here {
		if ids[p.span] != p.id {
			c.res.add(p.revision, "patch", "%s..%s has patch id %q, %q is stated", p.span.Base, p.span.Head, ids[p.span], p.id)
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

// codeHere looks whether the code that the state's evidence names is here, when
// nothing else is left to look at.
func (c *check) codeHere() error {
	v := c.state.View()
	var ids, missing []string
	named := func(e machine.WorkEvidence) {
		for _, ref := range []*machine.CommitRef{e.Base, e.Head} {
			if ref != nil && !slices.Contains(ids, ref.Commit) {
				ids = append(ids, ref.Commit)
			}
		}
	}
	for _, e := range v.Evidence.Tasks {
		named(e.WorkEvidence)
	}
	if v.Evidence.Final != nil {
		named(*v.Evidence.Final)
	}
	err := c.repo.Infos(ids, func(i int, _ git.Info, err error) error {
		if errors.Is(err, git.ErrMissing) {
			missing = append(missing, ids[i])
			return nil
		}
		return err
	})
	if err == nil && len(missing) > 0 {
		c.codeMissing(missing[0])
	}
	return err
}
