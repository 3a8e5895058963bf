package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// chain makes n commits and returns their ids.
func (f fixture) chain(n int) []string {
	f.t.Helper()
	tree, parent := f.git("rev-parse", "HEAD^{tree}"), f.git("rev-parse", "HEAD")
	ids := make([]string, n)
	for i := range ids {
		ids[i] = f.git("commit-tree", "-p", parent, "-m", fmt.Sprint("c", i), tree)
	}
	return ids
}

// tip returns what a ref leads to, or "".
func (f fixture) tip(ref string) string {
	out, err := f.try("rev-parse", "-q", "--verify", ref)
	if err != nil {
		return ""
	}
	return out
}

// backends are the ways in which repositories keep refs and objects.
var backends = []struct {
	name string
	init []string
}{
	{"files", nil},
	{"sha256", []string{"--object-format=sha256"}},
	{"reftable", []string{"--ref-format=reftable"}},
}

func TestTransaction(t *testing.T) {
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			supports(t, append([]string{"init", "-q"}, backend.init...)...)
			f := newFixture(t, backend.init...)
			r := f.open()
			c := f.chain(3)
			const a, b = "refs/sdd/a", "refs/sdd-pins/a"
			for _, step := range []struct {
				name    string
				before  func()
				updates []RefUpdate
				moved   string // the ref that an ErrMoved names; "" for success
				a, b    string // afterwards
			}{
				{"create both", nil, []RefUpdate{{b, c[0], ""}, {a, c[0], ""}}, "", c[0], c[0]},
				{"create again", nil, []RefUpdate{{a, c[1], ""}}, a, c[0], c[0]},
				{"update both", nil, []RefUpdate{{b, c[1], c[0]}, {a, c[1], c[0]}}, "", c[1], c[1]},
				{"stale", nil, []RefUpdate{{b, c[2], c[1]}, {a, c[2], c[0]}}, a, c[1], c[1]},
				{"packed", func() { f.git("pack-refs", "--all", "--prune") }, []RefUpdate{{b, c[2], c[1]}, {a, c[2], c[1]}}, "", c[2], c[2]},
				{"stale and packed", func() { f.git("pack-refs", "--all", "--prune") }, []RefUpdate{{a, c[0], c[1]}}, a, c[2], c[2]},
				{"said to be done", nil, []RefUpdate{{a, c[2], c[1]}}, "", c[2], c[2]},
				{"delete", nil, []RefUpdate{{a, "", c[2]}}, "", "", c[2]},
				{"update what is gone", nil, []RefUpdate{{a, c[1], c[2]}}, a, "", c[2]},
			} {
				if step.before != nil {
					step.before()
				}
				err := r.Transaction(step.updates)
				var moved *ErrMoved
				if step.moved == "" && err != nil || step.moved != "" && (!errors.As(err, &moved) || moved.Ref != step.moved || moved.Now != f.tip(step.moved)) {
					t.Errorf("%s: %v", step.name, err)
				}
				if f.tip(a) != step.a || f.tip(b) != step.b {
					t.Errorf("%s: the refs are at %q and %q, want %q and %q", step.name, f.tip(a), f.tip(b), step.a, step.b)
				}
			}
			if out := f.git("reflog", "show", b); strings.Count(out, "\n") != 2 {
				t.Errorf("the reflog is\n%s", out)
			}
		})
	}
}

func TestTransactionRefuses(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	c := f.chain(1)[0]
	for _, u := range []RefUpdate{
		{"HEAD", c, ""}, {"refs/sdd/a b", c, ""}, {"refs/sdd/a\x00b", c, ""}, {"refs/sdd/a\n", c, ""},
		{"refs/sdd/a", "", ""}, {"refs/sdd/a", "HEAD", ""}, {"refs/sdd/a", c[:12], ""}, {"refs/sdd/a", c, "x"},
	} {
		if err := r.Transaction([]RefUpdate{u}); err == nil {
			t.Errorf("%+v was taken", u)
		}
	}
	if f.tip("refs/sdd/a") != "" {
		t.Error("something was written")
	}
}

