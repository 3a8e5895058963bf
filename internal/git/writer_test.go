package git

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// ways are all ways of writing objects. Each has to pass the whole suite.
var ways = []struct {
	name   string
	init   []string
	writer func(*Repo) *Writer
}{
	{"loose", nil, func(r *Repo) *Writer { return r.newWriter(&looseStore{dir: r.core.objects}) }},
	{"portable", nil, func(r *Repo) *Writer { return r.newWriter(&portableStore{repo: r}) }},
	{"portable sha256", []string{"--object-format=sha256"}, func(r *Repo) *Writer { return r.newWriter(&portableStore{repo: r}) }},
}

func eachWay(t *testing.T, test func(t *testing.T, f fixture, r *Repo, w *Writer)) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			f := newFixture(t, way.init...)
			r := f.open()
			test(t, f, r, way.writer(r))
		})
	}
}

// idOf works an object's id out from first principles.
func idOf(format, kind string, data []byte) string {
	whole := append([]byte(fmt.Sprintf("%s %d\x00", kind, len(data))), data...)
	if format == "sha1" {
		sum := sha1.Sum(whole)
		return hex.EncodeToString(sum[:])
	}
	sum := sha256.Sum256(whole)
	return hex.EncodeToString(sum[:])
}

var testTime = time.Date(2026, 9, 1, 12, 30, 0, 0, time.UTC)

func TestWriterConformance(t *testing.T) {
	eachWay(t, func(t *testing.T, f fixture, r *Repo, w *Writer) {
		blobs := [][]byte{nil, []byte("text\n"), []byte("nul \x00 and \xff\n"), bytes.Repeat([]byte("long "), 100_000)}
		var entries []TreeEntry
		for i, data := range blobs {
			id := must(w.WriteBlob(data))(t)
			if want := idOf(r.ObjectFormat(), "blob", data); id != want {
				t.Errorf("blob %d is %s, want %s", i, id, want)
			}
			entries = append(entries, TreeEntry{Mode: ModeFile, Name: fmt.Sprintf("f%d", i), ID: id})
		}
		empty := must(w.WriteEmptyTree())(t)
		sub := must(w.WriteTree(entries))(t)
		// A directory sorts as though its name ended in a slash.
		top := must(w.WriteTree([]TreeEntry{
			{Mode: ModeTree, Name: "a", ID: sub}, {Mode: ModeFile, Name: "a.b", ID: entries[0].ID}, {Mode: ModeFile, Name: "a0", ID: entries[1].ID},
		}))(t)
		who := Ident{Name: "Ä Ö", Email: "a@b", When: testTime}
		head := f.git("rev-parse", "HEAD")
		commit := must(w.WriteCommit(CommitSpec{Tree: top, Parents: []string{head}, Author: who, Committer: who, Message: "subject\n\nbody\n"}))(t)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := w.Verify(); err != nil {
			t.Fatal(err)
		}
		f.git("update-ref", "refs/heads/written", commit)
		f.git("update-ref", "refs/heads/empty", f.git("commit-tree", "-m", "empty", empty))
		if out := f.git("fsck", "--strict", "--no-dangling"); out != "" {
			t.Errorf("fsck: %s", out)
		}
		if got, want := f.git("log", "-1", "--format=%an|%ae|%aI|%cI|%P|%B", commit), "Ä Ö|a@b|2026-09-01T12:30:00+00:00|2026-09-01T12:30:00+00:00|"+head+"|subject\n\nbody\n"; got != want {
			t.Errorf("log: %q, want %q", got, want)
		}
		if got, want := f.git("ls-tree", "-r", "--name-only", commit), "a.b\na/f0\na/f1\na/f2\na/f3\na0"; got != want {
			t.Errorf("ls-tree: %q", got)
		}
		for i, e := range entries {
			if o, err := r.Object(e.ID); err != nil || !bytes.Equal(o.Data, blobs[i]) {
				t.Errorf("blob %d came back as %d bytes, %v", i, len(o.Data), err)
			}
		}
		if _, err := os.Stat(loosePath(r, empty)); err != nil {
			t.Errorf("the empty tree is not stored: %v", err)
		}
		if info, err := os.Stat(loosePath(r, commit)); err != nil || info.Mode().Perm()&0o222 != 0 {
			t.Errorf("an object can be written to: %v %v", info.Mode(), err)
		}
		noLeftovers(t, r)
	})
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func loosePath(r *Repo, id string) string { return filepath.Join(r.core.objects, id[:2], id[2:]) }

func noLeftovers(t *testing.T, r *Repo) {
	t.Helper()
	_ = filepath.WalkDir(r.core.objects, func(path string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), "tmp_") {
			t.Errorf("left over: %s", path)
		}
		return err
	})
}

