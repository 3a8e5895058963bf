package main

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/verify"
)

// A forger can do whatever somebody can who writes to a clone: make any object
// and move any ref, with nobody to refuse it.
type forger struct {
	shop
	repo *git.Repo
	id   ledger.RunID
	made map[string]bool

	pages   []page
	commits []string // of the run as it was recorded
}

// A page is one revision in parts that can be changed one by one.
type page struct {
	files   map[string]leaf
	headers []string // of the commit, without tree and parents
	message string
	extra   []string // parents beside the page before
	orphan  bool     // no parents at all
	tree    []byte   // the root tree's bytes instead of files; nil for none
	raw     func(commit []byte) []byte
	treeID  string // of files, where it is known
}

// A leaf is one file of a tree.
type leaf struct {
	mode string
	data []byte
	id   string // of data, where it is known
}

func newForger(s shop, run string) *forger {
	s.Helper()
	repo, err := git.Open(context.Background(), s.dir)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = repo.Close() })
	id, err := ledger.ParseRunID(run)
	if err != nil {
		s.Fatal(err)
	}
	f := &forger{shop: s, repo: repo, id: id, made: map[string]bool{}}
	f.commits = strings.Fields(s.git("rev-list", "--reverse", "--first-parent", "refs/sdd/"+run))
	for _, commit := range f.commits {
		f.pages = append(f.pages, f.page(commit))
	}
	return f
}

func (f *forger) object(spec string) git.Object {
	f.Helper()
	o, err := f.repo.Object(spec)
	if err != nil {
		f.Fatal(err)
	}
	return o
}

func (f *forger) page(commit string) page {
	f.Helper()
	head, message, _ := strings.Cut(string(f.object(commit).Data), "\n\n")
	p := page{files: map[string]leaf{}, message: message}
	for line := range strings.SplitSeq(head, "\n") {
		if !strings.HasPrefix(line, "tree ") && !strings.HasPrefix(line, "parent ") {
			p.headers = append(p.headers, line)
		}
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(f.git("ls-tree", "-r", "-z", "--full-tree", commit), "\x00"), "\x00") {
		meta, path, _ := strings.Cut(line, "\t")
		words := strings.Fields(meta)
		p.files[path] = leaf{mode: words[0], data: f.object(words[2]).Data, id: words[2]}
	}
	p.treeID = f.git("rev-parse", commit+"^{tree}")
	return p
}

func (p page) copy() page {
	p.files, p.headers, p.treeID = maps.Clone(p.files), slices.Clone(p.headers), ""
	return p
}

// with returns the page with another content of one file.
func (p page) with(path string, data []byte) page {
	q := p.copy()
	q.files[path] = leaf{mode: "100644", data: data}
	return q
}

func (p page) without(path string) page {
	q := p.copy()
	delete(q.files, path)
	return q
}

// put stores an object as git does, but asks nobody.
func (f *forger) put(kind string, data []byte) string {
	f.Helper()
	id := f.repo.ObjectID(kind, data)
	if f.made[id] {
		return id
	}
	f.made[id] = true
	path := f.loose(id)
	if _, err := os.Stat(path); err == nil {
		return id
	}
	var b bytes.Buffer
	z, _ := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	fmt.Fprintf(z, "%s %d\x00", kind, len(data))
	_, _ = z.Write(data)
	_ = z.Close()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		f.Fatal(err)
	}
	return id
}

func (f *forger) loose(id string) string {
	return filepath.Join(f.dir, ".git", "objects", id[:2], id[2:])
}

// entry is one line of a tree as git stores it.
func entry(mode, name, id string) []byte {
	raw, _ := hex.DecodeString(id)
	return append([]byte(mode+" "+name+"\x00"), raw...)
}

// putTree stores the files below a folder.
func (f *forger) putTree(files map[string]leaf) string {
	f.Helper()
	lines := map[string][]byte{} // by git's order: a folder counts with its slash
	folders := map[string]map[string]leaf{}
	for path, file := range files {
		if dir, rest, deeper := strings.Cut(path, "/"); deeper {
			if folders[dir] == nil {
				folders[dir] = map[string]leaf{}
			}
			folders[dir][rest] = file
			continue
		}
		id := file.id
		if id == "" {
			id = f.put("blob", file.data)
		}
		lines[path] = entry(file.mode, path, id)
	}
	for dir, below := range folders {
		lines[dir+"/"] = entry("40000", dir, f.putTree(below))
	}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		data = append(data, lines[name]...)
	}
	return f.put("tree", data)
}

func (f *forger) putPage(p page, parent string) string {
	f.Helper()
	tree := p.treeID
	switch {
	case p.tree != nil:
		tree = f.put("tree", p.tree)
	case tree == "":
		tree = f.putTree(p.files)
	}
	lines := []string{"tree " + tree}
	if parent != "" && !p.orphan {
		lines = append(lines, "parent "+parent)
	}
	for _, id := range p.extra {
		lines = append(lines, "parent "+id)
	}
	data := []byte(strings.Join(append(lines, p.headers...), "\n") + "\n\n" + p.message)
	if p.raw != nil {
		data = p.raw(data)
	}
	return f.put("commit", data)
}

