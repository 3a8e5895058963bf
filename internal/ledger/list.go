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
	if ref.Broken {
		s.Err = fmt.Errorf("run %s: %w: git cannot read its ref", id.Prefix12(), ErrCorrupt)
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
// are: to find the run of a worktree when the hint does not help. Runs that
// cannot be read come back as errors, apart.
func LoadAll(ctx context.Context, repo *git.Repo) (runs []*Run, unread []Summary, err error) {
	repo = repo.WithContext(ctx)
	all, err := List(ctx, repo)
	if err != nil {
		return nil, nil, err
	}
	var specs []string
	var whose []Summary
	for _, s := range all {
		if s.Err != nil {
			unread = append(unread, s)
			continue
		}
		whose = append(whose, s)
		specs = append(specs, s.Commit, s.Commit+":"+stateFile)
	}
	err = repo.Objects(specs, func(i int, o git.Object, err error) error {
		s := whose[i/2]
		switch {
		case err != nil && !errors.Is(err, git.ErrMissing):
			return err
		case s.Err != nil:
			return nil // its commit was refused
		case i%2 == 0:
			run := &Run{repo: repo}
			if err == nil {
				run.Tip, run.Message, err = decodeTip(s.Run, o)
			}
			if err != nil {
				whose[i/2].Err = unreadable(s.Run, err)
				return nil
			}
			runs = append(runs, run)
		case err != nil:
			runs = runs[:len(runs)-1]
			whose[i/2].Err = unreadable(s.Run, err)
		default:
			runs[len(runs)-1].State = o.Data
		}
		return nil
	})
	for _, s := range whose {
		if s.Err != nil {
			unread = append(unread, s)
		}
	}
	return runs, unread, err
}
