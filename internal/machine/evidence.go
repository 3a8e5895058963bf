package machine

import "github.com/git-sdd/git-sdd/internal/tier"

// factsAs returns the facts of a turn in their own type, empty where there are
// none.
func factsAs[F Facts](t *turn) F {
	f, _ := t.facts.(F)
	return f
}

// foldIntent carries the facts of an intent into the dispatch, and opens the
// evidence of a task with its first implementer, of the run with its final
// review. What facts say is not judged.
func (t *turn) foldIntent(role tier.Role) {
	facts := factsAs[IntentFacts](t)
	t.view.Dispatch.Model, t.view.Dispatch.Thinking = facts.Model, facts.Thinking
	if t.view.work() != nil {
		return
	}
	work := WorkEvidence{Base: facts.Base.clone(), Reviews: []ReviewEvidence{}}
	if role.IsFinal() {
		t.view.Evidence.Final = &work
		return
	}
	t.view.Evidence.Tasks = append(t.view.Evidence.Tasks, TaskEvidence{Task: t.view.CurrentTask, WorkEvidence: work})
}

// work returns the evidence that the current dispatch adds to, or nil where
// none was opened.
func (v *View) work() *WorkEvidence {
	if v.scope() == finalScope {
		return v.Evidence.Final
	}
	if n := len(v.Evidence.Tasks); n > 0 && v.Evidence.Tasks[n-1].Task == v.CurrentTask {
		return &v.Evidence.Tasks[n-1].WorkEvidence
	}
	return nil
}

// foldStarted records the model that the child was started with, where that is
// known.
func (t *turn) foldStarted() {
	facts := factsAs[StartedFacts](t)
	if facts.Model != "" {
		t.view.Dispatch.Model = facts.Model
	}
	if facts.Thinking != "" {
		t.view.Dispatch.Thinking = facts.Thinking
	}
}

// foldReport pins the report of the current dispatch at its place in the tree.
func (t *turn) foldReport(status Opt) {
	d := t.view.Dispatch
	d.Report = &PinnedReport{Path: d.stem() + reportSuffix, Status: status}
	if ref := factsAs[FinishedFacts](t).Report; ref != nil {
		size := ref.Bytes
		d.Report.Bytes, d.Report.SHA256 = &size, Opt(ref.SHA256)
	}
}

// stem returns what the artifacts of the dispatch begin with.
func (d *Dispatch) stem() string {
	role, _ := tier.ParseRole(d.Role)
	return ArtifactStem(d.Task, role, d.Attempt, d.round())
}

func (d *Dispatch) round() int {
	if d.Round == nil {
		return 0
	}
	return *d.Round
}

// foldWork records where an implementer or a fixer left the branch. A fixer does
// not take the implementer's place: the session that no reviewer may be is that
// of who did the task.
func (t *turn) foldWork() {
	facts := factsAs[FinishedFacts](t)
	work := t.view.work()
	work.Head, work.PatchID = facts.Head.clone(), facts.PatchID
	if t.view.Dispatch.Role != tier.Fixer.String() {
		work.ImplementerSession = t.view.Dispatch.SessionID
	}
}

// foldReview adds a review with the range that it judged. A review of the whole
// work also says where the work ends, should that have moved since.
func (t *turn) foldReview(r Review) {
	facts := factsAs[FinishedFacts](t)
	d, work := t.view.Dispatch, t.view.work()
	review := ReviewEvidence{
		Revision: t.view.Revision, Role: d.Role,
		Base: facts.Base.clone(), Head: facts.Head.clone(), PatchID: facts.PatchID,
		Spec: r.SpecStatus, Quality: r.QualityStatus,
	}
	if d.Role == tier.ReReviewer.String() {
		round := t.view.FixRound
		review.Round = &round
	}
	work.Reviews = append(work.Reviews, review)
	whole := d.Role == tier.TaskReviewer.String() || d.Role == tier.Final.String()
	if whole && facts.Head != nil && (work.Head == nil || work.Head.Commit != facts.Head.Commit) {
		work.Head, work.PatchID = facts.Head.clone(), facts.PatchID
	}
}
