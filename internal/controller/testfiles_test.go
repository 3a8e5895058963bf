package controller

import "testing"

// TestIsTest is the table of what a negative control takes from the head.
func TestIsTest(t *testing.T) {
	for path, want := range map[string]bool{
		"a_test.go": true, "internal/x/a_test.go": true, "internal/x/testdata/in/1.txt": true, "a.go": false, "testdata.go": false, "attest.go": false,
		"src/app.test.tsx": true, "src/app.spec.js": true, "src/__tests__/app.js": true, "src/app.js": false, "src/inspect.js": false,
		"tests/test_a.py": true, "pkg/test_a.py": true, "pkg/a_test.py": true, "conftest.py": true, "pkg/contest.py": false, "latest.py": false,
		"tests/it.rs": true, "src/tests.rs": true, "src/lib.rs": false, "src/snapshots/x.snap": true,
		"src/test/java/org/A.java": true, "src/main/java/org/ATest.java": true, "src/main/java/org/A.java": false,
		"spec/a_spec.rb": true, "lib/a.rb": false, "t/basic.t": true, "test/run.bats": true, "check.sh": false, "fixtures/a.json": true,
		"Makefile": false, "package.json": false, "docs/test.md": false,
	} {
		if got := isTest(path, nil); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if !isTest("check.sh", []string{"*.sh"}) || isTest("sub/check.sh", []string{"*.sh"}) {
		t.Error("the user's globs are not what counts")
	}
}
