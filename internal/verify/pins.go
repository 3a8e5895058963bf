package verify

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
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
		if !a.known[id] && !c.shelved(id) {
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
