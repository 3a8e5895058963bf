package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/controller"
)

// said returns what a command said, with ages counted from noon.
func said(speak func(*console)) string {
	con, out, _ := listen(false)
	con.now = func() time.Time { return time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC) }
	speak(con)
	con.out.Flush()
	return out.String()
}

func text(s string) *string { return &s }

const someRun = "9aeee62b99864983fd7ceffdb665a7c54f675f693826452ddaf233eb1afe10c7"

func sampleNext() *controller.Next {
	return &controller.Next{
		Run: someRun, Revision: 17, Phase: "TASK_REVIEW_DECISION", Task: 2, Tasks: 3, Round: 1, Drift: "none", Action: "dispatch",
		Why:          "task 2 needs work: spec PASS, quality CHANGES_REQUESTED, 1 load-bearing finding open; fix round 1 of 5",
		Commands:     [][]string{{"git", "sdd", "dispatch"}},
		Alternatives: [][]string{{"git", "sdd", "abandon", "--reason", "<reason>"}},
	}
}

func sampleStatus() *controller.Status {
	return &controller.Status{
		Run: someRun, Revision: 17, Phase: "TASK_REVIEW_DECISION",
		Plan:   controller.PlanStatus{Path: "/repo/docs/plan.md", Drift: "line-endings"},
		Branch: "feature/colour", BaseRef: "refs/remotes/origin/main", MergeBase: "e50317a3f4286a4d59f53c736b47dd05337cc4f1", Worktree: "/repo",
		CreatedAt: "2026-08-30T12:00:00.000Z", UpdatedAt: "2026-09-01T11:55:00.000Z",
		Tasks: []controller.TaskStatus{
			{Number: 1, Title: "Read the settings of the user before anything else is looked at, and say which file they came from", State: "complete", FixRounds: 2, Head: text("29468bc5bd2973467bcf26a53cadfe53c3c32b71")},
			{Number: 2, Title: "Farben für 日本語の端末と、その他すべての端末のために", State: "active", FixRounds: 1, Open: 1, Head: text("65f94ffde8338915909f3101724e5f28b84341ae")},
			{Number: 3, Title: "Evil \x1b]0;owned\x07 title \u202e", State: "pending"},
		},
		Findings: []controller.FindingStatus{
			{ID: "T1:F-1", Severity: "Minor", Disposition: "parked", Summary: "a name"},
			{ID: "T2:F-1", Severity: "Important", Disposition: "open", Location: text("internal/colour/palette_windows_console.go:1204"), Summary: "the escape \x1b[2J clears what stood there, on every terminal that there is"},
		},
		Dispatch: &controller.DispatchStatus{Role: "task-reviewer", Task: 2, Attempt: 1, Tier: "advanced", Session: text("session-8"), StartedAt: text("2026-09-01T11:50:00.000Z"), Report: text("")},
		Next:     sampleNext(),
	}
}

// golden compares with a file of testdata, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got\n%s", path, diff)
	}
}

// TestStatus keeps to 80 columns and obeys nothing that a plan or a report says.
func TestStatus(t *testing.T) {
	got := said(func(con *console) { con.sayStatus(sampleStatus(), nil) })
	golden(t, "status.txt", got)
	for _, line := range strings.Split(got, "\n") {
		if columns(line) > lineWidth {
			t.Errorf("%d columns: %s", columns(line), line)
		}
		if line != safe(line) {
			t.Errorf("a terminal would obey %q", line)
		}
	}
	if !strings.HasSuffix(got, "\nnext: git sdd dispatch\n") {
		t.Error("the next command does not stand last")
	}
}

// TestStatusColours: colours change nothing but colours.
func TestStatusColours(t *testing.T) {
	plain := said(func(con *console) { con.sayStatus(sampleStatus(), nil) })
	painted := said(func(con *console) { con.sayStatus(sampleStatus(), defaults) })
	if painted == plain {
		t.Error("nothing is painted")
	}
	for _, colour := range append([]string{reset}, defaults["active"], defaults["complete"], defaults["open"], defaults["alert"]) {
		if !strings.Contains(painted, colour) {
			t.Errorf("no %q", colour)
		}
		painted = strings.ReplaceAll(painted, colour, "")
	}
	if diff := cmp.Diff(plain, painted); diff != "" {
		t.Errorf("colours moved something\n%s", diff)
	}
}

