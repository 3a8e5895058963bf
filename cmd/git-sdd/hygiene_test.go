package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScriptsExplainThemselves: a script is phases headed by a sentence, so that
// a failure shows which part of the story broke.
func TestScriptsExplainThemselves(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(data), "# ") {
			t.Errorf("%s does not begin with a sentence behind #", path)
		}
		if !strings.Contains(filepath.Base(path), "_") {
			t.Errorf("%s is not named area_case.txtar", path)
		}
	}
}
