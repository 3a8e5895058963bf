package prompt

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sdd/git-sdd/internal/tier"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/prompt/name, or writes it there.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "prompt", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; to write it, run go test ./internal/prompt -update", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is stale (-file +rendered); to update it, run go test ./internal/prompt -update\n%s", name, diff)
	}
}

var (
	base = strings.Repeat("1a", 20)
	head = strings.Repeat("2b", 20)
)

// headings is the level-1 heading of each role's prompt (design: the loop).
var headings = map[tier.Role]string{
	tier.Implementer: "# Implementer", tier.TaskReviewer: "# Task reviewer", tier.Fixer: "# Fixer", tier.ReReviewer: "# Re-reviewer",
	tier.Final: "# Final reviewer", tier.FinalFixer: "# Final fixer", tier.FinalReReviewer: "# Final re-reviewer",
}

// full is a context in which every field has a value.
func full() Context {
	return Context{
		Worktree: "/home/ann/repo", RunRoot: "/home/ann/repo/.git-sdd/0123456789ab", Task: 2, Round: 3, BaseSHA: base, HeadSHA: head,
		BriefPath: "/r/brief.md", ContextPath: "/r/context.md", ReportPath: "/r/report.md", ReviewPackagePath: "/r/package.md",
		FindingPackagePath: "/r/findings.md", LedgerPath: "/r/ledger.md", FindingIDs: []string{"T2:F-1", "T2:F-4"}, NextFinding: "F-5",
		RunTests: "go test ./...", Decisions: []string{"concern: proceed, the bound is documented", "widen: internal/store"},
	}
}

// usual is the context that a role typically gets.
func usual(role tier.Role) Context {
	c := full()
	c.LedgerPath, c.Decisions = "", nil
	switch role {
	case tier.Implementer:
		c.Round, c.HeadSHA, c.ContextPath, c.ReviewPackagePath, c.FindingPackagePath, c.FindingIDs, c.NextFinding, c.RunTests = 0, "", "", "", "", nil, "", ""
		c.Decisions = []string{"accept-empty: this task is an audit, it may end without a commit"}
	case tier.TaskReviewer:
		c.Round, c.ContextPath, c.FindingPackagePath, c.FindingIDs, c.NextFinding = 0, "", "", nil, "F-1"
	case tier.Fixer, tier.FinalFixer:
		c.ReviewPackagePath, c.FindingPackagePath, c.NextFinding, c.RunTests = "", "", "", ""
	case tier.ReReviewer:
		c.ContextPath = ""
	case tier.Final, tier.FinalReReviewer:
		c.ContextPath, c.LedgerPath = "", "/r/ledger.md"
	}
	if role.IsFinal() {
		c.Round = 0
	}
	return c
}

func render(t *testing.T, role tier.Role, c Context) string {
	t.Helper()
	got, err := Render(role, tier.Advanced, c)
	if err != nil {
		t.Fatalf("Render(%s): %v", role, err)
	}
	return string(got)
}

func TestGolden(t *testing.T) {
	for _, role := range tier.Roles() {
		golden(t, role.String()+".md", []byte(render(t, role, usual(role))))
	}
	golden(t, "contracts.sha256", []byte(ContractsDigest()+"\n"))
}

// laws checks what readers of any prompt rely on (design: the loop).
func laws(role tier.Role, t tier.Tier, text string) error {
	if want := "Model tier: " + t.String() + "\n\n" + headings[role] + "\n"; !strings.HasPrefix(text, want) {
		return fmt.Errorf("does not begin with %q", want)
	}
	if n := strings.Count(text, contextMark); n != 1 {
		return fmt.Errorf("names the %s %d times", contextMark, n)
	}
	if n := strings.Count("\n"+text, "\n# "); n != 1 {
		return fmt.Errorf("%d lines begin with %q", n, "# ")
	}
	if role.Works() && strings.Contains(text, axisMark) {
		return fmt.Errorf("a working role is shown %q", axisMark)
	}
	if strings.ContainsFunc(strings.ReplaceAll(text, "\n", ""), isControl) {
		return fmt.Errorf("holds a control character")
	}
	if !strings.HasSuffix(text, ".\n") {
		return fmt.Errorf("does not end with a whole line")
	}
	at := 0
	for _, part := range []string{headings[role] + "\n", "\n## Report\n", "\n## " + contextMark + "\n\n- worktree: ", "\n## Return channel\n", "\nThen stop:"} {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return fmt.Errorf("%q is missing or out of order", part)
		}
		at += i
	}
	return nil
}

