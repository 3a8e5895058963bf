package verify

import (
	"bytes"
	"errors"
	"strings"

	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// checkFacts holds facts to everything that follows from elsewhere: the state
// before, the intent, the observation. What is left are names that only who
// recorded them could know, such as a session's.
func (c *check) checkFacts(n int, was machine.View, doc machine.Document) error {
	tell := func(format string, args ...any) { c.res.add(n, "facts", format, args...) }
	switch f := doc.Facts.(type) {
	case machine.CapabilityFacts:
		if f.Ladder != "external" && f.Ladder != "configured" {
			tell("the ladder is %q, neither external nor configured", f.Ladder)
		}
	case machine.PreflightFacts:
		c.checkPreflight(tell, doc.Event, f)
	case machine.IntentFacts:
		c.intent = nil
		if f.Base != nil && f.Head != nil {
			c.intent = &f
		}
		return c.checkIntentFacts(n, tell, was, f)
	case machine.StartedFacts:
		return c.checkModel(tell, was, f)
	case machine.FinishedFacts:
		return c.checkFinished(n, tell, was, doc.Event, f)
	case machine.ProofFacts:
		return c.checkProof(n, doc.Event, *f.Proof)
	case nil:
		if gathered[doc.Event.Kind()] {
			c.res.add(n, "unattested", "%s has no facts", doc.Event.Kind())
		}
	}
	return nil
}

// gathered are the kinds that only a command records which gathers facts, beside
// intents and results (interfaces: the loop, record).
var gathered = map[machine.Kind]bool{
	machine.KindCapabilityConfirmed: true,
	machine.KindPreflightClean:      true,
	machine.KindDispatchStarted:     true,
}

func (c *check) checkPreflight(tell func(string, ...any), event machine.Event, f machine.PreflightFacts) {
	switch e := event.(type) {
	case machine.PreflightClean:
		if len(f.Reasons) > 0 {
			tell("the preflight is clean, and its facts give %d reasons against it", len(f.Reasons))
		}
	case machine.PreflightConflict:
		if e.Reason != judge.OneReason(f.Reasons) {
			tell("the reason of the conflict is not what its facts give")
		}
	}
}

// checkModel: a child that was seen on another model than the dispatch is for is
// never recorded as started. The intent says which that is; an earlier child of a
// reissued dispatch does not.
func (c *check) checkModel(tell func(string, ...any), was machine.View, f machine.StartedFacts) error {
	intent, err := c.intentOf(was)
	if err != nil || intent == nil {
		return err
	}
	for _, m := range []struct{ what, seen, want string }{
		{"model", string(f.Model), string(intent.Model)},
		{"thinking", string(f.Thinking), string(intent.Thinking)},
	} {
		if m.seen != "" && m.want != "" && m.seen != m.want {
			tell("the %s is %q, the dispatch is for %q", m.what, m.seen, m.want)
		}
	}
	return nil
}

// checkIntentFacts holds the range to the rule of the role, and the observation
// to the branch and head that are stated.
func (c *check) checkIntentFacts(n int, tell func(string, ...any), was machine.View, f machine.IntentFacts) error {
	v := c.state.View()
	role, err := tier.ParseRole(v.Dispatch.Role)
	if err != nil || f.Base == nil || f.Head == nil || f.Observed == nil {
		return nil // told already
	}
	if want := judge.Base(was, role, f.Head.Commit); f.Base.Commit != want {
		tell("the range of the %s begins at %s, not at %s", role, want, f.Base.Commit)
	}
	if f.Branch != v.Branch {
		tell("the dispatch is of branch %q, the run of %q", f.Branch, v.Branch)
	}
	if err := c.checkGates(n, f.Gates, f.Head); err != nil {
		return err
	}
	data, err := c.tree.file(f.Observed.Path)
	if errors.Is(err, ledger.ErrNoFile) {
		return nil // told already
	}
	if err != nil {
		return err
	}
	seen, err := evidence.Decode(data)
	switch {
	case err != nil:
		tell("%s: %v", f.Observed.Path, err)
	case !bytes.Equal(seen.Encode(), data):
		tell("%s is not in the form in which it is written", f.Observed.Path)
	case seen.Head != f.Head.Commit || seen.Branch != f.Branch:
		tell("%s was taken at %s of branch %q, the dispatch states %s of %q", f.Observed.Path, seen.Head, seen.Branch, f.Head.Commit, f.Branch)
	}
	return nil
}

// checkFinished holds a result to the intent that it ends, and the claim of a
// worker to the range.
func (c *check) checkFinished(n int, tell func(string, ...any), was machine.View, event machine.Event, f machine.FinishedFacts) error {
	if f.Base == nil || f.Head == nil || f.Report == nil {
		return nil // told already
	}
	role, err := tier.ParseRole(was.Dispatch.Role)
	if err != nil {
		return nil
	}
	if f.Branch != was.Branch {
		tell("the result is of branch %q, the run of %q", f.Branch, was.Branch)
	}
	if want := stemOf(was) + ".report.md"; f.Report.Path != want {
		tell("the report is %s, it must be %s", f.Report.Path, want)
	}
	if path := reportPath(event); path != was.Dispatch.ReportPath {
		tell("the report came from %q, the dispatch names %q", path, was.Dispatch.ReportPath)
	}
	c.attested.patch(n, *f.Base, *f.Head, string(f.PatchID))
	if len(f.Gates) > 0 {
		tell("a result states gates, which run at the dispatch of a review")
	}
	if role.Works() {
		if want := judge.WorkBase(was); f.Base.Commit != want {
			tell("the work begins at %s, not at %s", want, f.Base.Commit)
		}
		return c.checkClaim(n, tell, was, f)
	}
	intent, err := c.intentOf(was)
	if err != nil || intent == nil {
		return err
	}
	if *f.Base != *intent.Base || *f.Head != *intent.Head {
		tell("the review judged %s..%s, its dispatch is for %s..%s", f.Base.Commit, f.Head.Commit, intent.Base.Commit, intent.Head.Commit)
	}
	return nil
}

// stemOf is what the names of the current dispatch's artifacts begin with.
func stemOf(v machine.View) string { return strings.TrimSuffix(v.Dispatch.Prompt.Path, ".prompt.md") }

func reportPath(event machine.Event) string {
	switch e := event.(type) {
	case machine.ImplementerFinished:
		return e.ReportPath
	case machine.FixerFinished:
		return e.ReportPath
	case machine.FinalFixerFinished:
		return e.ReportPath
	}
	review, _ := judge.Recorded(event)
	return review.ReportPath
}

// checkClaim: a report of DONE shows a commit, and the one that it names is in
// the range.
func (c *check) checkClaim(n int, tell func(string, ...any), was machine.View, f machine.FinishedFacts) error {
	work, ok, err := c.parsedWork(n)
	if err != nil || !ok || work.Status != machine.StatusDone && work.Status != machine.StatusDoneWithConcerns {
		return err
	}
	if f.Head.Commit == judge.LastJudged(was) && !judge.MayBeEmpty(was) {
		tell("the report says %s, and there is no commit since %s", work.Status, f.Head.Commit)
	}
	if work.Commit != "" {
		c.attested.claims = append(c.attested.claims, claim{n, work.Commit, f.Base.Commit, f.Head.Commit})
	}
	return nil
}

// intentOf returns the facts of the intent that a result ends. A walk that began
// after it reads them from there.
func (c *check) intentOf(was machine.View) (*machine.IntentFacts, error) {
	if c.intent != nil {
		return c.intent, nil
	}
	at, err := ledger.At(c.ctx, c.repo, c.tip, was.Dispatch.IntentRevision)
	if err != nil {
		return nil, err
	}
	data, err := ledger.ReadFile(c.repo, at, eventFile)
	if err != nil {
		return nil, err
	}
	doc, err := machine.DecodeEvent(data, nil)
	if err != nil {
		return nil, err
	}
	if f, ok := doc.Facts.(machine.IntentFacts); ok && f.Base != nil && f.Head != nil {
		c.intent = &f
	}
	return c.intent, nil
}
