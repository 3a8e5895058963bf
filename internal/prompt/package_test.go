package prompt

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func packageOfTask() PackageInput {
	return PackageInput{
		Title: "task 2, re-review of fix round 1", Base: base, Head: head, BaseIs: "the head that the last review judged", Branch: "work",
		Gates: []GateResult{
			{Name: "lint", Outcome: "passed", Command: []string{"make", "lint"}, Commit: head, Tree: base, Exit: "exit 0", Seconds: "0.3 s", Runs: 1, Output: "/repo/.git-sdd/1/task-2/re-reviewer-1.gate-lint.txt", Proof: "none; git sdd gate prove lint"},
			{Name: "test", Outcome: "failed", Command: []string{"bash", "-lc", "make test | tee log"}, Commit: head, Tree: base, Exit: "exit 2", Seconds: "12 s", Runs: 2, Tail: "--- FAIL: TestOpen\n```\n", Proof: "discriminates (r12: red on the merge base with 3 test files of 1a2b3c4d5e)"},
			{Name: "web", Outcome: "flaky", Command: []string{"npm", "test"}, Commit: head, Tree: base, Exit: "exit 0", Seconds: "3 s", Runs: 2, Tail: "port in use\n", Left: []string{"run 1 left processes behind; they were ended"}},
		},
		Guards: []GuardChange{
			{Path: "Makefile", Was: "Makefile", Gates: "test", Content: head, State: "accepted by a ruling"},
			{Path: "ci/run.sh", Was: "scripts/run.sh", Gates: "test, lint", Content: base, Mode: "100755 -> 100644", State: "finding T2:GUARD-1"},
			{Path: "scripts/lib.sh", Gates: "test", Content: strings.Repeat("0", 40), State: "a finding of this review"},
		},
		Groups: []CommitGroup{{Title: "Commits", Commits: []PackageCommit{
			{ID: head, Author: "Ada <ada@example.com>", Date: "2026-09-01T10:00:00Z", Subject: "store: return the error", Body: "The brief says log.\n\nIt is returned, because # callers need it.\n", By: "the fixer of round 1", Files: 2},
			{ID: base, Author: "Bob <bob@example.com>", Date: "2026-09-01T11:00:00Z", Subject: "typo", By: "somebody else", Others: true, Files: 1},
		}}},
		Files: []PackageFile{
			{Status: 'M', Path: "store/open.go", Added: 3, Removed: 1, Within: true},
			{Status: 'R', Path: "ci/run.sh", Was: "scripts/run.sh", Mode: "100644 -> 100755"},
			{Status: 'D', Path: "old\nname", Removed: 7},
			{Status: 'D', Path: "store/old.go", Removed: 9, Within: true},
			{Status: 'A', Path: "logo  big.png", Binary: true, Sizes: "0 -> 4096 bytes"},
		},
		Scope: []string{"store/"}, Outside: []string{"ci/run.sh", "old\nname", "logo  big.png"}, Unfound: []string{"store/cache.go"},
		Worktree: []string{"untracked: notes.txt", "gate web changed, while it ran: refs/heads/main"},
		Rulings:  []string{"r12, widen ci/run.sh: the runner moved"},
		Claims:   []Claim{{By: "fixer of round 1", Text: "STATUS: DONE\nCHANGES:\n- store/open.go: returns it\n"}},
		Patch:    []byte("diff --git a/x b/x\n@@ -1 +1 @@\n-a\r\n+```\n"), Limit: 8 << 20,
	}
}

func packageOfBranch() PackageInput {
	return PackageInput{
		Title: "final review", Base: base, Head: head, BaseIs: "the merge base with main", Branch: "work",
		Groups: []CommitGroup{{Title: "Product commits", Commits: packageOfTask().Groups[0].Commits[:1]}, {Title: "Process commits"}},
		Files:  []PackageFile{{Status: 'M', Path: "a.go", Added: 1}}, Partial: true,
		Ledger:       []LedgerFinding{{"T1:F-1", "Important", "fixed", "a.go:1", "the error is dropped"}, {"T1:F-2", "Minor", "open", "none", "a name"}},
		Observations: []Observed{{By: "implementer of task 1", Text: "b.go has a dead function"}},
		LeftOut:      []string{"vendor/big.js"}, Limit: 1024,
	}
}

