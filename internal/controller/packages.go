package controller

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// addPackage composes the review package of a reviewer: every fact that one
// command settles, gathered before the intent is recorded.
func (r *run) addPackage(ctx context.Context, d *dispatch) error {
	if d.role.Works() {
		return nil
	}
	pin, err := r.pinnedSettings()
	if err != nil {
		return err
	}
	told, err := r.chronicle(ctx, d.role)
	if err != nil {
		return err
	}
	within, err := r.reachOf(d.role)
	if err != nil {
		return err
	}
	in := prompt.PackageInput{
		Title: judge.PackageTitle(r.view, d.role), Base: d.base.Commit, Head: d.head.Commit, BaseIs: judge.BaseWords(r.view, d.role), Branch: r.view.Branch,
		NoChange: r.noChange(d), Worktree: observedWords(d.observed), Limit: pin.MaxBytes(),
		Rulings: told.rulings, Observations: told.observations,
	}
	if within.named {
		in.Scope = append([]string{}, within.paths...)
	}
	in.Worktree = append(in.Worktree, d.touched...)
	in.Guards = r.guardLines(d.guards)
	if in.Gates, err = r.gateResults(ctx, d, pin.Gates()); err != nil {
		return err
	}
	if err := r.addCommits(&in, d, told, pin); err != nil {
		return err
	}
	if err := r.addChanges(&in, d, within); err != nil {
		return err
	}
	r.addClaim(&in, d)
	if d.role.IsFinal() {
		in.Ledger = judge.LedgerLines(r.view)
	}
	d.pack = d.step.with(d.stem+".package.md", prompt.ReviewPackage(in))
	return nil
}

// noChange says why an empty range is no mistake; "" where the range is not
// empty.
func (r *run) noChange(d *dispatch) string {
	switch {
	case d.base.Commit != d.head.Commit:
		return ""
	case d.role == tier.Final:
		return "no task of this run changed anything, as was accepted for each"
	case r.ruled(rulingAcceptEmpty):
		return "the range is empty; a human accepted that this work ends without a commit"
	case !d.role.IsFinal() && r.view.Tasks[d.task-1].Audit:
		return "the range is empty; the task is an audit and may end without a commit"
	}
	return "the range is empty; nothing was open but findings that facts made"
}

// refuseEmpty refuses to review nothing where something was reported: work that
// was there is gone.
func (r *run) refuseEmpty(d *dispatch) error {
	if d.role.Works() || d.base.Commit != d.head.Commit {
		return nil
	}
	known, _ := r.lastKnownHead(d.role)
	if known == "" || known == d.head.Commit {
		return nil
	}
	return fault.New(fault.Identity, "git reset --keep "+known+", then git sdd dispatch",
		"the work that was reported ends at %s, and branch %q is back at %s: nothing is left to review", short(known), r.view.Branch, short(d.head.Commit))
}

// observedWords tells what the work tree looked like at the dispatch.
func observedWords(o evidence.Observation) []string {
	const most = 200
	var all []string
	for i, p := range o.Paths {
		if i == most {
			return append(all, fmt.Sprintf("%d more paths are not as the head has them", len(o.Paths)-i))
		}
		kind := "uncommitted"
		if p.Untracked() {
			kind = "untracked"
		}
		all = append(all, fmt.Sprintf("%s: %q", kind, p.Name))
	}
	if len(all) == 0 {
		return []string{"everything is committed"}
	}
	return all
}

// addCommits adds every commit of the range with its message and its maker. In
// the final loop those that touch only what the settings call process, or the
// plan, stand apart.
func (r *run) addCommits(in *prompt.PackageInput, d *dispatch, told chronicle, pin config.Pin) error {
	commits, err := evidence.Commits(r.site, d.base.Commit, d.head.Commit, r.view.BaseRef)
	if err != nil {
		return err
	}
	by := evidence.Authors(commits, told.stretches)
	all := prompt.CommitGroup{Title: "Commits"}
	process := prompt.CommitGroup{Title: "Process commits"}
	for _, c := range commits {
		line := packageCommit(c, by[c.ID])
		if d.role.IsFinal() && len(c.Paths) > 0 && r.onlyProcess(c.Paths, pin.Process()) {
			process.Commits = append(process.Commits, line)
			continue
		}
		all.Commits = append(all.Commits, line)
	}
	in.Groups = []prompt.CommitGroup{all}
	if d.role.IsFinal() {
		all.Title = "Product commits"
		in.Groups = []prompt.CommitGroup{all, process}
	}
	return nil
}