// A ref that is symbolic is moved itself: it must not lead a run's move to a branch.
func TestTransactionSymbolic(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	main, c := f.tip("refs/heads/main"), f.chain(1)[0]
	f.git("symbolic-ref", "refs/sdd/a", "refs/heads/main")
	_ = r.Transaction([]RefUpdate{{"refs/sdd/a", c, main}})
	if f.tip("refs/heads/main") != main {
		t.Error("the branch moved")
	}
}

func TestTransactionStaleLock(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	c := f.chain(2)
	if err := r.Transaction([]RefUpdate{{"refs/sdd/a", c[0], ""}}); err != nil {
		t.Fatal(err)
	}
	lock := f.path(".git", "refs", "sdd", "a.lock")
	f.write(".git/refs/sdd/a.lock", "")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	err := r.Transaction([]RefUpdate{{"refs/sdd/a", c[1], c[0]}})
	var stale *StaleLockError
	if !errors.As(err, &stale) || stale.Path != lock || stale.Since < time.Hour || !strings.Contains(stale.Repair(), lock) {
		t.Errorf("%v", err)
	}
	var failed *CmdError
	if !errors.As(err, &failed) || !strings.Contains(failed.Stderr, "a.lock") {
		t.Errorf("git's own words are missing: %v", failed)
	}
	if took := time.Since(begun); took < patience || took > 10*patience {
		t.Errorf("it was tried for %s", took)
	}
	if f.tip("refs/sdd/a") != c[0] {
		t.Error("the ref moved")
	}
}

// A lock that goes away in time costs patience only.
func TestTransactionWaits(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	c := f.chain(1)[0]
	f.write(".git/refs/sdd/a.lock", "")
	time.AfterFunc(300*time.Millisecond, func() { os.Remove(f.path(".git", "refs", "sdd", "a.lock")) })
	if err := r.Transaction([]RefUpdate{{"refs/sdd/a", c, ""}}); err != nil {
		t.Error(err)
	}
}

// The files backend moves refs one after the other: a crash may leave the first
// moved. The same transaction then completes.
func TestTransactionHalfDone(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	c := f.chain(2)
	f.git("update-ref", "refs/sdd-pins/a", c[1])
	f.git("update-ref", "refs/sdd/a", c[0])
	if err := r.Transaction([]RefUpdate{{"refs/sdd-pins/a", c[1], c[0]}, {"refs/sdd/a", c[1], c[0]}}); err != nil {
		t.Error(err)
	}
	if f.tip("refs/sdd/a") != c[1] {
		t.Error("the second ref did not move")
	}
}

