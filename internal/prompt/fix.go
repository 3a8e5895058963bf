package prompt

import (
	"fmt"
	"strings"
)

// A PriorAttempt is an earlier fix round of the same task.
type PriorAttempt struct {
	Round   int
	Commit  string   // object name of its last commit; "" where it made none
	Changes []string // what its report says it changed
	Outcome []string // per finding, "T1:F-1 STILL_PRESENT: evidence"

	Concerns []string // what it named beside it, "observational: note"
}

// A FixContextInput is what a fixer has to know and cannot remember. Texts of
// children and humans are data; parts that do not exist are empty.
type FixContextInput struct {
	Task       int
	Round      int    // 1 to tier.MaxRounds; 0 in the one wave of the final loop
	Base, Head string // full object names of the range under repair

	Findings  []OpenFinding
	Prior     []PriorAttempt // in the order of their rounds
	Exchanges []Exchange
	Rulings   []string // what a human ruled about this task, one line each

	Scope  []string // paths that belong to the fix beside the findings' locations
	Tests  []string // commands that earlier reports name
	Report string   // the implementer's report; in the final wave the review's
	Diff   []byte   // the scoped diff of Base..Head, as git wrote it

	LeftOut []string // paths whose patches were too large for the diff
}

// FixContext returns the context file of a fixer: the open findings with their
// evidence, every earlier correction and why it failed, questions and answers,
// and the range. Without the earlier corrections a round repeats what failed
// before it (contract: the fix package).
func FixContext(in FixContextInput) []byte {
	var d document
	if in.Round == 0 {
		d.heading(1, "Findings of the final review")
	} else {
		d.heading(1, "Findings of task %d, fix round %d", in.Task, in.Round)
	}
	d.item("base", in.Base)
	d.item("head", in.Head)
	d.line("- range under repair: git diff %s..%s", in.Base, in.Head)

	d.heading(2, "Open findings")
	if len(in.Findings) == 0 {
		d.line("None is open; the rulings and the last review say what is left to do.")
	}
	for _, f := range in.Findings {
		d.finding(f)
	}
	d.prior(in.Prior)
	if len(in.Exchanges) > 0 {
		d.heading(2, "Questions and answers")
		d.exchanges(3, in.Exchanges)
	}
	d.list("Rulings", in.Rulings)
	d.list("Paths that belong to this fix, beside the locations above", in.Scope)
	d.list("Tests named so far", in.Tests)
	d.material("Report that led here (a claim, not evidence)", "text", in.Report)
	d.scopedDiff(in)
	return d.Bytes()
}

// scopedDiff writes what the range holds of the paths that belong to the fix.
func (d *document) scopedDiff(in FixContextInput) {
	if len(in.Diff)+len(in.LeftOut) == 0 {
		return
	}
	d.heading(2, "Diff of the range")
	if len(in.LeftOut) > 0 {
		d.line("Cut: the patches of these files are left out whole. Read them with git diff.")
		d.WriteByte('\n')
		d.paths(in.LeftOut)
		d.WriteByte('\n')
	}
	if len(in.Diff) > 0 {
		d.raw("diff", in.Diff)
	}
}

// prior writes what was tried before. A first round says so, because a missing
// section could also mean that the history was lost.
func (d *document) prior(attempts []PriorAttempt) {
	d.heading(2, "Earlier corrections")
	if len(attempts) == 0 {
		d.line("None: this is the first attempt at these findings.")
		return
	}
	d.line("Each was judged afterwards. Do not apply again what failed.")
	for _, a := range attempts {
		commit := "no commit"
		if a.Commit != "" {
			commit = "commit " + a.Commit
		}
		d.heading(3, "Round %d, %s", a.Round, commit)
		for _, change := range a.Changes {
			d.item("changed", change)
		}
		for _, concern := range a.Concerns {
			d.item("concern", concern)
		}
		for _, outcome := range a.Outcome {
			d.item("outcome", outcome)
		}
	}
}

// list writes a section of one-line items, and nothing where there are none.
func (d *document) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	d.heading(2, "%s", title)
	for _, item := range items {
		fmt.Fprintf(d, "- %s\n", oneLine(item))
	}
}

// material writes a section with a text of others, and nothing where it is blank.
func (d *document) material(title, language, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	d.heading(2, "%s", title)
	d.block(language, text)
}
