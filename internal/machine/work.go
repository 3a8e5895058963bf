package machine

import (
	"errors"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// maxContext is how often an implementer may be given more context.
const maxContext = 2

// finish pins the report of the current dispatch.
func (t *turn) finish(reportPath string, status Opt) error {
	t.foldReport(status)
	return first(checkBeneath("reportPath", reportPath, t.view.RunRoot))
}

func (t *turn) implementerFinished(e ImplementerFinished) error {
	if err := t.finish(e.ReportPath, ""); err != nil {
		return err
	}
	t.foldWork()
	return nil
}

// implementerStatus pins a status that lets the review follow, or goes where a
// human or more context is needed.
func (t *turn) implementerStatus(e ImplementerStatusRecorded) (Phase, error) {
	if err := checkWork(e.Work); err != nil {
		return noPhase, err
	}
	t.view.StatusPinned = Opt(e.Status)
	t.view.Dispatch.Report.Status = Opt(e.Status)
	switch {
	case e.Status == StatusBlocked:
		return TaskBlocked, t.end(string(e.Reason))
	case e.Status == StatusNeedsContext:
		return ContextRequired, nil
	case hasHardConcern(e.Concerns):
		return ConcernDecisionRequired, nil
	}
	return ImplementResult, nil
}

// hasHardConcern reports whether a human must rule on one of the concerns.
func hasHardConcern(concerns []Concern) bool {
	for _, c := range concerns {
		if c.Kind != Observational {
			return true
		}
	}
	return false
}

// checkWork holds what an implementer or a fixer says of its own work against
// the payload rules.
func checkWork(w Work) error {
	if err := first(statuses.check("status", w.Status), ifPresent(CheckText, "reason", w.Reason)); err != nil {
		return err
	}
	for i, c := range w.Concerns {
		if err := first(concernKinds.check("concern kind", c.Kind), CheckText(fmt.Sprintf("note of concern %d", i+1), c.Note)); err != nil {
			return err
		}
	}
	switch concerned := w.Status == StatusDoneWithConcerns; {
	case concerned && len(w.Concerns) == 0:
		return errors.New("DONE_WITH_CONCERNS names no concern")
	case !concerned && len(w.Concerns) > 0:
		return fmt.Errorf("%s comes with a concern, only DONE_WITH_CONCERNS does", w.Status)
	case w.Reason == "" && (w.Status == StatusBlocked || w.Status == StatusNeedsContext):
		return fmt.Errorf("%s gives no reason", w.Status)
	}
	return nil
}

func (t *turn) contextIntended(e ContextDispatchIntended) error {
	if t.view.ContextAttempts >= maxContext {
		return fmt.Errorf("the task had its %d context attempts", maxContext)
	}
	t.view.ContextAttempts++
	t.view.StatusPinned = ""
	return t.intend(tier.Implementer, e.Intent)
}

func (t *turn) contextLimit(e ContextLimitReached) error {
	if n := t.view.ContextAttempts; n < maxContext {
		return fmt.Errorf("the task had %d of its %d context attempts", n, maxContext)
	}
	return t.end(e.Reason)
}

func (t *turn) concernRuling(e ConcernRulingRecorded) (Phase, error) {
	if err := CheckText("reason", e.Reason); err != nil {
		return noPhase, err
	}
	switch e.Decision {
	case "proceed":
		return ImplementResult, nil
	case "block":
		return TaskBlocked, t.end(e.Reason)
	}
	return noPhase, tokens{"proceed", "block"}.check("decision", e.Decision)
}

// fixerFinished pins a fixer's report; what follows from it is decided
// afterwards.
func (t *turn) fixerFinished(reportPath string, w Work) error {
	if err := first(t.unpinned(), checkWork(w), t.finish(reportPath, Opt(w.Status))); err != nil {
		return err
	}
	t.foldWork()
	return nil
}
