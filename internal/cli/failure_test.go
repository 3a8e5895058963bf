package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/fault"
)

// listen returns a console whose two outputs are kept.
func listen(asJSON bool) (con *console, out, errOut *bytes.Buffer) {
	out, errOut = &bytes.Buffer{}, &bytes.Buffer{}
	con = &console{out: bufio.NewWriter(out), sink: out, errOut: errOut, json: asJSON, env: func(string) string { return "" }}
	return con, out, errOut
}

func TestFailures(t *testing.T) {
	one := fault.New(fault.Identity, "git switch work", "branch %q is checked out, the run is on work", "ma\x1bin").WithLocation("plan.md:41").WithCode("branch")
	several := fault.FromDefects(fault.Invalid, "git sdd plan check plan.md", []fault.Defect{
		{Code: "tier-missing", Location: "plan.md:3", Message: "task 1 has no tier", Repair: "add one"},
		{Code: "number", Location: "plan.md:9", Message: "task 3 follows task 1", Repair: "number it 2"},
		{Location: "plan.md:9", Message: "nothing to do about this one"},
	})
	uniform := fault.FromDefects(fault.Invalid, "write it again", []fault.Defect{
		{Location: "r.md:1", Message: "no status"}, {Location: "r.md:2", Message: "no commit"},
	})
	for _, row := range []struct {
		name   string
		err    error
		status int
		human  string
		json   string
	}{
		{"one", one, 4,
			"git-sdd: plan.md:41: branch \"ma\\x1bin\" is checked out, the run is on work\ngit-sdd: repair: git switch work\n",
			`{"schema":"git-sdd/error/1","error":{"kind":"identity","exit":4,"message":"branch \"ma\\x1bin\" is checked out, the run is on work","repair":"git switch work","code":"branch","location":"plan.md:41","phase":null}}` + "\n"},
		{"several", several.WithPhase("PLAN_INVALID"), 2,
			"git-sdd: plan.md:3: task 1 has no tier\ngit-sdd: plan.md:9: task 3 follows task 1\ngit-sdd: plan.md:9: nothing to do about this one\ngit-sdd: no run was recorded: PLAN_INVALID\ngit-sdd: repair: plan.md:3: add one\ngit-sdd: repair: plan.md:9: number it 2\n",
			`{"schema":"git-sdd/error/1","error":{"kind":"invalid","exit":2,"message":"task 1 has no tier","repair":"add one","code":"tier-missing","location":"plan.md:3","phase":"PLAN_INVALID","defects":[{"code":"tier-missing","location":"plan.md:3","message":"task 1 has no tier","repair":"add one"},{"code":"number","location":"plan.md:9","message":"task 3 follows task 1","repair":"number it 2"},{"code":null,"location":"plan.md:9","message":"nothing to do about this one","repair":null}]}}` + "\n"},
		{"uniform", uniform, 2, "git-sdd: r.md:1: no status\ngit-sdd: r.md:2: no commit\ngit-sdd: repair: write it again\n", ""},
		{"unclassified", errors.New("disk on fire"), 1, "git-sdd: disk on fire\ngit-sdd: repair: git sdd doctor\n", ""},
	} {
		con, out, errOut := listen(false)
		if got := con.finish(context.Background(), row.err); got != row.status || out.Len() > 0 || errOut.String() != row.human {
			t.Errorf("%s: exit %d, stdout %q, stderr\n%s\nwant exit %d\n%s", row.name, got, out, errOut, row.status, row.human)
		}
		con, out, errOut = listen(true)
		con.printf("half a document")
		got := con.finish(context.Background(), row.err)
		if got != row.status || errOut.Len() > 0 || row.json != "" && out.String() != row.json {
			t.Errorf("%s: exit %d, stderr %q, stdout\n%s\nwant\n%s", row.name, got, errOut, out, row.json)
		}
	}
}

