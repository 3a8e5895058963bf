package controller

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// childTimeout is how long a child may run where no setting says otherwise
// (interfaces: settings, an omitted timeout is 30 minutes, never unbounded).
const childTimeout = 30 * time.Minute

// Next says what the run here needs now.
func (c *Controller) Next(ctx context.Context) (*Next, error) {
	r, err := c.find(ctx, reading)
	if err != nil {
		return nil, err
	}
	defer r.close()
	return r.next(ctx)
}

// next composes the answer from the state, the ground and what the phase wants.
func (r *run) next(ctx context.Context) (*Next, error) {
	w, err := r.wantOrRuling(ctx)
	if err != nil {
		return nil, err
	}
	g, err := r.ground(false)
	if err != nil {
		return nil, err
	}
	r.noteSession(w)
	n := &Next{
		Schema: "git-sdd/next/1", Run: r.id.String(), Revision: r.view.Revision, Phase: r.view.Phase.String(),
		Task: r.view.CurrentTask, Tasks: len(r.view.Tasks), Round: r.view.FixRound,
		Drift: g.drift, Action: w.action, Why: w.why,
		Commands: [][]string{}, Alternatives: [][]string{},
		Warnings: slices.Concat(r.notes, g.notes),
	}
	if w.role != 0 {
		if err := r.describeRole(n, w.role); err != nil {
			return nil, err
		}
	}
	if err := fillers[w.action](ctx, r, w, n); err != nil {
		return nil, err
	}
	if g.fault != nil {
		n.Warnings = append(n.Warnings, g.fault.Error())
		n.Repair = g.fault.Repair()
	}
	return n, nil
}

// wantOrRuling is what the run wants, or the ruling on leftovers that a dispatch
// waits for.
func (r *run) wantOrRuling(ctx context.Context) (want, error) {
	w, err := r.want()
	if err != nil {
		return w, err
	}
	if r.in(machine.DispatchAmbiguous) {
		if w.why, err = r.whyAmbiguous(ctx); err != nil {
			return w, err
		}
	}
	if err := r.noteLostWork(ctx); err != nil {
		return w, err
	}
	if err := r.noticeGuards(ctx); err != nil {
		return w, err
	}
	left, err := r.leftovers(ctx)
	r.hasLeftovers = len(left) > 0
	if err != nil || len(left) == 0 {
		return w, err
	}
	note := leftoverNote(r.view.Dispatch.Role, left)
	if w.action == actDispatch {
		return want{action: actDecide, why: note + "; keep it for the next child, or shelve it"}, nil
	}
	r.notes = append(r.notes, note)
	return w, nil
}

func (r *run) describeRole(n *Next, role tier.Role) error {
	n.Role = role.String()
	if d := r.view.Dispatch; d != nil && n.Action != actDispatch {
		n.Tier = d.Tier
		return nil
	}
	t, err := r.tierOf(role)
	n.Tier = t.String()
	if role == tier.Fixer {
		n.Round = r.view.FixRound + 1
	}
	return err
}

// fillers complete the answer by action: one line each.
var fillers = map[string]func(context.Context, *run, want, *Next) error{
	actDispatch: fillDispatch,
	actSpawn:    fillSpawn,
	actAwait:    fillAwait,
	actAdvance:  fillAdvance,
	actDecide:   fillDecide,
	actDone:     fillDone,
	actBlocked:  fillBlocked,
}

func fillDispatch(_ context.Context, r *run, w want, n *Next) error {
	command := r.command("dispatch")
	if w.context {
		command = append(command, "--context", "<context>")
	}
	n.Commands = [][]string{command}
	r.offer(n)
	return nil
}

func fillSpawn(ctx context.Context, r *run, _ want, n *Next) error {
	h, err := r.handout(ctx)
	if err != nil {
		return err
	}
	n.Handout, n.Report = h, h.Report
	n.Commands = [][]string{r.command("started", "--session", "<session>")}
	r.offer(n)
	return nil
}

