package controller

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/report"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// A launch is one handing out of a dispatch, as its child's command needs it.
type launch struct {
	run, session, key     string
	revision              int
	role                  tier.Role
	tier                  string
	task, attempt         int
	model, thinking       string // as the intent stores them: "<provider>/<model>"
	promptPath, promptSHA string
	bootstrap, report     string
	worktree, runRoot     string
	promptBytes           int
}

// values are what stands for the placeholders of the agent's command.
func (l launch) values() config.Values {
	provider, model, _ := strings.Cut(l.model, "/")
	return config.Values{
		Model: model, Provider: provider, Thinking: l.thinking, Tier: l.tier,
		Prompt: l.promptPath, Bootstrap: l.bootstrap, Report: l.report, Cwd: l.cwd(),
	}
}

// cwd is where the child works: in the worktree, or for a reviewer in a copy of
// the judged commit that nobody misses.
func (l launch) cwd() string {
	if l.role.Works() {
		return l.worktree
	}
	return filepath.Join(l.runRoot, copiesDir, l.session)
}

// spec is what the keeper is told.
func (l launch) spec(a config.Agent) agent.Spec {
	stdin := agent.StdinNothing
	if a.Prompt == config.PromptStdin {
		stdin = agent.StdinPrompt
	}
	return agent.Spec{
		Session: l.session, Run: l.run, Revision: l.revision, DispatchKey: l.key, Role: l.role.String(), Tier: l.tier, Task: l.task,
		Argv: config.Expand(a.Command, l.values()), Dir: l.cwd(), PromptPath: l.promptPath, PromptSHA256: l.promptSHA, Stdin: stdin,
		ReportPath: l.report, ReportMarked: a.Report == config.ReportStdout, ReportLimit: report.MaxBytes,
		TimeoutMS: a.TimeoutMS, IdleMS: a.IdleMS,
	}
}

// launchFor is a launch as far as it is known before its dispatch is recorded.
func (r *run) launchFor(role tier.Role) (launch, error) {
	l := launch{run: r.id.String(), role: role, task: r.view.CurrentTask, worktree: r.view.Worktree, runRoot: r.view.RunRoot}
	if d := r.view.Dispatch; d != nil && (r.intent() || r.running() || r.in(machine.DispatchAmbiguous)) {
		l.tier, l.model, l.thinking = d.Tier, string(d.Model), string(d.Thinking)
		return l, nil
	}
	t, err := r.tierOf(role)
	if err != nil {
		return l, err
	}
	model, thinking, err := r.c.modelOf(t)
	l.tier, l.model, l.thinking = t.String(), string(model), string(thinking)
	return l, err
}

// launchOf is the launch of the recorded dispatch, handed out by a revision.
func (r *run) launchOf(ctx context.Context, revision int) (launch, error) {
	v := r.view.Dispatch
	l, err := r.launchFor(r.role())
	if err != nil {
		return l, err
	}
	h, err := r.handout(ctx)
	if err != nil {
		return l, err
	}
	l.key, l.revision, l.attempt = v.DispatchKey, revision, v.Attempt
	l.session = sessionName(l.key, revision)
	l.promptPath, l.promptSHA, l.promptBytes = h.Prompt.Path, h.Prompt.SHA256, h.Prompt.Bytes
	l.bootstrap, l.report = h.Bootstrap, h.Report
	return l, nil
}

// launchFrom is the launch of a dispatch that is about to be recorded.
func (r *run) launchFrom(p *dispatch) (launch, error) {
	l, err := r.launchFor(p.role)
	if err != nil {
		return l, err
	}
	l.key, l.revision, l.attempt = p.intent.DispatchKey, r.view.Revision+1, p.attempt
	l.session = sessionName(l.key, l.revision)
	ref := blobRef(p.stem, p.rendered)
	l.promptPath, l.promptSHA, l.promptBytes = p.intent.PromptPath, ref.SHA256, ref.Bytes
	l.bootstrap, l.report = p.bootstrap, p.intent.ReportPath
	return l, nil
}

// dispatch records the intent of the child that is next, and starts it. What
// will be started is on disk before the intent is recorded: of an intent without
// it nobody can tell whether its child was started.
func (d *driver) dispatch(ctx context.Context, r *run, w want) error {
	work := context.WithoutCancel(ctx)
	if w.context && d.opt.Context == nil {
		return fault.New(fault.Waiting, "git sdd run --context <context>", "%s", w.why)
	}
	g, err := r.checkWrite()
	if err != nil {
		return err
	}
	p, err := d.prepare(ctx, r, g, w.role)
	if err != nil {
		return err
	}
	d.opt.Context = nil
	l, err := r.launchFrom(p)
	if err != nil {
		return err
	}
	spec, err := d.announce(l)
	if err != nil {
		return err
	}
	crashPoint("drive: session announced, intent not recorded")
	err = r.record(work, p.step)
	d.sync(r)
	if err != nil {
		return err
	}
	crashPoint("drive: intent recorded, keeper not started")
	return d.launch(ctx, r, spec)
}