// An object that is there already is renewed: loose, packed, or both. An old
// one would fall to a gc that runs before a ref holds it.
func TestWriterRenews(t *testing.T) {
	eachWay(t, func(t *testing.T, f fixture, r *Repo, w *Writer) {
		f.write("loose", "already loose\n")
		loose := f.git("hash-object", "-w", "loose")
		f.write("packed", "already packed\n")
		f.commit("files")
		packed := f.git("hash-object", "packed")
		f.git("repack", "-adq")
		old := time.Now().AddDate(-1, 0, 0)
		_ = filepath.WalkDir(r.core.objects, func(path string, d fs.DirEntry, err error) error {
			if !d.IsDir() {
				_ = os.Chtimes(path, old, old)
			}
			return err
		})
		begun := time.Now().Add(-2 * time.Second)
		if got := must(w.WriteBlob([]byte("already loose\n")))(t); got != loose {
			t.Fatalf("%s, want %s", got, loose)
		}
		if got := must(w.WriteBlob([]byte("already packed\n")))(t); got != packed {
			t.Fatalf("%s, want %s", got, packed)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{loose, packed} {
			if !freshSince(r, id, begun) {
				t.Errorf("%s is as old as before", id)
			}
		}
		f.git("reset", "-q", "--hard", "HEAD~1")
		f.git("reflog", "expire", "--expire=now", "--all")
		f.git("-c", "gc.pruneExpire=1.hour.ago", "gc", "-q")
		for _, id := range []string{loose, packed} {
			if _, err := r.Info(id); err != nil {
				t.Errorf("a gc with a grace period took %s: %v", id, err)
			}
		}
	})
}

// freshSince reports whether the object's own file, or a pack, is new.
func freshSince(r *Repo, id string, begun time.Time) bool {
	candidates, _ := filepath.Glob(filepath.Join(r.core.objects, "pack", "*.pack"))
	for _, path := range append(candidates, loosePath(r, id)) {
		if info, err := os.Stat(path); err == nil && info.ModTime().After(begun) {
			return true
		}
	}
	return false
}

// A power loss leaves empty files where a program did not sync. What is written
// again over one is whole afterwards.
func TestLooseReplacesDamage(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	w := ways[0].writer(r)
	id := idOf("sha1", "blob", []byte("x\n"))
	if err := os.MkdirAll(filepath.Dir(loosePath(r, id)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(loosePath(r, id), nil, 0o444); err != nil {
		t.Fatal(err)
	}
	must(w.WriteBlob([]byte("x\n")))(t)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if o, err := r.Object(id); err != nil || string(o.Data) != "x\n" {
		t.Errorf("%q, %v", o.Data, err)
	}
}

// A gc without grace takes what no ref holds yet. Verify brings it back.
func TestWriterVerify(t *testing.T) {
	eachWay(t, func(t *testing.T, f fixture, r *Repo, w *Writer) {
		id := must(w.WriteBlob([]byte("unreferenced\n")))(t)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		f.git("gc", "-q", "--prune=now")
		if _, err := r.Info(id); !errors.Is(err, ErrMissing) {
			t.Fatalf("gc left it: %v", err)
		}
		if err := w.Verify(); err != nil {
			t.Fatal(err)
		}
		if o, err := r.Object(id); err != nil || string(o.Data) != "unreferenced\n" {
			t.Errorf("%q, %v", o.Data, err)
		}
	})
}

func TestWriterRefuses(t *testing.T) {
	eachWay(t, func(t *testing.T, f fixture, r *Repo, w *Writer) {
		blob := must(w.WriteBlob([]byte("x\n")))(t)
		who := Ident{Name: "A", Email: "a@b", When: testTime}
		for _, name := range []string{"", ".", "..", ".git", ".GIT", "a/b", "a\x00"} {
			if _, err := w.WriteTree([]TreeEntry{{Mode: ModeFile, Name: name, ID: blob}}); err == nil {
				t.Errorf("a tree took the name %q", name)
			}
		}
		if _, err := w.WriteTree([]TreeEntry{{Mode: ModeFile, Name: "a", ID: blob}, {Mode: ModeTree, Name: "a", ID: blob}}); err == nil {
			t.Error("a tree took a name twice")
		}
		for _, id := range []string{"", "abc", blob + "00", strings.ToUpper(blob), "HEAD"} {
			if _, err := w.WriteTree([]TreeEntry{{Mode: ModeFile, Name: "a", ID: id}}); err == nil {
				t.Errorf("a tree took the id %q", id)
			}
			if _, err := w.WriteCommit(CommitSpec{Tree: id, Author: who, Committer: who, Message: "m\n"}); err == nil {
				t.Errorf("a commit took the tree %q", id)
			}
		}
		tree := must(w.WriteEmptyTree())(t)
		for _, c := range []CommitSpec{
			{Tree: tree, Author: who, Committer: who, Message: "no newline"},
			{Tree: tree, Author: who, Committer: who, Message: "nul\x00\n"},
			{Tree: tree, Author: Ident{Name: "A\nparent x", Email: "a@b", When: testTime}, Committer: who, Message: "m\n"},
			{Tree: tree, Author: Ident{Name: "A", Email: "a> 1 +0000", When: testTime}, Committer: who, Message: "m\n"},
			{Tree: tree, Author: Ident{Email: "a@b", When: testTime}, Committer: who, Message: "m\n"},
			{Tree: tree, Author: who, Committer: Ident{Name: "A", Email: "a@b"}, Message: "m\n"},
		} {
			if _, err := w.WriteCommit(c); err == nil {
				t.Errorf("a commit was made of %+v", c)
			}
		}
	})
}

// Which way is taken is decided by what the repository is.
func TestWriterChoice(t *testing.T) {
	for _, tt := range []struct {
		name  string
		init  []string
		key   string
		value string
		env   string
		loose bool
	}{
		{"plain", nil, "", "", "", true},
		{"worktree config", nil, "extensions.worktreeConfig", "true", "", true},
		{"sha256", []string{"--object-format=sha256"}, "", "", "", false},
		{"unknown extension", nil, "extensions.compatObjectFormat", "sha256", "", false},
		{"shared", nil, "core.sharedRepository", "group", "", false},
		{"not shared", nil, "core.sharedRepository", "false", "", true},
		{"quarantine", nil, "", "", ".git/objects", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, tt.init...)
			if tt.key != "" {
				f.git("config", tt.key, tt.value)
			}
			if tt.env != "" {
				t.Setenv("GIT_OBJECT_DIRECTORY", f.path(tt.env))
			}
			w, err := f.open().Writer()
			if err != nil {
				t.Fatal(err)
			}
			if _, loose := w.store.(*looseStore); loose != tt.loose {
				t.Errorf("the way is %T", w.store)
			}
		})
	}
}

func TestWriterNoSpace(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	w := r.newWriter(&looseStore{dir: f.path("nowhere", "objects")})
	must(w.WriteBlob([]byte("x")))(t)
	if err := w.Flush(); err == nil {
		t.Error("a flush into nowhere succeeded")
	}
}

// Any tree that we write is one that git reads as the same entries, and that
// ParseTree reads back.
func TestTreeProperty(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	w := ways[0].writer(r)
	blob := must(w.WriteBlob([]byte("x\n")))(t)
	sub := must(w.WriteEmptyTree())(t)
	rapid.Check(t, func(rt *rapid.T) {
		entries := rapid.SliceOfNDistinct(rapid.Custom(func(rt *rapid.T) TreeEntry {
			e := TreeEntry{Mode: ModeFile, ID: blob, Name: rapid.StringMatching(`[a-c.\-0]{1,4}`).Filter(isEntryName).Draw(rt, "name")}
			if rapid.Bool().Draw(rt, "tree") {
				e.Mode, e.ID = ModeTree, sub
			}
			return e
		}), 0, 12, func(e TreeEntry) string { return e.Name }).Draw(rt, "entries")
		data, err := encodeTree("sha1", entries)
		if err != nil {
			rt.Fatal(err)
		}
		parsed, err := ParseTree("sha1", data)
		if err != nil || len(parsed) != len(entries) {
			rt.Fatalf("%d of %d entries came back, %v", len(parsed), len(entries), err)
		}
		again, err := encodeTree("sha1", parsed)
		if err != nil || !bytes.Equal(again, data) {
			rt.Fatalf("the tree changed on the way: %v", err)
		}
	})
	var all []TreeEntry
	for _, name := range []string{"a", "a-", "a.", "a0", "ab", "b"} {
		all = append(all, TreeEntry{Mode: ModeTree, Name: name, ID: sub}, TreeEntry{Mode: ModeFile, Name: name + "x", ID: blob})
	}
	id := must(w.WriteTree(all))(t)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	f.git("update-ref", "refs/heads/t", f.git("commit-tree", "-m", "t", id))
	if out := f.git("fsck", "--strict", "--no-dangling"); out != "" {
		t.Errorf("fsck: %s", out)
	}
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x00" + strings.Repeat("x", 20)))
	f.Add([]byte("40000 dir\x00" + strings.Repeat("y", 20) + "100644 z\x00" + strings.Repeat("z", 20)))
	f.Add([]byte("100644 cut\x00xx"))
	f.Add([]byte("999 bad"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for format := range digits {
			entries, err := ParseTree(format, data)
			if err == nil && (len(entries) == 0) != (len(data) == 0) {
				t.Errorf("%d bytes gave %d entries", len(data), len(entries))
			}
		}
	})
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree " + strings.Repeat("a", 40) + "\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 2 +0130\n\nsubject\n\nbody\n"))
	f.Add([]byte("tree " + strings.Repeat("a", 40) + "\nparent " + strings.Repeat("b", 40) + "\nauthor  <> 1 -0000\ncommitter A <a@b> 2 +0000\ngpgsig -----BEGIN\n abc\n\nm"))
	f.Add([]byte("tree x\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseCommit("id", data)
		if err == nil && (!isHex(c.Tree) || strings.Contains(c.Subject, "\n")) {
			t.Errorf("%+v", c)
		}
	})
}
