package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/tier"
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

// TestConvertRealPlans: each plan as people write them takes the one command
// that is suggested for it, loses nothing but text that no task had, and keeps
// every checkbox in the task under whose heading it stands.
func TestConvertRealPlans(t *testing.T) {
	box := regexp.MustCompile(`(?m)^\s*- \[[ xX]\] .*$`)
	for path := range realPlans(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(filepath.Base(path), "loose") {
			continue
		}
		_, found := Parse(data)
		suggested := SuggestConvert(data, found)
		opt := ConvertOptions{Tier: tier.Standard, FixFences: strings.HasSuffix(suggested, "--fix-fences")}
		conv, defects := Convert(data, opt)
		if conv == nil || !strings.HasPrefix(suggested, "git sdd plan convert PLAN --tier <tier>") {
			t.Errorf("%s: %q, %+v", path, suggested, defects)
			continue
		}
		p, _ := Parse(conv.Output)
		boxes := 0
		for n := range p.Tasks() {
			boxes += len(box.FindAll(p.Brief(n+1), -1))
		}
		if want := len(box.FindAll(data, -1)); boxes != want || want == 0 {
			t.Errorf("%s: %d checkboxes in the briefs, %d in the plan", path, boxes, want)
		}
		t.Logf("%s: %d tasks, %d changes, %d pieces of text in no brief", filepath.Base(path), len(p.Tasks()), len(conv.Changes), len(conv.Loss))
	}
}
