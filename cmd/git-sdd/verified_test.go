package main

import (
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// verified demands that every run of the repository that a script stands in
// holds what it claims: what the program recorded in any story must verify.
func verified(ts *testscript.TestScript) {
	ts.Check(ts.Exec("git", "for-each-ref", "--format=%(refname:lstrip=2)", "refs/sdd/"))
	for _, run := range strings.Fields(ts.ReadFile("stdout")) {
		if err := ts.Exec("git-sdd", "verify", "--full", run); err != nil {
			ts.Fatalf("run %s does not verify: %v\n%s%s", run, err, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
		}
	}
}
