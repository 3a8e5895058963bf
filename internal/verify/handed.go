package verify

import (
	"bytes"
	"errors"
	"strings"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// checkHanded makes again what a child was handed: the outcome that is expected
// of it, its prompt with the role contract, and the bootstrap. A prompt is made
// of words that may differ between programs, and the digest of the contracts says
// whether they do: under other contracts than this program's only the references
// hold, and that is noted.
func (c *check) checkHanded(n int, was machine.View, role tier.Role, doc machine.Document) error {
	f, ok := doc.Facts.(machine.IntentFacts)
	if !ok || f.Base == nil || f.Head == nil || f.Brief == nil {
		return nil // told already
	}
	if !ownContracts(was) {
		c.otherContracts++
		return nil
	}
	v := c.state.View()
	if want := judge.ExpectedOutcome(was, role); v.Dispatch.ExpectedOutcome != want {
		c.res.add(n, "prompt", "the expected outcome is %q, it must be %q", v.Dispatch.ExpectedOutcome, want)
	}
	stored, err := c.tree.file(v.Dispatch.Prompt.Path)
	if errors.Is(err, ledger.ErrNoFile) {
		return nil // told already
	}
	if err != nil {
		return err
	}
	if err := c.checkBootstrap(n, v, stored); err != nil {
		return err
	}
	if err := c.checkGiven(n, was, role, f); err != nil {
		return err
	}
	h, err := c.handed(n, was, role, doc, f)
	if err != nil {
		return err
	}
	for _, channel := range [][]string{nil, {judge.OnOutput}} {
		h.Channel = channel
		made, err := prompt.Render(role, tierOf(v), judge.PromptContext(was, h))
		if err == nil && bytes.Equal(made, stored) {
			return nil
		}
	}
	c.res.add(n, "prompt", "%s is not the prompt that contracts, plan, state and rulings give", v.Dispatch.Prompt.Path)
	return nil
}

// ownContracts reports whether the prompts of a run at this point were made under
// the contracts of this very program, and no others.
func ownContracts(v machine.View) bool {
	own := prompt.ContractsDigest()
	if v.Tool == nil || v.Tool.Contracts != own {
		return false
	}
	for _, r := range v.Rulings {
		if r.Decision == machine.DecisionContracts && string(r.Blob) != own {
			return false
		}
	}
	return true
}

// tierOf is the tier of the current dispatch, which the state's own check knows.
func tierOf(v machine.View) tier.Tier {
	t, _ := tier.Parse(v.Dispatch.Tier)
	return t
}

func (c *check) checkBootstrap(n int, v machine.View, stored []byte) error {
	if v.Dispatch.Bootstrap == nil {
		return nil // told already
	}
	data, err := c.tree.file(v.Dispatch.Bootstrap.Path)
	if errors.Is(err, ledger.ErrNoFile) {
		return nil // told already
	}
	if err != nil {
		return err
	}
	want := prompt.Bootstrap(prompt.BootstrapInput{
		Tier: tierOf(v), PromptPath: v.Dispatch.PromptPath, PromptSHA256: digest(stored), PromptBytes: len(stored),
		PromptBlob: c.repo.BlobID(stored), ReportPath: v.Dispatch.ReportPath,
	})
	if string(data) != want {
		c.res.add(n, "prompt", "%s is not the bootstrap of its prompt", v.Dispatch.Bootstrap.Path)
	}
	return nil
}

// handed is what the dispatch gave its child, from the state before it and what
// the ledger holds.
func (c *check) handed(n int, was machine.View, role tier.Role, doc machine.Document, f machine.IntentFacts) (judge.Handed, error) {
	d := c.state.View().Dispatch
	h := judge.Handed{
		Role: role, Base: f.Base.Commit, Head: f.Head.Commit, Brief: d.BriefPath, Report: d.ReportPath,
		Resolved: resolutionsOf(doc.Event),
	}
	for _, p := range []struct {
		ref  *machine.BlobRef
		path *string
	}{{f.Package, &h.Package}, {f.Context, &h.Context}} {
		if p.ref != nil {
			*p.path = placeOf(was, p.ref.Path)
		}
	}
	if path := c.lastAnswers(was); path != "" {
		h.Answers = placeOf(was, path)
	}
	events, err := c.told(n, judge.ScopeBegin(was, role))
	h.Rulings = judge.Rulings(events)
	return h, err
}

// placeOf is where an artifact stands in the run's folder, in the form of the
// system that the run is on.
func placeOf(v machine.View, artifact string) string {
	path := v.RunRoot + "/" + strings.TrimPrefix(artifact, "artifacts/")
	if strings.Contains(v.RunRoot, `\`) && !strings.HasPrefix(v.RunRoot, "/") {
		path = strings.ReplaceAll(path, "/", `\`)
	}
	return path
}

// lastAnswers is the newest artifact of questions and answers of the task that
// the state is in, or "".
func (c *check) lastAnswers(was machine.View) string {
	if judge.InFinalLoop(was) {
		return ""
	}
	for k := machine.NextAttempt(was, tier.Implementer, was.CurrentTask, 0) - 1; k > 1; k-- {
		path := machine.ArtifactStem(was.CurrentTask, tier.Implementer, k, 0) + ".context.md"
		if c.tree.files[path] != "" {
			return path
		}
	}
	return ""
}

// A heard event is one that tells what a human ruled, or what the ruling is on.
type heard struct {
	revision int
	event    machine.Event
	line     string // as a review package tells it, "" for what is no ruling
}

// hears reports whether an event of this name is one of them.
func hears(event string) bool { return judge.Telling(event) || judge.IsRuling(event) }

func (c *check) hear(n int, doc machine.Document) {
	h := heard{n, doc.Event, judge.RulingLine(n, doc.By.Name, doc.Event)}
	if _, ok := doc.Facts.(machine.ProofFacts); ok {
		h.line = "" // git-sdd itself noted it
	}
	c.heard = append(c.heard, h)
}

// told returns the telling events from a revision on, before another.
func (c *check) told(before, from int) (events []machine.Event, err error) {
	err = c.each(before, from, func(h heard) {
		if judge.Telling(h.event.Kind().String()) {
			events = append(events, h.event)
		}
	})
	return events, err
}

// ruled returns what humans ruled from a revision on, before another.
func (c *check) ruled(before, from int) (lines []string, err error) {
	err = c.each(before, from, func(h heard) {
		if h.line != "" {
			lines = append(lines, h.line)
		}
	})
	return lines, err
}

// each visits what was heard. What an earlier verification walked is read again,
// once.
func (c *check) each(before, from int, visit func(heard)) error {
	if from < c.from && !c.reread {
		c.reread = true
		if err := c.hearAgain(); err != nil {
			return err
		}
	}
	for _, h := range c.heard {
		if h.revision >= from && h.revision < before {
			visit(h)
		}
	}
	return nil
}

func (c *check) hearAgain() error {
	now := c.heard
	c.heard = nil
	err := ledger.Walk(c.ctx, c.repo, c.tip, 0, func(rev ledger.Revision) error {
		if rev.Number >= c.from {
			return errStop
		}
		if !hears(rev.Message.Event) {
			return nil
		}
		doc, err := machine.DecodeEvent(rev.Event, nil)
		if err != nil {
			return errors.Join(ledger.ErrCorrupt, err)
		}
		c.hear(rev.Number, doc)
		return nil
	})
	c.heard = append(c.heard, now...)
	if errors.Is(err, errStop) {
		err = nil
	}
	return err
}
