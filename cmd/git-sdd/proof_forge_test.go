package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/verify"
)

// ownWord are the members of a proof that only who ran the gate could know: what
// the tests are called that it laid over the merge base, and how many runs took
// how many whole milliseconds. Nothing else says it, so that nothing can
// contradict it.
var ownWord = regexp.MustCompile(`^(at|by\.(name|email|via)|facts\.proof\.((head|control)\.durationMs|tests(\.\*)?)) `)

// TestForgedProofs changes one thing of a recorded proof, and rebuilds the run
// over it as the program would have recorded it.
func TestForgedProofs(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": twoTasks, "answer.txt": "0\n"})
	s.write(".git/git-sdd.toml", "[gate.test]\ncommand = [\"sh\", \"check_test.sh\"]\n")
	run := s.start("plan.md")
	for _, words := range [][]string{{"dispatch"}, {"started", "--session", "one"}} {
		s.git(append([]string{"sdd"}, words...)...)
	}
	s.write("answer.txt", "42\n")
	s.write("check_test.sh", "grep -q 42 answer.txt\n")
	s.git("add", "--all")
	s.git("commit", "--quiet", "--message", "answer")
	s.git("sdd", "gate", "prove", "test")
	f := newForger(s, run)
	last := f.commits[len(f.commits)-1]
	defer f.point(last)
	if res := f.verifyFrom(nil); res.Outcome != verify.Verified || len(res.Notes) > 0 {
		t.Fatalf("the run itself: %+v", res)
	}
	n := len(f.pages) - 1
	event := f.pages[n].files["event.json"].data
	if !strings.Contains(string(event), `"outcome":"discriminates"`) {
		t.Fatalf("no proof is recorded: %s", event)
	}
	made, own := 0, 0
	for _, v := range variants(event) {
		pages := f.rebuilt(n, v.data)
		if pages == nil {
			continue // the machine refuses it at once
		}
		f.write(n, pages)
		made++
		switch caught := f.verify(n).Outcome != verify.Verified; {
		case !caught && ownWord.MatchString(v.what):
			own++
		case !caught:
			t.Errorf("not caught: %s", v.what)
		}
	}
	for _, side := range []string{"head", "control"} {
		for path := range f.pages[n].files {
			if strings.HasSuffix(path, "-test-"+side+".txt") {
				f.write(n, []page{f.pages[n].with(path, []byte("gate test: passed\n"))})
				made++
				if f.verify(n).Outcome == verify.Verified {
					t.Errorf("another output is not caught: %s", path)
				}
			}
		}
	}
	// What a proof says agrees with itself, and its runs say otherwise.
	for _, words := range [][]string{
		{`"discriminates"`, `"does not discriminate"`, "test: discriminates", "test: does not discriminate", `"red on`, `"green on`},
		{`"discriminates"`, `"does not discriminate"`, "test: discriminates", "test: does not discriminate", `"red on`, `"green on`, `"failed"`, `"passed"`, `"exit":1`, `"exit":0`},
		{`"discriminates"`, `"cannot tell"`, "test: discriminates", "test: cannot tell", `"red on`, `"flaky on`, `"failed"`, `"flaky"`, `"exit":1`, `"exit":0`},
	} {
		pages := f.rebuilt(n, []byte(strings.NewReplacer(words...).Replace(string(event))))
		if pages == nil {
			t.Fatalf("the machine refuses %q", words)
		}
		f.write(n, pages)
		made++
		if f.verify(n).Outcome == verify.Verified {
			t.Errorf("not caught: %q", words)
		}
	}
	t.Logf("%d forged, %d of them only the word of who ran it", made, own)
	if made < 40 {
		t.Errorf("only %d were made", made)
	}
}
