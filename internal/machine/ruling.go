package machine

import (
	"errors"
	"fmt"
	"strings"
)

// The decisions of ruling-recorded.
const (
	DecisionAcceptEmpty     = "accept-empty"
	DecisionFixProceed      = "fix-proceed"
	DecisionLeftoversKeep   = "leftovers-keep"
	DecisionLeftoversShelve = "leftovers-shelve"
	DecisionContracts       = "contracts"
	DecisionWiden           = "widen"
	DecisionGuardOK         = "guard-ok"
)

// need says whether a decision takes a member of the ruling.
type need uint8

const (
	never need = iota
	may
	must
)

// rulingNeeds is what one decision takes.
type rulingNeeds struct {
	decision                            string
	key, finding, paths, blob, artifact need
}

// rulings is what each decision takes. Contracts is about no dispatch; its blob
// is the SHA-256 of the contracts that are used from then on. A guard-ok names
// one path with the object name of the content that is accepted, all zeros for a
// path that is gone, or the finding about it, or both.
var rulings = []rulingNeeds{
	{decision: DecisionAcceptEmpty, key: must},
	{decision: DecisionFixProceed, key: must, artifact: may},
	{decision: DecisionLeftoversKeep, key: must, paths: may},
	{decision: DecisionLeftoversShelve, key: must, paths: may, blob: may, artifact: must},
	{decision: DecisionContracts, blob: must},
	{decision: DecisionWiden, key: must, paths: must},
	{decision: DecisionGuardOK, key: must, finding: may, paths: may, blob: may},
}

func needsOf(decision string) (rulingNeeds, error) {
	var names tokens
	for _, n := range rulings {
		if n.decision == decision {
			return n, nil
		}
		names = append(names, n.decision)
	}
	return rulingNeeds{}, names.check("decision", decision)
}

func (n rulingNeeds) check(r Ruling) error {
	return first(
		n.key.check(n.decision, "dispatchKey", r.DispatchKey != ""),
		n.finding.check(n.decision, "finding", r.Finding != ""),
		n.paths.check(n.decision, "paths", len(r.Paths) > 0),
		n.blob.check(n.decision, "blob", r.Blob != ""),
		n.artifact.check(n.decision, "artifact", r.Artifact != ""),
	)
}

func (n need) check(decision, member string, given bool) error {
	switch {
	case n == must && !given:
		return fmt.Errorf("%s needs %s", decision, member)
	case n == never && given:
		return fmt.Errorf("%s takes no %s", decision, member)
	}
	return nil
}

// ruling records a decision of a human that changes no phase.
func (t *turn) ruling(e RulingRecorded) error {
	if len(t.view.Rulings) == MaxRulings {
		return fmt.Errorf("the run has %d rulings, no more are recorded", MaxRulings)
	}
	needs, err := needsOf(e.Decision)
	if err != nil {
		return err
	}
	if err := first(CheckText("reason", e.Reason), needs.check(e.Ruling), t.view.checkRuling(e.Ruling)); err != nil {
		return err
	}
	t.view.Rulings = append(t.view.Rulings, StoredRuling{
		Revision: t.view.Revision, Decision: e.Decision, DispatchKey: e.DispatchKey,
		Finding: e.Finding, Paths: append([]string{}, e.Paths...), Blob: e.Blob,
	})
	return nil
}

func (v *View) checkRuling(r Ruling) error {
	if r.DispatchKey != "" && (v.Dispatch == nil || v.Dispatch.DispatchKey != string(r.DispatchKey)) {
		return fmt.Errorf("dispatchKey %q is not that of the current dispatch", clip(string(r.DispatchKey)))
	}
	if r.Finding != "" && v.finding(string(r.Finding)) == nil {
		return fmt.Errorf("the run has no finding %q", clip(string(r.Finding)))
	}
	if r.Artifact != "" && !strings.HasPrefix(string(r.Artifact), "artifacts/") {
		return fmt.Errorf("artifact %q does not lie beneath artifacts/", clip(string(r.Artifact)))
	}
	return first(checkRulingForms(r.Decision, r.Finding, r.Paths, r.Blob), ifPresent(checkTreePath, "artifact", r.Artifact))
}

// checkRulingForms holds what a ruling keeps in the state against its forms.
func checkRulingForms(decision string, finding Opt, paths []string, blob Opt) error {
	for i, p := range paths {
		if err := checkTreePath(fmt.Sprintf("path %d", i+1), p); err != nil {
			return err
		}
	}
	switch {
	case decision == DecisionContracts:
		return checkDigest("blob", string(blob))
	case decision == DecisionGuardOK && len(paths) > 1:
		return errors.New("guard-ok takes one path, because it names one content")
	case decision == DecisionGuardOK && len(paths) == 0 && finding == "":
		return errors.New("guard-ok names a path or a finding")
	case decision == DecisionGuardOK && len(paths) == 1 && blob == "":
		return errors.New("guard-ok of a path names its content as blob")
	}
	return ifPresent(checkObject, "blob", blob)
}

func (t *turn) recoveryRuling(e RecoveryRulingRecorded) error {
	t.view.RecoveryRulings++
	return first(CheckText("reason", e.Reason), CheckText("receipt", e.Receipt))
}

// relocated moves the run: what the run root and the old worktree held is
// looked for beneath the new ones. Keys and bytes stay.
func (t *turn) relocated(e RunRelocated) error {
	v := &t.view
	err := first(
		checkPath("worktree", e.Worktree), checkPath("repoRoot", e.RepoRoot), checkPath("runRoot", e.RunRoot),
		CheckText("reason", e.Reason), CheckText("receipt", e.Receipt),
	)
	if err != nil {
		return err
	}
	v.PlanPath = moved(v.PlanPath, v.Worktree, e.Worktree)
	paths := v.runPaths()
	for _, p := range paths {
		*p = moved(*p, v.RunRoot, e.RunRoot)
		err = first(err, checkPath("a path beneath the new run root", *p))
	}
	v.Worktree, v.RepoRoot, v.RunRoot = e.Worktree, e.RepoRoot, e.RunRoot
	return first(err, checkPath("planPath", v.PlanPath))
}

// runPaths returns every path of the view that lies beneath the run root.
func (v *View) runPaths() []*string {
	var paths []*string
	if d := v.Dispatch; d != nil {
		paths = append(paths, &d.PromptPath, &d.ReportPath, &d.BriefPath)
	}
	if o := v.ReviewOutcome; o != nil {
		paths = append(paths, &o.ReportPath)
	}
	return paths
}
