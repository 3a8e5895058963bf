package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const casesDir = "../../testdata/plan"

// A testCase is one row of the table of cases.
type testCase struct {
	id, verdict, code    string
	line                 int
	tasks, constraints   string
	contains, containsNo string
	data                 []byte
}

func readCases(t testing.TB) []testCase {
	t.Helper()
	table, err := os.ReadFile(filepath.Join(casesDir, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var list []testCase
	for _, row := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		f := strings.Split(row, "\t")
		if len(f) != 9 {
			t.Fatalf("%d columns in %q", len(f), row)
		}
		c := testCase{id: f[0], verdict: f[1], code: f[2], tasks: f[4], constraints: f[5], contains: f[6], containsNo: f[7]}
		if f[3] != "" {
			if c.line, err = strconv.Atoi(f[3]); err != nil {
				t.Fatal(err)
			}
		}
		if c.data, err = os.ReadFile(filepath.Join(casesDir, c.id+".md")); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.id, func(t *testing.T) {
			p, defects := Parse(c.data)
			switch c.verdict {
			case "accept":
				if p == nil {
					t.Fatalf("refused: %+v", defects)
				}
				c.checkAccepted(t, p)
			case "reject":
				if p != nil || len(defects) == 0 {
					t.Fatal("accepted")
				}
				if d := defects[0]; d.Code != c.code || d.Line != c.line {
					t.Errorf("got %s on line %d, want %s on line %d\n%+v", d.Code, d.Line, c.code, c.line, defects)
				}
			default:
				t.Fatalf("verdict %q", c.verdict)
			}
		})
	}
}

func (c testCase) checkAccepted(t *testing.T, p *Plan) {
	var tasks []string
	for _, task := range p.Tasks() {
		tasks = append(tasks, fmt.Sprintf("%d|%s|%s", task.Number, task.Title, task.Tier))
	}
	if got := strings.Join(tasks, ";"); got != c.tasks {
		t.Errorf("tasks: got %q, want %q", got, c.tasks)
	}
	text, ok := p.Constraints()
	if want := c.constraints; ok != (want != "-") || (ok && text != want) {
		t.Errorf("constraints: got %q, %v, want %q", text, ok, want)
	}
	each(t, p, c.contains, func(brief, part string) bool { return strings.Contains(brief, part) })
	each(t, p, c.containsNo, func(brief, part string) bool { return !strings.Contains(brief, part) })
}

// each checks a column of "task:part" pairs against the briefs.
func each(t *testing.T, p *Plan, column string, ok func(brief, part string) bool) {
	for _, pair := range strings.Split(column, ";") {
		if pair == "" {
			continue
		}
		number, part, _ := strings.Cut(pair, ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(p.Brief(n)); !ok(got, strings.ReplaceAll(part, `\r`, "\r")) {
			t.Errorf("brief %d and %q: %q", n, part, got)
		}
	}
}
