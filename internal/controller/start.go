package controller

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/plan"
	"github.com/git-sdd/git-sdd/internal/prompt"
	"github.com/git-sdd/git-sdd/internal/workspace"
)

// StartOptions is what a run is started with.
type StartOptions struct {
	Plan  string // path of the plan, from where the command stands
	Base  string // base ref; "" for the remote's default branch, else main or master
	Audit []int  // tasks that may end DONE without a commit
}

// Start pins a run's identity and takes it through its gates, each a transition
// of its own. A refusal leaves no ref and no file behind.
func (c *Controller) Start(ctx context.Context, o StartOptions) (*Answer, error) {
	if err := c.refuseChild(); err != nil {
		return nil, err
	}
	c.repo.Prefetch()
	s := starting{c: c, o: o}
	for _, check := range []func() error{s.readPlan, s.checkAudit, s.checkPlace, s.readSettings, s.findBase} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	r, err := s.already(ctx)
	if r == nil && err == nil {
		r, err = s.create(ctx)
	}
	if err != nil {
		return nil, err
	}
	defer r.close()
	return r.goOn(ctx)
}

// goOn takes a run through the gates that are left.
func (r *run) goOn(ctx context.Context) (*Answer, error) {
	if _, err := r.checkWrite(); err != nil {
		return nil, err
	}
	if err := r.overtaken(ctx, r.settle(ctx)); err != nil {
		return nil, err
	}
	if _, err := r.workspace(); err != nil {
		return nil, err
	}
	pin, err := r.pinnedSettings()
	if err != nil {
		return nil, err
	}
	if r.notes, err = r.c.unguarded(r.notes, pin.Gates(), r.view.MergeBase); err != nil {
		return nil, err
	}
	return r.answer(ctx, "start")
}

// starting is a run before its first commit: everything is checked before
// anything is written.
type starting struct {
	c *Controller
	o StartOptions

	path      string
	data      []byte
	plan      *plan.Plan
	head      string
	baseRef   string
	mergeBase string
	settings  []byte // what is pinned of them
}

func (s *starting) readPlan() error {
	path := s.o.Plan
	if !filepath.IsAbs(path) {
		dir, err := filepath.Abs(s.c.opt.Dir)
		if err != nil {
			return err
		}
		path = filepath.Join(dir, path)
	}
	s.path = filepath.Clean(path)
	data, err := readBounded(s.path, plan.MaxBytes+1)
	if err != nil {
		return fault.New(fault.Invalid, "git sdd start <plan>", "the plan cannot be read: %w", err)
	}
	s.data = data
	p, defects := plan.Parse(data)
	if len(defects) > 0 {
		return PlanFault(s.o.Plan, data, defects).WithPhase(machine.PlanInvalid.String())
	}
	s.plan = p
	return nil
}

func (s *starting) checkAudit() error {
	for _, n := range s.o.Audit {
		if n < 1 || n > len(s.plan.Tasks()) {
			return fault.New(fault.Invalid, "git sdd plan check "+shellWord(s.o.Plan), "--audit %d: the plan has tasks 1 to %d", n, len(s.plan.Tasks()))
		}
	}
	return nil
}

// checkPlace wants a work tree on a branch that has a commit.
func (s *starting) checkPlace() error {
	repo := s.c.repo
	if repo.WorkTree() == "" {
		return fault.New(fault.Invalid, "git worktree add <path> <branch>", "a run needs a work tree, and this repository is bare")
	}
	if repo.Branch() == "" {
		return fault.New(fault.Invalid, "git switch -c <branch>", "HEAD is detached; a run is pinned to a branch")
	}
	head, err := repo.Resolve("HEAD^{commit}")
	if errors.Is(err, git.ErrMissing) {
		return fault.New(fault.Invalid, "git commit", "branch %q has no commit yet", repo.Branch())
	}
	s.head = head
	return err
}

func (s *starting) readSettings() error {
	loaded, err := s.c.settings()
	if err != nil {
		return err
	}
	s.settings = loaded.Pinned()
	return checkLadder(loaded)
}

