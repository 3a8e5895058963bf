package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const onePin = `{"evidence":{"process":["docs/**"]},"gates":{"test":{"command":["make","test"],"guard":["Makefile"],"origin":"tracked","timeoutMs":600000}},"package":{"maxBytes":8388608},"schema":"git-sdd/settings/1"}`

func TestParsePinned(t *testing.T) {
	p, err := ParsePinned([]byte(onePin))
	if err != nil {
		t.Fatal(err)
	}
	want := []Gate{{"test", []string{"make", "test"}, []string{"Makefile"}, 600000, Tracked}}
	if diff := cmp.Diff(want, p.Gates()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"docs/**"}, p.Process()); diff != "" || p.MaxBytes() != 8388608 {
		t.Errorf("%s, %d bytes", diff, p.MaxBytes())
	}
}

// TestPinnedStrict edits a pin in every way that must not pass.
func TestPinnedStrict(t *testing.T) {
	for _, edit := range [][2]string{
		{`{"evidence"`, ` {"evidence"`},
		{`"process":["docs/**"]`, `"process":null`},
		{`"process":["docs/**"]`, `"process":["docs/"]`},
		{`"process":["docs/**"]`, ``},
		{`"process":["docs/**"]`, `"process":["docs/**"],"process":["docs/**"]`},
		{`"evidence":{"process":["docs/**"]},`, ``},
		{`"gates":{`, `"Gates":{`},
		{`"test":{`, `"Test":{`},
		{`"test":{`, `"../x":{`},
		{`"command":["make","test"],`, ``},
		{`["make","test"]`, `[]`},
		{`["make","test"]`, `null`},
		{`["make","test"]`, `["","test"]`},
		{`["make","test"]`, `["make","a\u0000b"]`},
		{`["make","test"]`, "[\"make\",\"\xff\"]"},
		{`"guard":["Makefile"],`, ``},
		{`["Makefile"]`, `["!Makefile"]`},
		{`"tracked"`, `"git config"`},
		{`"tracked"`, `""`},
		{`"tracked"`, `"elsewhere"`},
		{`600000`, `0`},
		{`600000`, `-1`},
		{`600000`, `86400001`},
		{`600000`, `600000.0`},
		{`600000`, `"600000"`},
		{`"timeoutMs":600000`, `"timeoutMs":600000,"shell":true`},
		{`8388608`, `1023`},
		{`8388608`, `1073741825`},
		{`{"maxBytes":8388608}`, `{}`},
		{`settings/1"`, `settings/0"`},
		{`settings/1"`, `settings/01"`},
		{`settings/1"`, `settings/"`},
		{`git-sdd/settings/1`, `git-sdd/state/1`},
		{`git-sdd/settings/1`, `git-sdd/state/2`},
		{`,"schema":"git-sdd/settings/1"`, ``},
		{`settings/1"}`, `settings/1"}{}`},
		{`settings/1"}`, `settings/1"`},
	} {
		data := strings.Replace(onePin, edit[0], edit[1], 1)
		if data == onePin {
			t.Fatalf("%q is not there to be edited", edit[0])
		}
		if p, err := ParsePinned([]byte(data)); err == nil || errors.Is(err, ErrNewer) {
			t.Errorf("%s -> %s: %v, %+v", edit[0], edit[1], err, p)
		}
	}
	var many Pin
	for n := range MaxGates + 1 {
		many.gates = append(many.gates, Gate{Name: fmt.Sprintf("g%02d", n), Command: []string{"true"}, TimeoutMS: 1000, Layer: Clone})
	}
	many.maxBytes, many.process = 1<<20, []string{}
	if _, err := ParsePinned(many.JSON()); err == nil || !strings.Contains(err.Error(), "33 gates, at most 32") {
		t.Errorf("33 gates: %v", err)
	}
	many.gates = many.gates[:MaxGates]
	if _, err := ParsePinned(many.JSON()); err != nil {
		t.Errorf("32 gates: %v", err)
	}
	if _, err := ParsePinned(bytes.Repeat([]byte(" "), MaxPinned+1)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("too long: %v", err)
	}
}

// TestPinnedNewer: a later program may write what this one cannot know.
func TestPinnedNewer(t *testing.T) {
	for _, data := range []string{
		strings.Replace(onePin, "settings/1", "settings/2", 1),
		`{"schema":"git-sdd/settings/17","gates":[],"more":{}}`,
	} {
		if _, err := ParsePinned([]byte(data)); !errors.Is(err, ErrNewer) {
			t.Errorf("%s: %v, want %v", data, err, ErrNewer)
		}
	}
}

// TestPinnedRoundTrip: what Load pins, ParsePinned reads, and nothing is lost.
func TestPinnedRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, defects := Load([]Source{{Tracked, "t", []byte(drawGates(t, "tracked"))}, {User, "u", []byte(drawGates(t, "user"))}}, nil)
		if s == nil {
			t.Fatal(showDefects(defects))
		}
		p, err := ParsePinned(s.Pinned())
		if err != nil {
			t.Fatalf("%s: %v", s.Pinned(), err)
		}
		if diff := cmp.Diff(s.Pin(), p, cmp.AllowUnexported(Pin{})); diff != "" {
			t.Fatal(diff)
		}
		if !bytes.Equal(p.JSON(), s.Pinned()) {
			t.Fatalf("%s\n%s", s.Pinned(), p.JSON())
		}
	})
}

// drawGates writes a file with gates, globs and a bound, all of them valid.
func drawGates(t *rapid.T, label string) string {
	var b strings.Builder
	glob := rapid.SampledFrom([]string{"a", "**", "docs/**", `\[id\]/*`, "é?"})
	for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9][a-z0-9-]{0,3}`), 0, 4, rapid.ID).Draw(t, label+" names") {
		argument := rapid.StringOf(rapid.RuneFrom([]rune("ab \"\\\n\t{}é\u202e\U000E0001<>&\u2028")))
		fmt.Fprintf(&b, "[gate.%s]\ncommand = [\"p\"", name)
		for _, a := range rapid.SliceOfN(argument, 0, 3).Draw(t, "arguments") {
			fmt.Fprintf(&b, ", %s", quote(a))
		}
		b.WriteString("]\n")
		if rapid.Bool().Draw(t, "guarded") {
			fmt.Fprintf(&b, "guard = %s\n", listOf(rapid.SliceOfN(glob, 0, 3).Draw(t, "guard")).literal())
		}
		if rapid.Bool().Draw(t, "timed") {
			fmt.Fprintf(&b, "timeout = \"%dms\"\n", rapid.Int64Range(1, MaxDuration).Draw(t, "timeout"))
		}
	}
	fmt.Fprintf(&b, "[evidence]\nprocess = %s\n", listOf(rapid.SliceOfN(glob, 0, 3).Draw(t, "process")).literal())
	fmt.Fprintf(&b, "[package]\nmaxBytes = %d\n", rapid.Int64Range(MinSize, MaxSize).Draw(t, "bytes"))
	return b.String()
}

func FuzzParsePinned(f *testing.F) {
	f.Add([]byte(onePin))
	for _, v := range allVectors(f) {
		if pinned, ok := v.results["pinned"]; ok {
			f.Add([]byte(strings.TrimSpace(pinned)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParsePinned(data)
		if err == nil && !bytes.Equal(p.JSON(), data) {
			t.Errorf("read %q, wrote %q", data, p.JSON())
		}
	})
}
