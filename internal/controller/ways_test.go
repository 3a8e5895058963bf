package controller

import (
	"flag"
	"os"
	"testing"

	"github.com/git-sdd/git-sdd/internal/machine"
)

var update = flag.Bool("update", false, "write ways.md")

//go:generate go test -run ^TestWaysDocument$ . -update

// TestNoDeadEnd holds that every phase that is not terminal has a way out beside
// giving the run up, and that every event has a command.
func TestNoDeadEnd(t *testing.T) {
	for _, p := range machine.Phases() {
		if n := len(leaving(p)); (n == 0) != p.Terminal() {
			t.Errorf("%s: %d ways out, terminal %t", p, n, p.Terminal())
		}
	}
	for _, k := range machine.Kinds() {
		if ways[k].command == "" {
			t.Errorf("no command records %s", k)
		}
	}
	if len(ways) != len(machine.Kinds()) {
		t.Errorf("%d ways, %d kinds", len(ways), len(machine.Kinds()))
	}
}

// TestEveryPhaseWants holds that next has an answer everywhere.
func TestEveryPhaseWants(t *testing.T) {
	for _, p := range machine.Phases() {
		if wants[p] == nil {
			t.Errorf("next has no answer in %s", p)
		}
	}
}

func TestWaysDocument(t *testing.T) {
	want := "# Ways on\n\n" + Ways()
	if *update {
		if err := os.WriteFile("ways.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("ways.md")
	if err != nil || string(got) != want {
		t.Errorf("ways.md is stale; run: go generate ./internal/controller")
	}
}