func fillAwait(_ context.Context, r *run, _ want, n *Next) error {
	d := r.view.Dispatch
	n.Session, n.StartedAt = string(d.SessionID), string(d.StartedAt)
	limit, err := r.childLimit()
	if err != nil {
		return err
	}
	if started, err := time.Parse(time.RFC3339, n.StartedAt); err == nil {
		n.Deadline = started.Add(limit).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	n.Report = d.ReportPath
	n.Commands = [][]string{r.command("report")}
	r.offer(n)
	return nil
}

// childLimit is how long the current child may run.
func (r *run) childLimit() (time.Duration, error) {
	s, err := r.c.settings()
	if err != nil {
		return 0, err
	}
	if agent, ok := s.Agent(r.role()); ok {
		return time.Duration(agent.TimeoutMS) * time.Millisecond, nil
	}
	return childTimeout, nil
}

func fillAdvance(_ context.Context, r *run, _ want, n *Next) error {
	n.Commands = [][]string{r.command("advance")}
	r.offer(n)
	return nil
}

func fillDecide(ctx context.Context, r *run, _ want, n *Next) (err error) {
	n.Decisions = r.decisions()
	for _, d := range n.Decisions {
		n.Commands = append(n.Commands, d.Command)
	}
	if r.waveInstead() {
		n.Alternatives = append(n.Alternatives, r.command("dispatch"))
	}
	if r.in(machine.PreflightDecisionRequired) {
		n.Reasons, err = r.conflictReasons(ctx)
	}
	return err
}

// waveInstead reports whether the one wave of fixes is another way than to
// adjudicate the Minors that are left.
func (r *run) waveInstead() bool {
	return r.view.Phase == machine.FinalReviewRunning && !r.view.FinalFixUsed && machine.NeedsWork(r.view)
}

func fillDone(ctx context.Context, r *run, _ want, n *Next) error {
	unpushed := []string{}
	n.Unpushed = &unpushed
	if r.site == nil {
		return nil
	}
	tip, err := r.reviewedTip()
	if err != nil || tip == "" {
		return err
	}
	ids, err := r.site.Unpushed(r.view.MergeBase, tip)
	if err != nil {
		return err
	}
	unpushed = append(unpushed, ids...)
	return r.fillUncovered(ctx, n, tip)
}

// reviewedTip is the head of the run's branch; where that is gone, the head that
// was reviewed last, which the pins hold; or "" where neither is here.
func (r *run) reviewedTip() (string, error) {
	for _, name := range []string{"refs/heads/" + r.view.Branch, r.lastJudged()} {
		id, err := r.site.Resolve(name + "^{commit}")
		if !errors.Is(err, git.ErrMissing) {
			return id, err
		}
	}
	return "", nil
}

func fillBlocked(_ context.Context, r *run, _ want, n *Next) error {
	n.Reason = string(r.view.BlockedReason)
	return nil
}

// offer lists the decisions that are legal beside the one command.
func (r *run) offer(n *Next) {
	for _, d := range r.decisions() {
		n.Alternatives = append(n.Alternatives, d.Command)
	}
}

// command is a git sdd command as an argument vector, with --run where the run
// would not be found without it.
func (r *run) command(args ...string) []string {
	words := append([]string{"git", "sdd"}, args...)
	if r.c.opt.Run != "" || !r.c.isHere(r.view) {
		words = append(words, "--run", r.id.Prefix12())
	}
	return words
}

// tierOf derives the tier of the role that is dispatched next.
func (r *run) tierOf(role tier.Role) (tier.Tier, error) {
	implementer, err := tier.Parse(r.view.CurrentImplementerTier)
	if err != nil {
		return 0, err
	}
	return tier.For(role, implementer, r.roundOf(role))
}

// roundOf is the fix round that a dispatch of the role would belong to; only a
// fixer has one.
func (r *run) roundOf(role tier.Role) int {
	if role.HasRounds() {
		return r.view.FixRound + 1
	}
	return 0
}

func itoa(n int) string { return strconv.Itoa(n) }
