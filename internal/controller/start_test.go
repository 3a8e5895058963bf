package controller

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Two starts of one plan within a millisecond come to one id. Both found nothing
// before: the second is given the run of the first.
func TestStartedInOneMillisecond(t *testing.T) {
	for name, value := range map[string]string{"HOME": t.TempDir(), "XDG_CONFIG_HOME": t.TempDir(), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull} {
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	plan := filepath.Join(dir, "plan.md")
	if err := os.WriteFile(plan, []byte("## Task 1: Write\n\n**Implementer tier:** Fast\n\n- [ ] Write it.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"config", "user.name", "A Tester"}, {"config", "user.email", "tester@example.org"},
		{"add", "."}, {"commit", "-q", "-m", "first"}, {"switch", "-q", "-c", "work"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	ctx := context.Background()
	c, err := Open(ctx, Options{Dir: dir, Version: "test", Via: "program"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	at := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	c.now = func() time.Time { return at }
	s := starting{c: c, o: StartOptions{Plan: plan}}
	for _, check := range []func() error{s.readPlan, s.checkAudit, s.checkPlace, s.readSettings, s.findBase} {
		if err := check(); err != nil {
			t.Fatal(err)
		}
	}
	first, err := s.create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	second, err := s.create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer second.close()
	if first.id != second.id || second.view.Revision != 0 {
		t.Errorf("the second start is of run %s at revision %d, the first of %s", second.id, second.view.Revision, first.id)
	}
}