func (d *driver) announce(l launch) (agent.Spec, error) {
	spec, err := d.spec(l)
	if err != nil {
		return spec, err
	}
	if err := d.c.sessions().Announce(spec); err != nil {
		return spec, fault.New(fault.Invalid, "make "+shellWord(d.c.repo.CommonDir())+" writable", "the session cannot be written down: %w", err)
	}
	return spec, nil
}

// launch starts the announced child of the recorded intent and waits for it.
func (d *driver) launch(ctx context.Context, r *run, spec agent.Spec) error {
	work := context.WithoutCancel(ctx)
	if _, err := r.handout(work); err != nil { // puts the files in place
		return err
	}
	if err := d.clearReport(r); err != nil {
		return err
	}
	k, rec, err := d.start(work, r, spec)
	if err != nil {
		return err
	}
	if rec.End != nil && rec.End.Cause == agent.NotStarted {
		return d.notStarted(work, r, rec)
	}
	crashPoint("drive: child started, not recorded")
	if err := d.started(work, r, rec); err != nil {
		return err
	}
	crashPoint("drive: child recorded, not ended")
	d.begun[rec.Session] = true
	d.tally.dispatched(spec)
	return d.watchOver(ctx, r, spec, rec, k)
}

// started records which session the intent became.
func (d *driver) started(ctx context.Context, r *run, rec agent.Record) error {
	v := r.view.Dispatch
	err := r.record(ctx, step{
		event: machine.DispatchStarted{SessionID: rec.Session},
		facts: machine.StartedFacts{Model: v.Model, Thinking: v.Thinking},
	})
	d.sync(r)
	return err
}

// start starts the keeper and waits until the child is recorded or is known not
// to start.
func (d *driver) start(ctx context.Context, r *run, spec agent.Spec) (*agent.Keeper, agent.Record, error) {
	all := d.c.sessions()
	if err := d.addCopy(r, spec); err != nil {
		rec, ruled := all.RuleOut(spec, err.Error())
		return nil, rec, ruled
	}
	d.childRuns()
	k, err := agent.StartKeeper(all, spec.Session, childEnv(spec))
	if err != nil {
		rec, ruled := all.RuleOut(spec, err.Error())
		return nil, rec, ruled
	}
	crashPoint("drive: keeper started, child not recorded")
	rec, err := begun(all, k, spec)
	if err != nil {
		err = sessionFault(err)
	}
	return k, rec, err
}

// begun waits until a child is recorded or is known not to start.
func begun(all agent.Sessions, k *agent.Keeper, spec agent.Spec) (agent.Record, error) {
	for pause := time.Millisecond; ; pause = min(2*pause, 4*time.Millisecond) {
		rec, err := all.Read(spec.Session)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return rec, err
		}
		select {
		case <-k.Done():
			if rec, err = all.Read(spec.Session); errors.Is(err, fs.ErrNotExist) {
				rec, err = all.RuleOut(spec, "its keeper ended before it")
			}
			return rec, err
		case <-time.After(pause):
		}
	}
}

// checkoutVariable names to a reviewer the copy that is its own. A prompt holds
// the same bytes whoever starts the child, so it cannot name the copy itself: it
// tells what the variable is for.
const checkoutVariable = "GIT_SDD_CHECKOUT"

// childEnv is a child's environment: without what ties a process to one
// repository or to another child, with what names its dispatch (interfaces:
// choosing the run).
func childEnv(spec agent.Spec) []string {
	env := slices.DeleteFunc(git.WithoutLocal(os.Environ()), func(entry string) bool { return strings.HasPrefix(entry, checkoutVariable+"=") })
	if spec.Run != "" && !roleNamed(spec.Role).Works() {
		env = append(env, checkoutVariable+"="+spec.Dir)
	}
	return append(env, ChildVariable+"="+spec.DispatchKey, "GIT_SDD_PROMPT="+spec.PromptPath, "GIT_SDD_REPORT="+spec.ReportPath, "GIT_SDD_RUN="+spec.Run)
}

// notStarted ends the drive at a child that could not be started: the window is
// closed for certain, and trying again would fail again.
func (d *driver) notStarted(ctx context.Context, r *run, rec agent.Record) error {
	role := spoken(r.role())
	err := r.record(ctx, step{event: machine.DispatchWindowCrossed{Reason: receiptOf(rec, "")}})
	d.sync(r)
	if err != nil {
		return err
	}
	return fault.New(fault.Agent, "git sdd config list --show-origin, then git sdd decide reissue --reason <reason> and git sdd run",
		"the %s was not started: %s", role, rec.End.Detail)
}
