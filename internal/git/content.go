package git

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// SpecialFile is what [Repo.HashFiles] answers for what has no contents to name:
// a pipe, a socket, a device, a directory that is no repository.
const SpecialFile = "special"

// HashFiles names the contents of files in the work tree: the id that each would
// have as a blob, byte for byte as it lies there, without filters. A symbolic
// link is its target's name and is never followed; a nested repository is the
// commit checked out in it; a path without a file is "".
//
// The ids are worked out here and not by `git hash-object`, which follows links,
// cannot be given a name with a newline, and costs a process.
func (r *Repo) HashFiles(paths []string) ([]string, error) {
	if r.WorkTree() == "" {
		return nil, ErrNoWorkTree
	}
	ids := make([]string, len(paths))
	for i, path := range paths {
		if err := checkPath(strings.TrimSuffix(path, "/")); err != nil {
			return nil, err
		}
		id, err := r.hashFile(filepath.Join(r.WorkTree(), filepath.FromSlash(path)))
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", path, err)
		}
		ids[i] = id
	}
	return ids, nil
}

func (r *Repo) hashFile(path string) (string, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotDirectory):
		return "", nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		return r.blobID(int64(len(target)), strings.NewReader(target), err)
	case info.IsDir():
		return r.nestedHead(path)
	case !info.Mode().IsRegular():
		return SpecialFile, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err = f.Stat()
	if err != nil {
		return "", err
	}
	return r.blobID(info.Size(), f, nil)
}

// BlobID returns the id that the bytes have as a blob of this repository,
// whether it is stored or not.
func (r *Repo) BlobID(data []byte) string {
	h := r.blobHasher(int64(len(data)))
	h.Write(data) // a hash never fails
	return hex.EncodeToString(h.Sum(nil))
}

// ObjectID returns the id that the bytes have as an object of the given type.
// Git takes a loose object's name for its digest when it reads one; who must not
// trust the clone compares.
func (r *Repo) ObjectID(kind string, data []byte) string {
	h := r.hasher(kind, int64(len(data)))
	h.Write(data) // a hash never fails
	return hex.EncodeToString(h.Sum(nil))
}

// blobID hashes exactly size bytes. A file that grows or shrinks meanwhile is an
// error: it has no one content.
func (r *Repo) blobID(size int64, contents io.Reader, err error) (string, error) {
	if err != nil {
		return "", err
	}
	h := r.blobHasher(size)
	n, err := io.Copy(h, contents)
	if err != nil {
		return "", err
	}
	if n != size {
		return "", errors.New("it changed while it was read")
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (r *Repo) blobHasher(size int64) hash.Hash { return r.hasher("blob", size) }

func (r *Repo) hasher(kind string, size int64) hash.Hash {
	if of, err := plumbing.ParseObjectType(kind); err == nil && r.ObjectFormat() == "sha1" {
		return plumbing.NewHasher(of, size).Hash
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %d\x00", kind, size)
	return h
}

// nestedHead returns the commit that a submodule or a repository within the work
// tree has checked out.
func (r *Repo) nestedHead(dir string) (string, error) {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
		return SpecialFile, nil
	}
	nested, err := r.At(dir)
	if err != nil {
		return SpecialFile, nil // a .git that leads nowhere is no repository
	}
	defer nested.Close()
	id, err := nested.Resolve("HEAD")
	if errors.Is(err, ErrMissing) {
		return SpecialFile, nil
	}
	return id, err
}
