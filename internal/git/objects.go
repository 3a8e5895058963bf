package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// digits is the number of hex digits of an object id, by object format.
var digits = map[string]int{"sha1": 40, "sha256": 64}

var kinds = [...]string{"blob", "tree", "commit", "tag"}

// An Object is an object as git stores it.
type Object struct {
	ID   string // lowercase hex
	Type string // "blob", "tree", "commit" or "tag"
	Data []byte
}

// An Info is what git knows of an object without its contents.
type Info struct {
	ID, Type string
	Size     int64 // bytes
}

// Object reads one object by any name that git understands. The error wraps
// [ErrMissing], [ErrAmbiguous], [ErrBadName] or [ErrUnreadable].
func (r *Repo) Object(spec string) (Object, error) {
	var found Object
	err := r.Objects([]string{spec}, func(_ int, o Object, err error) error {
		found = o
		return err
	})
	return found, err
}

// Objects reads many objects in one exchange and hands them over in the order
// of the names. A name without an object is handed over with its error; an
// error that each returns ends the reading and is returned. Until Objects has
// returned, nobody else reads: each must not ask the Repo for objects.
func (r *Repo) Objects(specs []string, each func(i int, o Object, err error) error) error {
	requests, err := requestsFor("contents ", specs)
	if err != nil {
		return err
	}
	return r.ask(requests, func(i int, a answer) error {
		return each(i, Object{ID: a.id, Type: a.kind, Data: a.data}, r.truth(specs[i], a.err))
	})
}

// Infos is [Repo.Objects] without contents.
func (r *Repo) Infos(specs []string, each func(i int, o Info, err error) error) error {
	requests, err := requestsFor("info ", specs)
	if err != nil {
		return err
	}
	return r.ask(requests, func(i int, a answer) error {
		return each(i, Info{ID: a.id, Type: a.kind, Size: a.size}, r.truth(specs[i], a.err))
	})
}

// ask is [batch.ask] for a repository that may be a partial clone. There a git
// before 2.44 ends over an object that was filtered out: it wants to fetch it
// and may not.
func (r *Repo) ask(requests []string, each func(int, answer) error) error {
	err := r.core.batch.ask(requests, each)
	var ended *CmdError
	if errors.As(err, &ended) && errors.Is(err, ErrUnreadable) && r.isPartial() {
		ended.Err = ErrMissing
	}
	return err
}

func (r *Repo) isPartial() bool {
	config, err := r.Config()
	if err != nil {
		return false
	}
	_, partial := config.Get("extensions.partialclone")
	for _, key := range config.Keys("remote.") {
		partial = partial || strings.HasSuffix(key, ".promisor")
	}
	return partial
}

// truth tells a damaged object from a missing one, where it was asked for by its
// id: git calls both missing, and only the file says which of them it is.
func (r *Repo) truth(spec string, err error) error {
	if !errors.Is(err, ErrMissing) || !IsID(r.ObjectFormat(), spec) {
		return err
	}
	path := filepath.Join(r.core.objects, spec[:2], spec[2:])
	if _, statErr := os.Lstat(path); statErr != nil {
		return err
	}
	return fmt.Errorf("%q: %w", spec, ErrUnreadable)
}

// Info returns what git knows of one object.
func (r *Repo) Info(spec string) (Info, error) {
	var found Info
	err := r.Infos([]string{spec}, func(_ int, o Info, err error) error {
		found = o
		return err
	})
	return found, err
}

// Resolve returns the id of the object that a name leads to.
func (r *Repo) Resolve(spec string) (string, error) {
	info, err := r.Info(spec)
	return info.ID, err
}

// Commit returns the id of the commit that a name leads to, through tags.
func (r *Repo) Commit(spec string) (string, error) { return r.Resolve(spec + "^{commit}") }

// TreeOf returns the id of a commit's tree.
func (r *Repo) TreeOf(commit string) (string, error) { return r.Resolve(commit + "^{tree}") }

// requestsFor refuses names that would end the line early or be read as part of
// it: the answer to half a name is worse than none, and a name that is no
// request would never be answered.
func requestsFor(verb string, specs []string) ([]string, error) {
	requests := make([]string, len(specs))
	for i, spec := range specs {
		if spec == "" || strings.ContainsAny(spec, "\n\x00") || strings.HasSuffix(spec, "\r") {
			return nil, fmt.Errorf("%q: %w", spec, ErrBadName)
		}
		requests[i] = verb + spec
	}
	return requests, nil
}

func isKind(s string) bool {
	for _, kind := range kinds {
		if s == kind {
			return true
		}
	}
	return false
}

func isHex(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s != ""
}

// IsID reports whether s is a full object id of the given object format.
func IsID(format, s string) bool { return len(s) == digits[format] && isHex(s) }
