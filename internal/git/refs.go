package git

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A Ref is a name and the object that it leads to.
type Ref struct {
	Name    string // in full
	ID      string
	Symref  string // what it stands for, where it is symbolic
	Message string // of its commit; only from [Repo.RefMessages]
	Err     error  // why the id or the message is not known; nil in the usual case
}

// Refs returns the refs beneath a prefix such as "refs/sdd/", in the order of
// their names. A prefix without a final slash names one ref, or a pattern as
// for-each-ref takes it. Refs that git cannot read are among them, marked.
func (r *Repo) Refs(prefixes ...string) ([]Ref, error) {
	return r.forEachRef("%(objectname)%00%(refname)%00%(symref)%00%00", prefixes)
}

// RefMessages is [Repo.Refs] with the whole message of each ref's commit, all
// in one process: what a list of runs needs. Git lists nothing where one object
// is not here; then the messages are read one by one.
func (r *Repo) RefMessages(prefixes ...string) ([]Ref, error) {
	refs, err := r.forEachRef("%(objectname)%00%(refname)%00%(symref)%00%(contents)%00", prefixes)
	if err == nil {
		return refs, nil
	}
	refs, err = r.Refs(prefixes...)
	for i := range refs {
		if ref := &refs[i]; ref.Err == nil {
			ref.Message, ref.Err = r.message(ref.ID)
		}
		if r.ctx.Err() != nil {
			return nil, context.Cause(r.ctx)
		}
	}
	return refs, err
}

func (r *Repo) message(commit string) (string, error) {
	o, err := r.Object(commit)
	if err != nil || o.Type != "commit" {
		return "", err
	}
	c, err := ParseCommit(o.ID, o.Data)
	return c.Message, err
}

// fields is the number of fields that forEachRef's formats have.
const fields = 4

func (r *Repo) forEachRef(format string, prefixes []string) ([]Ref, error) {
	args := append([]string{"for-each-ref", "--format=" + format}, prefixes...)
	res, err := r.run(call{args: args})
	if err != nil {
		return nil, err
	}
	parts := strings.Split(string(res.stdout), "\x00")
	refs := make([]Ref, 0, len(parts)/fields+1)
	for ; len(parts) > fields; parts = parts[fields:] {
		refs = append(refs, Ref{ID: strings.TrimPrefix(parts[0], "\n"), Name: parts[1], Symref: parts[2], Message: parts[3]})
	}
	if rest := strings.Join(parts, "\x00"); strings.Trim(rest, "\n") != "" {
		return nil, fmt.Errorf("git for-each-ref answered %q", rest)
	}
	return append(refs, brokenRefs(string(res.stderr))...), nil
}

var ignoring = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^warning: ignoring (?:broken ref|ref with broken name) (\S+)$`)
})

// brokenRefs reads git's warnings about refs that it leaves out. They are its
// only sign; what is not listed must not pass for what is not there.
func brokenRefs(stderr string) []Ref {
	var broken []Ref
	for _, match := range ignoring().FindAllStringSubmatch(stderr, -1) {
		broken = append(broken, Ref{Name: match[1], Err: ErrUnreadable})
	}
	return broken
}

// Ref returns one ref by its full name. It finds refs whose object is missing,
// which [Repo.Resolve] cannot tell from no ref at all. The error wraps
// [ErrNone] where there is no such ref and [ErrUnreadable] for a broken one.
func (r *Repo) Ref(name string) (Ref, error) {
	refs, err := r.Refs(name)
	if err != nil {
		return Ref{}, err
	}
	for _, ref := range refs {
		switch {
		case ref.Name != name:
		case ref.Err != nil:
			return ref, fmt.Errorf("ref %q: %w", name, ref.Err)
		default:
			return ref, nil
		}
	}
	return Ref{}, fmt.Errorf("ref %q: %w", name, ErrNone)
}

// BranchHeads returns the ids of all branches and of the stash by their full
// names: what worktrees share, and a child can move without touching its files.
func (r *Repo) BranchHeads() (map[string]string, error) {
	refs, err := r.Refs("refs/heads/", "refs/stash")
	if err != nil {
		return nil, err
	}
	heads := make(map[string]string, len(refs))
	for _, ref := range refs {
		heads[ref.Name] = ref.ID
	}
	return heads, nil
}

// DefaultBase returns the full name of the ref that work is usually based on:
// the default branch of origin, else of the only remote that has one, else the
// local main, else master. The error wraps [ErrNone] where there is none.
func (r *Repo) DefaultBase() (string, error) {
	refs, err := r.Refs("refs/remotes/*/HEAD", "refs/heads/main", "refs/heads/master")
	if err != nil {
		return "", err
	}
	var remotes []string
	local := map[string]bool{}
	for _, ref := range refs {
		switch {
		case ref.Err != nil:
		case ref.Name == "refs/remotes/origin/HEAD" && ref.Symref != "":
			return ref.Symref, nil
		case strings.HasPrefix(ref.Name, "refs/remotes/"):
			if ref.Symref != "" {
				remotes = append(remotes, ref.Symref)
			}
		default:
			local[ref.Name] = true
		}
	}
	if len(remotes) == 1 {
		return remotes[0], nil
	}
	for _, name := range []string{"refs/heads/main", "refs/heads/master"} {
		if local[name] {
			return name, nil
		}
	}
	return "", fmt.Errorf("default branch: %w", ErrNone)
}
