//go:build unix

package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// The variables by which this test binary is made a process that dies in the
// middle of a write. Nothing outside the tests reads them.
const (
	crashAt  = "GIT_TEST_CRASH_AT"
	crashDir = "GIT_TEST_CRASH_DIR"
)

func init() {
	if os.Getenv(crashAt) == "" {
		return
	}
	atCrashPoint = func(name string) {
		if name == os.Getenv(crashAt) {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}

// TestCrashChild is the process that dies.
func TestCrashChild(t *testing.T) {
	dir := os.Getenv(crashDir)
	if dir == "" {
		t.Skip("it is a child of TestCrash")
	}
	r, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Fatal(writeSome(r))
}

func writeSome(r *Repo) error {
	w := r.newWriter(&looseStore{dir: r.core.objects})
	for _, contents := range []string{"one\n", "two\n", "three\n"} {
		if _, err := w.WriteBlob([]byte(contents)); err != nil {
			return err
		}
	}
	return w.Flush()
}

// Killed anywhere, a write leaves a repository that is whole, nothing that a gc
// does not clear away, and nothing in the way of the next write.
func TestCrash(t *testing.T) {
	for _, point := range crashPoints {
		t.Run(point, func(t *testing.T) {
			f := newFixture(t)
			cmd := exec.Command(os.Args[0], "-test.run=^TestCrashChild$")
			cmd.Env = append(os.Environ(), crashAt+"="+point, crashDir+"="+f.dir)
			err := cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("the child was not killed: %v", err)
			}
			if out := f.git("fsck", "--strict", "--no-dangling"); out != "" {
				t.Errorf("fsck: %s", out)
			}
			r := f.open()
			if err := writeSome(r); err != nil {
				t.Error(err)
			}
			f.git("gc", "-q", "--prune=now")
			noLeftovers(t, r)
		})
	}
}
