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

// A looseStore writes loose objects of a SHA-1 repository itself, all of a
// flush side by side: the disk then syncs them together.
type looseStore struct {
	dir     string // of the objects
	pending []loose
}

// A loose is an object in the form of its file.
type loose struct {
	id   string
	file []byte // compressed
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

func (s *looseStore) put(kind string, data []byte) (string, error) {
	objectType := objectTypes[kind]
	var file bytes.Buffer
	w := zlib.NewWriter(&file)
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

// flushers is how many objects are written at the same time.
const flushers = 8

func (s *looseStore) flush() error {
	work := make(chan loose)
	errs := make([]error, flushers)
	var all sync.WaitGroup
	for i := range flushers {
		all.Go(func() {
			for o := range work {
				errs[i] = errors.Join(errs[i], s.write(o))
			}
		})
	}
	for _, o := range s.pending {
		work <- o
	}
	close(work)
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	err := syncFanOut(s.dir, func(yield func(string) bool) {
		for _, o := range s.pending {
			if !yield(o.id) {
				return
			}
		}
	})
	if err == nil {
		s.pending = nil
	}
	return err
}

// write puts one object in place: a temporary file that git's own gc would
// clear away, synced, renamed. A file that is there already is replaced: it may
// be old, never synced, or the empty leftover of a crash, and is all three no
// longer.
func (s *looseStore) write(o loose) error {
	dir := filepath.Join(s.dir, o.id[:2])
	temporary, err := s.temporary(dir, o.file)
	if err != nil {
		return err
	}
	crashPoint("git: object in a temporary file")
	if err := os.Rename(temporary, filepath.Join(dir, o.id[2:])); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// temporary writes and syncs a file of its own in dir. A gc may remove an empty
// directory between its making and the file's, so that both are tried again.
func (s *looseStore) temporary(dir string, data []byte) (string, error) {
	for attempt := 0; ; attempt++ {
		if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		path := filepath.Join(dir, "tmp_obj_"+randomName())
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
		if errors.Is(err, fs.ErrNotExist) && attempt < 8 {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(data)
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			return "", errors.Join(fmt.Errorf("writing %s: %w", path, err), os.Remove(path))
		}
		return path, nil
	}
}

func randomName() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return hex.EncodeToString(b[:])
}

// syncFanOut makes the names of new objects durable: their directories, and the
// directory above, where some of these may be new.
func syncFanOut(objects string, ids func(yield func(string) bool)) error {
	dirs := map[string]bool{objects: true}
	for id := range ids {
		dirs[filepath.Join(objects, id[:2])] = true
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for dir := range dirs {
		all.Go(func() {
			if err := syncDir(dir); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = errors.Join(failed, err)
			}
		})
	}
	all.Wait()
	return failed
}