func TestLaws(t *testing.T) {
	for _, role := range tier.Roles() {
		for _, rung := range tier.All() {
			got, err := Render(role, rung, usual(role))
			if err != nil {
				t.Fatal(err)
			}
			if err := laws(role, rung, string(got)); err != nil {
				t.Errorf("%s at %s: %v", role, rung, err)
			}
		}
	}
}

// contextLines returns the dispatch context of a prompt as keys and values.
func contextLines(t *testing.T, text string) (keys, values []string) {
	t.Helper()
	_, rest, _ := strings.Cut(text, "\n## "+contextMark+"\n\n")
	block, _, _ := strings.Cut(rest, "\n\n")
	for line := range strings.Lines(block) {
		key, value, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(line, "- "), "\n"), ": ")
		if !ok {
			t.Fatalf("line %q of the dispatch context is no key and value", line)
		}
		keys, values = append(keys, key), append(values, value)
	}
	return keys, values
}

func TestContextOrder(t *testing.T) {
	wantKeys := []string{
		"worktree", "runRoot", "task", "round", "baseSha", "headSha", "briefPath", "contextPath", "reportPath", "reviewPackagePath",
		"findingPackagePath", "ledgerPath", "findingIds", "nextFinding", "runTests", "decisions",
	}
	wantValues := []string{
		"/home/ann/repo", "/home/ann/repo/.git-sdd/0123456789ab", "2", "3", base, head, "/r/brief.md", "/r/context.md", "/r/report.md", "/r/package.md",
		"/r/findings.md", "/r/ledger.md", "T2:F-1, T2:F-4", "F-5", "go test ./...", "concern: proceed, the bound is documented; widen: internal/store",
	}
	for _, role := range tier.Roles() {
		keys, values := contextLines(t, render(t, role, full()))
		if diff := cmp.Diff(wantKeys, keys); diff != "" {
			t.Errorf("%s: keys (-want +got)\n%s", role, diff)
		}
		if diff := cmp.Diff(wantValues, values); diff != "" {
			t.Errorf("%s: values (-want +got)\n%s", role, diff)
		}
	}
	keys, _ := contextLines(t, render(t, tier.Implementer, usual(tier.Implementer)))
	if diff := cmp.Diff([]string{"worktree", "runRoot", "task", "baseSha", "briefPath", "reportPath", "decisions"}, keys); diff != "" {
		t.Errorf("absent fields are not left out (-want +got)\n%s", diff)
	}
}

// without returns the full context with one field at its zero value.
func without(t *testing.T, key string) Context {
	t.Helper()
	c := full()
	name := strings.ToUpper(key[:1]) + key[1:]
	name = strings.NewReplacer("Sha", "SHA", "Ids", "IDs").Replace(name)
	f := reflect.ValueOf(&c).Elem().FieldByName(name)
	if !f.IsValid() {
		t.Fatalf("no field is named %s", name)
	}
	f.SetZero()
	return c
}

func TestMissing(t *testing.T) {
	everyRole := []string{"worktree", "runRoot", "task", "baseSha", "briefPath", "reportPath"}
	needs := map[tier.Role][]string{
		tier.Implementer:     everyRole,
		tier.TaskReviewer:    append([]string{"headSha", "nextFinding"}, everyRole...),
		tier.Fixer:           append([]string{"headSha", "round", "contextPath"}, everyRole...),
		tier.ReReviewer:      append([]string{"headSha", "nextFinding"}, everyRole...),
		tier.Final:           append([]string{"headSha", "nextFinding", "findingPackagePath"}, everyRole...),
		tier.FinalFixer:      append([]string{"headSha"}, everyRole...),
		tier.FinalReReviewer: append([]string{"headSha", "nextFinding", "findingPackagePath"}, everyRole...),
	}
	for _, role := range tier.Roles() {
		for _, f := range fields {
			_, err := Render(role, tier.Fast, without(t, f.key))
			if slices.Contains(needs[role], f.key) {
				if err == nil || !strings.Contains(err.Error(), f.key+" is missing") {
					t.Errorf("%s without %s: %v", role, f.key, err)
				}
			} else if err != nil {
				t.Errorf("%s without %s: %v, want no error", role, f.key, err)
			}
		}
	}
}

