package cli

import (
	"errors"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/git-sdd/git-sdd/internal/fault"
)

// probe runs a command line whose command does only what act does.
func probe(t *testing.T, act func(*cli.Context) error, words ...string) error {
	t.Helper()
	con, out, errOut := listen(false)
	app := newApp(con)
	commandAt(app.Commands, []string{"dispatch"}).Action = act
	l, err := readLine(app, append([]string{program}, words...))
	if err != nil {
		return err
	}
	err = app.RunContext(t.Context(), l.argv)
	con.out.Flush()
	if out.Len() > 0 || errOut.Len() > 0 {
		t.Errorf("%q: the library prints %q and %q", words, out, errOut)
	}
	return err
}

// TestLibraryNeverExits: an error of a git child has an exit code of its own,
// which the library takes for a wish to end the process with it.
func TestLibraryNeverExits(t *testing.T) {
	exits := cli.OsExiter
	defer func() { cli.OsExiter = exits }()
	cli.OsExiter = func(status int) { t.Errorf("the library exits with %d", status) }
	failed := exec.Command("sh", "-c", "exit 3").Run()
	for _, want := range []error{failed, cli.Exit("enough", 3)} {
		if err := probe(t, func(*cli.Context) error { return want }, "dispatch"); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// TestListsAreNotCut: a comma within the value of a repeatable flag is text.
func TestListsAreNotCut(t *testing.T) {
	var got []string
	err := probe(t, func(c *cli.Context) error {
		got = c.StringSlice("evidence")
		return nil
	}, "dispatch", "--evidence", "slow, but right", "--evidence", "b")
	if diff := cmp.Diff([]string{"slow, but right", "b"}, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

// TestLibraryErrorsAreUsageErrors: what gets past readLine is still refused in
// our words and with our status.
func TestLibraryErrorsAreUsageErrors(t *testing.T) {
	for _, argv := range [][]string{
		{program, "--frob"}, {program, "dispatch", "--frob"}, {program, "plan", "--frob"}, {program, "plan", "check", "--frob"},
		{program, "strat"}, {program, "plan", "chek"}, {program, "abandon", "--expected-revision", "x"},
	} {
		con, out, _ := listen(false)
		err := newApp(con).RunContext(t.Context(), argv)
		con.out.Flush()
		if f := fault.Of(err); err == nil || f.Kind() != fault.Invalid || f.Code() != "usage" || out.Len() > 0 {
			t.Errorf("%q: %v, standard output %q", argv, err, out)
		}
	}
}
