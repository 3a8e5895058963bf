package controller

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/argv"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// GateOptions say which gates run, and on what.
type GateOptions struct {
	Name    string // one gate; "" for all
	Commit  string // any revision; "" for HEAD
	Command string // a command as plans write it, instead of a gate
}

// GateRuns is the answer of `gate run`. Nothing of it is recorded.
type GateRuns struct {
	Schema   string     `json:"schema"`
	Run      *string    `json:"run"` // whose pinned settings the gates are of; null for the settings as they are
	Commit   string     `json:"commit"`
	Gates    []GateSeen `json:"gates"`
	Touched  []string   `json:"touched"` // what changed in the repository meanwhile
	Warnings []string   `json:"warnings"`
}

// GateSeen is what was seen of a gate: what a run would record of it, and the end
// of the output that tells most.
type GateSeen struct {
	machine.GateFact
	Ended        string `json:"ended"`  // how its last run ended, in words
	Why          string `json:"why"`    // why it could not run, else empty
	Repair       string `json:"repair"` // what makes it run, or pass
	Tail         string `json:"tail"`
	OutputSHA256 string `json:"outputSha256"` // of all that this run of it wrote
}

// GateRun runs gates as a dispatch does, and records nothing.
func (c *Controller) GateRun(ctx context.Context, o GateOptions) (*GateRuns, error) {
	h, gates, err := c.gatesMeant(ctx, o)
	if err != nil {
		return nil, err
	}
	defer h.close()
	commit, err := c.gateCommit(o.Commit, "git sdd gate run --commit <commit>")
	if err != nil {
		return nil, err
	}
	for _, g := range gates {
		if err := h.mayRun(g, againOf(g, o)); err != nil {
			return nil, err
		}
	}
	out := &GateRuns{Schema: "git-sdd/gate/1", Run: h.id(), Commit: commit, Gates: []GateSeen{}, Touched: []string{}, Warnings: append([]string{}, c.leftCheckouts()...)}
	if o.Command == "" {
		if out.Warnings, err = c.unguarded(out.Warnings, gates, commit); err != nil {
			return nil, err
		}
	}
	w, err := c.gating(ctx, c.repo, h.run)
	if err != nil {
		return nil, err
	}
	for _, g := range gates {
		res, touched, err := w.run(g, commit)
		if err != nil {
			return nil, err
		}
		out.Gates = append(out.Gates, h.seen(res, againOf(g, o)))
		if len(touched) > 0 {
			out.Touched = append(out.Touched, touchedLine(g, touched))
		}
		out.Warnings = append(out.Warnings, leftLines(res)...)
	}
	return out, nil
}

// adHoc is the name of a command that is no gate.
const adHoc = "command"

// gatesMeant returns the gates that are to run. An ad hoc command is typed by who
// runs it: no settings count, and no trust is asked for.
func (c *Controller) gatesMeant(ctx context.Context, o GateOptions) (h gateHouse, gates []config.Gate, err error) {
	if o.Command == "" {
		if h, err = c.gateHouse(ctx); err != nil {
			return h, nil, err
		}
		if gates, err = h.named(o.Name); err != nil {
			h.close()
		}
		return h, gates, err
	}
	words, err := argv.Parse(o.Command)
	var refused *argv.RefusedError
	if errors.As(err, &refused) {
		repair := "write one command of plain and quoted words"
		if refused.Repair != "" {
			repair = "git sdd gate run --command " + shellWord(refused.Repair)
		}
		return h, nil, fault.New(fault.Invalid, repair, "%q: %w", o.Command, refused).WithCode("needs-shell")
	}
	return gateHouse{c: c}, []config.Gate{{Name: adHoc, Command: words, TimeoutMS: adHocLimit.Milliseconds(), Layer: config.Clone}}, err
}

// adHocLimit is how long an ad hoc command may take, as a gate's timeout is where
// the settings name none.
const adHocLimit = 10 * time.Minute

func againOf(g config.Gate, o GateOptions) string {
	if o.Command != "" {
		return "git sdd gate run --command " + shellWord(o.Command)
	}
	return "git sdd gate run " + g.Name
}

// gateCommit resolves what the gates are to run on.
func (c *Controller) gateCommit(name, repair string) (string, error) {
	spec := name
	if spec == "" {
		spec = "HEAD"
	}
	if !strings.HasPrefix(spec, "-") {
		id, err := c.repo.Commit(spec)
		switch {
		case err == nil:
			return id, nil
		case name == "" && errors.Is(err, git.ErrMissing):
			return "", fault.New(fault.Invalid, "git commit, then "+strings.TrimSuffix(repair, " --commit <commit>"), "HEAD has no commit yet")
		case !errors.Is(err, git.ErrMissing) && !errors.Is(err, git.ErrBadName) && !errors.Is(err, git.ErrAmbiguous):
			return "", err
		}
	}
	return "", fault.New(fault.Invalid, repair, "%q names no commit that is here", name)
}

// seen is what is told of one gate.
func (h gateHouse) seen(res evidence.GateResult, again string) GateSeen {
	told := res.Telling()
	out := GateSeen{GateFact: gateFact(res, nil), Ended: res.Ended(), Why: oneLine(res.Why), Tail: string(told.Tail), OutputSHA256: told.SHA256}
	switch res.Outcome {
	case evidence.GateError:
		base := ""
		if h.run != nil {
			base = h.run.view.MergeBase
		}
		out.Repair = h.c.runnable(res, base, again)
	case evidence.GateFailed:
		out.Repair = "correct what its output shows, then " + again
	}
	return out
}

// Fault is the refusal that the answer stands for, or nil where every gate passed.
// One that could not run comes first: it says nothing of the commit.
func (o *GateRuns) Fault() *fault.Error {
	var failed, broken []GateSeen
	for _, g := range o.Gates {
		switch g.Outcome {
		case evidence.GateError:
			broken = append(broken, g)
		case evidence.GateFailed:
			failed = append(failed, g)
		}
	}
	switch {
	case len(broken) > 0:
		g := broken[0]
		return fault.New(fault.Refused, g.Repair, "gate %q could not run on %s: %s", g.Name, short(o.Commit), g.Why)
	case len(failed) == 1:
		return fault.New(fault.Refused, failed[0].Repair, "gate %q failed on %s: %s", failed[0].Name, short(o.Commit), failed[0].Ended)
	case len(failed) > 1:
		var names []string
		for _, g := range failed {
			names = append(names, g.Name)
		}
		return fault.New(fault.Refused, "correct what their outputs show, then git sdd gate run", "%d gates failed on %s: %s", len(failed), short(o.Commit), strings.Join(names, ", "))
	}
	return nil
}
