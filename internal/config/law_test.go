package config

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestLaterLayersWin: for every key the highest layer that sets it is the one
// that holds, whatever else the layers say and in whatever order they are given.
func TestLaterLayersWin(t *testing.T) {
	names := map[Layer]string{User: "user", Clone: "clone", GitConfig: "git config"}
	rapid.Check(t, func(t *rapid.T) {
		files, lines, want := map[Layer]string{}, map[Layer]int{}, map[string]string{}
		var pairs []Pair
		// Every gate has a command in the lowest layer, which is not drawn.
		for _, row := range keyRows {
			if strings.HasSuffix(row.key, "prompt") {
				continue // not every prompt goes with every command
			}
			if text := around(row.key); text != "" {
				files[User], lines[User] = files[User]+text, lines[User]+1
			}
		}
		for _, row := range keyRows {
			if strings.HasSuffix(row.key, "prompt") {
				continue
			}
			found, _ := find(strings.Split(row.key, "."))
			for _, layer := range []Layer{User, Clone, GitConfig} {
				if layer == GitConfig && found.key.kind == list || !rapid.Bool().Draw(t, fmt.Sprint(row.key, layer)) {
					continue
				}
				if want[row.key] = names[layer]; layer == GitConfig {
					pairs = append(pairs, Pair{"sdd." + row.key, strings.Trim(row.good[0], `"`)})
					continue
				}
				files[layer] += row.key + " = " + row.good[0] + "\n"
				lines[layer]++
				want[row.key] = fmt.Sprintf("%s:%d", names[layer], lines[layer])
			}
		}
		sources := []Source{{User, "user", []byte(files[User])}, {Clone, "clone", []byte(files[Clone])}}
		if rapid.Bool().Draw(t, "swapped") {
			slices.Reverse(sources)
		}
		s, defects := Load(sources, pairs)
		if s == nil {
			t.Fatal(showDefects(defects))
		}
		got := map[string]string{}
		for _, e := range s.Entries() {
			if _, drawn := want[e.Key]; drawn {
				got[e.Key] = e.Origin
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestDefectsKeepTheirLines puts one broken line anywhere among sound ones.
func TestDefectsKeepTheirLines(t *testing.T) {
	broken := map[string]string{
		"agent.timeuot = \"1m\"": "unknown-key", "Agent.timeout = \"1m\"": "letter-case", "agent.timeout = 1": "wrong-type",
		"agent.timeout = \"0s\"": "bad-value", "agent.timeout = \"1m": "syntax", "evidence.process = [\"/a\"]": "bad-glob", "gate.Y.command = [\"x\"]": "bad-name",
		"\xff": "not-utf8",
	}
	sound := []string{"", "# a comment", "run.attempts = 2", "run.minors = \"ask\"", "hook.mode = \"off\"", "role.final.command = [\n\"x\",\n]", "role.fixer.command = ['''\n''',\n'x']"}
	sound[6] = "tier.fast.model = '''\nm'''"
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.Permutation(sound).Draw(t, "sound")
		bad := rapid.SampledFrom(slices.Sorted(maps.Keys(broken))).Draw(t, "broken")
		at := rapid.IntRange(0, len(parts)).Draw(t, "at")
		line := 1
		for _, p := range parts[:at] {
			line += 1 + strings.Count(p, "\n")
		}
		newline := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "newline")
		text := strings.ReplaceAll(strings.Join(slices.Insert(slices.Clone(parts), at, bad), "\n"), "\n", newline)
		_, defects := Load([]Source{{User, "u", []byte(text)}}, nil)
		if len(defects) != 1 || defects[0].Line != line || defects[0].Code != broken[bad] {
			t.Fatalf("line %d is %q\n%s", line, bad, showDefects(defects))
		}
	})
}

// FuzzLoad: whatever the files say, nothing panics; what is refused has a place,
// a repair and nothing for a terminal to act on; what is taken says the same when
// it is written out again, and is what an independent parser reads.
func FuzzLoad(f *testing.F) {
	for _, v := range allVectors(f) {
		for _, s := range v.sources {
			f.Add(s.Data, uint8(s.Layer), "sdd.agent.timeout", "5m")
		}
		for _, p := range v.pairs {
			f.Add([]byte(nil), uint8(User), p.Key, p.Value)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, layer uint8, key, text string) {
		source := Source{Tracked + Layer(layer)%3, "file", data}
		pairs := []Pair{{key, text}}
		s, defects := Load([]Source{source}, pairs)
		s2, defects2 := Load([]Source{source}, pairs)
		if diff := cmp.Diff(defects, defects2); diff != "" || (s == nil) != (s2 == nil) || (s == nil) != (len(defects) > 0) {
			t.Fatalf("two answers: %s", diff)
		}
		checkDefects(t, defects, 1+bytes.Count(data, []byte("\n")))
		checkReadings(t, data)
		if s != nil {
			checkEntries(t, s)
		}
	})
}

func checkDefects(t *testing.T, defects []Defect, lines int) {
	for _, d := range defects {
		if (d.Name == "file" && (d.Line < 1 || d.Line > lines)) || (d.Name == "git config" && d.Line != 0) {
			t.Errorf("%s of %d lines", d.Location(), lines)
		}
		if d.Code == "" || d.Message == "" || d.Repair == "" {
			t.Errorf("a part is missing: %+v", d)
		}
		for _, s := range []string{d.Message, d.Repair} {
			if strings.ContainsFunc(s, acts) || !utf8.ValidString(s) || strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..") {
				t.Errorf("%q is not one plain line", s)
			}
		}
	}
}

// checkEntries writes the settings out as one file and reads it again.
func checkEntries(t *testing.T, s *Settings) {
	var b strings.Builder
	for _, e := range s.Entries() {
		fmt.Fprintf(&b, "%s = %s\n", e.Key, e.Value)
		if strings.ContainsFunc(e.Value, acts) {
			t.Errorf("%q is not safe to print", e.Value)
		}
	}
	again, defects := Load([]Source{{User, "again", []byte(b.String())}}, nil)
	if again == nil {
		t.Fatalf("%s%s", b.String(), showDefects(defects))
	}
	for i, e := range again.Entries() {
		if was := s.Entries()[i]; was.Key != e.Key || was.Value != e.Value {
			t.Errorf("%+v became %+v", was, e)
		}
	}
	if p, err := ParsePinned(s.Pinned()); err != nil || !bytes.Equal(p.JSON(), s.Pinned()) {
		t.Errorf("%s: %v", s.Pinned(), err)
	}
}

// checkReadings compares the values of a file with those that the second parser
// has for them.
func checkReadings(t *testing.T, data []byte) {
	items, flaws, whole := readTOML(data)
	if !whole || len(flaws) > 0 {
		return
	}
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if it.value.kind != text && it.value.kind != number || len(it.path) > maxWords {
			continue
		}
		at, found := any(tree), true
		for _, word := range it.path {
			table, is := at.(map[string]any)
			if !is {
				found = false // within a list of tables
				break
			}
			at = table[word]
		}
		if n, is := at.(int64); is {
			at = fmt.Sprint(n)
		}
		got := it.value.text
		if it.value.kind == number {
			got = it.value.literal()
		}
		if found && at != got {
			t.Errorf("%s is %q to one parser and %q to the other", it.full(), got, at)
		}
	}
}

