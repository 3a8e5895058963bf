package ledger

import (
	"context"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/git"
)

// ratio times `git rev-parse HEAD`, a whole process, in the same loop: what a
// command costs is told in that unit, which a slower machine does not change.
type ratio struct {
	dir         string
	ours, gits  time.Duration
	comparisons int
}

func (r *ratio) measure(b *testing.B, ours func()) {
	begun := time.Now()
	ours()
	r.ours += time.Since(begun)
	begun = time.Now()
	cmd := exec.Command("git", "rev-parse", "HEAD")
	cmd.Dir = r.dir
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	r.gits += time.Since(begun)
}

func (r *ratio) report(b *testing.B) {
	b.ReportMetric(float64(r.ours)/float64(r.gits), "x-rev-parse")
}

func BenchmarkAppend(b *testing.B) {
	ctx := context.Background()
	dir := b.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"commit", "-q", "--allow-empty", "-m", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if err := cmd.Run(); err != nil { b.Fatal(err) }
	}
	repo, _ := git.Open(ctx, dir)
	head, _ := repo.Resolve("HEAD")
	id, _ := ParseRunID("abababababababababababababababababababababababababababababababab")
	e := Entry{At: "2026-09-01T00:00:00.123Z", Event: "run-initialized", Phase: "CAPABILITY_CHECK", Task: "1", Subject: "start: plan.md", State: make([]byte, 4000), EventDoc: make([]byte, 1000), Files: map[string][]byte{"plan.md": make([]byte, 10000)}}
	if _, err := Create(ctx, repo, id, e); err != nil { b.Fatal(err) }
	repo.Close()
	r := ratio{dir: dir}
	n := 0
	for b.Loop() {
		n++
		r.measure(b, func() {
			repo, err := git.Open(ctx, dir)
			if err != nil { b.Fatal(err) }
			run, err := Load(ctx, repo, id)
			if err != nil { b.Fatal(err) }
			e.Revision = n
			e.State = []byte(fmt.Sprint(n))
			e.EventDoc = []byte(fmt.Sprint("e", n))
			e.Files = map[string][]byte{fmt.Sprintf("artifacts/task-1/x-%d.md", n): []byte(fmt.Sprint(n))}
			e.Attest = []string{head}
			if _, err := Append(ctx, repo, run.Tip, e); err != nil { b.Fatal(err) }
			repo.Close()
		})
	}
	r.report(b)
}

func BenchmarkLoad(b *testing.B) {
	ctx := context.Background()
	dir := b.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"commit", "-q", "--allow-empty", "-m", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if err := cmd.Run(); err != nil { b.Fatal(err) }
	}
	repo, _ := git.Open(ctx, dir)
	id, _ := ParseRunID("abababababababababababababababababababababababababababababababab")
	e := Entry{At: "2026-09-01T00:00:00.123Z", Event: "run-initialized", Phase: "CAPABILITY_CHECK", Task: "1", Subject: "start: plan.md", State: make([]byte, 4000), EventDoc: make([]byte, 1000), Files: map[string][]byte{"plan.md": make([]byte, 10000)}}
	if _, err := Create(ctx, repo, id, e); err != nil { b.Fatal(err) }
	repo.Close()
	r := ratio{dir: dir}
	for b.Loop() {
		r.measure(b, func() {
			repo, err := git.Open(ctx, dir)
			if err != nil { b.Fatal(err) }
			if _, err := Load(ctx, repo, id); err != nil { b.Fatal(err) }
			repo.Close()
		})
	}
	r.report(b)
}
