package main

import (
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/verify"
)

// The pins hold what is attested, in its order and in their form, or the run
// fails. What they hold beside that is noted: a crash may have left it.
func TestVerifyPins(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	f := newForger(s, s.start("plan.md"))
	s.must("turn", "done", "one.txt")
	s.must("turn", "fail", "Important one.txt:1 the line is wrong")
	s.must("turn", "done", "one.txt")
	s.must("turn", "pass")
	ref := "refs/sdd-pins/" + f.id.String()
	tip := s.git("rev-parse", ref)
	pins := strings.Fields(s.git("rev-list", "--first-parent", "--reverse", ref))
	if len(pins) < 4 {
		t.Fatalf("%d pins", len(pins))
	}
	texts := []string{}
	for _, pin := range pins {
		texts = append(texts, string(f.object(pin).Data))
	}
	// chain makes pins of texts, each after the one before it.
	chain := func(texts []string) string {
		last := ""
		for i, text := range texts {
			if i > 0 {
				_, rest, _ := strings.Cut(text, "\nparent ")
				text = strings.Replace(text, "\nparent "+rest[:40], "\nparent "+last, 1)
			}
			last = f.put("commit", []byte(text))
		}
		return last
	}
	if chain(texts) != tip {
		t.Fatal("the pins put together again are others")
	}
	with := func(n int, old, new string) []string {
		changed := append([]string{}, texts...)
		changed[n] = strings.Replace(texts[n], old, new, 1)
		if changed[n] == texts[n] {
			t.Fatalf("%q is not in pin %d", old, n)
		}
		return changed
	}
	held := func(n int) string { // what the pin holds, its first line of it
		_, rest, _ := strings.Cut(texts[n], "\nparent ")
		_, rest, _ = strings.Cut(rest, "\nparent ")
		return rest[:40]
	}
	last := len(texts) - 1
	blobTree := f.put("tree", entry("100644", "x", f.put("blob", []byte("x"))))
	for name, forged := range map[string]string{
		"a commit that is left out":   chain(with(last, "\nparent "+held(last), "")),
		"a pin that is left out":      chain(append(append([]string{}, texts[:last-1]...), texts[last])),
		"the last pin left out":       chain(texts[:last]),
		"pins that are swapped":       chain(append(append([]string{}, texts[:last-1]...), texts[last], texts[last-1])),
		"a commit that is held twice": chain(with(last, "\nparent "+held(last), "\nparent "+held(last)+"\nparent "+held(1))),
		"a tree that is not empty":    chain(with(last, texts[last][:45], "tree "+blobTree)),
		"another author":              chain(with(last, "author Ada", "author Eve")),
		"a header more":               chain(with(last, "\n\npin", "\nencoding x\n\npin")),
		"a message more":              chain(with(1, "Sdd-Run:", "Sdd-Note: x\nSdd-Run:")),
		"another run":                 chain(with(1, f.id.String(), strings.Repeat("0", 64))),
		"two revisions":               chain(with(1, "Sdd-Revision: ", "Sdd-Revision: 9")),
		"a revision that goes back":   chain(with(last, "pin r", "pin r0")),
		"no pin at all":               s.git("rev-parse", "main"),
	} {
		s.git("update-ref", ref, forged)
		if res := f.verifyFrom(nil); res.Outcome != verify.Failed || res.Problems[0].Kind != "pins" {
			t.Errorf("%s: %s, %+v", name, res.Outcome, res.Problems)
		}
	}
	s.git("update-ref", ref, chain(append(append([]string{}, texts...), strings.Replace(texts[last], held(last), s.git("commit-tree", "-m", "x", "main^{tree}"), 1))))
	if res := f.verifyFrom(nil); res.Outcome != verify.Verified || len(res.Notes) != 1 {
		t.Errorf("a pin more: %s, %v, %v", res.Outcome, res.Problems, res.Notes)
	}
	s.git("update-ref", ref, tip)
	if res := f.verifyFrom(nil); res.Outcome != verify.Verified || len(res.Notes) > 0 {
		t.Errorf("as they were: %+v", res)
	}
}
