package controller

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/workspace"
)

// dispatched answers with the recorded intent, whose files it puts in place: the
// same bytes every time.
func (r *run) dispatched(ctx context.Context, d *dispatch) (*Dispatched, error) {
	h, err := r.handout(ctx)
	if err != nil {
		return nil, err
	}
	v := r.view.Dispatch
	out := &Dispatched{
		Schema: "git-sdd/dispatch/1", Run: r.id.String(), Revision: r.view.Revision, Phase: r.view.Phase.String(),
		Task: v.Task, Role: v.Role, Tier: v.Tier, Round: r.view.FixRound,
		Handout: *h, Transitions: r.done, Warnings: r.notes,
	}
	if out.Transitions == nil {
		out.Transitions = []Transition{}
	}
	return out, nil
}

// handout restores the files of the current dispatch and says where they are.
// The ledger's bytes are written again where the workspace's differ, so that the
// hash that is handed out always holds.
func (r *run) handout(ctx context.Context) (*Handout, error) {
	v := r.view.Dispatch
	facts, err := r.intentFacts(ctx)
	if err != nil {
		return nil, err
	}
	bootstrap, err := r.file(v.Bootstrap.Path)
	if err != nil {
		return nil, faultOfLedger(err)
	}
	bootstrap, err = r.relocatedLine(ctx, bootstrap)
	if err != nil {
		return nil, err
	}
	h := &Handout{
		Attempt: v.Attempt, DispatchKey: v.DispatchKey, Cwd: r.view.Worktree,
		Prompt:    PromptFile{Path: v.PromptPath, SHA256: v.Prompt.SHA256, Bytes: v.Prompt.Bytes},
		Bootstrap: string(bootstrap), Brief: v.BriefPath, Report: v.ReportPath,
		Range: Range{Base: facts.Base.Commit},
	}
	if !r.role().Works() {
		h.Range.Head = &facts.Head.Commit
	}
	files := []string{v.Prompt.Path, facts.Brief.Path}
	if facts.Context != nil {
		files = append(files, facts.Context.Path)
	}
	if facts.Package != nil {
		files = append(files, facts.Package.Path)
	}
	for _, g := range facts.Gates {
		if g.Output != nil {
			files = append(files, g.Output.Path)
		}
	}
	if answers := r.lastAnswers(); answers != "" {
		files = append(files, answers)
	}
	if r.site == nil {
		return h, nil
	}
	w, err := workspace.At(r.view.Worktree, r.view.RunRoot)
	if err != nil {
		return nil, fault.New(fault.Internal, "git sdd status", "%w", err)
	}
	if facts.Context != nil {
		path := w.Path(facts.Context.Path)
		h.Context = &path
	}
	if facts.Package != nil {
		path := w.Path(facts.Package.Path)
		h.Package = &path
	}
	return h, r.restore(files...)
}

// relocatedLine adds to the stored bootstrap where the run went since: its bytes
// stay those of the intent, and name paths beneath the old run root.
func (r *run) relocatedLine(ctx context.Context, bootstrap []byte) ([]byte, error) {
	v := r.view.Dispatch
	doc, err := r.document(ctx, v.IntentRevision)
	if err != nil {
		return nil, err
	}
	was, ok := machine.PromptPathOf(doc.Event)
	if !ok || was == v.PromptPath {
		return bootstrap, nil
	}
	old := strings.TrimSuffix(was, strings.TrimPrefix(v.PromptPath, r.view.RunRoot))
	return fmt.Appendf(bootstrap, "relocated: %s -> %s\n", old, r.view.RunRoot), nil
}

// rehearsed answers a dry run: everything that would be recorded, nothing done.
// What the machine would refuse is refused here too.
func (r *run) rehearsed(d *dispatch) (*Dispatched, error) {
	in := machine.Input{At: r.c.instant(r.view.UpdatedAt), Event: d.step.event, Facts: d.step.facts}
	if _, err := machine.Apply(r.state, in); err != nil {
		return nil, faultOfMachine(err)
	}
	ref := blobRef(d.stem+".prompt.md", d.rendered)
	h := Handout{
		Attempt: d.attempt, DispatchKey: d.intent.DispatchKey, Cwd: r.view.Worktree,
		Prompt:    PromptFile{Path: d.intent.PromptPath, SHA256: ref.SHA256, Bytes: ref.Bytes},
		Bootstrap: d.bootstrap, Brief: d.intent.BriefPath, Report: d.intent.ReportPath,
		Range: Range{Base: d.base.Commit},
	}
	if !d.role.Works() {
		h.Range.Head = &d.head.Commit
	}
	return &Dispatched{
		Schema: "git-sdd/dispatch/1", Run: r.id.String(), Revision: r.view.Revision, Phase: r.view.Phase.String(),
		Task: d.task, Role: d.role.String(), Tier: d.tier.String(), Round: max(d.round, r.view.FixRound),
		Handout: h, Transitions: []Transition{}, DryRun: true, Warnings: r.notes,
	}, nil
}

// render makes the prompt and the bootstrap that names it.
func (r *run) render(d *dispatch) error {
	w, err := workspace.At(r.view.Worktree, r.view.RunRoot)
	if err != nil {
		return fault.New(fault.Internal, "git sdd status", "%w", err)
	}
	d.intent.PromptPath = w.Path(d.stem + ".prompt.md")
	d.intent.ReportPath = w.Path(d.stem + ".report.md")
	d.intent.BriefPath = w.Path(d.step.briefPath())
	channel, err := r.returnChannel(d)
	if err != nil {
		return err
	}
	h := judge.Handed{
		Role: d.role, Base: d.base.Commit, Head: d.head.Commit, Brief: d.intent.BriefPath, Report: d.intent.ReportPath,
		Rulings: d.rulings, Resolved: d.resolved, Channel: channel,
	}
	if answers := r.lastAnswers(); answers != "" {
		h.Answers = w.Path(answers)
	}
	if d.pack != nil {
		h.Package = w.Path(d.pack.Path)
	}
	if d.context != nil {
		h.Context = w.Path(d.context.Path)
	}
	if d.rendered, err = prompt.Render(d.role, d.tier, judge.PromptContext(r.view, h)); err != nil {
		return fault.New(fault.Invalid, "shorten what is named, then git sdd dispatch", "the prompt cannot be made: %w", err)
	}
	ref := blobRef(d.stem+".prompt.md", d.rendered)
	d.bootstrap = prompt.Bootstrap(prompt.BootstrapInput{
		Tier: d.tier, PromptPath: d.intent.PromptPath, PromptSHA256: ref.SHA256, PromptBytes: ref.Bytes,
		PromptBlob: r.c.repo.BlobID(d.rendered), ReportPath: d.intent.ReportPath,
	})
	return nil
}
