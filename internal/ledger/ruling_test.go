package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/git-sdd/git-sdd/internal/git"
)

func ruling(n int) Ruling {
	return Ruling{
		At: fmt.Sprintf("2026-09-02T00:00:%02d.500Z", n), By: RulingBy{Name: "Ada", Email: "ada@example.org", Via: "program"},
		Kind: "relink", Reason: fmt.Sprintf("rebased, number %d", n), Data: json.RawMessage(fmt.Sprintf(`{"b":[%d],"a":"x"}`, n)),
	}
}

// Rulings in every kind of repository, read back by git and by a mirror.
func TestRulingStory(t *testing.T) {
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			supports(t, append([]string{"init", "-q"}, backend.init...)...)
			f := newFixture(t, backend.init...)
			repo, id := f.open(), idOf(0xab)
			if none, err := Rulings(ctx, repo, id); err != nil || len(none) > 0 {
				t.Fatalf("before the first: %v, %v", none, err)
			}
			for n := range 3 {
				r := ruling(n)
				if n == 2 {
					r.At = ruling(0).At // the clock was set back
				}
				commit := must(AppendRuling(ctx, repo, id, r, 0))(t)
				if got := f.git("rev-parse", id.RulingRef()); got != commit {
					t.Errorf("the ref is at %s, %s was returned", got, commit)
				}
			}
			f.git("pack-refs", "--all")
			f.fsck()
			if got, want := f.git("log", "--format=%s", id.RulingRef()), "relink (ruling 2)\nrelink (ruling 1)\nrelink (ruling 0)"; got != want {
				t.Errorf("log: %q, want %q", got, want)
			}
			if got, want := f.git("cat-file", "blob", id.RulingRef()+"~2:ruling.json"),
				`{"at":"2026-09-02T00:00:00.500Z","by":{"email":"ada@example.org","name":"Ada","via":"program"},"data":{"a":"x","b":[0]},"kind":"relink","number":0,"reason":"rebased, number 0","run":"`+id.String()+`","schema":"git-sdd/ruling/1"}`; got != want {
				t.Errorf("document: %s\nwant      %s", got, want)
			}
			all := must(Rulings(ctx, repo, id))(t)
			if len(all) != 3 || all[2].Number != 2 || all[2].Reason != ruling(2).Reason || all[2].At != all[1].At {
				t.Errorf("read back: %+v", all)
			}
			mirror := fixture{t: t, dir: t.TempDir()}
			f.git("clone", "-q", "--mirror", ".", mirror.dir)
			if there := must(Rulings(ctx, mirror.open(), id))(t); len(there) != 3 {
				t.Errorf("in a mirror: %+v", there)
			}
			if other, err := Rulings(ctx, repo, idOf(0xcd)); err != nil || len(other) > 0 {
				t.Errorf("of another run: %v, %v", other, err)
			}
		})
	}
}

func TestRulingRefuses(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	for name, spoil := range map[string]func(*Ruling){
		"kind":      func(r *Ruling) { r.Kind = "waive" },
		"reason":    func(r *Ruling) { r.Reason = "two\nlines" },
		"no reason": func(r *Ruling) { r.Reason = "" },
		"trailer":   func(r *Ruling) { r.Reason = "Sdd-Run: x" },
		"instant":   func(r *Ruling) { r.At = "2026-09-02" },
		"before 70": func(r *Ruling) { r.At = "1969-09-02T00:00:00.000Z" },
		"nobody":    func(r *Ruling) { r.By.Name = "" },
		"data":      func(r *Ruling) { r.Data = json.RawMessage(`{`) },
		"size":      func(r *Ruling) { r.Data, _ = json.Marshal(strings.Repeat("x", maxRuling)) },
	} {
		r := ruling(0)
		spoil(&r)
		if commit, err := AppendRuling(ctx, repo, id, r, 0); err == nil {
			t.Errorf("%s: %s was recorded", name, commit)
		}
		if out, err := f.try("rev-parse", "--verify", "-q", id.RulingRef()); err == nil {
			t.Fatalf("%s: the ref is at %s", name, out)
		}
	}
}

