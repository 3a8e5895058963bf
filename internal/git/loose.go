package git

import (
	"bytes"
	"compress/zlib"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// A looseStore writes loose objects of a SHA-1 repository itself.
type looseStore struct {
	dir     string // of the objects
	pending []loose
	placed  []string // ids whose directories are not yet synced
}

// A loose is an object in the form of its file.
type loose struct {
	id        string
	file      []byte // compressed
	path      string
	temporary *os.File // nil before it was made and when it is in place
}

// knownExtensions are the repository extensions that change nothing about how a
// loose object is written.
var knownExtensions = []string{
	"noop", "noop-v1", "objectformat", "partialclone", "preciousobjects",
	"refstorage", "relativeworktrees", "worktreeconfig",
}

// plain reports whether objects can be written without git: SHA-1, no extension
// that we do not know, ordinary file permissions, and no quarantine or other
// object directory in the environment.
func plain(c *core, config *Config) bool {
	if c.format != "sha1" || value(c.environ, "GIT_OBJECT_DIRECTORY") != "" {
		return false
	}
	for _, key := range config.Keys("extensions.") {
		if !slices.Contains(knownExtensions, strings.TrimPrefix(key, "extensions.")) {
			return false
		}
	}
	shared, _ := config.Get("core.sharedrepository")
	return slices.Contains([]string{"", "umask", "false", "no", "off", "0"}, strings.ToLower(shared))
}

var objectTypes = map[string]plumbing.ObjectType{
	"blob": plumbing.BlobObject, "tree": plumbing.TreeObject, "commit": plumbing.CommitObject,
}

// encoders holds compressors: making one costs ten times what it takes to
// compress a small object with it. The level is git's own for loose objects.
var encoders = sync.Pool{New: func() any {
	w, _ := zlib.NewWriterLevel(nil, zlib.BestSpeed) // fails for unknown levels only
	return w
}}

func (s *looseStore) put(kind string, data []byte) (string, error) {
	objectType := objectTypes[kind]
	var file bytes.Buffer
	w := encoders.Get().(*zlib.Writer)
	defer encoders.Put(w)
	w.Reset(&file)
	_, err := fmt.Fprintf(w, "%s %d\x00", objectType, len(data))
	if err == nil {
		_, err = w.Write(data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	id := plumbing.ComputeHash(objectType, data).String()
	s.pending = append(s.pending, loose{id: id, file: file.Bytes()})
	return id, nil
}

// flush puts all pending objects in place, in four strides: write temporary
// files, sync them, rename them, sync the directories. The files of a stride are
// synced side by side, so that a journaling file system needs one commit for all
// of them and not one for each.
//
// A file that is there already is replaced. It may be old, never synced, or the
// empty leftover of a crash, and is none of these afterwards.
func (s *looseStore) flush() error {
	if err := s.place(); err != nil {
		return err
	}
	crashPoint("git: objects in place, directories not synced")
	ids := s.placed
	s.placed = nil
	return syncFanOut(s.dir, ids)
}

// place is the first three strides.
func (s *looseStore) place() error {
	defer s.discard()
	for i := range s.pending {
		if err := s.pending[i].create(s.dir); err != nil {
			return err
		}
	}
	if err := sideBySide(s.pending, loose.sync); err != nil {
		return err
	}
	crashPoint("git: objects in temporary files")
	for i := range s.pending {
		if err := s.pending[i].rename(); err != nil {
			return err
		}
		s.placed = append(s.placed, s.pending[i].id)
	}
	return nil
}

// discard forgets what was pending and removes the temporary files that a failed
// flush left.
func (s *looseStore) discard() {
	for _, o := range s.pending {
		if o.temporary != nil {
			_ = o.temporary.Close()
			_ = os.Remove(o.temporary.Name())
		}
	}
	s.pending = nil
}

// present reports whether the object is there as a file of its own.
func (s *looseStore) present(id string) bool {
	_, err := os.Lstat(filepath.Join(s.dir, id[:2], id[2:]))
	return err == nil
}

// create writes the object to a temporary file of a name that git's own gc
// clears away. A gc may remove an empty directory between its making and the
// file's, so that both are tried again.
func (o *loose) create(objects string) error {
	o.path = filepath.Join(objects, o.id[:2], o.id[2:])
	dir := filepath.Dir(o.path)
	for attempt := 0; ; attempt++ {
		f, err := os.OpenFile(filepath.Join(dir, "tmp_obj_"+randomName()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
		if errors.Is(err, fs.ErrNotExist) && attempt < 8 {
			if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		o.temporary = f
		_, err = f.Write(o.file)
		return err
	}
}

func (o loose) sync() error { return o.temporary.Sync() }

func (o *loose) rename() error {
	temporary := o.temporary.Name()
	err := errors.Join(o.temporary.Close(), os.Rename(temporary, o.path))
	if err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	o.temporary = nil
	return nil
}

func randomName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}

// syncFanOut makes the names of new objects durable: their directories, and the
// directory above, where some of these may be new.
func syncFanOut(objects string, ids []string) error {
	dirs := []string{objects}
	for _, id := range ids {
		if dir := filepath.Join(objects, id[:2]); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return sideBySide(dirs, syncDir)
}

// sideBySide does the same with every item at the same time.
func sideBySide[T any](items []T, do func(T) error) error {
	errs := make([]error, len(items))
	var all sync.WaitGroup
	for i, item := range items {
		all.Go(func() { errs[i] = do(item) })
	}
	all.Wait()
	return errors.Join(errs...)
}
