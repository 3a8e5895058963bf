package agent

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

func FuzzParseGroup(f *testing.F) {
	f.Add(groupOf(os.Getpid()).String())
	f.Add(`7 "12" "a b"`)
	f.Add(`1 "" ""`)
	f.Add("-1 \"\" \"\"\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		g, ok := ParseGroup(text)
		if !ok {
			return
		}
		if again, ok := ParseGroup(g.String()); !ok || again != g || g.pid <= 1 {
			t.Errorf("%q: %+v, then %+v", text, g, again)
		}
	})
}

// A group is ended only where it is for certain the one that was written down.
func TestGroupEnds(t *testing.T) {
	sleeper := exec.Command("sleep", "60")
	ownGroup(sleeper)
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = sleeper.Wait(); close(ended) }()
	g := groupOf(sleeper.Process.Pid)
	for name, other := range map[string]Group{
		"another boot":    {g.pid, g.start, "another"},
		"another process": {g.pid, g.start + "1", g.boot},
		"no start":        {g.pid, "", g.boot},
		"nobody":          {},
		"the first one":   {1, startTime(1), g.boot},
	} {
		if other.End() {
			t.Errorf("%s was ended", name)
		}
	}
	select {
	case <-ended:
		t.Fatal("it ended too early")
	case <-time.After(50 * time.Millisecond):
	}
	if read, ok := ParseGroup(g.String() + "\n"); !ok || !read.End() {
		t.Errorf("%s: %+v, %t", g, read, ok)
	}
	<-ended
	if g.End() {
		t.Error("it ended twice")
	}
}