// Many write at once: each of those that won stands in the chain, and nothing else.
func TestRulingRaces(t *testing.T) {
	f := newFixture(t)
	id := idOf(2)
	const writers, each = 4, 4
	var won sync.Map
	var all sync.WaitGroup
	for w := range writers {
		repo := f.open()
		all.Go(func() {
			for n := range each {
				r := ruling(0)
				r.Reason = fmt.Sprintf("writer %d, ruling %d", w, n)
				_, err := AppendRuling(ctx, repo, id, r, 0)
				var moved *git.ErrMoved
				switch {
				case err == nil:
					won.Store(r.Reason, true)
				case !errors.As(err, &moved):
					t.Errorf("%s: %v", r.Reason, err)
				}
			}
		})
	}
	all.Wait()
	wins := 0
	won.Range(func(_, _ any) bool { wins++; return true })
	stored := must(Rulings(ctx, f.open(), id))(t)
	for _, r := range stored {
		if _, ok := won.Load(r.Reason); !ok {
			t.Errorf("%q is stored, and its writer was told otherwise", r.Reason)
		}
	}
	if wins != len(stored) || wins == 0 {
		t.Errorf("%d won, %d are stored", wins, len(stored))
	}
	f.fsck()
}

// A chain that is not what AppendRuling writes counts for nothing. What a ruling
// rules, in words and data that agree with its commit, nothing can contradict.
func TestForgedRulings(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(3)
	for n := range 3 {
		must(AppendRuling(ctx, repo, id, ruling(n), 0))(t)
	}
	ref := id.RulingRef()
	tip := f.git("rev-parse", ref)
	doc := f.git("cat-file", "blob", ref+":ruling.json")
	raw := f.git("cat-file", "commit", ref) + "\n"
	blob := func(text string) string {
		return f.fed(text, "hash-object", "-w", "--stdin")
	}
	commit := func(text string) string {
		return f.fed(text, "hash-object", "-w", "--literally", "-t", "commit", "--stdin")
	}
	treeOf := func(entries ...string) string {
		f.t.Helper()
		var lines []string
		for _, e := range entries {
			part := strings.Split(e, ",")
			lines = append(lines, part[0]+" blob "+part[1]+"\t"+part[2])
		}
		return f.fed(strings.Join(lines, "\n")+"\n", "mktree")
	}
	withTree := func(id string) string { return commit(strings.Replace(raw, f.git("rev-parse", ref+"^{tree}"), id, 1)) }
	withDoc := func(old, new string) string {
		return withTree(treeOf("100644," + blob(strings.Replace(doc, old, new, 1)) + ",ruling.json"))
	}
	other := idOf(4)
	must(AppendRuling(ctx, repo, other, ruling(0), 0))(t)
	for name, forged := range map[string]string{
		"a reason in the document": withDoc("number 2", "number 9"),
		"a number":                 withDoc(`"number":2`, `"number":3`),
		"an unknown member":        withDoc(`{"at"`, `{"aa":1,"at"`),
		"a blank":                  withDoc(`,"by"`, `, "by"`),
		"another kind":             withDoc(`"relink"`, `"waiver"`),
		"a file more":              withTree(treeOf("100644,"+blob(doc)+",ruling.json", "100644,"+blob("x")+",x")),
		"an executable":            withTree(treeOf("100755," + blob(doc) + ",ruling.json")),
		"no document":              withTree(treeOf("100644," + blob("x") + ",x")),
		"a subject":                commit(strings.Replace(raw, "relink (ruling 2)", "relink (ruling 1)", 1)),
		"a nonce":                  commit(raw[:len(raw)-2] + "\n"),
		"an author":                commit(strings.Replace(raw, "author Ada", "author Eve", 1)),
		"a header":                 commit(strings.Replace(raw, "\n\n", "\nencoding x\n\n", 1)),
		"a second parent":          commit(strings.Replace(raw, "\nauthor", "\nparent "+f.head+"\nauthor", 1)),
		"no parent":                commit(strings.Replace(raw, "parent "+f.git("rev-parse", ref+"~1")+"\n", "", 1)),
		"one left out":             commit(strings.Replace(raw, f.git("rev-parse", ref+"~1"), f.git("rev-parse", ref+"~2"), 1)),
		"twice":                    commit(strings.Replace(raw, f.git("rev-parse", ref+"~1"), tip, 1)),
		"of another run":           f.git("rev-parse", other.RulingRef()),
		"a commit of somebody":     f.head,
	} {
		f.git("update-ref", ref, forged)
		if all, err := Rulings(ctx, repo, id); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v, %v", name, all, err)
		}
		if _, err := AppendRuling(ctx, repo, id, ruling(9), 0); err == nil {
			t.Errorf("%s: it is added to", name)
		}
	}
	f.git("update-ref", ref, tip)
	if all := must(Rulings(ctx, repo, id))(t); len(all) != 3 {
		t.Errorf("put back: %+v", all)
	}
}

// fed runs git with something to read.
func (f fixture) fed(stdin string, args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = f.dir, strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}
