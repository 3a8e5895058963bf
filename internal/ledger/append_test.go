package ledger

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/git"
)

var ctx = context.Background()

// One run from its creation on, in every kind of repository, read back with git.
func TestStory(t *testing.T) {
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			supports(t, append([]string{"init", "-q"}, backend.init...)...)
			f := newFixture(t, backend.init...)
			repo, id := f.open(), idOf(0xab)
			tip := must(Create(ctx, repo, id, firstEntry()))(t)
			second := entry(1)
			second.Files = map[string][]byte{"artifacts/task-1/brief.md": []byte("brief\n"), "artifacts/settings.json": []byte("{}")}
			second.Reason, second.Attest = "because", []string{f.head}
			tip = must(Append(ctx, repo, tip, second))(t)
			f.git("pack-refs", "--all")
			third := entry(2)
			third.Files = map[string][]byte{"artifacts/task-1/implementer-1.prompt.md": []byte("prompt")}
			third.Task = "final"
			tip = must(Append(ctx, repo, tip, third))(t)
			f.fsck()

			ref := id.Ref()
			if got, want := f.git("log", "--format=%s", ref), "task 2: step 2 (r2)\ntask 2: step 1 (r1)\nstart: plan.md (r0)"; got != want {
				t.Errorf("log: %q, want %q", got, want)
			}
			if got, want := f.git("log", "-1", "--format=%an <%ae> %aI %cn <%ce> %cI%n%b", ref+"~1"), strings.Join([]string{
				"A Tester <tester@example.org> 2026-09-01T00:00:01+00:00 A Tester <tester@example.org> 2026-09-01T00:00:01+00:00", "because", "",
				"Sdd-Run: " + id.String(), "Sdd-Revision: 1", "Sdd-Event: note-taken", "Sdd-Phase: IMPLEMENT_RUNNING", "Sdd-Task: 2", "Sdd-Nonce: "}, "\n"); !strings.HasPrefix(got, want) {
				t.Errorf("message: %q, want %q", got, want)
			}
			wantTree := "100644 artifacts/settings.json\n100644 artifacts/task-1/brief.md\n100644 artifacts/task-1/implementer-1.prompt.md\n100644 event.json\n100644 plan.md\n100644 state.json"
			if got := f.git("ls-tree", "-r", "--format=%(objectmode) %(path)", ref); got != wantTree {
				t.Errorf("tree:\n%s", got)
			}
			for path, want := range map[string]string{"state.json": `{"revision":2}`, "event.json": `{"event":2}`, "plan.md": "# Plan\r\n", "artifacts/task-1/brief.md": "brief\n"} {
				if got := f.git("cat-file", "blob", ref+":"+path); got != strings.TrimSuffix(want, "\n") {
					t.Errorf("%s: %q", path, got)
				}
			}
			run := must(Load(ctx, repo, id))(t)
			if run.Tip != tip || string(run.State) != `{"revision":2}` || run.Message.Task != "final" || tip.Commit() != f.git("rev-parse", ref) {
				t.Errorf("Load: %+v, want %+v", run, tip)
			}
			if out := f.git("log", "-g", "--format=%H", ref); strings.Count(out, "\n") != 2 {
				t.Errorf("reflog: %s", out)
			}
			mirror := fixture{t: t, dir: filepath.Join(t.TempDir(), "mirror")}
			f.git("clone", "-q", "--mirror", ".", mirror.dir)
			mirror.fsck()
			if there := must(Load(ctx, mirror.open(), id))(t); there.Tip != tip {
				t.Errorf("in a mirror: %+v", there.Tip)
			}
			if got, want := mirror.git("rev-parse", id.PinRef()), f.git("rev-parse", id.PinRef()); got != want {
				t.Errorf("the pins are at %s there, %s here", got, want)
			}
		})
	}
}

