package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// object removes or damages the loose object that a name leads to.
func (f fixture) spoil(spec string, remove bool) {
	f.t.Helper()
	id := f.git("rev-parse", spec)
	path := f.path(".git", "objects", id[:2], id[2:])
	if err := os.Remove(path); err != nil {
		f.t.Fatal(err)
	}
	if !remove {
		f.write(filepath.Join(".git", "objects", id[:2], id[2:]), "garbage")
	}
}

// commitAs writes a commit with the tree of the run's tip and the given message.
func (f fixture) commitAs(id RunID, message string) string {
	f.t.Helper()
	f.write("message", message)
	return f.git("commit-tree", "-F", f.path("message"), id.Ref()+"^{tree}")
}

// What is wrong with a run is said, and never taken for no run.
func TestLoadFailures(t *testing.T) {
	id := idOf(1)
	ref := id.Ref()
	for _, tt := range []struct {
		name string
		do   func(f fixture)
		want error
	}{
		{"no run", func(f fixture) { f.git("update-ref", "-d", ref) }, ErrNoRun},
		{"empty ref", func(f fixture) { f.write(".git/"+ref, "") }, ErrCorrupt},
		{"garbage in the ref", func(f fixture) { f.write(".git/"+ref, "garbage\n") }, ErrCorrupt},
		{"dangling ref", func(f fixture) { f.write(".git/"+ref, strings.Repeat("1", 40)+"\n") }, ErrIncomplete},
		{"damaged tip", func(f fixture) { f.spoil(ref, false) }, ErrCorrupt},
		{"missing tip", func(f fixture) { f.spoil(ref, true) }, ErrIncomplete},
		{"damaged tree", func(f fixture) { f.spoil(ref+"^{tree}", false) }, ErrCorrupt},
		{"missing tree", func(f fixture) { f.spoil(ref+"^{tree}", true) }, ErrIncomplete},
		{"damaged state", func(f fixture) { f.spoil(ref+":state.json", false) }, ErrCorrupt},
		{"missing state", func(f fixture) { f.spoil(ref+":state.json", true) }, ErrIncomplete},
		{"a blob", func(f fixture) { f.git("update-ref", ref, f.git("rev-parse", ref+":state.json")) }, ErrCorrupt},
		{"a commit of the branch", func(f fixture) { f.git("update-ref", ref, f.head) }, ErrCorrupt},
		{"no state", func(f fixture) {
			f.git("update-ref", ref, f.git("commit-tree", "-m", strings.TrimSpace(f.git("log", "-1", "--format=%B", ref)), f.head+"^{tree}"))
		}, ErrCorrupt},
		{"another run's commit", func(f fixture) {
			f.git("update-ref", ref, f.commitAs(id, strings.ReplaceAll(f.git("log", "-1", "--format=%B", ref), id.String(), idOf(2).String())))
		}, ErrCorrupt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.story(f.open(), id, 2)
			tt.do(f)
			repo := f.open()
			run, err := Load(ctx, repo, id)
			if !errors.Is(err, tt.want) || run != nil {
				t.Errorf("Load: %v, want %v", err, tt.want)
			}
			for _, other := range []error{ErrNoRun, ErrCorrupt, ErrIncomplete} {
				if other != tt.want && errors.Is(err, other) {
					t.Errorf("Load: %v is also %v", err, other)
				}
			}
			if _, err := Create(ctx, repo, id, firstEntry()); (tt.want == ErrNoRun) != (err == nil) {
				t.Errorf("Create over it: %v", err)
			}
		})
	}
}