func TestPalette(t *testing.T) {
	for value, painted := range map[string]bool{"auto": true, "always": true, "true": true, "never": false, "false": false, "No": false, "0": false} {
		if got := painting(value) != nil; got != painted {
			t.Errorf("color.ui=%s: painted %v, want %v", value, got, painted)
		}
	}
	for _, env := range []map[string]string{{}, {"NO_COLOR": "1", "GIT_PAGER_IN_USE": "1"}, {"TERM": "dumb", "GIT_PAGER_IN_USE": "1"}} {
		con, _, _ := listen(false)
		con.env = func(name string) string { return env[name] }
		if con.palette(t.Context()) != nil {
			t.Errorf("%v: painted", env)
		}
	}
}

// TestNextSays each action in a few lines, the next command last.
func TestNextSays(t *testing.T) {
	answers := []func(*controller.Next){
		func(n *controller.Next) { n.Drift = "line-endings" },
		func(n *controller.Next) {
			n.Action, n.Tier, n.Why = "spawn", "fast", "no child is known yet"
			n.Handout = &controller.Handout{Cwd: "/re\x1bpo", Bootstrap: "Model tier: fast\n\nprompt: /p\n"}
			n.Commands = [][]string{{"git", "sdd", "started", "--session", "<session>"}}
		},
		func(n *controller.Next) {
			n.Action, n.Role, n.Session, n.StartedAt, n.Why = "await", "fixer", "s\x1b1", "2026-09-01T11:00:00.000Z", "the fixer works"
			n.Commands = [][]string{{"git", "sdd", "report"}}
		},
		func(n *controller.Next) { n.Action, n.Commands = "advance", [][]string{{"git", "sdd", "advance"}} },
		func(n *controller.Next) {
			n.Action, n.Why = "decide", "a concern waits"
			n.Decisions = []controller.Decision{{Decision: "proceed", Command: []string{"git", "sdd", "decide", "proceed", "--reason", "<reason>"}, Effect: "the run goes on"}}
			n.Commands = [][]string{n.Decisions[0].Command}
		},
		func(n *controller.Next) {
			n.Action, n.Unpushed, n.Why, n.Commands, n.Alternatives = "done", &[]string{"a", "b"}, "all is reviewed", nil, nil
		},
		func(n *controller.Next) {
			n.Action, n.Reason, n.Why, n.Commands, n.Alternatives = "blocked", "super\x1bseded", "the run has ended", nil, nil
			n.Warnings = []string{"the plan was edited"}
		},
	}
	var all strings.Builder
	for _, change := range answers {
		n := sampleNext()
		change(n)
		fmt.Fprintf(&all, "== %s\n%s", n.Action, said(func(con *console) { con.sayNext(n) }))
	}
	golden(t, "next.txt", all.String())
}

func TestLogTellsAStory(t *testing.T) {
	by := controller.By{Name: "Ada\x1b", Email: "ada@example.com", Via: "program"}
	golden(t, "log.txt", said(func(con *console) {
		con.sayLog(&controller.Log{Run: someRun, Entries: []controller.LogEntry{
			{Revision: 0, Commit: "612c6a1aaaaaa", At: "2026-08-31T23:59:59.000Z", By: by, Subject: "run started, 2 tasks on work (r0)"},
			{Revision: 9, Commit: "46b1d99bbbbbb", At: "2026-09-01T00:00:01.000Z", By: by, Subject: "task 1: ruling proceed (r9)", Reason: "it is meant so"},
			{Revision: 10, Commit: "7c03499cccccc", At: "2026-09-01T00:00:02.000Z", By: controller.By{Name: "Bob", Email: "b@c", Via: "terminal"}, Event: "review-approved"},
		}})
	}))
}

func TestRunsAreListed(t *testing.T) {
	base := "refs/heads/main"
	golden(t, "ls.txt", said(func(con *console) {
		con.sayRuns([]controller.RunStatus{
			{Run: someRun, Phase: "IMPLEMENT_RUNNING", Revision: 5, Plan: "/repo/docs/plan.md", Branch: "work", Worktree: "/repo", UpdatedAt: "2026-09-01T11:00:00.000Z"},
			{Run: strings.Repeat("b", 64), Phase: "COMPLETE", Revision: 104, Plan: "/else\x1bwhere/plan.md", Branch: "feature/long", Worktree: "/repo", UpdatedAt: "2026-08-01T11:00:00.000Z",
				Integrated: &controller.Integrated{State: "content", Into: &base}},
			{Run: strings.Repeat("c", 64), Error: "written by a newer git-sdd"},
		})
		con.sayRuns(nil)
	}))
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0 s", 0: "0 s", 59 * time.Second: "59 s", time.Minute: "1 min", 119 * time.Minute: "1 h", 49 * time.Hour: "2 d",
	} {
		if got := span(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1535: "1 KiB", 1536: "2 KiB", 262144: "256 KiB"} {
		if got := size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