// TestRepairs: each edit once, and behind few of them the one command that does
// them all.
func TestRepairs(t *testing.T) {
	at := func(line int, repair string) fault.Defect {
		return fault.Defect{Location: fmt.Sprintf("p.md:%d", line), Message: "wrong", Repair: repair}
	}
	for _, row := range []struct {
		name    string
		whole   string
		defects []fault.Defect
		want    []string
	}{
		{"one", "do a", []fault.Defect{at(1, "do a")}, []string{"do a"}},
		{"none has its own", "do it", []fault.Defect{at(1, ""), at(2, "")}, []string{"do it"}},
		{"all the same", "do a", []fault.Defect{at(1, "do a"), at(2, "do a")}, []string{"do a"}},
		{"the first stands for all", "do a", []fault.Defect{at(1, "do a"), at(2, "do b"), at(3, "do b")}, []string{"p.md:1: do a", "do b"}},
		{"one and a whole", "do all", []fault.Defect{at(1, "do a")}, []string{"p.md:1: do a", "or: do all"}},
		{"the same twice and a whole", "do all", []fault.Defect{at(1, "do a"), at(2, "do a")}, []string{"do a", "or: do all"}},
		{"three and a whole", "do all", []fault.Defect{at(1, "a"), at(2, "b"), at(3, "c"), at(4, "c")}, []string{"p.md:1: a", "p.md:2: b", "c", "or all at once: do all"}},
		{"an edit that begins with the whole", "do it", []fault.Defect{at(1, "do it, with care")}, []string{"do it, with care"}},
		{"too many to show", "do all", []fault.Defect{at(1, "a"), at(2, "b"), at(3, "c"), at(4, "d")}, []string{"do all"}},
		{"many without a whole", "a", []fault.Defect{at(1, "a"), at(2, "b"), at(3, "c"), at(4, "d")}, []string{"p.md:1: a", "p.md:2: b", "p.md:3: c", "p.md:4: d"}},
	} {
		if diff := cmp.Diff(row.want, repairsOf(row.whole, row.defects)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", row.name, diff)
		}
	}
}

// TestInterrupted: a signal explains whatever it broke, but no refusal that was
// found before.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, row := range []struct {
		err  error
		want int
	}{
		{nil, 0}, {context.Canceled, 130}, {errors.New("git: signal: killed"), 130},
		{fault.New(fault.Contended, "git sdd next", "moved"), 3}, {errWaiting, 5},
	} {
		con, _, _ := listen(false)
		if got := con.finish(ctx, row.err); got != row.want {
			t.Errorf("%v: exit %d, want %d", row.err, got, row.want)
		}
	}
}

// TestWayOnStandsLast: where both outputs are one terminal, the answer stands
// before what is wrong with it and the repair.
func TestWayOnStandsLast(t *testing.T) {
	con, out, _ := listen(false)
	con.errOut = out
	con.printf("answer\n")
	con.finish(t.Context(), fault.New(fault.Refused, "git sdd next", "refused"))
	if want := "answer\ngit-sdd: refused\ngit-sdd: repair: git sdd next\n"; out.String() != want {
		t.Errorf("%q, want %q", out, want)
	}
}

// TestFullDisk: an answer that could not be written is a failure, a reader that
// went away is none.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full")
	}
	defer full.Close()
	con, _, errOut := listen(false)
	con.out = bufio.NewWriter(full)
	con.printf("answer")
	if got := con.finish(context.Background(), nil); got != 1 || !strings.Contains(errOut.String(), "no space left") {
		t.Errorf("exit %d, %q", got, errOut)
	}

	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	con, _, errOut = listen(false)
	con.out = bufio.NewWriter(w)
	con.printf("answer")
	if got := con.finish(context.Background(), nil); got != 0 || errOut.Len() > 0 {
		t.Errorf("exit %d, %q", got, errOut)
	}
}

// TestDocuments: a list is never null, angle brackets stay, bad text is shown.
func TestDocuments(t *testing.T) {
	con, out, _ := listen(true)
	err := con.document(struct {
		List  []string  `json:"list"`
		Text  string    `json:"text"`
		Bad   string    `json:"bad"`
		Empty string    `json:"empty,omitempty"`
		Some  *[]string `json:"some,omitempty"`
	}{Text: "<session> & more", Bad: "a\xff", Some: &[]string{}})
	con.out.Flush()
	if want := `{"list":[],"text":"<session> & more","bad":"a` + "\ufffd" + `","some":[]}` + "\n"; err != nil || out.String() != want {
		t.Errorf("%v\n got %s\nwant %s", err, out, want)
	}
}
