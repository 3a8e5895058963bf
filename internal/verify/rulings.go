package verify

import (
	"errors"
	"slices"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// checkRuling holds a ruling to what a human could rule on there: its words are
// only known to who gave it, its place is not.
func (c *check) checkRuling(n int, was machine.View, doc machine.Document) error {
	switch e := doc.Event.(type) {
	case machine.RulingRecorded:
		var work machine.Work
		if d := was.Dispatch; d != nil && d.Report != nil && judge.RoleOf(was).Works() {
			var err error
			if work, _, err = c.storedWork(n); err != nil {
				return err
			}
		}
		if !judge.MayRule(was, e.Ruling, work) {
			c.res.add(n, "ruling", "%s was ruled in %s, where nothing waits for it", e.Decision, was.Phase)
		}
		c.checkRuledArtifact(n, was, e.Ruling)
		if e.Decision == machine.DecisionLeftoversShelve {
			return c.checkShelved(n, e.Ruling)
		}
	case machine.DispatchRulingRecorded:
		if e.SessionID != "" {
			return c.checkSession(n, string(e.SessionID))
		}
	case machine.DispatchStarted:
		return c.checkSession(n, e.SessionID)
	}
	return nil
}

// checkRuledArtifact: what a ruling stores has the name of its dispatch.
func (c *check) checkRuledArtifact(n int, was machine.View, r machine.Ruling) {
	suffix := map[string]string{machine.DecisionLeftoversShelve: ".shelved.patch", machine.DecisionFixProceed: ".answer.md"}[r.Decision]
	if r.Artifact != "" && string(r.Artifact) != stemOf(was)+suffix {
		c.res.add(n, "ruling", "%s stores %s, which is not in the name of its dispatch", r.Decision, r.Artifact)
	}
}

// checkSession: no reviewer is the session whose work it judges.
func (c *check) checkSession(n int, session string) error {
	v := c.state.View()
	if judge.RoleOf(v).Works() {
		return nil
	}
	workers, err := c.workersBefore(v)
	if err != nil {
		return err
	}
	for _, e := range v.Evidence.Tasks {
		if judge.InFinalLoop(v) || e.Task == v.CurrentTask {
			workers = append(workers, string(e.ImplementerSession))
		}
	}
	if slices.Contains(workers, session) {
		c.res.add(n, "session", "session %q is the %s of its own work", session, v.Dispatch.Role)
	}
	return nil
}

// workersBefore is the session of the worker whose dispatch came before the
// current one, if one did.
func (c *check) workersBefore(v machine.View) ([]string, error) {
	if c.before != nil && c.before.IntentRevision == v.Dispatch.IntentRevision {
		return c.before.sessions, nil
	}
	at, err := ledger.At(c.ctx, c.repo, c.tip, v.Dispatch.IntentRevision-1)
	if err != nil {
		return nil, err
	}
	data, err := ledger.ReadFile(c.repo, at, stateFile)
	if err != nil {
		return nil, err
	}
	state, err := machine.DecodeState(data)
	if err != nil {
		return nil, errors.Join(ledger.ErrCorrupt, err)
	}
	c.rememberWorker(v.Dispatch.IntentRevision, state.View())
	return c.before.sessions, nil
}

// A predecessor is who worked before a dispatch.
type predecessor struct {
	IntentRevision int
	sessions       []string
}

func (c *check) rememberWorker(intent int, was machine.View) {
	c.before = &predecessor{IntentRevision: intent}
	if d := was.Dispatch; d != nil && d.SessionID != "" && judge.RoleOf(was).Works() {
		c.before.sessions = []string{string(d.SessionID)}
	}
}

// checkResolutions: what the reviews pinned RESOLVED becomes fixed, in the words
// of its verdict, with the next event that may carry it; nothing else becomes
// fixed, and an approval settles nothing beside. In the event that ends a run a
// human may have settled a resolved Minor in another way.
func (c *check) checkResolutions(n int, was machine.View, event machine.Event) {
	said := resolutionsOf(event)
	var right bool
	switch event.(type) {
	case machine.FixDispatchIntended, machine.NextFixDispatchIntended, machine.FinalFixDispatchIntended:
		fixed := judge.ResolvedFixes(was)
		right = len(said) >= len(fixed) && slices.Equal(said[:len(fixed)], fixed)
	case machine.ReviewApproved, machine.RereviewApproved:
		right = slices.Equal(said, judge.ResolvedFixes(was))
	case machine.FinalComplete:
		right = judge.MisjudgedFix(was, said) == ""
	default:
		return
	}
	if !right {
		c.res.add(n, "findings", "what %s settles is not what the verdicts give", event.Kind())
	}
}

// resolutionsOf is what an event settles.
func resolutionsOf(event machine.Event) []machine.Resolution {
	switch e := event.(type) {
	case machine.FixDispatchIntended:
		return e.FindingResolutions
	case machine.NextFixDispatchIntended:
		return e.FindingResolutions
	case machine.FinalFixDispatchIntended:
		return e.FindingResolutions
	case machine.ReviewApproved:
		return e.FindingResolutions
	case machine.RereviewApproved:
		return e.FindingResolutions
	case machine.FinalComplete:
		return e.FindingResolutions
	}
	return nil
}