// TestHostileFiles: a file that is as large as it may be and as unpleasant as it
// can be costs no more than a moment.
func TestHostileFiles(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, (MaxSource-64)/len(s)) }
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < MaxSource-64; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"arrays":      "a = " + fill("["),
		"tables":      "a = " + fill("{a="),
		"dots":        "a" + fill(".a") + " = 1",
		"headers":     numbered("[x%d]\n"),
		"keys":        numbered("x%d = 1\n"),
		"gates":       numbered("[gate.g%d]\n"),
		"unknown":     "[run]\n" + numbered("attemptz%d = 1\n"),
		"lists":       fill("[[gate]]\n"),
		"globs":       "evidence.process = [" + fill(`"/",`) + "]",
		"argument":    `agent.command = ["x", "` + fill("{a}") + `"]`,
		"newlines":    fill("\n") + "x",
		"one key":     fill("k") + " = 1",
		"same key":    fill("run.attempts = 1\n"),
		"line breaks": fill("\r"),
		"inline":      numbered("run = { attempts = %d }\n"),
	} {
		start := time.Now()
		s, defects := Load([]Source{{User, "u", []byte(text)}}, nil)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s: %v", name, took)
		}
		if s != nil {
			t.Errorf("%s: taken", name)
		}
		checkDefects(t, defects[:min(len(defects), 100)], 1+strings.Count(text, "\n"))
	}
	random := rand.New(rand.NewSource(1))
	long := make([]byte, MaxSource+1)
	random.Read(long)
	if _, defects := Load([]Source{{User, "u", long}}, nil); len(defects) != 1 || defects[0].Code != "too-long" {
		t.Errorf("%+v", defects)
	}
}
