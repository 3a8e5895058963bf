package plan

import (
	"fmt"
	"strings"
	"testing"
)

// bulk makes a plan of n tasks and about size bytes: prose, steps, lists and
// code as real plans mix them.
func bulk(n, size int) []byte {
	const part = "- [ ] **Step %d: write the failing test**\n\nThe `store` has to keep the order of *all* records, see [notes](docs/notes.md).\n\n" +
		"```go\nfunc TestOrder(t *testing.T) {\n\t// ## no heading\n\tstore := Open(t.TempDir())\n\tfor _, name := range []string{\"first\", \"second\", \"third\"} {\n" +
		"\t\tif err := store.Add(Record{Name: name}); err != nil {\n\t\t\tt.Fatal(err)\n\t\t}\n\t}\n\tgot := store.List()\n" +
		"\tif len(got) != 3 {\n\t\tt.Errorf(\"got %%d records, want 3\", len(got))\n\t}\n}\n```\n\n" +
		"  - Modify: `internal/store/store.go:14-15`\n  - Read: `internal/store/list.go`\n\nRun: `go test ./...`\nExpected: FAIL\n\n"
	var b strings.Builder
	b.WriteString("# Bulk plan\n\n**Goal:** measure.\n\n## Global Constraints\n\n- Go only.\n\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "## Task %d: Part %d\n\n**Implementer tier:** Standard\n\n", i, i)
		for step := 1; b.Len() < size*i/n; step++ {
			fmt.Fprintf(&b, part, step)
		}
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	for _, size := range []int{1 << 18, 1 << 20, 1 << 22} {
		for _, tasks := range []int{MaxTasks, 500} {
			data := bulk(tasks, size)
			if len(data) > MaxBytes {
				data = bulk(tasks, size-4096)
			}
			b.Run(fmt.Sprintf("tasks=%d/bytes=%d", tasks, size), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					if p, defects := Parse(data); (p != nil) != (tasks <= MaxTasks) {
						b.Fatal(defects)
					}
				}
			})
		}
	}
}

func BenchmarkConvert(b *testing.B) {
	data := []byte(strings.ReplaceAll(string(bulk(MaxTasks, 1<<20)), "## Task", "### Task"))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if conv, defects := Convert(data, ConvertOptions{}); conv == nil {
			b.Fatal(defects)
		}
	}
}
