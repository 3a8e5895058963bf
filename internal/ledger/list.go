package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A Summary is a run as its last commit's message tells it.
type Summary struct {
	Run     RunID
	Commit  string
	Message Message
	Err     error // why nothing else is known of it; nil in the usual case
}

// List returns every run of the repository in the order of their ids, from their
// tip commits alone. A run that cannot be read is listed with its error: it must
// not pass for one that is not there.
func List(ctx context.Context, repo *git.Repo) ([]Summary, error) {
	return list(repo.WithContext(ctx), runPrefix)
}

func list(repo *git.Repo, pattern string) ([]Summary, error) {
	refs, err := repo.RefMessages(pattern)
	if err != nil {
		return nil, fmt.Errorf("listing runs: %w", err)
	}
	var all []Summary
	for _, ref := range refs {
		id, err := ParseRunID(strings.TrimPrefix(ref.Name, runPrefix))
		if err != nil {
			continue // a ref of that name is nobody's run
		}
		all = append(all, summarize(id, ref))
	}
	slices.SortFunc(all, func(a, b Summary) int { return strings.Compare(a.Run.hex, b.Run.hex) })
	return all, nil
}

func summarize(id RunID, ref git.Ref) Summary {
	s := Summary{Run: id, Commit: ref.ID}
	if ref.Err != nil {
		s.Err = unreadable(id, ref.Err)
		return s
	}
	m, err := ParseMessage(ref.Message)
	if err == nil && m.Run != id {
		err = fmt.Errorf("its commit belongs to run %s", m.Run.Prefix12())
	}
	if err != nil {
		s.Err = fmt.Errorf("run %s: %w: %w", id.Prefix12(), ErrCorrupt, err)
		return s
	}
	s.Message = m
	return s
}

// Resolve returns the run whose id begins with the given digits, at least four.
// The error wraps [ErrNoRun], or is an [*Ambiguous].
func Resolve(ctx context.Context, repo *git.Repo, prefix string) (RunID, error) {
	if len(prefix) < minPrefix || len(prefix) > idDigits || !isHex(prefix) {
		return RunID{}, fmt.Errorf("%w: %q does not begin a run's id: at least %d lowercase hex digits", ErrInvalid, prefix, minPrefix)
	}
	refs, err := repo.WithContext(ctx).Refs(runPrefix + prefix + "*")
	if err != nil {
		return RunID{}, fmt.Errorf("looking for run %s: %w", prefix, err)
	}
	var found []RunID
	for _, ref := range refs {
		id, err := ParseRunID(strings.TrimPrefix(ref.Name, runPrefix))
		if err == nil && strings.HasPrefix(id.hex, prefix) && !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	slices.SortFunc(found, func(a, b RunID) int { return strings.Compare(a.hex, b.hex) })
	switch len(found) {
	case 0:
		return RunID{}, fmt.Errorf("%q: %w", prefix, ErrNoRun)
	case 1:
		return found[0], nil
	}
	return RunID{}, &Ambiguous{Prefix: prefix, Runs: found}
}

// LoadAll reads every run with its state, in two exchanges however many there
// are: to find the run of a worktree when the hint does not help. A run that
// cannot be read comes back apart, with its error.
func LoadAll(ctx context.Context, repo *git.Repo) (runs []*Run, unread []Summary, err error) {
	return LoadWhere(ctx, repo, func(Message) bool { return true })
}

// LoadWhere is [LoadAll] for the runs whose last message is wanted: what has
// ended costs a line of a list and no more.
func LoadWhere(ctx context.Context, repo *git.Repo, wanted func(Message) bool) (runs []*Run, unread []Summary, err error) {
	repo = repo.WithContext(ctx)
	all, err := List(ctx, repo)
	if err != nil {
		return nil, nil, err
	}
	all = slices.DeleteFunc(all, func(s Summary) bool { return s.Err == nil && !wanted(s.Message) })
	l := loader{repo: repo, all: all, loaded: make([]*Run, len(all))}
	err = repo.Objects(l.specs(), l.take)
	if errors.Is(err, git.ErrUnreadable) { // the reading process ended over it
		l.doubtful, err = l.whose, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading runs: %w", err)
	}
	if err := l.oneByOne(ctx); err != nil {
		return nil, nil, err
	}
	for i, s := range l.all {
		if s.Err != nil {
			unread = append(unread, s)
		} else {
			runs = append(runs, l.loaded[i])
		}
	}
	return runs, unread, nil
}

// A loader reads two objects of each listed run: its commit and its state.
type loader struct {
	repo     *git.Repo
	all      []Summary
	loaded   []*Run
	whose    []int // the run in all of every two objects
	doubtful []int // the runs in all that are to be looked at one by one
}

func (l *loader) specs() []string {
	var specs []string
	for i, s := range l.all {
		if s.Err == nil {
			l.whose = append(l.whose, i)
			specs = append(specs, s.Commit, s.Commit+":"+stateFile)
		}
	}
	return specs
}

func (l *loader) take(i int, o git.Object, err error) error {
	at := l.whose[i/2]
	s := &l.all[at]
	switch {
	case errors.Is(err, git.ErrMissing):
		l.doubtful = append(l.doubtful, at)
	case err != nil:
		return err
	case i%2 == 0:
		run := &Run{repo: l.repo}
		run.Tip, run.Message, s.Err = decodeTip(s.Run, o)
		l.loaded[at] = run
	case l.loaded[at] != nil:
		l.loaded[at].State = o.Data
	}
	return nil
}

// oneByOne finds out what is wrong with the runs that are not all here, or which
// of them it is that git cannot read.
func (l *loader) oneByOne(ctx context.Context) error {
	for _, at := range l.doubtful {
		run, err := Load(ctx, l.repo, l.all[at].Run)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l.loaded[at], l.all[at].Err = run, err
	}
	return nil
}
