package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestObject(t *testing.T) {
	f := newFixture(t)
	f.write("a file", "contents\n")
	f.write("empty", "")
	head := f.commit("files")
	f.git("tag", "-a", "-m", "t", "v1")
	r := f.open()
	for _, tt := range []struct {
		spec, kind, data string
	}{
		{"HEAD:a file", "blob", "contents\n"},
		{"HEAD:empty", "blob", ""},
		{"HEAD^{tree}", "tree", ""},
		{head, "commit", ""},
		{"v1", "tag", ""},
		{"refs/heads/main", "commit", ""},
		{"HEAD~1", "commit", ""},
	} {
		o, err := r.Object(tt.spec)
		if err != nil || o.Type != tt.kind || o.ID != f.git("rev-parse", tt.spec) {
			t.Errorf("%s: %s %s, %v", tt.spec, o.Type, o.ID, err)
		}
		if tt.kind == "blob" && string(o.Data) != tt.data {
			t.Errorf("%s: %q", tt.spec, o.Data)
		}
	}
	if id, err := r.Commit("v1"); err != nil || id != head {
		t.Errorf("Commit(v1) = %s, %v", id, err)
	}
	if id, err := r.TreeOf(head); err != nil || id != f.git("rev-parse", head+"^{tree}") {
		t.Errorf("TreeOf = %s, %v", id, err)
	}
}

// The answer about a name that holds blanks ends like one about an object only
// if the last word is looked at.
func TestObjectAbsent(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	for spec, want := range map[string]error{
		"nothing":                        ErrMissing,
		strings.Repeat("0", 39) + "1":    ErrMissing,
		strings.Repeat("ab", 20) + " 12": ErrMissing,
		"HEAD:no blob 12":                ErrMissing,
		"HEAD: missing":                  ErrMissing,
		"-x":                             ErrMissing,
		"":                               ErrBadName,
		"HEAD\ninfo HEAD":                ErrBadName,
		"HEAD:x\r":                       ErrBadName,
		"HEAD\x00":                       ErrBadName,
	} {
		if _, err := r.Object(spec); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", spec, err, want)
		}
	}
	if _, err := r.Resolve("HEAD"); err != nil {
		t.Errorf("the next read after refusals: %v", err)
	}
}

func TestObjectAmbiguous(t *testing.T) {
	f := newFixture(t)
	seen := map[string]string{}
	for i := 0; ; i++ {
		contents := fmt.Sprint(i)
		short := idOf("sha1", "blob", []byte(contents))[:4]
		if other, twice := seen[short]; twice {
			f.write("one", contents)
			f.write("other", other)
			f.git("hash-object", "-w", "one", "other")
			if _, err := f.open().Object(short); !errors.Is(err, ErrAmbiguous) {
				t.Errorf("%s: %v", short, err)
			}
			return
		}
		seen[short] = contents
	}
}

// One exchange carries more than any pipe holds, both ways.
func TestObjectsMany(t *testing.T) {
	f := newFixture(t)
	big := strings.Repeat("0123456789abcdef", 8<<10)
	f.write("big", big)
	f.commit("big")
	r := f.open()
	var specs []string
	for range 400 {
		specs = append(specs, "HEAD:big", "HEAD:"+strings.Repeat("x", 500))
	}
	n := 0
	err := r.Objects(specs, func(i int, o Object, err error) error {
		if i != n || i%2 == 0 && string(o.Data) != big || i%2 == 1 && !errors.Is(err, ErrMissing) {
			t.Fatalf("answer %d of %d bytes, %v", i, len(o.Data), err)
		}
		n++
		return nil
	})
	if err != nil || n != len(specs) {
		t.Errorf("%d answers, %v", n, err)
	}
	stop := errors.New("enough")
	if err := r.Objects(specs, func(int, Object, error) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped with %v", err)
	}
	if _, err := r.Resolve("HEAD"); err != nil {
		t.Errorf("the next read after an end: %v", err)
	}
}

