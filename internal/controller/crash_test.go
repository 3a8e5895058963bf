package controller

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every named moment of a drive is passed in exactly one place.
func TestCrashPointsAreNamed(t *testing.T) {
	files, err := filepath.Glob("drive*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all += string(data)
	}
	for _, name := range crashPoints {
		if n := strings.Count(all, `crashPoint("`+name+`")`); n != 1 {
			t.Errorf("%q is passed %d times", name, n)
		}
	}
}
