//go:build unix

package ledger

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// An effect makes something on disk durable or gives it its name. They stand in the
// order in which they were done.
type effect struct{ name, from, to string }

var (
	traceLine = regexp.MustCompile(`^(\d+) +(.*)$`)
	synced    = regexp.MustCompile(`^f(?:data)?sync\(\d+<([^>]*)>`)
	renamed   = regexp.MustCompile(`^rename(?:at2?)?\((?:AT_FDCWD(?:<[^>]*>)?, )?"([^"]*)", (?:AT_FDCWD(?:<[^>]*>)?, )?"([^"]*)"`)
)

// traced runs a child that writes a revision under strace, and returns what it and
// its children did to the disk. A sync counts when it has returned.
func (f fixture) traced(revision int) []effect {
	f.t.Helper()
	out := filepath.Join(f.t.TempDir(), "trace")
	cmd := exec.Command("strace", "-f", "-y", "-s", "4096", "-e", "trace=fsync,fdatasync,rename,renameat,renameat2", "-o", out, os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), childDir+"="+f.dir, childRevision+"="+strconv.Itoa(revision))
	if text, err := cmd.CombinedOutput(); err != nil {
		f.t.Skipf("strace: %v\n%s", err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		f.t.Fatal(err)
	}
	var done []effect
	waiting := map[string]string{}
	for line := range strings.Lines(string(data)) {
		part := traceLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if part == nil {
			continue
		}
		pid, call := part[1], part[2]
		if m := synced.FindStringSubmatch(call); m != nil && strings.Contains(call, "<unfinished") {
			waiting[pid] = m[1]
		} else if m != nil {
			done = append(done, effect{"sync", m[1], ""})
		} else if strings.HasPrefix(call, "<... f") && waiting[pid] != "" {
			done = append(done, effect{"sync", waiting[pid], ""})
			delete(waiting, pid)
		} else if m := renamed.FindStringSubmatch(call); m != nil {
			done = append(done, effect{"rename", m[1], m[2]})
		}
	}
	return done
}

// index returns the first position from the given one at which it holds, or -1.
func index(done []effect, from int, holds func(effect) bool) int {
	for i := max(from, 0); i < len(done); i++ {
		if holds(done[i]) {
			return i
		}
	}
	return -1
}

// The order of effects: every object is synced before it gets its name, every
// name before a ref moves, the pin moves before the run, and the moved refs are
// synced as well.
func TestDurableOrder(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is needed to see it")
	}
	f := newFixture(t)
	f.story(f.open(), idOf(1), 1)
	done := f.traced(1)
	renameTo := func(suffix string) func(effect) bool {
		return func(s effect) bool { return s.name == "rename" && strings.HasSuffix(s.to, suffix) }
	}
	syncOf := func(path string) func(effect) bool {
		return func(s effect) bool { return s.name == "sync" && s.from == path }
	}
	pin, run := index(done, 0, renameTo(idOf(1).PinRef())), index(done, 0, renameTo(idOf(1).Ref()))
	if pin < 0 || run < pin {
		t.Fatalf("the pin moved at %d, the run at %d of %v", pin, run, done)
	}
	objects := 0
	for i, s := range done {
		if s.name != "rename" || !strings.Contains(s.to, "/objects/") {
			continue
		}
		objects++
		if at := index(done, 0, syncOf(s.from)); at < 0 || at > i {
			t.Errorf("%s was not synced before it got its name", s.to)
		}
		if at := index(done, i, syncOf(filepath.Dir(s.to))); at < 0 || at > pin {
			t.Errorf("the name %s was not synced before a ref moved", s.to)
		}
	}
	if want := 6; objects != want { // state, event, tree, commit, the pin and its empty tree
		t.Errorf("%d objects were written, want %d: %v", objects, want, done)
	}
	for _, ref := range []string{idOf(1).PinRef(), idOf(1).Ref()} {
		at := index(done, 0, renameTo(ref))
		if before := index(done, 0, syncOf(f.path(".git", ref)+".lock")); before < 0 || before > at {
			t.Errorf("%s was not synced before it moved", ref)
		}
		if after := index(done, at, syncOf(filepath.Dir(f.path(".git", ref)))); after < 0 {
			t.Errorf("%s has a name that was not synced", ref)
		}
	}
}
