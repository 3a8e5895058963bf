//go:build unix

package ledger

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/git"
)

// The variables by which this test binary is made another process that writes to
// a ledger. Nothing outside the tests reads them.
const (
	childDir      = "LEDGER_TEST_DIR"      // the repository; set only for a child
	childRevision = "LEDGER_TEST_REVISION" // the revision to write
	childCrash    = "LEDGER_TEST_CRASH"    // the crash point at which to die
	childGate     = "LEDGER_TEST_GATE"     // a directory to wait in between reading and writing
)

// What a child tells by its exit status.
const (
	childWon   = 0
	childMoved = 3
	childOther = 1
)

// TestChild is the other process.
func TestChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("it is a child of other tests")
	}
	repo, err := git.Open(ctx, dir)
	if err == nil {
		err = child(repo)
	}
	var moved *Moved
	switch {
	case errors.As(err, &moved):
		os.Exit(childMoved)
	case err != nil:
		t.Log(err)
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(childOther)
	}
	os.Exit(childWon)
}

func child(repo *git.Repo) error {
	if at := os.Getenv(childCrash); at != "" {
		atCrashPoint = func(name string) {
			if name == at {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}
	}
	revision, err := strconv.Atoi(os.Getenv(childRevision))
	if err != nil {
		return err
	}
	e := entry(revision)
	head, err := repo.Resolve("HEAD")
	if err != nil {
		return err
	}
	e.Attest = []string{head}
	if revision == 0 {
		_, err := Create(ctx, repo, idOf(1), firstEntry())
		return err
	}
	run, err := Load(ctx, repo, idOf(1))
	if err != nil {
		return err
	}
	if gate := os.Getenv(childGate); gate != "" {
		if err := waitAt(gate); err != nil {
			return err
		}
	}
	_, err = Append(ctx, repo, run.Tip, e)
	return err
}

// waitAt says that this process has read, and waits until all have.
func waitAt(gate string) error {
	f, err := os.CreateTemp(gate, "ready")
	if err != nil {
		return err
	}
	f.Close()
	for {
		if _, err := os.Stat(gate + "/open"); err == nil {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
}

// startChild starts another process that writes the given revision of run 1.
func (f fixture) startChild(revision int, variables ...string) *exec.Cmd {
	f.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
	cmd.Env = append(os.Environ(), childDir+"="+f.dir, childRevision+"="+strconv.Itoa(revision))
	cmd.Env = append(cmd.Env, variables...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	return cmd
}
