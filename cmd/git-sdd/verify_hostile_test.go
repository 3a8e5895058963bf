//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/verify"
)

// A fetched ledger is data of others. Whatever it holds, verify says in bounded
// time and memory that it does not hold, in text that does nothing to a terminal.
func TestVerifyHostile(t *testing.T) {
	s := newShop(t, map[string]string{"plan.md": onePlan})
	f := newForger(s, s.start("plan.md"))
	last := len(f.pages) - 1
	tip := f.pages[last]
	nest := func(open, close string) []byte {
		return []byte(strings.Repeat(open, 200_000) + "1" + strings.Repeat(close, 200_000))
	}
	blob := f.put("blob", []byte("x"))
	var wide []byte
	for n := range 100_000 {
		wide = append(wide, entry("100644", fmt.Sprintf("f%06d", n), blob)...)
	}
	named := func(name string) page {
		p := tip.copy()
		p.tree = append(bytes.Clone(f.object(f.commits[last]+"^{tree}").Data), entry("100644", name, blob)...)
		return p
	}
	raw := func(change func(text string) string) page {
		p := tip.copy()
		p.raw = func(commit []byte) []byte { return []byte(change(string(commit))) }
		return p
	}
	wideTree := tip.copy()
	wideTree.tree = wide
	huge := make([]byte, 100<<20)
	for name, p := range map[string]page{
		"a state of 100 MB":          tip.with("state.json", huge),
		"an event of 100 MB":         tip.with("event.json", huge),
		"an artifact of 100 MB":      tip.with("artifacts/task-1/brief.md", huge),
		"a tree of 100,000 entries":  wideTree,
		"deep lists":                 tip.with("event.json", nest("[", "]")),
		"deep objects":               tip.with("event.json", nest(`{"a":`, "}")),
		"deep objects in a state":    tip.with("state.json", nest(`{"a":`, "}")),
		"lists that never end":       tip.with("event.json", bytes.Repeat([]byte("["), 5<<20)),
		"a number of 5 MB":           tip.with("state.json", bytes.Repeat([]byte("9"), 5<<20)),
		"a name that clears screens": named("zz\x1b[2J\x1b]0;owned\x07"),
		"a name that is no UTF-8":    named("zz\xff\xfe\xc3("),
		"a name that turns around":   named("zz\u202etxt.exe\u2066"),
		"a NUL in the message":       raw(func(c string) string { return strings.Replace(c, "\n\n", "\n\nbe\x00fore ", 1) }),
		"an escape in the message":   raw(func(c string) string { return strings.Replace(c, "\n\n", "\n\n\x1b[2Jgone ", 1) }),
		"an escape in a trailer":     raw(func(c string) string { return strings.Replace(c, "Sdd-Event: ", "Sdd-Event: \x1b[2J", 1) }),
		"an escape in the author":    raw(func(c string) string { return strings.Replace(c, "author ", "author \x1b[2J", 1) }),
		"a message of 20 MB":         raw(func(c string) string { return c + strings.Repeat("x", 20<<20) + "\n" }),
		"10,000 parents": raw(func(c string) string {
			return strings.Replace(c, "\nauthor", strings.Repeat("\nparent "+f.commits[0], 10_000)+"\nauthor", 1)
		}),
		"no line at all":    raw(func(string) string { return "" }),
		"a revision so big": raw(func(c string) string { return strings.Replace(c, "Sdd-Revision: ", "Sdd-Revision: 99999999999", 1) }),
	} {
		f.write(last, []page{p})
		f.bounded(name)
	}
	for name, id := range map[string]string{
		"a blob for a run": blob, "a tree for a run": f.put("tree", nil), "code for a run": f.git("rev-parse", "main"),
		"a tag for a run": f.put("tag", []byte("object "+f.commits[last]+"\ntype commit\ntag x\ntagger A <a@x> 1 +0000\n\nx\n")),
	} {
		f.point(id)
		f.bounded(name)
	}
	f.point(f.commits[last])
	f.git("update-ref", "refs/sdd-pins/"+f.id.String(), "main")
	f.bounded("code for pins")
}

// bounded runs verify as users do, in a process of its own.
func (f *forger) bounded(name string) {
	f.Helper()
	for _, words := range [][]string{{"verify", "--full", f.id.String()}, {"verify", "--full", "--json", f.id.String()}, {"ls"}, {"doctor"}} {
		cmd := exec.Command("git-sdd", words...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		begun := time.Now()
		_ = cmd.Run()
		took, used := time.Since(begun), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss/1024
		text := out.String()
		exit := cmd.ProcessState.ExitCode()
		switch words[0] {
		case "verify":
			if exit != 4 && exit != 7 {
				f.Errorf("%s: %v: exit %d: %.400s", name, words, exit, text)
			}
		default:
			if exit == 1 || exit < 0 {
				f.Errorf("%s: %v: exit %d: %.400s", name, words, exit, text)
			}
		}
		if strings.Contains(text, "goroutine ") || strings.ContainsAny(text, "\x00\x07\x1b\u202e\u2066") || len(text) > 64<<10 {
			f.Errorf("%s: %v: %d bytes of output: %.400q", name, words, len(text), text)
		}
		if took > 20*time.Second || used > 512 {
			f.Errorf("%s: %v: %s, %d MiB", name, words, took.Round(time.Millisecond), used)
		}
	}
}

// Bytes are cut out, doubled, put in and turned over in one part of a revision:
// verify ends with an outcome, and takes nothing for the run that is not the very
// run. SDD_FLOOD is how many.
func TestVerifyBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	count := 150
	if n, err := strconv.Atoi(os.Getenv("SDD_FLOOD")); err == nil {
		count = n
	}
	s := newShop(t, map[string]string{"plan.md": onePlan})
	f := newForger(s, s.start("plan.md"))
	r := rand.New(rand.NewPCG(3, 4))
	parts := []string{"event.json", "state.json", "plan.md", "artifacts/settings.json", "commit", "tree"}
	for range count {
		at, part := r.IntN(len(f.pages)), parts[r.IntN(len(parts))]
		p := f.pages[at].copy()
		was := p.files[part].data
		switch part {
		case "commit":
			was = f.object(f.commits[at]).Data
		case "tree":
			was = f.object(f.commits[at] + "^{tree}").Data
		}
		data := mangled(r, was)
		same, says := bytes.Equal(data, was), false
		switch part {
		case "commit":
			says = sameSaying(string(was), string(data)) // and may still not be what is written
			p.raw = func([]byte) []byte { return data }
		case "tree":
			p.tree = append([]byte{}, data...)
		default:
			p = p.with(part, data)
		}
		f.write(at, append([]page{p}, f.pages[at+1:]...))
		if res := f.verifyFrom(nil); (res.Outcome == verify.Verified) != same && !says {
			t.Errorf("r%d, %s: %s, %+v: %.500q", at, part, res.Outcome, res.Problems, data)
		}
	}
}

// mangled is data with one to four things done to it.
func mangled(r *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + r.IntN(4) {
		i, j := r.IntN(len(data)+1), r.IntN(len(data)+1)
		i, j = min(i, j), max(i, j)
		switch r.IntN(4) {
		case 0:
			data = slices.Concat(data[:i], data[j:])
		case 1:
			data = slices.Concat(data[:j], data[i:])
		case 2:
			if i < len(data) {
				data[i] ^= byte(1 << r.IntN(8))
			}
		case 3:
			words := []string{"null", "\n\n", "{}", "[", "\x00", "\xff", "99999999999999999999", " "}
			data = slices.Concat(data[:i], []byte(words[r.IntN(len(words))]), data[i:])
		}
	}
	return data
}
