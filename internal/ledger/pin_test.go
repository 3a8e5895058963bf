package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/git"
)

// attest appends a revision that attests the given commits.
func (f fixture) attest(repo *git.Repo, tip Tip, commits ...string) Tip {
	f.t.Helper()
	e := entry(tip.Revision() + 1)
	e.Attest = commits
	return must(Append(ctx, repo, tip, e))(f.t)
}

// commits makes n unreferenced commits.
func (f fixture) commits(n int) []string {
	f.t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = f.git("commit-tree", "-p", f.head, "-m", fmt.Sprint("work ", i), f.head+"^{tree}")
	}
	return ids
}

// pins returns the chain of pins, oldest first: subject, then what each holds.
func (f fixture) pins(id RunID) [][]string {
	f.t.Helper()
	var chain [][]string
	for line := range strings.SplitSeq(f.git("log", "--first-parent", "--reverse", "--format=%s|%P|%T", id.PinRef()), "\n") {
		part := strings.Split(line, "|")
		if part[2] != f.git("rev-parse", f.head+"^{tree}") {
			f.t.Errorf("a pin has the tree %s", part[2])
		}
		parents := strings.Fields(part[1])
		if len(chain) > 0 {
			parents = parents[1:]
		}
		chain = append(chain, append([]string{part[0]}, parents...))
	}
	return chain
}

func TestPins(t *testing.T) {
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			supports(t, append([]string{"init", "-q"}, backend.init...)...)
			f := newFixture(t, backend.init...)
			repo, id := f.open(), idOf(1)
			c := f.commits(4)
			tip := f.story(repo, id, 2)                 // r0, r1
			tip = f.attest(repo, tip, c[0])             // r2
			tip = f.attest(repo, tip, c[0])             // r3: nothing new
			tip = f.attest(repo, tip, c[2], c[1])       // r4: order is kept
			tip = f.attest(repo, tip, c[1], c[3], c[3]) // r5: each once
			want := [][]string{{"pin r0"}, {"pin r2", c[0]}, {"pin r4", c[2], c[1]}, {"pin r5", c[3]}}
			if got := f.pins(id); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%q, want %q", got, want)
			}
			if got, want := f.git("log", "-1", "--format=%B", id.PinRef()), fmt.Sprintf("pin r5\n\nSdd-Run: %s\nSdd-Revision: 5\n", id); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			// Nothing takes the evidence away, and the run does not drag it along.
			f.git("reflog", "expire", "--expire=now", "--all")
			f.git("gc", "-q", "--prune=now")
			for _, commit := range c {
				if _, err := f.try("cat-file", "-e", commit); err != nil {
					t.Errorf("gc took %s", commit)
				}
			}
			if out := f.git("rev-list", id.Ref()); strings.Contains(out, c[0]) || strings.Count(out, "\n") != tip.Revision() {
				t.Errorf("the run reaches\n%s", out)
			}
			f.fsck()
		})
	}
}

// The files backend moves the pin first: a crash leaves one too many, with or
// without a run. The next write copes, and holds nothing twice.
func TestPinTooMany(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	c := f.commits(2)
	f.story(repo, idOf(2), 1)
	orphan := f.git("rev-parse", idOf(2).PinRef())
	f.git("update-ref", id.PinRef(), orphan)
	tip := must(Create(ctx, repo, id, firstEntry()))(t)
	if got := f.git("rev-parse", id.PinRef()); got != orphan {
		t.Errorf("the pin was replaced by %s", got)
	}
	tip = f.attest(repo, tip, c[0])
	ahead := f.git("commit-tree", "-p", id.PinRef(), "-p", c[1], "-m", "pin r2", f.head+"^{tree}")
	f.git("update-ref", id.PinRef(), ahead)
	tip = f.attest(repo, tip, c[1])
	f.attest(repo, tip, c[1], f.head)
	want := [][]string{{"pin r0"}, {"pin r1", c[0]}, {"pin r2", c[1]}, {"pin r3", f.head}}
	if got := f.pins(id); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A pin that moves between the look at it and the move of the refs is looked at
// again, as long as the run itself stands still.
func TestPinMovesMeanwhile(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	c := f.commits(2)
	tip := f.story(repo, id, 1)
	defer func() { atCrashPoint = nil }()
	once := true
	atCrashPoint = func(name string) {
		if name == "ledger: objects composed, none in place" && once {
			once = false
			f.git("update-ref", id.PinRef(), f.git("commit-tree", "-p", id.PinRef(), "-p", c[0], "-m", "pin r1", f.head+"^{tree}"))
		}
	}
	f.attest(repo, tip, c[0], c[1])
	want := [][]string{{"pin r0"}, {"pin r1", c[0]}, {"pin r1", c[1]}}
	if got := f.pins(id); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Pins that cannot be read stop the write instead of being begun anew.
func TestPinUnreadable(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	tip := f.story(repo, id, 1)
	f.write(".git/refs/sdd-pins/"+id.String(), strings.Repeat("1", 40)+"\n")
	e := entry(1)
	e.Attest = []string{f.head}
	if _, err := Append(ctx, repo, tip, e); err == nil || errors.Is(err, ErrInvalid) {
		t.Errorf("%v", err)
	}
	if run := must(Load(ctx, repo, id))(t); run.Tip != tip {
		t.Error("the run moved")
	}
}

// What an old pin holds is held, however long the chain has become.
func TestPinsBeyondTheNear(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	c := f.commits(2)
	tip := f.attest(repo, f.story(repo, id, 1), c[0])
	for range nearPins + 1 {
		f.git("update-ref", id.PinRef(), f.git("commit-tree", "-p", id.PinRef(), "-m", "pin r1", f.head+"^{tree}"))
	}
	before := f.git("rev-parse", id.PinRef())
	tip = f.attest(repo, tip, c[0])
	if got := f.git("rev-parse", id.PinRef()); got != before {
		t.Errorf("it was pinned again, by %s", got)
	}
	f.attest(repo, tip, c[0], c[1])
	if got := f.git("log", "-1", "--format=%P", id.PinRef()); got != before+" "+c[1] {
		t.Errorf("the last pin has the parents %s", got)
	}
}