func TestReviewPackage(t *testing.T) {
	golden(t, "review-package.md", ReviewPackage(packageOfTask()))
	golden(t, "review-package-final.md", ReviewPackage(packageOfBranch()))
	golden(t, "review-package-empty.md", ReviewPackage(PackageInput{Title: "task 1", Base: base, Head: base, BaseIs: "the task's base", Branch: "work", NoChange: "a ruling lets this task end without a commit", Groups: []CommitGroup{{Title: "Commits"}}}))
}

// TestReviewPackageIsBounded holds that no number of paths, commits or bytes of
// messages makes a package that cannot be read.
func TestReviewPackageIsBounded(t *testing.T) {
	in := packageOfBranch()
	for i := range 65_000 {
		path := fmt.Sprintf("a/folder/of/the/repository/file-%d.txt", i)
		in.Files = append(in.Files, PackageFile{Status: 'D', Path: path})
		in.Outside, in.LeftOut = append(in.Outside, path), append(in.LeftOut, path)
	}
	big := PackageCommit{ID: head, Subject: "big", Body: strings.Repeat("x\n", 1<<20)}
	for range 1000 {
		in.Groups[0].Commits = append(in.Groups[0].Commits, big)
	}
	if n := len(ReviewPackage(in)); n > 2<<20 {
		t.Errorf("%d bytes", n)
	}
}

// TestReviewPackageKeepsItsShape holds that nothing that others wrote becomes a
// heading or an item of the package.
func TestReviewPackageKeepsItsShape(t *testing.T) {
	headings := func(text []byte) int {
		n, fence := 0, ""
		for line := range strings.SplitSeq(string(text), "\n") {
			mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
			switch {
			case fence == "" && len(mark) >= 3:
				fence = mark
			case fence != "" && line == fence:
				fence = ""
			case fence == "" && strings.HasPrefix(line, "#"):
				n++
			}
		}
		return n
	}
	want := headings(ReviewPackage(packageOfTask()))
	rapid.Check(t, func(t *rapid.T) {
		in := packageOfTask()
		text := rapid.StringOf(rapid.SampledFrom([]rune("#`-\n\r ax:\u2028"))).Draw(t, "text")
		in.Groups[0].Commits[0].Body, in.Claims[0].Text = "x"+text, "x"+text
		in.Groups[0].Commits[0].Subject, in.Files[2].Path, in.Outside[1], in.Worktree[0] = text, text+"p", text+"p", text
		in.Patch = append([]byte("diff"), text...)
		in.Gates[1].Tail = "x" + text
		got := ReviewPackage(in)
		if n := headings(got); n != want {
			t.Errorf("%d headings, want %d:\n%s", n, want, got)
		}
		if !bytes.HasSuffix(got, []byte("`\n")) {
			t.Errorf("the last fence is open:\n%s", got)
		}
	})
}

// TestPathsAreTold holds that what cannot be seen in a path is written out.
func TestPathsAreTold(t *testing.T) {
	for path, want := range map[string]string{
		"a b/ü": "a b/ü", "a ": `"a "`, "a\nb": `"a\nb"`, "a\xe9": `"a\xe9"`,
		"a\u202etxt.exe": `"a\u202etxt.exe"`, "a\u200bb": `"a\u200bb"`, "a\u00a0b": `"a\u00a0b"`,
	} {
		got := string(ReviewPackage(PackageInput{Files: []PackageFile{{Status: 'A', Path: path}}}))
		if !strings.Contains(got, "- A "+want+" (+0 -0)\n") {
			t.Errorf("%q: not told as %s in\n%s", path, want, got)
		}
	}
}