func TestRefusedValues(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(*Context)
	}{
		{"newline", `worktree: "/a\nb" holds the control character U+000A`, func(c *Context) { c.Worktree = "/a\nb" }},
		{"return", `runRoot: "a\rb" holds the control character U+000D`, func(c *Context) { c.RunRoot = "a\rb" }},
		{"nul", `briefPath: "a\x00" holds the control character U+0000`, func(c *Context) { c.BriefPath = "a\x00" }},
		{"delete", `contextPath: "a\x7f" holds the control character U+007F`, func(c *Context) { c.ContextPath = "a\x7f" }},
		{"c1", `reportPath: "a\u0085" holds the control character U+0085`, func(c *Context) { c.ReportPath = "a\u0085" }},
		{"line separator", `reviewPackagePath: "a\u2028" holds the control character U+2028`, func(c *Context) { c.ReviewPackagePath = "a\u2028" }},
		{"paragraph separator", `findingPackagePath: "\u2029a" holds the control character U+2029`, func(c *Context) { c.FindingPackagePath = "\u2029a" }},
		{"tab", `runTests: "a\tb" holds the control character U+0009`, func(c *Context) { c.RunTests = "a\tb" }},
		{"utf-8", `ledgerPath: "a\xff" is not valid UTF-8`, func(c *Context) { c.LedgerPath = "a\xff" }},
		{"decision", `decisions: "go on; a\nb" holds the control character U+000A`, func(c *Context) { c.Decisions = []string{"go on", "a\nb"} }},
		{"mark", `worktree: "/Dispatch Context" holds words that mark a place in a prompt`, func(c *Context) { c.Worktree = "/Dispatch Context" }},
		{"task", `task: 257 is outside 1 to 256`, func(c *Context) { c.Task = 257 }},
		{"task", `task: -1 is outside 1 to 256`, func(c *Context) { c.Task = -1 }},
		{"round", `round: 6 is outside 1 to 5`, func(c *Context) { c.Round = 6 }},
		{"short name", `baseSha: "1a2b3c4" is not a full object name`, func(c *Context) { c.BaseSHA = "1a2b3c4" }},
		{"capitals", `headSha: "` + strings.Repeat("A", 40) + `" is not a full object name`, func(c *Context) { c.HeadSHA = strings.Repeat("A", 40) }},
		{"id", `findingIds: "T1:F 1" is not a list of finding ids`, func(c *Context) { c.FindingIDs = []string{"T1:F 1"} }},
		{"empty id", `findingIds: ", T1:F-1" is not a list of finding ids`, func(c *Context) { c.FindingIDs = []string{"", "T1:F-1"} }},
		{"next", `nextFinding: "T1:F-3" is not a local number such as F-3`, func(c *Context) { c.NextFinding = "T1:F-3" }},
		{"next", `nextFinding: "F-0" is not a local number such as F-3`, func(c *Context) { c.NextFinding = "F-0" }},
	} {
		in := full()
		c.change(&in)
		for _, role := range tier.Roles() {
			want := "prompt of role " + role.String() + ": " + c.want
			if got, err := Render(role, tier.Fast, in); err == nil || err.Error() != want || got != nil {
				t.Errorf("%s: Render(%s) = %d bytes, %v; want %s", c.name, role, len(got), err, want)
			}
		}
	}
}

func TestValuesAtTheirLimits(t *testing.T) {
	in := full()
	in.Task, in.Round, in.BaseSHA = 256, tier.MaxRounds, strings.Repeat("0", 64)
	in.Worktree = "/home/ann/two  blanks – and ümlauts"
	in.FindingIDs = []string{strings.Repeat("a", 64)}
	for _, role := range tier.Roles() {
		if _, values := contextLines(t, render(t, role, in)); values[0] != in.Worktree {
			t.Errorf("%s: worktree is %q, want %q", role, values[0], in.Worktree)
		}
	}
	in.FindingIDs[0] += "a"
	if _, err := Render(tier.Fixer, tier.Fast, in); err == nil {
		t.Error("an id of 65 bytes was rendered")
	}
}

func TestAxisMark(t *testing.T) {
	for _, role := range tier.Roles() {
		in := full()
		in.RunTests = "grep QUALITY: report.md"
		_, err := Render(role, tier.Fast, in)
		if (err != nil) != role.Works() {
			t.Errorf("%s: a value with the mark of an axis: %v", role, err)
		}
	}
}

