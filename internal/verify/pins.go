package verify

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
)

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
	if err != nil || c.from > 0 {
		return err // an earlier verification saw the rest
	}
	here := map[string]bool{}
	for _, id := range held {
		here[id] = true
	}
	for _, id := range a.order {
		if !here[id] {
			c.res.add(-1, "pins", "attested commit %s is not held by %s", id, c.id.PinRef())
		}
	}
	inOrder := slices.DeleteFunc(slices.Clone(held), func(id string) bool { return !a.known[id] })
	attested := slices.DeleteFunc(slices.Clone(a.order), func(id string) bool { return !here[id] })
	if !slices.Equal(inOrder, attested) {
		c.res.add(-1, "pins", "%s does not hold the attested commits in their order", c.id.PinRef())
	}
	for _, id := range held {
		if !a.known[id] {
			c.res.Notes = append(c.res.Notes, fmt.Sprintf("%s holds %s, which no transition attests", c.id.PinRef(), id))
		}
	}
	return nil
}

// walkPins follows the chain of pins to its root and returns what it holds, oldest
// first.
func (c *check) walkPins(tip string) (held []string, err error) {
	seen, after := map[string]bool{}, -1
	for pin := tip; pin != ""; {
		o, err := c.repo.Object(pin)
		if err != nil {
			return nil, err
		}
		k, revision, ok := c.asPin(o)
		if !ok || after >= 0 && revision > after {
			c.res.add(-1, "pins", "%s in the chain of %s is no pin of this run", pin, c.id.PinRef())
			return slices.Clone(held), nil
		}
		after, pin = revision, ""
		for i := len(k.Parents) - 1; i >= 0; i-- {
			p := k.Parents[i]
			switch {
			case i == 0:
				pin = p
			case seen[p]:
				c.res.add(-1, "pins", "commit %s is held twice", p)
			default:
				seen[p], held = true, append(held, p)
			}
		}
	}
	slices.Reverse(held)
	return held, nil
}

// asPin reads a commit that must be the very bytes that git-sdd writes for a pin:
// the empty tree, the pin before it first, and what is held after that
// (architecture: the ledger, work stays reachable).
func (c *check) asPin(o git.Object) (k git.Commit, revision int, ok bool) {
	k, err := git.ParseCommit(o.ID, o.Data)
	if err != nil || o.Type != "commit" || c.repo.ObjectID("commit", o.Data) != o.ID {
		return k, 0, false
	}
	first, _, _ := strings.Cut(k.Message, "\n")
	revision, err = strconv.Atoi(strings.TrimPrefix(first, "pin r"))
	if err != nil || revision < 0 {
		return k, 0, false
	}
	who := git.Ident{Name: k.AuthorName, Email: k.AuthorEmail, When: k.CommitTime}
	want, err := git.CommitSpec{
		Tree: c.repo.ObjectID("tree", nil), Parents: k.Parents, Author: who, Committer: who, Message: ledger.PinMessage(c.id, revision),
	}.Encode(c.repo.ObjectFormat())
	return k, revision, err == nil && bytes.Equal(want, o.Data)
}
