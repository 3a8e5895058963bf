package ledger

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/git"
)

func sh(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestSmoke(t *testing.T) {
	dir := t.TempDir()
	sh(t, dir, "init", "-q")
	sh(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
	head := sh(t, dir, "rev-parse", "HEAD")
	ctx := context.Background()
	repo, err := git.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	id, _ := ParseRunID(strings.Repeat("ab", 32))
	e := Entry{At: "2026-09-01T00:00:00.123Z", Event: "run-initialized", Phase: "CAPABILITY_CHECK", Task: "1", Subject: "start: plan.md", State: []byte("{}"), EventDoc: []byte("{}"), Files: map[string][]byte{"plan.md": []byte("x\n")}}
	tip, err := Create(ctx, repo, id, e)
	if err != nil {
		t.Fatal(err)
	}
	e.Revision, e.Attest = 1, []string{head}
	e.Files = map[string][]byte{"artifacts/task-1/brief.md": []byte("b\n")}
	if tip, err = Append(ctx, repo, tip, e); err != nil {
		t.Fatal(err)
	}
	run, err := Load(ctx, repo, id)
	if err != nil {
		t.Fatal(err)
	}
	if run.Tip != tip {
		t.Errorf("%+v %+v", run.Tip, tip)
	}
	n := 0
	if err := Walk(ctx, repo, tip, 0, func(Revision) error { n++; return nil }); err != nil || n != 2 {
		t.Error(n, err)
	}
	t.Log(sh(t, dir, "fsck", "--strict"), sh(t, dir, "log", "--oneline", id.Ref()), sh(t, dir, "log", id.PinRef()))
	s, err := List(ctx, repo)
	t.Log(s, err)
}