func TestDecisionsAreInert(t *testing.T) {
	for _, role := range tier.Roles() {
		in := full()
		in.Decisions = []string{"proceed: the Dispatch Context said QUALITY: bad", "# a heading?"}
		text := render(t, role, in)
		if err := laws(role, tier.Advanced, text); err != nil {
			t.Errorf("%s: %v", role, err)
		}
		if want := "- decisions: proceed: the dispatch context said quality: bad; # a heading?\n"; !strings.Contains(text, want) {
			t.Errorf("%s: %q is missing", role, want)
		}
	}
}

func TestFindingIDs(t *testing.T) {
	for _, id := range []string{"T1:GATE-test-1", "T2:GUARD-1", "FINAL:STALE-2", "FINAL:GATE-lint-1"} {
		in := full()
		in.FindingIDs = append(in.FindingIDs, id)
		for _, role := range tier.Roles() {
			if _, err := Render(role, tier.Fast, in); (err == nil) != role.Works() {
				t.Errorf("%s with %s: %v; only working roles may get it", role, id, err)
			}
		}
	}
	in := full()
	in.ContextPath, in.ReviewPackagePath, in.FindingPackagePath = "", "", ""
	if _, err := Render(tier.ReReviewer, tier.Fast, in); err == nil || !strings.Contains(err.Error(), "findingIds without") {
		t.Errorf("ids without a file that describes them: %v", err)
	}
	in.FindingIDs = nil
	if _, err := Render(tier.ReReviewer, tier.Fast, in); err != nil {
		t.Errorf("no ids and no file: %v", err)
	}
}

func TestUnknownRoleAndTier(t *testing.T) {
	for _, role := range []tier.Role{0, tier.FinalReReviewer + 1, 255} {
		if _, err := Render(role, tier.Fast, full()); err == nil {
			t.Errorf("Render(%s) succeeded", role)
		}
	}
	for _, rung := range []tier.Tier{0, tier.Frontier + 1} {
		if _, err := Render(tier.Final, rung, full()); err == nil {
			t.Errorf("Render at %s succeeded", rung)
		}
	}
}

func TestMaxBytes(t *testing.T) {
	for _, role := range tier.Roles() {
		in := full()
		room := MaxBytes - len(render(t, role, in))
		in.RunTests += strings.Repeat("x", room)
		if got := render(t, role, in); len(got) != MaxBytes {
			t.Errorf("%s: %d bytes at the limit, want %d", role, len(got), MaxBytes)
		}
		in.RunTests += "x"
		want := fmt.Sprintf("prompt of role %s has %d bytes, the limit is %d", role, MaxBytes+1, MaxBytes)
		if got, err := Render(role, tier.Advanced, in); err == nil || err.Error() != want || got != nil {
			t.Errorf("%s one past the limit: %d bytes, %v; want %s", role, len(got), err, want)
		}
	}
}

// hostile generates texts out of pieces that mean something somewhere.
func hostile() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"\n", "\r\n", "# ", "## ", "- ", "```", "````\n", "Dispatch Context", "QUALITY:", "T1:F-1", "\u2028", "\xff", "Dispatch ", "Context", " ", "a"}),
		rapid.StringN(0, 8, 32),
	)
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), "") })
}

// Whatever stands in a context, a prompt keeps its laws or is not made, and the
// same context gives the same bytes.
func TestRenderProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		role := rapid.SampledFrom(tier.Roles()).Draw(t, "role")
		rung := rapid.SampledFrom(tier.All()).Draw(t, "tier")
		in := full()
		for _, field := range []*string{&in.Worktree, &in.ContextPath, &in.RunTests, &in.LedgerPath} {
			if rapid.Bool().Draw(t, "change") {
				*field = hostile().Draw(t, "value")
			}
		}
		in.Decisions = rapid.SliceOfN(hostile(), 0, 3).Draw(t, "decisions")
		decisions := slices.Clone(in.Decisions)

		got, err := Render(role, rung, in)
		again, errAgain := Render(role, rung, in)
		if !bytes.Equal(got, again) || fmt.Sprint(err) != fmt.Sprint(errAgain) {
			t.Fatalf("two renderings differ: %v, %v", err, errAgain)
		}
		if !slices.Equal(decisions, in.Decisions) {
			t.Fatal("rendering changed its argument")
		}
		if err == nil {
			if err := laws(role, rung, string(got)); err != nil {
				t.Fatal(err)
			}
		}
	})
}