// Nobody's hook may hold up or refuse the move, wherever it is configured.
func TestTransactionNoHooks(t *testing.T) {
	f := newFixture(t)
	ran := f.path("ran")
	hook := f.script(".git/hooks/reference-transaction", "touch "+ran+"; sleep 60; exit 1")
	f.git("config", "hook.meddler.command", hook)
	f.git("config", "hook.meddler.event", "reference-transaction")
	r := f.open()
	begun := time.Now()
	if err := r.Transaction([]RefUpdate{{"refs/sdd/a", f.tip("HEAD"), ""}}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(ran); err == nil || time.Since(begun) > 20*time.Second {
		t.Error("the hook ran")
	}
	config := parseConfig("hook.a.command\nx\x00hook.a.event\ny\x00hook.B=c.d.enabled\ntrue\x00hook.x\nz\x00")
	if got, want := disabledHooks(config), []string{"hook.a.enabled", "hook.B=c.d.enabled"}; !slices.Equal(got, want) {
		t.Errorf("disabled %q, want %q", got, want)
	}
	env := withSettings([]string{"GIT_CONFIG_COUNT=2"}, []string{"hook.a.enabled"})
	if got, want := strings.Join(env, " "), "GIT_CONFIG_KEY_2=hook.a.enabled GIT_CONFIG_VALUE_2=false GIT_CONFIG_COUNT=3"; got != want {
		t.Errorf("settings %q, want %q", got, want)
	}
}

func TestTransactionWithoutIdentity(t *testing.T) {
	f := newFixture(t)
	f.git("config", "--unset", "user.name")
	f.git("config", "--unset", "user.email")
	f.git("config", "user.useConfigOnly", "true")
	r := f.open()
	if err := r.Transaction([]RefUpdate{{"refs/sdd/a", f.tip("HEAD"), ""}}); err != nil {
		t.Error(err)
	}
	if out := f.git("log", "-g", "--format=%gn <%ge>", "refs/sdd/a"); out != FallbackName+" <"+FallbackEmail+">" {
		t.Errorf("the reflog names %s", out)
	}
}

// A command that is told to end before the move does not move; one that is told
// during the move finishes it.
func TestTransactionCancelled(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Open(ctx, f.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Config(); err != nil {
		t.Fatal(err)
	}
	m, err := r.StartMove()
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := m.Apply([]RefUpdate{{"refs/sdd/a", f.tip("HEAD"), ""}}); !errors.Is(err, context.Canceled) {
		t.Errorf("before: %v", err)
	}
	if f.tip("refs/sdd/a") != "" {
		t.Error("the ref moved")
	}

	ctx, cancel = context.WithCancel(context.Background())
	if r, err = Open(ctx, f.dir); err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f.write(".git/refs/sdd/a.lock", "")
	time.AfterFunc(100*time.Millisecond, cancel)
	time.AfterFunc(400*time.Millisecond, func() { os.Remove(f.path(".git", "refs", "sdd", "a.lock")) })
	if err := r.Transaction([]RefUpdate{{"refs/sdd/a", f.tip("HEAD"), ""}}); err != nil {
		t.Errorf("during: %v", err)
	}
}

func TestMoveCancel(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	m, err := r.StartMove()
	if err != nil {
		t.Fatal(err)
	}
	m.Cancel()
	m.Cancel()
	if locks, _ := filepath.Glob(f.path(".git", "refs", "*", "*.lock")); len(locks) > 0 {
		t.Errorf("locks are left: %v", locks)
	}
}

func TestRefs(t *testing.T) {
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			supports(t, append([]string{"init", "-q"}, backend.init...)...)
			f := newFixture(t, backend.init...)
			r := f.open()
			if refs, err := r.Refs("refs/sdd/"); err != nil || len(refs) != 0 {
				t.Errorf("no refs: %v, %v", refs, err)
			}
			head := f.tip("HEAD")
			c := f.git("commit-tree", "-m", "subject\n\nA: b", "HEAD^{tree}")
			f.git("update-ref", "refs/sdd/a", head)
			f.git("update-ref", "refs/sdd/b", c)
			f.git("update-ref", "refs/sdd-pins/a", head)
			f.git("pack-refs", "--all")
			f.git("update-ref", "refs/sdd/c", f.git("rev-parse", "HEAD^{tree}"))
			refs, err := r.RefMessages("refs/sdd/")
			want := []Ref{
				{Name: "refs/sdd/a", ID: head, Message: "first\n"}, {Name: "refs/sdd/b", ID: c, Message: "subject\n\nA: b\n"},
				{Name: "refs/sdd/c", ID: f.git("rev-parse", "HEAD^{tree}")},
			}
			if err != nil || !slices.Equal(refs, want) {
				t.Errorf("%+v, %v, want %+v", refs, err, want)
			}
			if ref, err := r.Ref("refs/sdd/b"); err != nil || ref.ID != c {
				t.Errorf("%+v, %v", ref, err)
			}
			if _, err := r.Ref("refs/sdd"); !errors.Is(err, ErrNone) {
				t.Errorf("a prefix passed for a ref: %v", err)
			}
		})
	}
}

