package controller

import (
	"context"
	"errors"
	"sort"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// List shows every run of the repository, from the tips alone, and of those that
// are complete whether their result is where it belongs.
func (c *Controller) List(ctx context.Context) (*Runs, error) {
	runs, unread, err := ledger.LoadAll(ctx, c.repo)
	if err != nil {
		return nil, faultOfLedger(err)
	}
	out := &Runs{Schema: "git-sdd/runs/1", Runs: []RunStatus{}}
	var views []*machine.View
	for _, stored := range runs {
		row, v := runStatus(stored)
		out.Runs, views = append(out.Runs, row), append(views, v)
	}
	in, err := c.integrated(views)
	if err != nil {
		return nil, err
	}
	for i := range in {
		out.Runs[i].Integrated = in[i]
	}
	for _, s := range unread {
		out.Runs = append(out.Runs, RunStatus{Run: s.Run.String(), Error: s.Err.Error()})
	}
	sort.SliceStable(out.Runs, func(i, j int) bool { return out.Runs[i].UpdatedAt > out.Runs[j].UpdatedAt })
	return out, nil
}

func runStatus(stored *ledger.Run) (RunStatus, *machine.View) {
	row := RunStatus{Run: stored.Tip.Run().String()}
	state, err := machine.DecodeState(stored.State)
	if err != nil {
		row.Error = err.Error()
		return row, nil
	}
	v := state.View()
	row.Phase, row.Revision, row.Plan = v.Phase.String(), v.Revision, v.PlanPath
	row.Branch, row.Worktree, row.UpdatedAt = v.Branch, v.Worktree, string(v.UpdatedAt)
	return row, &v
}

// Log shows the transitions of a run, oldest first: the newest so many, or all
// of them where the number is negative.
func (c *Controller) Log(ctx context.Context, newest int) (*Log, error) {
	r, err := c.find(ctx, reading)
	if err != nil {
		return nil, err
	}
	defer r.close()
	out := &Log{Schema: "git-sdd/log/1", Run: r.id.String(), Entries: []LogEntry{}}
	from := 0
	switch {
	case newest == 0:
		return out, nil
	case newest > 0:
		from = max(0, r.view.Revision-newest+1)
	}
	err = ledger.Walk(ctx, r.c.repo, r.tip, from, func(rev ledger.Revision) error {
		m := rev.Message
		head, err := machine.DecodeHeader(rev.Event)
		if err != nil {
			return faultOfState(r.id, err)
		}
		out.Entries = append(out.Entries, LogEntry{
			Revision: rev.Number, Commit: rev.Commit, Event: m.Event, Phase: m.Phase, Task: m.Task,
			At: string(head.At), By: By{Name: head.By.Name, Email: head.By.Email, Via: head.By.Via},
			Subject: m.Subject, Reason: m.Reason,
		})
		return nil
	})
	return out, err
}

// Show returns one file of one revision, byte for byte. The form is REV[:PATH]:
// a number or @ for the newest, and the event where no path is given.
func (c *Controller) Show(ctx context.Context, spec string) ([]byte, error) {
	rev, path, hasPath := strings.Cut(spec, ":")
	if !hasPath {
		path = eventFile
	}
	r, err := c.find(ctx, reading)
	if err != nil {
		return nil, err
	}
	defer r.close()
	number := r.view.Revision
	if rev != "@" {
		n, err := strconv.Atoi(rev)
		if err != nil || n < 0 || n > r.view.Revision || strconv.Itoa(n) != rev {
			return nil, fault.New(fault.Invalid, "git sdd show @", "%q is not a revision of run %s: 0 to %d, or @", rev, r.id.Prefix12(), r.view.Revision)
		}
		number = n
	}
	commit, err := ledger.At(ctx, r.c.repo, r.tip, number)
	if err != nil {
		return nil, faultOfLedger(err)
	}
	data, err := ledger.ReadFile(r.c.repo, commit, path)
	if errors.Is(err, ledger.ErrNoFile) || errors.Is(err, ledger.ErrInvalid) { // invalid: no revision has such a path
		return nil, fault.New(fault.Invalid, "git ls-tree -r --name-only "+short(commit), "revision %d has no file %q", number, path)
	}
	return data, faultOfLedger(err)
}

// stateAt returns the state that a revision led to.
func (r *run) stateAt(ctx context.Context, revision int) (machine.View, error) {
	commit, err := ledger.At(ctx, r.c.repo, r.tip, revision)
	if err != nil {
		return machine.View{}, faultOfLedger(err)
	}
	data, err := ledger.ReadFile(r.c.repo, commit, stateFile)
	if err != nil {
		return machine.View{}, faultOfLedger(err)
	}
	state, err := machine.DecodeState(data)
	if err != nil {
		return machine.View{}, faultOfState(r.id, err)
	}
	return state.View(), nil
}

// roleNamed returns a role that a decoded state names.
func roleNamed(name string) tier.Role {
	role, err := tier.ParseRole(name)
	if err != nil {
		panic(err) // a decoded state holds only roles
	}
	return role
}