func packageCommit(c evidence.RangeCommit, by string) prompt.PackageCommit {
	others := false
	switch {
	case by != "":
		by = "the " + by
	case c.FromBase:
		by = "the base branch, which has it too"
	default:
		by, others = "somebody else: it came while no child was at work", true
	}
	return prompt.PackageCommit{
		ID: c.ID, Author: c.AuthorName + " <" + c.AuthorEmail + ">", Date: c.AuthorTime.Format(time.RFC3339),
		Subject: c.Subject, Body: c.Body, By: by, Others: others, Files: len(c.Paths),
	}
}

func (r *run) onlyProcess(paths, globs []string) bool {
	for _, p := range paths {
		if p != r.planName() && !config.MatchAny(globs, p) {
			return false
		}
	}
	return true
}

// addChanges adds the files and the diff.
func (r *run) addChanges(in *prompt.PackageInput, d *dispatch, within reach) error {
	diff, err := evidence.Compare(r.site, d.base.Commit, d.head.Commit, evidence.DiffOptions{Limit: in.Limit})
	if err != nil {
		return err
	}
	in.Patch, in.Partial = diff.Patch, diff.Partial
	for _, f := range diff.Files {
		file := packageFile(f)
		file.Within = within.holds(f.New) && within.holds(f.Old)
		if !file.Within {
			in.Outside = append(in.Outside, file.Path)
		}
		if f.LeftOut {
			in.LeftOut = append(in.LeftOut, file.Path)
		}
		in.Files = append(in.Files, file)
	}
	return nil
}

func packageFile(f evidence.FileChange) prompt.PackageFile {
	out := prompt.PackageFile{Status: f.Status, Path: f.New, Added: f.Added, Removed: f.Removed, Binary: f.Binary}
	if f.Old != f.New {
		out.Was = f.Old
	}
	if f.Binary {
		out.Sizes = fmt.Sprintf("%s -> %s bytes", sizeText(f.OldSize), sizeText(f.NewSize))
	}
	out.Mode = modeWords(f.Change)
	return out
}

// modeWords says how the kind of a file changed, "" where it did not.
func modeWords(c git.Change) string {
	if c.OldMode == c.NewMode || c.Status == 'A' || c.Status == 'D' {
		return ""
	}
	return c.OldMode + " -> " + c.NewMode
}

func sizeText(n int64) string {
	if n < 0 {
		return "unknown"
	}
	return fmt.Sprint(n)
}

// addClaim adds what the worker before this review said of its work, and names
// the files of it that the range does not hold.
func (r *run) addClaim(in *prompt.PackageInput, d *dispatch) {
	last := r.view.Dispatch
	if d.role == tier.Final || last == nil || last.Report == nil || !roleNamed(last.Role).Works() {
		return
	}
	data, err := r.file(last.Report.Path)
	if err != nil {
		return // the report was taken; without it the facts stand
	}
	in.Claims = []prompt.Claim{{By: childName(last), Text: string(data)}}
	work, defects := r.rawWork(last.Report.Path)
	if len(defects) > 0 {
		return
	}
	in.Unfound = unfound(work.Changes, in.Files)
}

// unfound names the paths that a report says it changed and the range does not:
// neither a file, nor a folder that holds one.
func unfound(changes []string, files []prompt.PackageFile) []string {
	changed := map[string]bool{}
	for _, f := range files {
		for _, p := range []string{f.Path, f.Was} {
			for ; p != "" && p != "." && !changed[p]; p = path.Dir(p) {
				changed[p] = true
			}
		}
	}
	var all []string
	for _, change := range changes {
		named, _, _ := strings.Cut(change, ": ")
		named = strings.Trim(named, "`")
		if named == "" || strings.ContainsAny(named, " ,") || named == "none" || changed[path.Clean(named)] {
			continue
		}
		all = append(all, strings.TrimPrefix(named, "./"))
	}
	return all
}
