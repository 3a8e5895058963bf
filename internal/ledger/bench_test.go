package ledger

import (
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A ratio times `git rev-parse HEAD`, a whole process, in the same loop: what
// something costs is told in that unit, which a slower machine does not change.
type ratio struct{ ours, gits time.Duration }

func (r *ratio) time(f fixture, ours func()) {
	begun := time.Now()
	ours()
	r.ours += time.Since(begun)
	begun = time.Now()
	cmd := exec.Command("git", "rev-parse", "HEAD")
	cmd.Dir = f.dir
	if err := cmd.Run(); err != nil {
		f.t.Fatal(err)
	}
	r.gits += time.Since(begun)
}

func (r *ratio) report(b *testing.B) {
	b.ReportMetric(float64(r.ours)/float64(r.gits), "x-rev-parse")
}

// BenchmarkLoad is what a reading command does: open the repository, read a run.
func BenchmarkLoad(b *testing.B) {
	f := newFixture(b)
	f.story(f.open(), idOf(1), 30)
	var r ratio
	for b.Loop() {
		r.time(f, func() {
			repo := must(git.Open(ctx, f.dir))(b)
			must(Load(ctx, repo, idOf(1)))(b)
			repo.Close()
		})
	}
	r.report(b)
}

// BenchmarkAppend is what a writing command does: open, read, append durably.
func BenchmarkAppend(b *testing.B) {
	for _, kind := range []string{"note", "dispatch"} {
		b.Run(kind, func(b *testing.B) {
			f := newFixture(b)
			f.story(f.open(), idOf(1), 30)
			var r ratio
			for b.Loop() {
				r.time(f, func() {
					repo := must(git.Open(ctx, f.dir))(b)
					run := must(Load(ctx, repo, idOf(1)))(b)
					e := entry(run.Tip.Revision() + 1)
					e.At = "2026-09-02T00:00:00.000Z"
					if kind == "dispatch" {
						e.Files = map[string][]byte{fmt.Sprintf("artifacts/task-1/implementer-%d.prompt.md", e.Revision): make([]byte, 8<<10)}
						e.Attest = []string{f.head}
					}
					must(Append(ctx, repo, run.Tip, e))(b)
					repo.Close()
				})
			}
			r.report(b)
		})
	}
}
