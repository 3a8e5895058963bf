package prompt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A PackageInput is what a review package says: facts that git-sdd gathered
// itself, and beside them what others claim, marked as such. Lists are given
// whole; the package cuts what is too long and says so.
type PackageInput struct {
	Title      string // "task 1", "task 1, re-review of fix round 2", "final review"
	Base, Head string // full object names
	BaseIs     string // what the base is
	Branch     string
	NoChange   string // why an empty range was accepted; "" where the range is not empty

	Gates  []GateResult
	Guards []GuardChange

	Groups   []CommitGroup
	Files    []PackageFile
	Partial  bool     // not every rename was looked for
	Scope    []string // paths that belong to the work; nil where nobody named any
	Outside  []string // changed paths that do not
	Unfound  []string // paths that the report names and the range does not hold
	Worktree []string // what was uncommitted when the package was made, and what moved

	Ledger       []LedgerFinding // every finding, in the final loop
	Rulings      []string
	Observations []Observed
	Claims       []Claim

	Patch   []byte // whole patches of files, as git wrote them
	Limit   int64  // bytes that the patches were allowed
	LeftOut []string
}

// A GateResult is a gate that git-sdd ran on the head.
type GateResult struct {
	Name, Outcome string // outcome: passed, failed or flaky
	Command       []string
	Commit, Tree  string
	Exit          string // "exit 2", or how else it ended
	Seconds       string
	Runs          int
	Output        string   // absolute path of the stored output
	Left          []string // processes that it left behind, one line each
	Tail          string   // the end of the output, where it did not pass at once
	Proof         string   // what is known of how well it tells good from bad
}

// A GuardChange is a file that a gate relies on and the branch changed.
type GuardChange struct {
	Path, Was string // Was: the path at the merge base where it was another
	Gates     string // whose guard it is
	Content   string // object name at the head; zeros where the file is gone
	Mode      string // how the kind of file changed, "100755 -> 100644"
	State     string // what that means for this review
}

// A CommitGroup is some of the commits of the range.
type CommitGroup struct {
	Title   string
	Commits []PackageCommit
}

// A PackageCommit is one commit with its whole message.
type PackageCommit struct {
	ID, Author, Date, Subject, Body string
	By                              string // whose it is, as far as git-sdd saw
	Others                          bool   // it is somebody's who is no child of the run
	Files                           int
}

// A PackageFile is one changed path.
type PackageFile struct {
	Status         byte   // A, D, M, T or R
	Path, Was      string // Was: the path before a rename
	Added, Removed int
	Binary         bool
	Sizes          string // of binary content, "3 -> 7 bytes"
	Mode           string // a changed mode, "100644 -> 100755"
	Within         bool   // the work names this path as its own
}

// A LedgerFinding is one line of the ledger of findings.
type LedgerFinding struct{ ID, Severity, Disposition, Location, Summary string }

// An Observed is something that a child noticed and left alone.
type Observed struct{ By, Text string }

// A Claim is a report of a worker.
type Claim struct{ By, Text string }

// The bounds of a package's lists: beyond them it says how many more there are.
const (
	maxListed  = 2000     // paths of one list
	maxCommits = 500      // commits of one group
	maxMessage = 16 << 10 // bytes of one commit's message
	maxTexts   = 1 << 20  // bytes of all messages together
	maxQuoted  = 8 << 10  // bytes of a gate's tail
)

// ReviewPackage returns the file that a reviewer reads first. Facts lead,
// because a reviewer should spend no turn on what one command settles; claims
// are labelled as what they are.
func ReviewPackage(in PackageInput) []byte {
	var d document
	d.heading(1, "Review package: %s", in.Title)
	d.line("Facts that git-sdd gathered itself. Messages, reports and findings in it are the words of others: claims to test.")
	d.WriteByte('\n')
	d.overview(in)
	d.gates(in)
	d.guards(in.Guards)
	d.groups(in.Groups)
	d.files(in)
	d.pathList("Named in the report and not in the range", in.Unfound)
	d.list("Work tree and refs when this package was made", in.Worktree)
	d.ledger(in.Ledger)
	d.list("Rulings of humans", in.Rulings)
	d.observations(in.Observations)
	for _, c := range in.Claims {
		d.material("Report of the "+c.By+" (a claim, not evidence)", "text", c.Text)
	}
	d.diff(in)
	return d.Bytes()
}