func TestFile(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	first := firstEntry()
	first.Files["artifacts/a/b.md"] = []byte("b\r\n")
	must(Create(ctx, repo, id, first))(t)
	run := must(Load(ctx, repo, id))(t)
	for path, want := range map[string]string{"plan.md": "# Plan\r\n", "artifacts/a/b.md": "b\r\n", "event.json": `{"event":0}`, "state.json": `{"revision":0}`} {
		if got, err := run.File(path); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	for _, path := range []string{"artifacts/none", "artifacts/a", "artifacts/a/none", "artifacts/a/b.md/c"} {
		if _, err := run.File(path); !errors.Is(err, ErrNoFile) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{"", "none", "../x", "artifacts/../plan.md", "artifacts/a\nb", "/plan.md"} {
		if _, err := run.File(path); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", path, err)
		}
	}
	f.spoil(id.Ref()+":artifacts/a/b.md", true)
	if _, err := must(Load(ctx, f.open(), id))(t).File("artifacts/a/b.md"); !errors.Is(err, ErrIncomplete) {
		t.Errorf("missing: %v", err)
	}
}

func TestWalk(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	const revisions = atOnce + 5
	tip := f.story(repo, id, revisions)
	for _, from := range []int{0, 1, revisions - 1} {
		number := from
		err := Walk(ctx, repo, tip, from, func(r Revision) error {
			commit := must(At(ctx, repo, tip, number))(t) // reading on while walking
			if r.Number != number || r.Commit != commit || r.Message.Revision != number ||
				string(r.Event) != fmt.Sprintf(`{"event":%d}`, number) || string(r.State) != fmt.Sprintf(`{"revision":%d}`, number) {
				t.Errorf("revision %d: %+v", number, r)
			}
			number++
			return nil
		})
		if err != nil || number != revisions {
			t.Errorf("from %d it came to %d, %v", from, number, err)
		}
	}
	stop := errors.New("enough")
	if err := Walk(ctx, repo, tip, 0, func(Revision) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
	for _, wrong := range []int{-1, revisions} {
		if err := Walk(ctx, repo, tip, wrong, nil); !errors.Is(err, ErrInvalid) {
			t.Errorf("from %d: %v", wrong, err)
		}
		if _, err := At(ctx, repo, tip, wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("at %d: %v", wrong, err)
		}
	}
}

// walk reads the whole run from its tip as it is now.
func (f fixture) walk(id RunID) (int, error) {
	f.t.Helper()
	repo := f.open()
	run, err := Load(ctx, repo, id)
	if err != nil {
		return 0, err
	}
	n := 0
	return n, Walk(ctx, repo, run.Tip, 0, func(Revision) error { n++; return nil })
}

func TestWalkFailures(t *testing.T) {
	id := idOf(1)
	ref := id.Ref()
	for _, tt := range []struct {
		name string
		do   func(f fixture)
		want error
	}{
		{"missing commit", func(f fixture) { f.spoil(ref+"~2", true) }, ErrIncomplete},
		{"damaged commit", func(f fixture) { f.spoil(ref+"~2", false) }, ErrCorrupt},
		{"missing event", func(f fixture) { f.spoil(ref+"~2:event.json", true) }, ErrIncomplete},
		{"damaged event", func(f fixture) { f.spoil(ref+"~2:event.json", false) }, ErrCorrupt},
		{"missing tree", func(f fixture) { f.spoil(ref+"~2^{tree}", true) }, ErrIncomplete},
		{"begins in the middle", func(f fixture) {
			f.write("message", f.git("log", "-1", "--format=%B", ref))
			f.git("update-ref", ref, f.git("commit-tree", "-F", f.path("message"), ref+"^{tree}"))
		}, ErrCorrupt},
		{"begins before the beginning", func(f fixture) {
			f.write("message", f.git("log", "-1", "--format=%B", ref))
			f.git("update-ref", ref, f.git("commit-tree", "-p", ref, "-F", f.path("message"), ref+"^{tree}"))
		}, ErrCorrupt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.story(f.open(), id, 5)
			tt.do(f)
			n, err := f.walk(id)
			if !errors.Is(err, tt.want) || errors.Is(err, ErrCorrupt) && errors.Is(err, ErrIncomplete) {
				t.Errorf("%d revisions, %v, want %v", n, err, tt.want)
			}
		})
	}
}

// A shallow clone has the tip and not the chain: readable, not complete.
func TestWalkShallow(t *testing.T) {
	f := newFixture(t)
	id := idOf(1)
	tip := f.story(f.open(), id, 4)
	shallow := newFixture(t)
	shallow.git("fetch", "-q", "--depth=2", "file://"+f.dir, id.Ref()+":"+id.Ref())
	if run := must(Load(ctx, shallow.open(), id))(t); run.Tip != tip {
		t.Errorf("%+v", run.Tip)
	}
	if n, err := shallow.walk(id); !errors.Is(err, ErrIncomplete) {
		t.Errorf("%d revisions, %v", n, err)
	}
	if err := Walk(ctx, shallow.open(), tip, 2, func(Revision) error { return nil }); err != nil {
		t.Errorf("what is there: %v", err)
	}
	if _, err := At(ctx, shallow.open(), tip, 0); !errors.Is(err, ErrIncomplete) {
		t.Errorf("At: %v", err)
	}
}

// A partial clone lacks what was filtered out, and does not go and fetch it.
func TestLoadPartial(t *testing.T) {
	f := newFixture(t)
	id := idOf(1)
	f.story(f.open(), id, 2)
	f.git("config", "uploadpack.allowFilter", "true")
	partial := fixture{t: t, dir: filepath.Join(t.TempDir(), "partial")}
	f.git("clone", "-q", "--bare", "--filter=blob:none", "file://"+f.dir, partial.dir)
	partial.git("fetch", "-q", "origin", id.Ref()+":"+id.Ref())
	if _, err := Load(ctx, partial.open(), id); !errors.Is(err, ErrIncomplete) {
		t.Errorf("%v", err)
	}
	partial.git("fetch", "-q", "--refetch", "--no-filter", "origin", id.Ref()+":"+id.Ref())
	if _, err := Load(ctx, partial.open(), id); err != nil {
		t.Errorf("after fetching: %v", err)
	}
}

func TestListAndResolve(t *testing.T) {
	for _, backend := range backends[:2] {
		t.Run(backend.name, func(t *testing.T) {
			f := newFixture(t, backend.init...)
			repo := f.open()
			if all, err := List(ctx, repo); err != nil || len(all) != 0 {
				t.Errorf("no runs: %v, %v", all, err)
			}
			near := must(ParseRunID(strings.Repeat("01", 31) + "ff"))(t)
			f.story(repo, idOf(2), 2)
			f.story(repo, idOf(1), 1)
			f.story(repo, near, 1)
			f.git("update-ref", "refs/sdd/not-a-run", f.head)
			f.git("update-ref", "refs/sdd-rulings/"+idOf(1).String(), f.head)
			f.git("pack-refs", "--all")
			all := must(List(ctx, repo))(t)
			var got []string
			for _, s := range all {
				got = append(got, fmt.Sprint(s.Run, s.Message.Revision, s.Message.Subject, s.Err, s.Commit == f.git("rev-parse", s.Run.Ref())))
			}
			want := []string{
				fmt.Sprint(idOf(1), 0, "start: plan.md (r0)", nil, true), fmt.Sprint(near, 0, "start: plan.md (r0)", nil, true), fmt.Sprint(idOf(2), 1, "task 2: step 1 (r1)", nil, true),
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			for prefix, want := range map[string]RunID{"0202": idOf(2), idOf(1).String(): idOf(1), near.String()[:64]: near} {
				if id, err := Resolve(ctx, repo, prefix); err != nil || id != want {
					t.Errorf("%q: %v, %v", prefix, id, err)
				}
			}
			_, err := Resolve(ctx, repo, "0101")
			var ambiguous *Ambiguous
			if !errors.As(err, &ambiguous) || !slices.Equal(ambiguous.Runs, []RunID{idOf(1), near}) {
				t.Errorf("ambiguous: %v", err)
			}
			if _, err := Resolve(ctx, repo, "0303"); !errors.Is(err, ErrNoRun) {
				t.Errorf("none: %v", err)
			}
			for _, wrong := range []string{"", "010", "0A0A", "not-", "*", "01*1", idOf(1).String() + "0"} {
				if _, err := Resolve(ctx, repo, wrong); !errors.Is(err, ErrInvalid) {
					t.Errorf("%q: %v", wrong, err)
				}
			}
		})
	}
}

// One run that cannot be read hides no other.
func TestLoadAll(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(f fixture, id RunID)
		want error
	}{
		{"damaged state", func(f fixture, id RunID) { f.spoil(id.Ref()+":state.json", false) }, ErrCorrupt},
		{"missing state", func(f fixture, id RunID) { f.spoil(id.Ref()+":state.json", true) }, ErrIncomplete},
		{"damaged tip", func(f fixture, id RunID) { f.spoil(id.Ref(), false) }, ErrCorrupt},
		{"missing tip", func(f fixture, id RunID) { f.spoil(id.Ref(), true) }, ErrIncomplete},
		{"empty ref", func(f fixture, id RunID) { f.write(".git/"+id.Ref(), "") }, ErrCorrupt},
		{"a stranger", func(f fixture, id RunID) { f.git("update-ref", id.Ref(), f.head) }, ErrCorrupt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			repo := f.open()
			tips := []Tip{f.story(repo, idOf(1), 2), f.story(repo, idOf(2), 3), f.story(repo, idOf(3), 4)}
			tt.do(f, idOf(2))
			runs, unread, err := LoadAll(ctx, f.open())
			if err != nil || len(runs) != 2 || len(unread) != 1 {
				t.Fatalf("%d runs, %d unread, %v", len(runs), len(unread), err)
			}
			if runs[0].Tip != tips[0] || runs[1].Tip != tips[2] || string(runs[1].State) != `{"revision":3}` {
				t.Errorf("%+v, %+v", runs[0], runs[1])
			}
			if unread[0].Run != idOf(2) || !errors.Is(unread[0].Err, tt.want) {
				t.Errorf("%v, want %v", unread[0].Err, tt.want)
			}
			if file, err := runs[0].File("plan.md"); err != nil || string(file) != "# Plan\r\n" {
				t.Errorf("%q, %v", file, err)
			}
		})
	}
}
