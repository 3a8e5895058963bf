//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const huge = 150 << 20

// flood makes a file of so many bytes: a little text, and a hole.
func (s shop) flood(path string, bytes int64) {
	s.Helper()
	s.write(path, "PROMPT: none\n")
	if err := os.Truncate(path, bytes); err != nil {
		s.Fatal(err)
	}
}

// flat demands that a large input takes hardly more memory than a small one.
func (s shop) flat(what string, large, small load) {
	s.Helper()
	s.Logf("%s: %d KiB, the small one %d KiB", what, large.rss, small.rss)
	if large.rss > small.rss*3/2+4<<10 {
		s.Errorf("%s takes %d KiB, a small one %d KiB", what, large.rss, small.rss)
	}
}

// A report of 150 MB is refused by its size, takes no more memory than a small one
// that is refused, and takes nothing from the run nor from itself.
func TestHugeReport(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	run := s.start("plan.md")
	s.git("sdd", "dispatch")
	var now waiting
	s.sdd(&now, "next")

	// A file of that size in the place of an artifact is replaced, not read.
	ordinary := s.loaded(0, "git-sdd", "next")
	s.flood(now.Prompt.Path, huge)
	s.flat("a prompt that grew", s.loaded(0, "git-sdd", "next"), ordinary)
	if info, err := os.Stat(now.Prompt.Path); err != nil || info.Size() > 64<<10 {
		t.Errorf("the prompt is not restored: %v, %v", info, err)
	}

	s.git("sdd", "started", "--session", "one")
	tip := s.tip(run)
	s.write(now.Report, "nothing of the kind\n")
	small := s.loaded(2, "git-sdd", "report")
	s.flood(now.Report, huge)
	elsewhere := filepath.Join(s.dir, "left-over.txt")
	s.flood(elsewhere, huge)
	for name, words := range map[string][]string{
		"in its place":     {"git-sdd", "report"},
		"in the work tree": {"git-sdd", "report", "left-over.txt"},
		"piped":            {"sh", "-c", "git-sdd report - <left-over.txt"},
	} {
		large := s.loaded(2, words...)
		s.flat("a report "+name, large, small)
		if want := "the report has more than 65536 bytes, and no more are read"; !strings.Contains(large.stderr, want) {
			s.Errorf("%s: %s", name, large.stderr)
		}
	}
	if s.tip(run) != tip {
		t.Error("the run has moved")
	}
	kept, err := filepath.Glob(strings.TrimSuffix(now.Report, ".md") + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range kept {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if whole := path == now.Report; whole && info.Size() != huge || !whole && info.Size() > 64<<10+1 {
			t.Errorf("%s has %d bytes", path, info.Size())
		}
	}
	if len(kept) < 2 {
		t.Errorf("nothing was kept: %q", kept)
	}

	// The next one, of a sound size, is taken.
	if err := os.Remove(elsewhere); err != nil {
		t.Fatal(err)
	}
	s.must("child", "done", "one.txt")
	s.git("sdd", "report")
	s.fsck()
}

// A plan, or a settings file, of 150 MB is refused by its size.
func TestHugePlan(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	s.write("no-plan.md", "not one\n")
	small := s.loaded(2, "git-sdd", "start", "no-plan.md")
	s.flood("huge.md", huge)
	large := s.loaded(2, "git-sdd", "start", "huge.md")
	if want := "the plan has more than 4194304 bytes, and no more are read"; !strings.Contains(large.stderr, want) {
		t.Errorf("%s", large.stderr)
	}
	s.flat("a plan", large, small)
	s.flood("git-sdd.toml", huge)
	large = s.loaded(2, "git-sdd", "start", "plan.md")
	if want := "git-sdd.toml:1: the file has more than 65536 bytes, and no more are read"; !strings.Contains(large.stderr, want) {
		t.Errorf("%s", large.stderr)
	}
	s.flat("settings", large, small)
}

// A gate that prints 150 MB costs a dispatch no more memory than one that prints a
// word, and its artifact is the end of it.
func TestHugeGateOutput(t *testing.T) {
	var all []load
	for _, command := range []string{"echo word", "yes 0123456789abcde | head -c 157286400"} {
		t.Run("", func(t *testing.T) {
			s := newShop(t, map[string]string{"plan.md": onePlan})
			s.write(filepath.Join(".git", "git-sdd.toml"), "[gate.g]\ncommand = [\"sh\", \"-c\", \""+command+"; exit 1\"]\n")
			s.start("plan.md")
			s.must("turn", "done", "one.txt")
			l := s.loaded(0, "git-sdd", "dispatch")
			all = append(all, l)
			if len(all) == 2 {
				s.flat("a gate that prints 150 MB", l, all[0])
			}
			stored := s.git("sdd", "show", "@:artifacts/task-1/task-reviewer-1.gate-g.txt")
			if len(stored) > 64<<10+1024 || len(all) == 2 && !strings.Contains(stored, ", 157286400 bytes of output, sha256 ") {
				t.Errorf("%d bytes are stored: %.400s", len(stored), stored)
			}
			s.git("sdd", "verify")
			s.fsck()
		})
	}
}

// A range whose patches are larger than a package may be is cut where a file ends,
// and the package says which files that is.
func TestLargeRange(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	s.start("plan.md")
	s.git("sdd", "dispatch")
	s.git("sdd", "started", "--session", "one")
	line := strings.Repeat("0123456789abcde\n", 64)
	for n := range 40 {
		s.write(fmt.Sprintf("new-%02d.txt", n), strings.Repeat(line, 300))
	}
	s.write("small.txt", "a small one still fits\n")
	s.git("add", "--all")
	s.must("child", "done", "one.txt")
	s.git("sdd", "report")
	l := s.loaded(0, "git-sdd", "dispatch", "--json")
	var told struct{ Package string }
	s.read(l.stdout, &told)
	data, err := os.ReadFile(told.Package)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d KiB of memory", len(data), l.rss)
	if len(data) > 8<<20+64<<10 || len(data) < 7<<20 || l.rss > packageMemory {
		t.Errorf("%d bytes, %d KiB of memory", len(data), l.rss)
	}
	text := string(data)
	if want := "Cut: the patches of 15 of 42 files are left out whole, because together they have more than 8388608 bytes."; !strings.Contains(text, want) {
		_, after, _ := strings.Cut(text, "## Diff")
		t.Errorf("%.400s", after)
	}
	shown := strings.Count(text, "\ndiff --git a/")
	if shown != 27 || !strings.Contains(text, "\n+a small one still fits\n") || strings.Count(text, "\n+0123456789abcde") != 25*64*300 {
		t.Errorf("%d patches are shown", shown)
	}
	s.git("sdd", "verify")
	s.fsck()
}
