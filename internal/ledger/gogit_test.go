package ledger

import (
	"io"
	"os"
	"testing"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// A program that shares no line with this one reads what was written.
func TestIndependentReader(t *testing.T) {
	f := newFixture(t)
	repo, id := f.open(), idOf(1)
	first := firstEntry()
	first.Files["artifacts/task-1/brief.md"] = []byte("brief\n")
	tip := f.attest(repo, must(Create(ctx, repo, id, first))(t), f.head)
	storage := filesystem.NewStorage(osfs.New(f.path(".git")), cache.NewObjectLRUDefault())
	ref := must(storage.Reference(plumbing.ReferenceName(id.Ref())))(t)
	commit := must(object.GetCommit(storage, ref.Hash()))(t)
	if commit.Hash.String() != tip.Commit() || commit.Author.Name != "A Tester" || commit.Author.When.Unix() != commit.Committer.When.Unix() {
		t.Errorf("%+v", commit)
	}
	if m, err := ParseMessage(commit.Message); err != nil || m.Revision != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	tree := must(commit.Tree())(t)
	for path, want := range map[string]string{"state.json": `{"revision":1}`, "event.json": `{"event":1}`, "plan.md": "# Plan\r\n", "artifacts/task-1/brief.md": "brief\n"} {
		file := must(tree.File(path))(t)
		reader := must(file.Reader())(t)
		if data := must(io.ReadAll(reader))(t); string(data) != want || file.Mode.String() != "0100644" {
			t.Errorf("%s: %q, mode %s", path, data, file.Mode)
		}
		reader.Close()
	}
	if commit.NumParents() != 1 || must(commit.Parent(0))(t).NumParents() != 0 {
		t.Errorf("it has %d parents", commit.NumParents())
	}
	pins := must(storage.Reference(plumbing.ReferenceName(id.PinRef())))(t)
	pin := must(object.GetCommit(storage, pins.Hash()))(t)
	if held := must(pin.Parent(1))(t); held.Hash.String() != f.head || len(must(pin.Tree())(t).Entries) != 0 {
		t.Errorf("the pin is %+v", pin)
	}
}

// Why refs are moved by git alone: a compare-and-set that go-git refuses leaves
// an empty ref behind, after which `git gc` fails for the whole repository. On
// the day this test fails, go-git's refs may be looked at again.
func TestGoGitRefsAreUnsafe(t *testing.T) {
	f := newFixture(t)
	storage := filesystem.NewStorage(osfs.New(f.path(".git")), cache.NewObjectLRUDefault())
	name := plumbing.ReferenceName(idOf(1).Ref())
	head := plumbing.NewHash(f.head)
	err := storage.CheckAndSetReference(plumbing.NewHashReference(name, head), plumbing.NewHashReference(name, head))
	if err == nil {
		t.Fatal("go-git set a ref that had not the old value")
	}
	info, err := os.Stat(f.path(".git", idOf(1).Ref()))
	if err != nil || info.Size() != 0 {
		t.Fatalf("go-git left no empty ref: %v", err)
	}
	if out, err := f.try("gc"); err == nil {
		t.Errorf("git gc succeeded beside an empty ref: %s", out)
	}
}