// A long-lived reader sees what came later: refs that moved or were packed,
// loose objects, packs.
func TestReaderSeesNews(t *testing.T) {
	f := newFixture(t)
	r := f.open()
	for i := range 4 {
		f.write("f", fmt.Sprint(i))
		want := f.commit("next")
		switch i {
		case 1:
			f.git("pack-refs", "--all")
		case 2:
			f.git("repack", "-adq")
			f.git("prune-packed", "-q")
		}
		if got, err := r.Resolve("refs/heads/main"); got != want {
			t.Errorf("step %d: %s, %v, want %s", i, got, err, want)
		}
		if o, err := r.Object(want + ":f"); string(o.Data) != fmt.Sprint(i) {
			t.Errorf("step %d: %q, %v", i, o.Data, err)
		}
	}
}

func TestObjectUnreadable(t *testing.T) {
	f := newFixture(t)
	f.write("f", "precious\n")
	id := f.git("hash-object", "-w", "f")
	path := f.path(".git", "objects", id[:2], id[2:])
	for name, damage := range map[string][]byte{"garbage": []byte("garbage"), "empty": {}} {
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, damage, 0o644); err != nil {
			t.Fatal(err)
		}
		r := f.open()
		if _, err := r.Object(id); !errors.Is(err, ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := r.Resolve("HEAD"); err != nil {
			t.Errorf("%s: the next read: %v", name, err)
		}
	}
}

func TestCancelledAndClosed(t *testing.T) {
	defer goleak.VerifyNone(t)
	f := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Open(ctx, f.dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resolve("HEAD"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := r.Resolve("HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	r.Close()
	live, err := Open(context.Background(), f.dir)
	if err != nil {
		t.Fatal(err)
	}
	live.Close()
	if _, err := live.Resolve("HEAD"); err == nil {
		t.Error("a closed repository answered")
	}
	live.Close()
}

// What is cancelled ends with everything that it started.
func TestCancelEndsTheGroup(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Open(ctx, f.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f.git("config", "alias.sleep", "!echo $$ >"+f.path("pid")+"; sleep 60")
	go func() {
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if data, err := os.ReadFile(f.path("pid")); err == nil && len(data) > 0 {
				break
			}
		}
		cancel()
	}()
	begun := time.Now()
	if _, err := r.Output("sleep"); !errors.Is(err, context.Canceled) {
		t.Errorf("Output: %v", err)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
	pid, err := os.ReadFile(f.path("pid"))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if _, err := os.Stat("/proc/" + strings.TrimSpace(string(pid))); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("a child of the cancelled command is still there")
}

func TestCmdError(t *testing.T) {
	f := newFixture(t)
	_, err := f.open().Output("-c", "a.b=c", "rev-parse", "--verify", "nothing")
	var failed *CmdError
	if !errors.As(err, &failed) || failed.Exit != 128 || !strings.Contains(failed.Stderr, "Needed a single revision") {
		t.Fatalf("%#v", err)
	}
	if got, want := err.Error(), "git rev-parse --verify nothing: Needed a single revision"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTail(t *testing.T) {
	var kept tail
	var all bytes.Buffer
	for i := range 3000 {
		line := fmt.Sprintf("line %d of many, long enough to pass the bound\n", i)
		fmt.Fprint(&kept, line)
		all.WriteString(line)
	}
	if want := all.Bytes()[all.Len()-maxStderr:]; !bytes.Equal(kept.bytes(), want) {
		t.Errorf("kept %d bytes that are not the last %d", len(kept.bytes()), maxStderr)
	}
	kept = tail{}
	if n, err := kept.Write(all.Bytes()); n != all.Len() || err != nil || !bytes.HasSuffix(all.Bytes(), kept.bytes()) || len(kept.bytes()) != maxStderr {
		t.Errorf("one long write: %d, %v, kept %d", n, err, len(kept.bytes()))
	}
}

func FuzzParseHeader(f *testing.F) {
	for _, seed := range []string{
		strings.Repeat("ab", 20) + " blob 12", strings.Repeat("ab", 32) + " commit 0", "x missing", "a b c missing",
		"HEAD ambiguous", strings.Repeat("ab", 20) + " submodule", "", " ", "x blob -1", "x blob 99999999999999999999",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		a, err := parseHeader(header)
		if err != nil || a.err != nil {
			return
		}
		if got := fmt.Sprintf("%s %s %d", a.id, a.kind, a.size); got != header && !strings.Contains(header, " 0") && !strings.Contains(header, "+") {
			t.Errorf("%q was read as %q", header, got)
		}
	})
}