func (s *starting) findBase() error {
	repo := s.c.repo
	s.baseRef = s.o.Base
	if s.baseRef == "" {
		ref, err := repo.DefaultBase()
		if errors.Is(err, git.ErrNone) {
			return fault.New(fault.Invalid, "git sdd start --base <ref> "+shellWord(s.o.Plan), "no base ref: the remote names no default branch, and there is no main or master")
		}
		if err != nil {
			return err
		}
		s.baseRef = ref
	}
	base, err := repo.Resolve(s.baseRef + "^{commit}")
	if errors.Is(err, git.ErrMissing) {
		return fault.New(fault.Invalid, "git sdd start --base <ref> "+shellWord(s.o.Plan), "base ref %q names no commit", s.baseRef)
	}
	if err != nil {
		return err
	}
	s.mergeBase, err = repo.MergeBase(s.head, base)
	if errors.Is(err, git.ErrNone) {
		return fault.New(fault.Invalid, "git sdd start --base <ref> "+shellWord(s.o.Plan), "branch %q and base %q have unrelated histories", repo.Branch(), s.baseRef)
	}
	return err
}

// create writes revision 0, or returns the run of the same plan that another
// start has begun here at the same time.
func (s *starting) create(ctx context.Context) (*run, error) {
	c := s.c
	at := c.instant("")
	id, err := ledger.ParseRunID(machine.RunID(plan.Digest(s.data), c.repo.WorkTree(), c.repo.Branch(), s.mergeBase, at))
	if err != nil {
		return nil, err
	}
	init := machine.Init{
		PlanPath: s.path, PlanDigest: plan.Digest(s.data),
		RepoRoot: repoRoot(c.repo), Worktree: c.repo.WorkTree(), RunRoot: workspace.Root(c.repo.WorkTree(), id.Prefix12()),
		Branch: c.repo.Branch(), BaseRef: s.baseRef, MergeBase: s.mergeBase, Tasks: s.tasks(),
		Tool:     &machine.Tool{Version: c.opt.Version, Contracts: prompt.ContractsDigest()},
		Settings: machine.Opt(blobRef(settingsFile, s.settings).SHA256),
	}
	if _, err := workspace.At(init.Worktree, init.RunRoot); err != nil {
		return nil, err
	}
	state, err := machine.New(init, at)
	if err != nil {
		// The plan is accepted by now; what is left are names that a record
		// cannot hold.
		return nil, fault.New(fault.Invalid, "give what is named another name, such as git branch -m <branch>, then git sdd start "+shellWord(s.o.Plan), "no run can be pinned here: %w", err)
	}
	st := step{event: init}
	st.with(planFile, s.data)
	st.with(settingsFile, s.settings)
	entry, err := c.entry(state, st, at)
	if err != nil {
		return nil, err
	}
	var first *run
	tip, err := ledger.CreateAlone(ctx, c.repo, id, entry, s.place(ctx, &first))
	if first != nil && errors.Is(err, errPlaceTaken) {
		return first, nil
	}
	if errors.Is(err, ledger.ErrExists) {
		return s.twin(ctx)
	}
	if err != nil {
		return nil, faultOfLedger(err)
	}
	// A hint that cannot be written costs the next command a scan, nothing else.
	_ = ledger.WriteHint(c.repo, id)
	r := &run{c: c, id: id, site: c.repo}
	r.moved(state, tip, init)
	return r, nil
}

func (s *starting) tasks() []machine.InitTask {
	audit := map[int]bool{}
	for _, n := range s.o.Audit {
		audit[n] = true
	}
	var tasks []machine.InitTask
	for _, t := range s.plan.Tasks() {
		tasks = append(tasks, machine.InitTask{
			Number: t.Number, Title: machine.Opt(t.Title), ImplementerTier: t.Tier.String(), Audit: audit[t.Number],
		})
	}
	return tasks
}

// repoRoot is the main worktree's top, or the repository itself when it is bare.
func repoRoot(repo *git.Repo) string {
	if filepath.Base(repo.CommonDir()) == ".git" {
		return filepath.Dir(repo.CommonDir())
	}
	return repo.CommonDir()
}
