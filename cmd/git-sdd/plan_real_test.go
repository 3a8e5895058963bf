package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A realPlan is a row of the table of plans that people wrote.
type realPlan struct {
	name  string
	tasks int
}

func realPlans(t *testing.T) (folder string, plans []realPlan) {
	t.Helper()
	if folder = os.Getenv("GIT_SDD_PLANS"); folder == "" {
		t.Skip("GIT_SDD_PLANS is not set")
	}
	table, err := os.ReadFile(filepath.Join(folder, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(line, "\t")
		if tasks, err := strconv.Atoi(cells[1]); err == nil {
			plans = append(plans, realPlan{cells[0], tasks})
		}
	}
	return folder, plans
}

// checkedPlan and converted are what this test asks of the answers.
type checkedPlan struct {
	Tasks []struct{ Title string }
	Error struct{ Code, Repair string }
}

type converted struct {
	Plan    string
	Tasks   []struct{ Title string }
	Changes []struct{ What string }
	Loss    []struct {
		Line, EndLine int
		Why, Text     string
	}
}

var checkbox = regexp.MustCompile(`(?m)^\s*- \[[ xX]\] .*$`)

// TestRealPlansConvert: a plan in the strict grammar is accepted and a
// conversion leaves it alone. Any other is refused, and the one command that the
// refusal names, with a tier put in, makes a plan that starts and that has every
// step. What reaches no brief is explained.
func TestRealPlansConvert(t *testing.T) {
	folder, plans := realPlans(t)
	s := newShop(t, nil)
	report := "\nplan          tasks  command                      changes  lines in no brief\n"
	for _, p := range plans {
		original, err := os.ReadFile(filepath.Join(folder, p.name))
		if err != nil {
			t.Fatal(err)
		}
		s.write(p.name, string(original))
		var checked checkedPlan
		refused := s.try("git-sdd", "plan", "check", p.name, "--json")
		s.read(refused.stdout, &checked)
		command := "git sdd plan convert " + p.name
		if refused.exit != 0 {
			command = strings.Replace(checked.Error.Repair, "<tier>", "Standard", 1)
		}
		if strict := strings.HasPrefix(p.name, "strict"); strict != (refused.exit == 0) || !strings.HasPrefix(command, "git sdd plan convert "+p.name) {
			t.Errorf("%s: exit %d, %q", p.name, refused.exit, command)
			continue
		}
		bare, _, _ := strings.Cut(command, " -o ")
		var c converted
		s.read(s.must("sh", "-c", bare+" --json"), &c)
		if refused.exit == 0 && len(c.Tasks) != p.tasks { // of a loose plan the table counts what stands in code too
			t.Errorf("%s: %d tasks, want %d", p.name, len(c.Tasks), p.tasks)
		}
		if refused.exit == 0 && (len(c.Changes) > 0 || c.Plan != string(original)) {
			t.Errorf("%s is strict, and a conversion changes it: %+v", p.name, c.Changes)
		}
		s.steps(p, string(original), c)
		lost := 0
		for _, l := range c.Loss {
			if lost += l.EndLine - l.Line + 1; l.Why == "" || checkbox.MatchString(l.Text) {
				t.Errorf("%s: lines %d to %d reach no brief: %s", p.name, l.Line, l.EndLine, l.Why)
			}
		}
		report += fmt.Sprintf("%-13s %5d  %-28s %7d  %d\n", p.name, len(c.Tasks), strings.TrimPrefix(bare, "git sdd plan convert "+p.name), len(c.Changes), lost)
		if refused.exit != 0 {
			s.must("sh", "-c", command)
			s.git("add", "--all")
			s.git("commit", "--quiet", "--message", p.name)
			s.git("switch", "--quiet", "--create", "work-"+p.name)
			s.must("git-sdd", "start", strings.TrimSuffix(p.name, ".md")+".strict.md", "--base", "work")
			s.git("switch", "--quiet", "work")
			s.git("merge", "--quiet", "work-"+p.name)
		}
	}
	t.Log(report)
}

// steps holds the checkboxes of the briefs to those of the plan: as many, and in
// the same order.
func (s shop) steps(p realPlan, original string, c converted) {
	s.Helper()
	s.write("converted.md", c.Plan)
	var briefs []string
	for n := range c.Tasks {
		_, body, _ := strings.Cut(s.must("git-sdd", "plan", "brief", "converted.md", strconv.Itoa(n+1)), fmt.Sprintf("## Task %d: ", n+1))
		briefs = append(briefs, checkbox.FindAllString(body, -1)...)
	}
	if err := os.Remove("converted.md"); err != nil {
		s.Fatal(err)
	}
	want := checkbox.FindAllString(original, -1)
	if strings.Join(briefs, "\n") != strings.Join(want, "\n") || len(want) == 0 {
		s.Errorf("%s: %d checkboxes in the briefs, %d in the plan, or in another order", p.name, len(briefs), len(want))
	}
}
