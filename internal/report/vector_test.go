package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/git-sdd/git-sdd/internal/tier"
)

var update = flag.Bool("update", false, "write what the readers say into testdata/report; the difference is reviewed like code")

// A vector is one file of testdata/report: a header of "key: value" lines, the
// report, and, where it is read, its parsed form. testdata/report/README.md
// lists the keys.
type vector struct {
	path   string
	role   tier.Role
	work   WorkContext
	review ReviewContext
	expect []string // "ok", or one "line N: code: message" a defect
	header []string // the header lines other than expect
	report []byte
	parsed []byte
}

// headerKeys are the keys there are; any other is fatal.
var headerKeys = map[string]func(v *vector, value string) error{
	"about":       func(*vector, string) error { return nil },
	"expect":      func(v *vector, s string) error { v.expect = append(v.expect, s); return nil },
	"allow-empty": func(v *vector, s string) (err error) { v.work.AllowEmpty, err = strconv.ParseBool(s); return },
	"scope":       func(v *vector, s string) error { v.review.Scope = s; return nil },
	"asked":       func(v *vector, s string) error { v.review.Asked = strings.Fields(s); return nil },
	"controlled":  func(v *vector, s string) error { v.review.Controlled = strings.Fields(s); return nil },
	"files":       func(v *vector, s string) error { v.review.FileExists = within(strings.Fields(s)); return nil },
	"range":       func(v *vector, s string) error { v.review.InRange = within(strings.Fields(s)); return nil },
	"next":        func(v *vector, s string) (err error) { v.review.Next, err = strconv.Atoi(s); return },
	"role": func(v *vector, s string) (err error) {
		v.role, err = tier.ParseRole(s)
		v.review.Role = v.role
		return
	},
	"prompt": func(v *vector, s string) error { v.work.Prompt, v.review.Prompt = s, s; return nil },
	"known": func(v *vector, s string) error {
		f := strings.Fields(s)
		if len(f) != 3 {
			return fmt.Errorf("known is %q, not id, severity and disposition", s)
		}
		v.review.Known = append(v.review.Known, Known{f[0], f[1], f[2]})
		return nil
	},
}

func readVector(tb testing.TB, path string) *vector {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	a := txtar.Parse(data)
	v := &vector{path: path}
	for line := range strings.Lines(string(a.Comment)) {
		line = strings.TrimSuffix(line, "\n")
		key, value, found := strings.Cut(line, ": ")
		set := headerKeys[key]
		if !found || set == nil {
			tb.Fatalf("%s: unknown header line %q", path, line)
		}
		if err := set(v, value); err != nil {
			tb.Fatalf("%s: %s: %v", path, key, err)
		}
		if key != "expect" {
			v.header = append(v.header, line)
		}
	}
	for _, f := range a.Files {
		switch f.Name {
		case "report":
			v.report = f.Data
		case "parsed.json":
			v.parsed = f.Data
		default:
			tb.Fatalf("%s: unknown file %q", path, f.Name)
		}
	}
	if v.report == nil || v.role.String() == tier.Role(0).String() {
		tb.Fatalf("%s: no report or no role", path)
	}
	return v
}

func readVectors(tb testing.TB) []*vector {
	tb.Helper()
	paths, err := filepath.Glob("../../testdata/report/*.txtar")
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no vectors: %v", err)
	}
	var list []*vector
	for _, p := range paths {
		list = append(list, readVector(tb, p))
	}
	return list
}

// parse reads a report as the vector's role does.
func (v *vector) parse(report []byte) (any, []Defect) {
	if v.role.Works() {
		w, found := ParseWork(report, v.work)
		if w == nil {
			return nil, found
		}
		return w, found
	}
	r, found := ParseReview(report, v.review)
	if r == nil {
		return nil, found
	}
	return r, found
}

// outcome returns the expect lines and the parsed form that the readers give.
func (v *vector) outcome(report []byte) (expect []string, parsed []byte) {
	got, found := v.parse(report)
	for _, d := range found {
		expect = append(expect, d.String())
	}
	if got == nil {
		return expect, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(got); err != nil {
		panic(err)
	}
	return append([]string{"ok"}, expect...), b.Bytes()
}

func TestVectors(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(strings.TrimSuffix(filepath.Base(v.path), ".txtar"), func(t *testing.T) {
			expect, parsed := v.outcome(v.report)
			if *update {
				v.write(t, expect, parsed)
				return
			}
			if diff := cmp.Diff(v.expect, expect); diff != "" {
				t.Errorf("expect (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(string(v.parsed), string(parsed)); diff != "" {
				t.Errorf("parsed form (-want +got):\n%s", diff)
			}
		})
	}
}

func (v *vector) write(t *testing.T, expect []string, parsed []byte) {
	a := &txtar.Archive{Files: []txtar.File{{Name: "report", Data: v.report}}}
	for _, line := range v.header {
		a.Comment = append(a.Comment, line+"\n"...)
	}
	for _, line := range expect {
		a.Comment = append(a.Comment, "expect: "+line+"\n"...)
	}
	if parsed != nil {
		a.Files = append(a.Files, txtar.File{Name: "parsed.json", Data: parsed})
	}
	if err := os.WriteFile(v.path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Line ends and trailing blanks change nothing, neither of a report that is read
// nor of the defects of one that is not.
func TestLineEnds(t *testing.T) {
	for _, v := range readVectors(t) {
		expect, parsed := v.outcome(v.report)
		for _, end := range []string{"\r\n", " \t\n", "  \r\n"} {
			e, p := v.outcome(bytes.ReplaceAll(v.report, []byte("\n"), []byte(end)))
			if !slices.Equal(e, expect) || !bytes.Equal(p, parsed) {
				t.Errorf("%s: with lines that end in %q: %v\n%s", v.path, end, e, p)
			}
		}
	}
}

// A report that broke off before the last field of a record, or before the
// FINDINGS label, is refused: it never counts as less than it was going to say.
func TestBrokenOff(t *testing.T) {
	cuts := 0
	for _, v := range readVectors(t) {
		if v.expect[0] != "ok" || v.role.Works() {
			continue
		}
		lines := bytes.SplitAfter(v.report, []byte("\n"))
		for n, line := range lines {
			_, _, field := exactField(append(slices.Clone(findingFields), append(verdictFields, reconciliationFields...)...), strings.TrimSpace(string(line)))
			if !field && !bytes.HasPrefix(line, []byte("FINDINGS:")) {
				continue
			}
			cuts++
			if r, _ := v.parse(bytes.Join(lines[:n], nil)); r != nil {
				t.Errorf("%s: read although it breaks off at line %d", v.path, n+1)
			}
		}
	}
	if cuts < 50 {
		t.Errorf("only %d cuts were tried", cuts)
	}
}
