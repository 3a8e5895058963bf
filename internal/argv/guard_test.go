package argv

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGuards(t *testing.T) {
	makefiles := runners[0].globs
	pytest := runners[4].globs
	for _, c := range []struct {
		command []string
		globs   []string
		paths   []string
	}{
		{[]string{"make", "test"}, makefiles, []string{"make", "test"}},
		{[]string{"/usr/bin/make", "-C", "sub"}, makefiles, []string{"sub"}},
		{[]string{"env", "CI=1", "timeout", "10m", "make", "test"}, makefiles, []string{"env", "CI=1", "timeout", "10m", "make", "test"}},
		{[]string{"go", "test", "./..."}, runners[2].globs, []string{"go", "test"}},
		{[]string{"cargo", "test", "--config=ci.toml"}, runners[3].globs, []string{"cargo", "test", "ci.toml"}},
		{[]string{"python3", "-m", "pytest", "tests/a.py::test_b"}, pytest, []string{"python3", "pytest", "tests/a.py"}},
		{[]string{"uv", "run", "pytest"}, pytest, []string{"uv", "run", "pytest"}},
		{[]string{"python3", "pytest"}, nil, []string{"python3", "pytest"}},
		{[]string{"./scripts/test.sh", "../outside", "/etc/x"}, nil, []string{"scripts/test.sh"}},
		{[]string{"bash", "-lc", "cd sub && make test | tee log; . lib/env.sh"}, makefiles, []string{"bash", "cd sub && make test | tee log; . lib/env.sh", "cd", "sub", "make", "test", "tee", "log", "lib/env.sh"}},
		{[]string{"bash", "-c", "if ("}, nil, []string{"bash", "if ("}},
	} {
		globs, paths := Guards(c.command)
		if d := cmp.Diff(c.globs, globs); d != "" {
			t.Errorf("%q, globs:\n%s", c.command, d)
		}
		if d := cmp.Diff(c.paths, paths); d != "" {
			t.Errorf("%q, paths:\n%s", c.command, d)
		}
	}
}

// TestRuns holds that what a command runs is told from what it merely names.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		command []string
		want    []string
	}{
		{[]string{"sh", "check.sh"}, []string{"check.sh"}},
		{[]string{"./run", "product.sh"}, []string{"run"}},
		{[]string{"ci/run"}, []string{"ci/run"}},
		{[]string{"env", "A=1", "timeout", "5m", "bash", "-eu", "./ci/all.sh", "x.sh"}, []string{"ci/all.sh"}},
		{[]string{"grep", "-q", "hello", "greet.sh"}, nil},
		{[]string{"/usr/bin/make", "test"}, nil},
		{[]string{"python3", "-u", "tools/check.py"}, []string{"tools/check.py"}},
		{[]string{"python3", "-m", "pytest"}, nil},
		{[]string{"node", "-e", "x.js"}, nil},
		{[]string{"bash", "-lc", "cd sub && sh b.sh | tee log; ./a.sh || grep x c.sh"}, []string{"a.sh", "b.sh"}},
		{[]string{"sh", "-c"}, nil},
		{[]string{"sh"}, nil},
		{[]string{"../outside.sh"}, nil},
		{nil, nil},
	} {
		if d := cmp.Diff(c.want, Runs(c.command)); d != "" {
			t.Errorf("%q:\n%s", c.command, d)
		}
	}
}

func TestGuardsHaveNoBraces(t *testing.T) {
	globs, _ := Guards([]string{"npm", "test"})
	if !slices.Contains(globs, "jest.config.*") || !slices.Contains(globs, "playwright.config.*") || !slices.Contains(globs, "tsconfig*.json") {
		t.Errorf("%q", globs)
	}
}

func TestMentions(t *testing.T) {
	got := Mentions("#!/bin/sh\n. \"$(dirname \"$0\")/lib.sh\"\nsource ./scripts/env.sh && bash ci/run.sh --x=a.cfg >log\n\t@$(MAKE) -f other.mk\n")
	for _, want := range []string{"lib.sh", "scripts/env.sh", "ci/run.sh", "a.cfg", "other.mk", "log"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}

// TestSourced holds that what is read in is told from what is merely mentioned.
func TestSourced(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"check", "#!/bin/sh\n. lib/common\ngrep -q x notes\n", []string{"lib/common"}},
		{"check.sh", ". \"$(dirname \"$0\")/lib/common\"\n", []string{"dirname", "0", "lib/common"}},
		{"lib/common", "test -f lib/a && source lib/a; cat b\n", []string{"lib/a"}},
		{"Makefile", "-include local.conf\ninclude ci/rules ci/more\nall: ; @sh -eu ci/check data\n", []string{"local.conf", "ci/rules", "ci/more", "ci/check"}},
		{"package.json", `{"source": "src/a.js", "include": ["src"], "test": "bash ci/all x"}`, []string{"ci/all"}},
		{"pyproject.toml", "include = ['src/a.py']\n", nil},
		{"check", "#!/usr/bin/env python3\nsource = open('a.txt')\n", nil},
		{"Makefile", "# include README and source code\n\t# . x\necho a#b . c\n", []string{"c"}},
		{"x.sh", "sh -c\n.\n", nil},
	} {
		if d := cmp.Diff(c.want, Sourced(c.name, c.text)); d != "" {
			t.Errorf("%s, %q:\n%s", c.name, c.text, d)
		}
	}
}
