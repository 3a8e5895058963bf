package git

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A portableStore has git write every object: it knows every object format and
// extension that this repository uses. One process an object, which is why it is
// not the usual way.
type portableStore struct {
	repo  *Repo
	fresh []string // ids whose directories are not yet synced
}

// durable makes git sync what it writes, whatever the user's settings are, and
// run no hook over it.
var durable = []string{
	"-c", "core.fsync=committed,loose-object", "-c", "core.fsyncMethod=fsync", "-c", "core.hooksPath=/dev/null",
}

func (s *portableStore) put(kind string, data []byte) (string, error) {
	args := append(slices.Clone(durable), "hash-object", "-t", kind, "-w", "--stdin")
	res, err := s.repo.run(call{args: args, stdin: bytes.NewReader(data)})
	if err != nil {
		return "", err
	}
	id := strings.TrimSuffix(string(res.stdout), "\n")
	if !IsID(s.repo.ObjectFormat(), id) {
		return "", fmt.Errorf("git hash-object answered %q", id)
	}
	s.fresh = append(s.fresh, id)
	return id, nil
}

// place has nothing to do: git has written the files, and synced them.
func (s *portableStore) place() error { return nil }

// flush syncs the directories.
func (s *portableStore) flush() error {
	err := syncFanOut(s.repo.core.objects, s.fresh)
	s.fresh = nil
	return err
}

// present leaves the question to git.
func (s *portableStore) present(string) bool { return false }