// What git leaves out of its list with a warning is not what is not there.
func TestRefsBroken(t *testing.T) {
	f := newFixture(t)
	f.git("update-ref", "refs/sdd/good", "HEAD")
	f.write(".git/refs/sdd/empty", "")
	f.write(".git/refs/sdd/dangling", strings.Repeat("1", 40)+"\n")
	r := f.open()
	if _, err := r.Ref("refs/sdd/empty"); !errors.Is(err, ErrUnreadable) {
		t.Errorf("empty: %v", err)
	}
	if ref, err := r.Ref("refs/sdd/dangling"); err != nil || ref.ID != strings.Repeat("1", 40) {
		t.Errorf("dangling: %+v, %v", ref, err)
	}
	refs, err := r.Refs("refs/sdd/")
	if err != nil || len(refs) != 3 {
		t.Errorf("%+v, %v", refs, err)
	}
	err = r.Transaction([]RefUpdate{{"refs/sdd/empty", f.tip("HEAD"), ""}})
	if !errors.Is(err, ErrUnreadable) {
		t.Errorf("a broken ref was written to: %v", err)
	}
}

// A message list with a ref whose commit is missing must not fail for all.
func TestRefMessagesDangling(t *testing.T) {
	f := newFixture(t)
	f.git("update-ref", "refs/sdd/good", "HEAD")
	f.write(".git/refs/sdd/dangling", strings.Repeat("1", 40)+"\n")
	refs, err := f.open().RefMessages("refs/sdd/")
	if err != nil || len(refs) != 2 || !errors.Is(refs[0].Err, ErrMissing) || refs[1].Err != nil || refs[1].Message != "first\n" {
		t.Errorf("%+v, %v", refs, err)
	}
}

// A packed-refs file that is replaced within a second by one of the same size
// may pass for the old one. Whoever lost a move because of it reads anew.
func TestReaderAfterLoss(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	c := f.chain(2)
	f.git("update-ref", "refs/sdd/a", c[0])
	f.git("pack-refs", "--all")
	path := f.path(".git", "packed-refs")
	if id, err := r.Resolve("refs/sdd/a"); err != nil || id != c[0] {
		t.Fatalf("%s, %v", id, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(packed), c[0], c[1], 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	id, err := r.Resolve("refs/sdd/a")
	t.Logf("the reader says %s, %v; the ref is at %s", id, err, c[1])
	var moved *ErrMoved
	if err := r.Transaction([]RefUpdate{{"refs/sdd/a", f.tip("HEAD"), c[0]}}); !errors.As(err, &moved) || moved.Now != c[1] {
		t.Errorf("%v", err)
	}
	if id, err := r.Resolve("refs/sdd/a"); err != nil || id != c[1] {
		t.Errorf("afterwards it says %s, %v, and the ref is at %s", id, err, c[1])
	}
}

// Git may compare with a value that was replaced while it waited for the lock.
// The move must not be made then.
func TestMoveSeesThroughStaleRefs(t *testing.T) {
	for name, old := range map[string]func(c []string) string{"update": func(c []string) string { return c[0] }, "create": func([]string) string { return "" }} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			r := f.open()
			c := f.chain(3)
			from := old(c)
			if from != "" {
				f.git("update-ref", "refs/sdd/a", from)
			} else {
				f.git("update-ref", "refs/sdd/b", c[0]) // of the same length
			}
			f.git("pack-refs", "--all")
			path := f.path(".git", "packed-refs")
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			packed, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f.write(".git/refs/sdd/a.lock", "")
			m, err := r.StartMove()
			if err != nil {
				t.Fatal(err)
			}
			updates := []RefUpdate{{"refs/sdd/a", c[1], from}}
			m.Prepare(updates)
			time.Sleep(50 * time.Millisecond) // git waits for the lock for 100
			changed := strings.Replace(string(packed), c[0]+" refs/sdd/b", c[2]+" refs/sdd/a", 1)
			changed = strings.Replace(changed, c[0]+" refs/sdd/a", c[2]+" refs/sdd/a", 1)
			if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, time.Time{}, info.ModTime()); err != nil {
				t.Fatal(err)
			}
			os.Remove(f.path(".git", "refs", "sdd", "a.lock"))
			err = m.Apply(updates)
			var moved *ErrMoved
			if !errors.As(err, &moved) || moved.Now != c[2] {
				t.Errorf("%v", err)
			}
			if got := f.tip("refs/sdd/a"); got != c[2] {
				t.Errorf("the ref is at %s, %s was lost", got, c[2])
			}
		})
	}
}
