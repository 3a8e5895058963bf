package evidence

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func observations() *rapid.Generator[Observation] {
	return rapid.Custom(func(t *rapid.T) Observation {
		o := Observation{
			Head:   rapid.StringMatching(`[0-9a-f]{40}`).Draw(t, "head"),
			Branch: rapid.String().Draw(t, "branch"),
			Refs:   map[string]string{},
		}
		for _, name := range rapid.SliceOfDistinct(rapid.String(), rapid.ID).Draw(t, "refs") {
			o.Refs[name] = rapid.StringMatching(`[0-9a-f]{40}`).Draw(t, "id")
		}
		names := rapid.SliceOfDistinct(rapid.StringN(1, 20, -1), rapid.ID).Draw(t, "paths")
		slices.Sort(names)
		for _, name := range names {
			o.Paths = append(o.Paths, Path{
				Name:  name,
				Index: rapid.SampledFrom([]string{absent, "100644:ab", "unmerged:a,b,c"}).Draw(t, "index"),
				Work:  rapid.SampledFrom([]string{absent, "?:12", "100755:cd", "160000/S.M.:ef"}).Draw(t, "work"),
			})
		}
		return o
	})
}

func TestEncodingLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := observations().Draw(t, "observation")
		got, err := Decode(o.Encode())
		if err != nil {
			t.Fatalf("%v\n%s", err, o.Encode())
		}
		if d := cmp.Diff(o, got); d != "" {
			t.Errorf("decoded differs:\n%s", d)
		}
	})
}

func TestDecodeRefuses(t *testing.T) {
	for _, text := range []string{
		"", "git-sdd/observed/2\nhead a\n", "git-sdd/observed/1\n",
		"git-sdd/observed/1\nhead a\npath - ?:1 name\n", "git-sdd/observed/1\nhead a\npath - \"x\"\n",
		"git-sdd/observed/1\nhead a\nother x\n", "git-sdd/observed/1\nhead a b\n", "git-sdd/observed/1\nhead a\nref \"x\"\n",
	} {
		if o, err := Decode([]byte(text)); err == nil {
			t.Errorf("%q was read as %+v", text, o)
		}
	}
}

// TestChanges holds what counts as left behind and what as changed.
func TestChanges(t *testing.T) {
	at := func(paths ...Path) Observation { return Observation{Paths: paths} }
	dirty, edited := Path{"a", "100644:1", "100644:2"}, Path{"a", "100644:1", "100644:3"}
	staged, file := Path{"a", "100644:2", "100644:2"}, Path{"b", absent, "?:1"}
	for _, c := range []struct {
		what            string
		then, now       Observation
		beyond, changed []string
	}{
		{"nothing", at(), at(), nil, nil},
		{"stood there", at(dirty, file), at(dirty, file), nil, nil},
		{"new file", at(dirty), at(dirty, file), []string{"b"}, []string{"b"}},
		{"edited again", at(dirty), at(edited), []string{"a"}, []string{"a"}},
		{"only staged", at(dirty), at(staged), []string{"a"}, []string{"a"}},
		{"put back", at(dirty, file), at(file), nil, []string{"a"}},
		{"removed", at(file), at(), nil, []string{"b"}},
	} {
		if got := c.now.Beyond(c.then); !slices.Equal(got, c.beyond) {
			t.Errorf("%s: beyond %q, want %q", c.what, got, c.beyond)
		}
		if got := c.now.Changed(c.then); !slices.Equal(got, c.changed) {
			t.Errorf("%s: changed %q, want %q", c.what, got, c.changed)
		}
	}
}

func TestMovedRefs(t *testing.T) {
	then := Observation{Refs: map[string]string{"refs/heads/a": "1", "refs/heads/b": "1", "refs/stash": "1"}}
	now := Observation{Refs: map[string]string{"refs/heads/a": "1", "refs/heads/b": "2", "refs/heads/c": "1"}}
	if got, want := now.MovedRefs(then), []string{"refs/heads/b", "refs/heads/c", "refs/stash"}; !slices.Equal(got, want) {
		t.Errorf("moved %q, want %q", got, want)
	}
}

// TestManyRefsAreOneEntry holds that the artifact does not grow with the number
// of branches, and that a move of any of them is still seen.
func TestManyRefsAreOneEntry(t *testing.T) {
	refs := map[string]string{}
	for i := range maxRefs + 1 {
		refs[fmt.Sprintf("refs/heads/b%d", i)] = "1"
	}
	then := Observation{Refs: condensed(refs)}
	if len(then.Refs) != 1 {
		t.Fatalf("%d entries for %d refs", len(then.Refs), len(refs))
	}
	refs["refs/heads/b7"] = "2"
	if now := (Observation{Refs: condensed(refs)}); len(now.MovedRefs(then)) == 0 {
		t.Error("a branch moved and nothing was seen")
	}
	delete(refs, "refs/heads/b7")
	if got := condensed(refs); len(got) != maxRefs {
		t.Errorf("%d entries at the limit", len(got))
	}
}
