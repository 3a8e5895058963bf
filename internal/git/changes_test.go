package git

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// changed makes two commits between which every kind of change lies.
func changed(t testing.TB) (f fixture, base, head string) {
	f = newFixture(t)
	long := strings.Repeat("a line that stays\n", 40)
	f.write("moved from.txt", long)
	f.write("gone.txt", "gone\n")
	f.write("odd\nname", "odd\n")
	f.write("mode.sh", "#!/bin/sh\n")
	f.write("kind", "a file\n")
	f.write("bin", "a\x00b")
	base = f.commit("base")
	f.git("mv", "moved from.txt", "moved to.txt")
	f.write("moved to.txt", long+"one more\n")
	f.git("rm", "-q", "gone.txt")
	f.write("odd\nname", "odder\n")
	f.write("bin", "a\x00bc")
	f.write("new.txt", "diff --git a/fake b/fake\n--- a/fake\n+++ b/fake\n@@ -1 +1 @@\n")
	for _, err := range []error{os.Chmod(f.path("mode.sh"), 0o755), os.Remove(f.path("kind")), os.Symlink("new.txt", f.path("kind"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return f, base, f.commit("head")
}

func TestChanges(t *testing.T) {
	f, base, head := changed(t)
	changes, err := f.open().Changes(base, head)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, string(c.Status)+" "+c.Old+" > "+c.New)
		if Null(c.OldID) != (c.Status == 'A') || Null(c.NewID) != (c.Status == 'D') || len(c.OldID) != 40 || len(c.NewMode) != 6 {
			t.Errorf("%+v", c)
		}
	}
	want := []string{
		"M bin > bin", "D gone.txt > gone.txt", "T kind > kind", "M mode.sh > mode.sh",
		"R moved from.txt > moved to.txt", "A new.txt > new.txt", "M odd\nname > odd\nname",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestChangesAreTheTrees holds that no attribute, setting or index has a say.
func TestChangesAreTheTrees(t *testing.T) {
	f, base, head := changed(t)
	want, err := f.open().Changes(base, head)
	if err != nil {
		t.Fatal(err)
	}
	f.write(".gitattributes", "* -diff\n")
	f.write("sub/.gitattributes", "* binary\n")
	for _, pair := range [][2]string{{"diff.renames", "false"}, {"diff.renameLimit", "1"}, {"diff.context", "0"}, {"diff.noprefix", "true"}, {"core.quotePath", "false"}, {"diff.orderFile", "new.txt"}} {
		f.git("config", pair[0], pair[1])
	}
	repo := f.open()
	got, err := repo.Changes(base, head)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	text := ""
	if _, err := repo.Compare(base, head, func(_ []Change, patches *bufio.Reader) error {
		data, err := io.ReadAll(patches)
		text = string(data)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "--- a/moved from.txt\t\n") || !strings.Contains(text, "+one more\n") {
		t.Errorf("the patch bends to settings:\n%s", text)
	}
}

// TestCompareOwners holds each patch to the change that it belongs to.
func TestCompareOwners(t *testing.T) {
	f, base, head := changed(t)
	var headers []string
	c, err := f.open().Compare(base, head, func(_ []Change, patches *bufio.Reader) error {
		for {
			line, err := patches.ReadString('\n')
			if strings.HasPrefix(line, "diff --git ") {
				headers = append(headers, line)
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	owners := Patches(c.Changes)
	if len(owners) != len(headers) || len(owners) != len(c.Changes)+1 {
		t.Fatalf("%d owners of %d patches for %d changes", len(owners), len(headers), len(c.Changes))
	}
	for i, h := range headers {
		name := strings.ReplaceAll(c.Changes[owners[i]].New, "\n", `\n`)
		if !strings.Contains(h, name) {
			t.Errorf("patch %d is %q, said to be of %q", i, h, name)
		}
	}
}

func TestCompareStops(t *testing.T) {
	f, base, head := changed(t)
	enough := errors.New("enough")
	if _, err := f.open().Compare(base, head, func([]Change, *bufio.Reader) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
	if _, err := f.open().Changes(base, "nothing-like-it"); err == nil {
		t.Error("a head that does not exist is no error")
	}
	if _, err := f.open().Changes("-p", head); !errors.Is(err, ErrBadName) {
		t.Errorf("an option as a base: %v", err)
	}
}

func FuzzReadChanges(f *testing.F) {
	f.Add([]byte(":100644 000000 aa 00 D\x00x\x00"))
	f.Add([]byte(":100644 100644 aa bb R098\x00a\x00b\x00\x00diff --git"))
	f.Add([]byte("::\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		changes, err := readChanges(bufio.NewReader(strings.NewReader(string(data))))
		if err != nil && changes != nil {
			t.Errorf("changes beside an error: %v", changes)
		}
	})
}
