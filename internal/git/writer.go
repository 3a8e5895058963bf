package git

import (
	"fmt"
)

// A Writer stores objects durably. An object is promised when its id is
// returned and kept when [Writer.Flush] has returned: nothing may refer to it
// before. A Writer serves one goroutine.
type Writer struct {
	repo  *Repo
	store store
	wrote []object
	known map[string]bool
}

// An object is one that was written, with what it takes to write it again.
type object struct {
	id, kind string
	data     []byte
}

// A store is one way of getting objects into the repository.
type store interface {
	// put takes an object and returns its id. The object may be kept back until
	// flush.
	put(kind string, data []byte) (id string, err error)
	// place makes everything that was put an object that git finds.
	place() error
	// flush makes everything that was put durable, whether or not it had been
	// there before.
	flush() error
	// present reports whether an object is there for certain; no is no answer.
	present(id string) bool
}

// Writer returns a way to write objects: straight to loose objects where we know
// all there is to know about the repository, through git itself elsewhere. The
// bytes and ids are the same.
func (r *Repo) Writer() (*Writer, error) {
	config, err := r.Config()
	if err != nil {
		return nil, err
	}
	if plain(r.core, config) {
		return r.newWriter(&looseStore{dir: r.core.objects}), nil
	}
	return r.newWriter(&portableStore{repo: r}), nil
}

func (r *Repo) newWriter(s store) *Writer {
	return &Writer{repo: r, store: s, known: map[string]bool{}}
}

// WriteBlob stores bytes.
func (w *Writer) WriteBlob(data []byte) (string, error) { return w.put("blob", data) }

// WriteTree stores a tree. It sorts the entries, and refuses names that git
// would not check out and names that stand twice.
func (w *Writer) WriteTree(entries []TreeEntry) (string, error) {
	data, err := encodeTree(w.repo.ObjectFormat(), entries)
	if err != nil {
		return "", err
	}
	return w.put("tree", data)
}

// WriteEmptyTree stores the tree without entries, unlike git, which answers for
// it without having it: then `git fsck` and a receiver miss it.
func (w *Writer) WriteEmptyTree() (string, error) { return w.put("tree", nil) }

// WriteCommit stores a commit. It asks for no signature and runs no hook.
func (w *Writer) WriteCommit(c CommitSpec) (string, error) {
	data, err := encodeCommit(w.repo.ObjectFormat(), c)
	if err != nil {
		return "", err
	}
	return w.put("commit", data)
}

func (w *Writer) put(kind string, data []byte) (string, error) {
	id, err := w.store.put(kind, data)
	if err != nil {
		return "", fmt.Errorf("writing a %s: %w", kind, err)
	}
	if !w.known[id] {
		w.known[id] = true
		w.wrote = append(w.wrote, object{id: id, kind: kind, data: data})
	}
	return id, nil
}

// Place puts everything written so far where git finds it. Only [Writer.Flush]
// makes it durable, and there is time between the two for what need not wait.
func (w *Writer) Place() error {
	if err := w.store.place(); err != nil {
		return fmt.Errorf("writing objects: %w", err)
	}
	return nil
}

// Flush makes everything written so far durable: when it returns, a power loss
// takes none of it. An object that was there already is as fresh as a new one,
// so that a gc with a grace period lets it live.
func (w *Writer) Flush() error {
	if err := w.store.flush(); err != nil {
		return fmt.Errorf("writing objects: %w", err)
	}
	return nil
}

// Verify looks whether everything written is still there and writes again what
// is not: a `git gc --prune=now` beside us takes objects that no ref holds yet.
// It is called when the refs have moved.
func (w *Writer) Verify() error {
	lost, err := w.lost()
	if err != nil || len(lost) == 0 {
		return err
	}
	for _, o := range lost {
		if _, err := w.store.put(o.kind, o.data); err != nil {
			return fmt.Errorf("writing a %s again: %w", o.kind, err)
		}
	}
	return w.Flush()
}

func (w *Writer) lost() ([]object, error) {
	var doubtful []object
	var ids []string
	for _, o := range w.wrote {
		if !w.store.present(o.id) {
			doubtful = append(doubtful, o)
			ids = append(ids, o.id)
		}
	}
	var lost []object
	err := w.repo.Infos(ids, func(i int, _ Info, err error) error {
		if err != nil {
			lost = append(lost, doubtful[i])
		}
		return nil
	})
	return lost, err
}