// write makes the pages from one on the end of the run, after the recorded ones
// before it.
func (f *forger) write(from int, pages []page) {
	f.Helper()
	parent := ""
	if from > 0 {
		parent = f.commits[from-1]
	}
	for _, p := range pages {
		parent = f.putPage(p, parent)
	}
	f.point(parent)
}

// point moves the run's ref.
func (f *forger) point(commit string) {
	f.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, ".git", f.id.Ref()), []byte(commit+"\n"), 0o644); err != nil {
		f.Fatal(err)
	}
}

// caught reports whether pages, as the end of the run from a revision on, are
// found out. What verify says of a revision depends on nothing that comes later,
// so the first of the pages is looked at by itself, which is quicker; the whole run
// is, where that tells nothing of that very revision.
func (f *forger) caught(from int, pages []page) bool {
	f.Helper()
	if len(pages) > 1 {
		f.write(from, pages[:1])
		for _, p := range f.verifyFrom(f.markAt(from - 1)).Problems {
			if p.Revision == from {
				return true
			}
		}
	}
	f.write(from, pages)
	return f.caughtWhole()
}

func (f *forger) caughtWhole() bool { return f.verifyFrom(nil).Outcome != verify.Verified }

// verify says what is wrong with the run as it stands, from a revision on first,
// because that is quicker, and wholly where nothing is found.
func (f *forger) verify(from int) verify.Result {
	f.Helper()
	if res := f.verifyFrom(f.markAt(from - 1)); res.Outcome != verify.Verified {
		return res
	}
	return f.verifyFrom(nil)
}

// markAt is the mark of a verification that ended at a revision; nil before the
// first.
func (f *forger) markAt(revision int) *verify.Mark {
	if revision < 0 {
		return nil
	}
	return &verify.Mark{Commit: f.commits[revision], Revision: revision}
}

func (f *forger) verifyFrom(mark *verify.Mark) verify.Result {
	f.Helper()
	res, err := verify.Run(context.Background(), f.repo, f.id, verify.Options{Base: mark})
	if err != nil {
		f.Fatalf("verify ended with %v", err)
	}
	return res
}

// rebuilt replays an event, and what was recorded after it, the way the program
// itself would have recorded it: states, trailers, dates and texts all agree. It
// ends where the machine refuses. Nothing is returned for an event that the
// machine refuses at once.
func (f *forger) rebuilt(n int, event []byte) []page {
	f.Helper()
	var state machine.State
	if n > 0 {
		var err error
		if state, err = machine.DecodeState(f.pages[n-1].files["state.json"].data); err != nil {
			f.Fatal(err)
		}
	}
	var pages []page
	for i := n; i < len(f.pages); i++ {
		if i > n {
			event = f.pages[i].files["event.json"].data
		}
		p, next, ok := f.replayed(state, f.pages[i], event)
		if !ok {
			break
		}
		pages, state = append(pages, p), next
	}
	return pages
}

func (f *forger) replayed(state machine.State, was page, event []byte) (page, machine.State, bool) {
	doc, err := machine.DecodeEvent(event, func(ref machine.BlobRef) ([]byte, error) {
		file, ok := was.files[ref.Path]
		if !ok {
			return nil, os.ErrNotExist
		}
		return file.data, nil
	})
	if err != nil {
		return page{}, state, false
	}
	var next machine.State
	if init, first := doc.Event.(machine.Init); first {
		next, err = machine.New(init, doc.At)
	} else {
		next, err = machine.Apply(state, machine.Input{At: doc.At, Event: doc.Event, Facts: doc.Facts})
	}
	if err != nil {
		return page{}, state, false
	}
	p := was.with("event.json", event).with("state.json", machine.EncodeState(next))
	p.message = messageFor(was.message, doc, next.View(), event)
	at, err := time.Parse("2006-01-02T15:04:05.000Z", string(doc.At))
	if err != nil {
		return page{}, state, false
	}
	who := fmt.Sprintf("%s <%s> %d +0000", doc.By.Name, doc.By.Email, at.Unix())
	p.headers = []string{"author " + who, "committer " + who}
	return p, next, true
}

// messageFor is the message that the program would have written.
func messageFor(was string, doc machine.Document, v machine.View, event []byte) string {
	m, err := ledger.ParseMessage(was)
	if err != nil {
		return was
	}
	m.Run, _ = ledger.ParseRunID(v.RunID)
	m.Event, m.Phase, m.Revision = doc.Event.Kind().String(), v.Phase.String(), v.Revision
	if at := jsonAt(event, "event", "reason"); at != nil {
		m.Reason, _ = at.(string)
	}
	return m.String()
}