// overview is what one look should tell.
func (d *document) overview(in PackageInput) {
	added, removed, kinds := 0, 0, map[byte]int{}
	for _, f := range in.Files {
		added, removed = added+f.Added, removed+f.Removed
		kinds[f.Status]++
	}
	commits, others := 0, 0
	for _, g := range in.Groups {
		commits += len(g.Commits)
		for _, c := range g.Commits {
			if c.Others {
				others++
			}
		}
	}
	d.span(in)
	if in.NoChange != "" {
		d.item("no change", in.NoChange)
	}
	if others > 0 {
		d.line("- commits: %d, %d of them by somebody else", commits, others)
	} else {
		d.line("- commits: %d", commits)
	}
	d.line("- files: %d (%d added, %d deleted, %d renamed, %d changed), +%d -%d lines",
		len(in.Files), kinds['A'], kinds['D'], kinds['R'], kinds['M']+kinds['T'], added, removed)
	if in.Scope == nil {
		d.line("- no files were named for this work: nothing is outside")
	} else {
		d.line("- outside the named files and the locations of findings: %d", len(in.Outside))
	}
	d.gateEnds(in.Gates)
	if n := len(in.Guards); n > 0 {
		d.line("- changed files that gates rely on: %d", n)
	}
}

// groups writes every commit with its whole message: a reason for a deviation
// often stands nowhere else.
func (d *document) groups(groups []CommitGroup) {
	left := maxTexts
	for _, g := range groups {
		d.heading(2, "%s", g.Title)
		if len(g.Commits) == 0 {
			d.line("None.")
		}
		for i, c := range g.Commits {
			if i == maxCommits {
				d.line("%d more commits are not shown.", len(g.Commits)-i)
				break
			}
			d.commit(c, &left)
		}
	}
}

func (d *document) commit(c PackageCommit, left *int) {
	d.heading(3, "%s %s", c.ID, c.Subject)
	d.item("author", c.Author+", "+c.Date)
	d.item("by", c.By)
	d.line("- files: %d", c.Files)
	body := cutText(c.Body, min(maxMessage, *left))
	*left -= len(body)
	if body != "" {
		d.WriteByte('\n')
		d.block("text", body)
	}
}

// cutText returns at most n bytes of a text, with a word about the rest.
func cutText(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:max(n, 0)] + fmt.Sprintf("\n[%d more bytes are not shown]\n", len(text)-max(n, 0))
}

// ledger writes the ledger of findings, one line each.
func (d *document) ledger(findings []LedgerFinding) {
	if len(findings) == 0 {
		return
	}
	d.heading(2, "Ledger of findings")
	for _, f := range findings {
		d.line("- %s (%s, %s) at %s: %s", f.ID, f.Severity, f.Disposition, f.Location, f.Summary)
	}
}

func (d *document) observations(all []Observed) {
	if len(all) == 0 {
		return
	}
	d.heading(2, "Observations of earlier children")
	for _, o := range all {
		d.line("- %s: %s", o.By, o.Text)
	}
}

// diff writes the patches as git made them, carriage returns and all.
func (d *document) diff(in PackageInput) {
	d.heading(2, "Diff")
	if n := len(in.LeftOut); n > 0 {
		d.line("Cut: the patches of %d of %d files are left out whole, because together they have more than %d bytes. Read them with git diff; they are named below.", n, len(in.Files), in.Limit)
		d.paths(in.LeftOut)
		d.WriteByte('\n')
	}
	if len(in.Patch) == 0 {
		d.line("No patch.")
		return
	}
	d.raw("diff", in.Patch)
}

// pathName is a path as a line can hold it, its blanks as they are. What cannot be
// seen is written out: two paths that look alike are two.
func pathName(path string) string {
	if !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return !strconv.IsPrint(r) }) || strings.TrimSpace(path) != path || strings.HasPrefix(path, `"`) {
		return strconv.Quote(path)
	}
	return path
}

// paths writes one path a line, as many as a list may have.
func (d *document) paths(all []string) {
	names := make([]string, 0, min(len(all), maxListed+1))
	for _, p := range all[:min(len(all), maxListed+1)] {
		names = append(names, pathName(p))
	}
	d.entries(names, len(all))
}

// entries writes items that are safe on a line; all is how many there are.
func (d *document) entries(items []string, all int) {
	for i, item := range items {
		if i == maxListed {
			d.line("- %d more are not listed", all-i)
			return
		}
		fmt.Fprintf(d, "- %s\n", item)
	}
}

// pathList is a section of paths, and nothing where there are none.
func (d *document) pathList(title string, all []string) {
	if len(all) == 0 {
		return
	}
	d.heading(2, "%s", title)
	d.paths(all)
}
