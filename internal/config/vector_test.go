package config

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what Load says into testdata/config; the difference is reviewed like code")

const vectors = "../../testdata/config"

// A vector is one file of testdata/config; README.md there says what it holds.
type vector struct {
	path    string
	about   string
	inputs  []txtar.File
	sources []Source
	pairs   []Pair
	results map[string]string
}

// inputLayers are the names of the files that are read as settings.
var inputLayers = map[string]Source{
	"git-sdd.toml":                  {Layer: Tracked},
	"~/.config/git-sdd/config.toml": {Layer: User},
	".git/git-sdd.toml":             {Layer: Clone},
}

func readVector(tb testing.TB, path string) *vector {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	a := txtar.Parse(data)
	v := &vector{path: path, about: string(a.Comment), results: map[string]string{}}
	for _, f := range a.Files {
		s, isSource := inputLayers[f.Name]
		switch {
		case isSource:
			v.sources = append(v.sources, Source{s.Layer, f.Name, f.Data})
		case f.Name == "git config":
			v.pairs = append(v.pairs, readPairs(tb, path, string(f.Data))...)
		case f.Name == "defects" || f.Name == "entries" || f.Name == "pinned":
			v.results[f.Name] = string(f.Data)
			continue
		default:
			tb.Fatalf("%s: unknown part %q", path, f.Name)
		}
		v.inputs = append(v.inputs, f)
	}
	return v
}

func readPairs(tb testing.TB, path, text string) []Pair {
	var pairs []Pair
	for line := range strings.Lines(text) {
		key, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !found {
			tb.Fatalf("%s: no = in %q", path, line)
		}
		pairs = append(pairs, Pair{key, value})
	}
	return pairs
}

// said is what comes of a vector, in the form in which it is stored.
func said(v *vector) map[string]string {
	s, defects := Load(v.sources, v.pairs)
	if s == nil {
		return map[string]string{"defects": showDefects(defects)}
	}
	var entries strings.Builder
	for _, e := range s.Entries() {
		fmt.Fprintf(&entries, "%s = %s  # %s\n", e.Key, e.Value, e.Origin)
	}
	return map[string]string{"entries": entries.String(), "pinned": string(s.Pinned()) + "\n"}
}

func showDefects(defects []Defect) string {
	var b strings.Builder
	for _, d := range defects {
		fmt.Fprintf(&b, "%s: %s: %s\n    %s\n", d.Location(), d.Code, d.Message, d.Repair)
	}
	return b.String()
}

func allVectors(tb testing.TB) []*vector {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(vectors, "*.txtar"))
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no vectors: %v", err)
	}
	var all []*vector
	for _, p := range paths {
		all = append(all, readVector(tb, p))
	}
	return all
}

func TestVectors(t *testing.T) {
	for _, v := range allVectors(t) {
		t.Run(strings.TrimSuffix(filepath.Base(v.path), ".txtar"), func(t *testing.T) {
			if v.about == "" {
				t.Error("no sentence says what the vector shows")
			}
			got := said(v)
			if *update {
				writeVector(t, v, got)
				return
			}
			if diff := cmp.Diff(v.results, got); diff != "" {
				t.Errorf("(-stored +read)\n%s", diff)
			}
		})
	}
}

func writeVector(t *testing.T, v *vector, got map[string]string) {
	a := &txtar.Archive{Comment: []byte(v.about), Files: v.inputs}
	for _, name := range []string{"defects", "entries", "pinned"} {
		if text, there := got[name]; there {
			a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
		}
	}
	if err := os.WriteFile(v.path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}
