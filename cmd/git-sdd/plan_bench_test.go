package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// checkBudget is what `plan check` of 1 MiB may cost, in units of `git rev-parse
// HEAD`.
const checkBudget = 10

// BenchmarkPlanCheck times `plan check` as a whole process, whether the plan is
// accepted or has more tasks than a plan may have. The time grows with the size
// and not faster: a plan of four times the size has four times the budget.
func BenchmarkPlanCheck(b *testing.B) {
	s := newStall(b, nil)
	for _, row := range []struct {
		tasks, bytes int
		exit         int
		budget       float64
	}{
		{256, 256 << 10, 0, checkBudget},
		{256, 1 << 20, 0, checkBudget},
		{500, 1 << 20, 2, checkBudget},
		{256, 4 << 20, 0, 4 * checkBudget},
	} {
		path := filepath.Join(b.TempDir(), "plan.md")
		if err := os.WriteFile(path, longPlan(row.tasks, row.bytes), 0o644); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("tasks=%d/KiB=%d", row.tasks, row.bytes>>10), func(b *testing.B) {
			var ours, gits []time.Duration
			for b.Loop() {
				gits = append(gits, s.revParse())
				ours = append(ours, lasted(b, s.command("plan", "check", path), row.exit))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(median(ours).Microseconds())/1000, "ms")
			judge(b, "x-rev-parse", ours, gits, row.budget)
		})
	}
}

// lasted runs a command that ends with that status.
func lasted(b *testing.B, cmd *exec.Cmd, exit int) time.Duration {
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(begun)
	if got := cmd.ProcessState.ExitCode(); got != exit {
		b.Fatalf("%q: exit %d, want %d: %v\n%s", cmd.Args, got, exit, err, out)
	}
	return took
}

// longPlan is a plan of that many tasks and bytes: steps, prose, lists and code
// as real plans mix them.
func longPlan(tasks, size int) []byte {
	const step = "- [ ] **Step %d: write the failing test**\n\nThe `store` has to keep the order of *all* records, see [notes](docs/notes.md).\n\n" +
		"```go\nfunc TestOrder(t *testing.T) {\n\t// ## no heading\n\tstore := Open(t.TempDir())\n\tfor _, name := range []string{\"first\", \"second\"} {\n" +
		"\t\tif err := store.Add(Record{Name: name}); err != nil {\n\t\t\tt.Fatal(err)\n\t\t}\n\t}\n" +
		"\tif got := store.List(); len(got) != 2 {\n\t\tt.Errorf(\"got %%d records, want 2\", len(got))\n\t}\n}\n```\n\n" +
		"  - Modify: `internal/store/store.go:14-15`\n  - Read: `internal/store/list.go`\n\nRun: `go test ./...`\nExpected: FAIL\n\n"
	var b strings.Builder
	b.WriteString("# A long plan\n\n**Goal:** measure.\n\n## Global Constraints\n\n- Go only.\n\n")
	for task := 1; task <= tasks; task++ {
		fmt.Fprintf(&b, "## Task %d: Part %d\n\n**Implementer tier:** Standard\n\n", task, task)
		for n := 1; b.Len()+len(step) < size/tasks*task; n++ {
			fmt.Fprintf(&b, step, n)
		}
	}
	return []byte(b.String())
}
