package plan

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// realPlans returns the rows of the table of real plans, where GIT_SDD_PLANS
// names their folder.
func realPlans(t testing.TB) map[string]int {
	t.Helper()
	dir := os.Getenv("GIT_SDD_PLANS")
	if dir == "" {
		t.Skip("GIT_SDD_PLANS is not set")
	}
	table, err := os.ReadFile(filepath.Join(dir, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	plans := map[string]int{}
	for _, row := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		f := strings.Split(row, "\t")
		n, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		plans[filepath.Join(dir, f[0])] = n
	}
	return plans
}

func TestRealPlans(t *testing.T) {
	for path, tasks := range realPlans(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, defects := Parse(data)
		if strings.HasPrefix(filepath.Base(path), "loose") {
			if p != nil {
				t.Errorf("%s: accepted", path)
			}
			continue
		}
		if p == nil {
			t.Errorf("%s: refused: %+v", path, defects)
			continue
		}
		if got := len(p.Tasks()); got != tasks {
			t.Errorf("%s: %d tasks, want %d", path, got, tasks)
		}
	}
}