func TestCreateRefuses(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	must(Create(ctx, repo, id, firstEntry()))(t)
	tip := f.git("rev-parse", id.Ref())
	if _, err := Create(ctx, repo, id, firstEntry()); !errors.Is(err, ErrExists) {
		t.Errorf("again: %v", err)
	}
	attesting, later := firstEntry(), firstEntry()
	attesting.Attest = []string{f.head}
	later.Revision = 1
	for name, e := range map[string]Entry{"attesting": attesting, "later": later} {
		if _, err := Create(ctx, repo, idOf(2), e); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Create(ctx, repo, RunID{}, firstEntry()); !errors.Is(err, ErrInvalid) {
		t.Errorf("no id: %v", err)
	}
	f.git("update-ref", idOf(3).Ref(), f.head)
	if err := os.WriteFile(f.path(".git", "refs", "sdd", idOf(4).String()), []byte(strings.Repeat("1", 40)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, taken := range []RunID{idOf(3), idOf(4)} {
		if _, err := Create(ctx, repo, taken, firstEntry()); err == nil {
			t.Errorf("the ref of %s was overwritten", taken.Prefix12())
		}
	}
	if f.git("rev-parse", id.Ref()) != tip {
		t.Error("the run moved")
	}
}

// Whatever is refused changes nothing: no ref moves.
func TestAppendRefuses(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	first := firstEntry()
	first.Files["artifacts/a/b.md"] = []byte("b")
	tip := must(Create(ctx, repo, id, first))(t)
	tip = must(Append(ctx, repo, tip, entry(1)))(t)
	before := f.git("for-each-ref")
	tree := f.git("rev-parse", "HEAD^{tree}")
	for name, spoil := range map[string]func(*Entry){
		"the same revision":     func(e *Entry) { e.Revision = 1 },
		"a revision too far":    func(e *Entry) { e.Revision = 3 },
		"time going back":       func(e *Entry) { e.At = "2026-09-01T00:00:00.999Z" },
		"time without millis":   func(e *Entry) { e.At = "2026-09-01T01:00:00Z" },
		"time of another zone":  func(e *Entry) { e.At = "2026-09-01T01:00:00.000+01:00" },
		"no state":              func(e *Entry) { e.State = nil },
		"no event":              func(e *Entry) { e.EventDoc = nil },
		"a forged subject":      func(e *Entry) { e.Subject = "Sdd-Run: x" },
		"a forged event":        func(e *Entry) { e.Event = "a\nSdd-Phase: COMPLETE" },
		"no task":               func(e *Entry) { e.Task = "" },
		"another plan":          func(e *Entry) { e.Files = map[string][]byte{"plan.md": []byte("edited")} },
		"an artifact changed":   func(e *Entry) { e.Files = map[string][]byte{"artifacts/a/b.md": []byte("c")} },
		"a file as directory":   func(e *Entry) { e.Files = map[string][]byte{"artifacts/a/b.md/c": nil} },
		"a directory as file":   func(e *Entry) { e.Files = map[string][]byte{"artifacts/a": nil} },
		"both in one entry":     func(e *Entry) { e.Files = map[string][]byte{"artifacts/x": nil, "artifacts/x/y": nil} },
		"the state as a file":   func(e *Entry) { e.Files = map[string][]byte{"state.json": []byte("{}")} },
		"a file of the top":     func(e *Entry) { e.Files = map[string][]byte{"README": nil} },
		"the root itself":       func(e *Entry) { e.Files = map[string][]byte{"artifacts/": nil} },
		"a way out":             func(e *Entry) { e.Files = map[string][]byte{"artifacts/../x": nil} },
		"a git directory":       func(e *Entry) { e.Files = map[string][]byte{"artifacts/.git/config": nil} },
		"an absolute path":      func(e *Entry) { e.Files = map[string][]byte{"/artifacts/x": nil} },
		"a name with a newline": func(e *Entry) { e.Files = map[string][]byte{"artifacts/a\nb": nil} },
		"a path too long":       func(e *Entry) { e.Files = map[string][]byte{"artifacts/" + strings.Repeat("a/", maxPath/2): nil} },
		"attesting a name":      func(e *Entry) { e.Attest = []string{"HEAD"} },
		"attesting a tree":      func(e *Entry) { e.Attest = []string{tree} },
		"attesting nothing":     func(e *Entry) { e.Attest = []string{strings.Repeat("1", 40)} },
	} {
		e := entry(2)
		spoil(&e)
		if _, err := Append(ctx, repo, tip, e); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Append(ctx, repo, Tip{}, firstEntry()); !errors.Is(err, ErrInvalid) {
		t.Errorf("without having read: %v", err)
	}
	if after := f.git("for-each-ref"); after != before {
		t.Errorf("refs were\n%s\nand are\n%s", before, after)
	}
	same := entry(2)
	same.Files = map[string][]byte{"plan.md": first.Files["plan.md"], "artifacts/a/b.md": []byte("b")}
	if _, err := Append(ctx, repo, tip, same); err != nil {
		t.Errorf("the same files again: %v", err)
	}
}

func TestAppendMoved(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	tip := f.story(repo, id, 2)
	winner := must(Append(ctx, repo, tip, entry(2)))(t)
	for _, attest := range [][]string{nil, {f.head}} {
		e := entry(2)
		e.Attest = attest
		_, err := Append(ctx, repo, tip, e)
		var moved *Moved
		if !errors.As(err, &moved) || moved.Revision != 2 || moved.Commit != winner.Commit() || moved.Run != id {
			t.Errorf("%v", err)
		}
	}
	f.git("update-ref", "-d", id.Ref())
	_, err := Append(ctx, repo, winner, entry(3))
	var moved *Moved
	if !errors.As(err, &moved) || moved.Revision != -1 || moved.Commit != "" {
		t.Errorf("gone: %v", err)
	}
}

// Two entries of the same millisecond and content are two commits.
func TestNonce(t *testing.T) {
	f := newFixture(t)
	repo := f.open()
	tip := f.story(repo, idOf(1), 1)
	one := must(Append(ctx, repo, tip, entry(1)))(t)
	f.git("update-ref", idOf(1).Ref(), tip.Commit())
	two := must(Append(ctx, repo, tip, entry(1)))(t)
	if one.Commit() == two.Commit() {
		t.Error("both are the same commit")
	}
}

func TestInstant(t *testing.T) {
	now := time.Date(2026, 9, 1, 14, 0, 0, 999_999_999, time.FixedZone("", 7200))
	for last, want := range map[string]string{
		"": "2026-09-01T12:00:00.999Z", "2026-09-01T12:00:00.998Z": "2026-09-01T12:00:00.999Z", "2026-09-01T12:00:01.000Z": "2026-09-01T12:00:01.000Z",
	} {
		if got := Instant(now, last); got != want {
			t.Errorf("after %q: %q, want %q", last, got, want)
		}
	}
	for _, s := range []string{"", "2026-09-01T12:00:00Z", "2026-09-01T12:00:00.0000Z", "2026-09-01 12:00:00.000Z", "2026-13-01T12:00:00.000Z"} {
		if _, err := ParseInstant(s); err == nil {
			t.Errorf("%q was taken", s)
		}
	}
}

// The run and its pins must be writable by whoever the user is, or is not, and
// nothing of theirs may be asked or run.
func TestHostileSettings(t *testing.T) {
	f := newFixture(t)
	f.git("config", "--remove-section", "user")
	f.git("config", "user.useConfigOnly", "true")
	script := f.path("hang")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+f.path("ran")+"\nsleep 60\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	hook := f.path(".git", "hooks", "reference-transaction")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(script, hook); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{
		"commit.gpgSign": "true", "gpg.program": script, "core.fsmonitor": script, "core.editor": script, "core.pager": script,
		"alias.cat-file": "!" + script, "alias.update-ref": "!" + script, "core.logAllRefUpdates": "false", "i18n.commitEncoding": "latin1",
	} {
		f.git("config", key, value)
	}
	begun := time.Now()
	repo, id := f.open(), idOf(1)
	tip := must(Create(ctx, repo, id, firstEntry()))(t)
	e := entry(1)
	e.Reason, e.Attest = "größer", []string{f.head}
	must(Append(ctx, repo, tip, e))(t)
	if _, err := os.Stat(f.path("ran")); err == nil || time.Since(begun) > 30*time.Second {
		t.Error("something of the user's ran")
	}
	if got, want := f.git("-c", "core.fsmonitor=false", "-c", "i18n.logOutputEncoding=utf-8", "log", "-1", "--format=%an <%ae> %G?", id.Ref()), git.FallbackName+" <"+git.FallbackEmail+"> N"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if run := must(Load(ctx, repo, id))(t); run.Message.Reason != "größer" {
		t.Errorf("%+v", run.Message)
	}
	f.git("config", "--unset", "core.fsmonitor")
	f.fsck()
}

// A run is the repository's, whichever worktree it is seen from.
func TestLinkedWorktree(t *testing.T) {
	f := newFixture(t)
	linked := filepath.Join(t.TempDir(), "linked")
	f.git("worktree", "add", "-q", "-b", "topic", linked)
	there := openAt(t, linked)
	tip := must(Create(ctx, there, idOf(1), firstEntry()))(t)
	here := must(Load(ctx, f.open(), idOf(1)))(t)
	if here.Tip != tip {
		t.Errorf("%+v, want %+v", here.Tip, tip)
	}
	must(Append(ctx, f.open(), here.Tip, entry(1)))(t)
	if run := must(Load(ctx, there, idOf(1)))(t); run.Tip.Revision() != 1 {
		t.Errorf("%+v", run.Tip)
	}
	if err := WriteHint(there, idOf(1)); err != nil {
		t.Fatal(err)
	}
	if _, found := ReadHint(f.open()); found {
		t.Error("the hint of one worktree shows in another")
	}
}

func TestCancelled(t *testing.T) {
	f := newFixture(t)
	repo := f.open()
	tip := f.story(repo, idOf(1), 1)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Append(cancelled, repo, tip, entry(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if run := must(Load(ctx, repo, idOf(1)))(t); run.Tip != tip {
		t.Error("the run moved")
	}
	if locks, _ := filepath.Glob(f.path(".git", "refs", "sdd*", "*.lock")); len(locks) > 0 {
		t.Errorf("locks are left: %v", locks)
	}
}

// A gc without grace that runs between the objects and the refs takes objects
// that the new tip needs; they are written again.
func TestGCBeside(t *testing.T) {
	f := newFixture(t)
	repo := f.open()
	tip := f.story(repo, idOf(1), 1)
	defer func() { atCrashPoint = nil }()
	atCrashPoint = func(name string) {
		if name == "ledger: refs moved, objects not looked at again" {
			for _, spec := range []string{":state.json", ":event.json"} {
				id := f.git("rev-parse", idOf(1).Ref()+spec)
				if err := os.Remove(f.path(".git", "objects", id[:2], id[2:])); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	must(Append(ctx, repo, tip, entry(1)))(t)
	f.fsck()
	if run := must(Load(ctx, f.open(), idOf(1)))(t); string(run.State) != string(entry(1).State) {
		t.Errorf("%q", run.State)
	}
}

func TestHint(t *testing.T) {
	f := newFixture(t)
	repo := f.open()
	if id, found := ReadHint(repo); found {
		t.Errorf("there is none: %v", id)
	}
	for _, id := range []RunID{idOf(1), idOf(2)} {
		if err := WriteHint(repo, id); err != nil {
			t.Fatal(err)
		}
		if got, found := ReadHint(repo); !found || got != id {
			t.Errorf("%v, %v, want %v", got, found, id)
		}
	}
	for _, wrong := range []string{"", "x\n", strings.Repeat("a", 63), "ref: refs/heads/main\n"} {
		if err := os.WriteFile(f.path(".git", hintFile), []byte(wrong), 0o644); err != nil {
			t.Fatal(err)
		}
		if id, found := ReadHint(repo); found {
			t.Errorf("%q was read as %v", wrong, id)
		}
	}
	for range 2 {
		if err := ClearHint(repo); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob(f.path(".git", hintFile+"*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	f.fsck()
}
