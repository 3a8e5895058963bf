package verify

import (
	"errors"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// checkReport reads the stored report again, and compares what was recorded of
// it with what it says.
func (c *check) checkReport(n int, before machine.State, doc machine.Document) error {
	v := c.state.View()
	switch e := doc.Event.(type) {
	case machine.ImplementerStatusRecorded:
		return c.checkStatus(n, e.Work)
	case machine.FixerFinished:
		return c.checkWork(n, e.Work)
	case machine.FinalFixerFinished:
		return c.checkWork(n, e.Work)
	}
	recorded, ok := judge.Recorded(doc.Event)
	if !ok {
		return nil
	}
	if v.Dispatch.Report == nil {
		return nil
	}
	data, err := c.tree.file(v.Dispatch.Report.Path)
	if errors.Is(err, ledger.ErrNoFile) {
		return nil // told already
	}
	if err != nil {
		return err
	}
	return c.compareReview(n, before.View(), recorded, data)
}

func (c *check) compareReview(n int, was machine.View, recorded machine.Review, data []byte) error {
	role, err := tier.ParseRole(was.Dispatch.Role)
	if err != nil {
		return nil
	}
	ctx := judge.Context(was, role)
	// What only Git knows was asked when the report was taken, and the code may
	// be gone by now; what a report says does not depend on it.
	anything := func(string) bool { return true }
	ctx.FileExists, ctx.InRange = anything, anything
	said, defects := report.ParseReview(data, ctx)
	if len(defects) > 0 {
		c.res.add(n, "report", "the stored report does not parse: line %d: %s", defects[0].Line, defects[0].Message)
		return nil
	}
	want := judge.Review(said, recorded.ReportPath)
	if got := withoutControlled(recorded); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		c.res.add(n, "report", "what is recorded of the review is not what its report says")
	}
	return c.checkControlled(n, was, recorded)
}

// withoutControlled leaves out what only facts decide.
func withoutControlled(r machine.Review) machine.Review {
	out := r
	out.Verdicts, out.Findings = []machine.Verdict{}, []machine.Finding{}
	for _, v := range r.Verdicts {
		if !judge.Controlled(v.ID) {
			out.Verdicts = append(out.Verdicts, v)
		}
	}
	for _, f := range r.Findings {
		if !judge.Controlled(f.ID) {
			out.Findings = append(out.Findings, f)
		}
	}
	return out
}

// parsedWork reads the worker's report of the current dispatch again.
func (c *check) parsedWork(n int) (*report.Work, bool, error) {
	v := c.state.View()
	data, err := c.tree.file(v.Dispatch.Report.Path)
	if errors.Is(err, ledger.ErrNoFile) {
		return nil, false, nil // told already
	}
	if err != nil {
		return nil, false, err
	}
	work, defects := report.ParseWork(data, report.WorkContext{AllowEmpty: true, Prompt: v.Dispatch.Prompt.SHA256})
	if len(defects) > 0 {
		c.res.add(n, "report", "the stored report does not parse: line %d: %s", defects[0].Line, defects[0].Message)
		return nil, false, nil
	}
	return work, true, nil
}

func (c *check) storedWork(n int) (machine.Work, bool, error) {
	work, ok, err := c.parsedWork(n)
	if err != nil || !ok {
		return machine.Work{}, false, err
	}
	return judge.Work(work), true, nil
}

func (c *check) checkWork(n int, recorded machine.Work) error {
	said, ok, err := c.storedWork(n)
	if err == nil && ok && fmt.Sprintf("%+v", said) != fmt.Sprintf("%+v", recorded) {
		c.res.add(n, "report", "what is recorded of the work is not what its report says")
	}
	return err
}

// checkStatus: a human may rule on a BLOCKED, and then gives the reason.
func (c *check) checkStatus(n int, recorded machine.Work) error {
	said, ok, err := c.storedWork(n)
	if err != nil || !ok {
		return err
	}
	if said.Status == machine.StatusBlocked && (recorded.Status == machine.StatusBlocked || recorded.Status == machine.StatusNeedsContext) {
		return nil
	}
	if fmt.Sprintf("%+v", said) != fmt.Sprintf("%+v", recorded) {
		c.res.add(n, "report", "the recorded status is not what the report says")
	}
	return nil
}
