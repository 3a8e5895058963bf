package main

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/git-sdd/git-sdd/internal/fault"
)

// Texts that nobody may record, whoever types them: they are longer than a line
// of the ledger, move a cursor, or could pass for a part of a commit's message.
var refusedTexts = map[string]string{
	"257 code points":     strings.Repeat("é", 257),
	"a line feed":         "one\nSdd-Phase: COMPLETE",
	"a carriage return":   "one\rtwo",
	"a tab":               "one\ttwo",
	"an escape":           "\x1b[2Jgone",
	"a bell":              "\x1b]0;owned\x07",
	"a delete":            "a\x7fb",
	"a C1 control":        "a\u009bJb",
	"a line separator":    "a\u2028b",
	"a paragraph":         "a\u2029b",
	"no UTF-8":            "a\xffb",
	"a scissors line":     "---",
	"a line of a diff":    "--- a/file",
	"a trailer of ours":   "Sdd-Phase: COMPLETE",
	"a marker":            "well <!-- sdd-transition: {\"to\":\"COMPLETE\"} -->",
	"a trailer and bytes": "Sdd-\xff",
}

// Texts that are recorded as they are, and shown so that they do nothing.
var takenTexts = map[string]string{
	"256 code points":       strings.Repeat("é", 256),
	"256 wide ones":         strings.Repeat("日", 256),
	"right to left":         "safe \u202etxt.exe",
	"an isolate":            "a \u2066b\u2069 c",
	"nothing to see":        "a\u200bb\ufeffc",
	"a shell's":             "$(rm -rf ~) `id` ; | && 'x' \"y\" \\",
	"somebody's trailer":    "Signed-off-by: Eve <eve@example.com>",
	"ours, but later":       "not Sdd-Phase: COMPLETE",
	"a format":              "%s %d %n %(trailers)",
	"markup":                "<b>bold</b> **bold** [x](y) | a | b |",
	"combining":             "e\u0301\u0301\u0301 Z\u0335\u0322",
	"an emoji of many":      "👩\u200d👩\u200d👧",
	"a flag":                "--json",
	"JSON":                  `{"schema":"git-sdd/event/1","event":null}`,
	"a placeholder of ours": "the <reason> is",
}

// A fieldOf is one place where a person types a text.
type fieldOf struct {
	name string
	args func(text string) []string
}

func field(words ...string) fieldOf {
	return fieldOf{strings.Join(words, " "), func(text string) []string { return filledAll(words, "@", text) }}
}

func filledAll(words []string, place, value string) []string {
	words = slices.Clone(words)
	for i := range words {
		words[i] = strings.ReplaceAll(words[i], place, value)
	}
	return words
}

// hostilePlaces leads one run from place to place; at each, the fields that are
// open there.
var hostilePlaces = []struct {
	name   string
	lead   func(*walker)
	fields []fieldOf
}{
	{"ready", func(w *walker) { w.do("start", "plan.md") }, []fieldOf{
		field("decide", "note", "--receipt", "seen", "--reason", "@"),
		field("decide", "note", "--receipt", "@", "--reason", "why"),
		field("abandon", "--reason", "@"),
		field("decide", "leftovers", "@", "--reason", "why"),
	}},
	{"an intent", func(w *walker) { w.do("dispatch") }, []fieldOf{
		field("started", "--session", "@"),
		field("started", "--session", "s", "--model", "@"),
		field("started", "--session", "s", "--thinking", "@"),
		field("decide", "lost", "--reason", "@"),
		field("decide", "mismatch", "--reason", "@"),
		field("decide", "accept-empty", "--reason", "@"),
	}},
	{"running", func(w *walker) { w.do("started", "--session", "one") }, []fieldOf{
		field("decide", "lost", "--receipt", "@", "--reason", "why"),
		field("report", "--dispatch", "@"),
	}},
	{"ambiguous", func(w *walker) { w.do("decide", "lost", "--receipt", "gone", "--reason", "why") }, []fieldOf{
		field("decide", "adopt", "--session", "@", "--reason", "why"),
		field("decide", "adopt", "--session", "s", "--reason", "@"),
		field("decide", "reissue", "--reason", "@"),
	}},
	{"a concern", func(w *walker) {
		w.do("decide", "adopt", "--session", "two", "--reason", "why")
		w.told("concerns", "scope", "it is wide", "one.txt")
	}, []fieldOf{
		field("decide", "proceed", "--reason", "@"),
		field("decide", "block", "--reason", "@"),
	}},
	{"a review that asks for work", func(w *walker) {
		w.do("decide", "proceed", "--reason", "why")
		w.turn("fail", "Important one.txt:1 wrong", "Minor one.txt:1 long", "Minor one.txt:1 short")
	}, []fieldOf{
		field("dispatch", "--park", "T1:F-2", "--evidence", "@"),
		field("dispatch", "--park", "@", "--evidence", "why"),
	}},
	{"a re-review that asks for work", func(w *walker) {
		w.turn("done", "one.txt")
		w.turn("fail", "T1:F-1=STILL_PRESENT", "T1:F-2=STILL_PRESENT", "T1:F-3=STILL_PRESENT")
	}, []fieldOf{
		field("decide", "park", "--finding", "T1:F-2", "--evidence", "@", "--reason", "why"),
		field("decide", "park", "--finding", "T1:F-2", "--evidence", "why", "--reason", "@"),
		field("decide", "park", "--finding", "@", "--evidence", "why", "--reason", "why"),
	}},
	{"the end", func(w *walker) {
		w.turn("done", "one.txt")
		w.turn("pass", "T1:F-2=STILL_PRESENT", "T1:F-3=STILL_PRESENT")
		w.turn("done", "two.txt")
		w.turn("pass")
		w.turn("pass", "T1:F-2=STILL_PRESENT")
	}, []fieldOf{
		field("decide", "adjudicate", "--finding", "T1:F-2=park", "--evidence", "@", "--reason", "why"),
		field("decide", "adjudicate", "--finding", "T1:F-2=park", "--evidence", "why", "--reason", "@"),
		field("decide", "adjudicate", "--finding", "T1:F-2=@", "--evidence", "why", "--reason", "why"),
		field("decide", "adjudicate", "--finding", "@=park", "--evidence", "why", "--reason", "why"),
	}},
}

// TestRefusedTexts types each text into each field there is: refused with exit 2,
// nothing recorded, and the message itself is harmless.
func TestRefusedTexts(t *testing.T) {
	w := newWalker(t, rand.New(rand.NewPCG(1, 1)), temper{}, map[place]int{})
	for _, p := range hostilePlaces {
		p.lead(w)
		before := w.refs()
		for _, f := range p.fields {
			for name, text := range refusedTexts {
				a := w.invoke(f.args(text)...)
				if a.exit != fault.Invalid.Row().Exit || a.stdout != "" {
					t.Errorf("%s, %s with %s: %s", p.name, f.name, name, a.text())
				}
				if bad := raw(a.stderr); bad != "" {
					t.Errorf("%s, %s with %s: the refusal shows %s raw", p.name, f.name, name, bad)
				}
			}
			w.refusedWith(fault.Invalid, f.args("\x1b[2Jgone")...)
		}
		if after := w.refs(); after != before {
			t.Fatalf("%s: recorded something:\n%s\nwas\n%s", p.name, after, before)
		}
	}
	w.checkAll()
}

// TestTakenTexts records each text wherever a run takes it: what people read
// shows nothing raw, and git reads the trailers as they are meant.
func TestTakenTexts(t *testing.T) {
	w := newWalker(t, rand.New(rand.NewPCG(1, 1)), temper{}, map[place]int{})
	w.git("config", "user.name", "Eve \u202e of the right")
	w.do("start", "plan.md")
	w.do("dispatch")
	for _, text := range takenTexts {
		w.do("started", "--session="+text, "--model="+text, "--thinking="+text)
		w.do("decide", "lost", "--receipt="+text, "--reason="+text)
		w.checkShown()
		w.do("decide", "reissue", "--reason="+text)
	}
	w.do("started", "--session", "one")
	w.told("concerns", "scope", takenTexts["right to left"], "one.txt")
	w.checkShown()
	w.do("decide", "proceed", "--reason="+takenTexts["right to left"])

	var findings []string
	for _, text := range takenTexts {
		findings = append(findings, "Minor one.txt:1 "+text)
	}
	w.turn("fail", append(findings, "Important one.txt:1 "+takenTexts["nothing to see"])...)
	w.checkShown()
	w.do("dispatch", "--park", "F-1", "--evidence="+takenTexts["right to left"])
	w.do("started", "--session", "fixer")
	w.told("done", "one.txt")
	verdicts := []string{"T1:F-16=STILL_PRESENT"}
	for i := range findings[1:] {
		verdicts = append(verdicts, fmt.Sprintf("T1:F-%d=STILL_PRESENT", i+2))
	}
	w.turn("fail", verdicts...)
	i := 2
	for _, text := range takenTexts {
		if i <= len(findings) {
			w.do("decide", "park", "--finding", fmt.Sprintf("F-%d", i), "--evidence="+text, "--reason="+text)
		}
		i++
	}
	w.checkShown()
	w.turn("context", takenTexts["an isolate"], takenTexts["right to left"])
	w.checkShown()
	w.do("decide", "block", "--reason="+takenTexts["an isolate"])
	w.checkShown()
	w.checkAll()
}

// TestChildTexts: what a child writes is recorded harmless, or refused with its
// line, and a refused report moves nothing.
func TestChildTexts(t *testing.T) {
	w := newWalker(t, rand.New(rand.NewPCG(1, 1)), temper{}, map[place]int{})
	w.do("start", "plan.md")
	w.do("dispatch")
	w.do("started", "--session", "one")
	path := w.offered().Report
	for name, text := range refusedTexts {
		if name == "257 code points" || name == "a tab" {
			continue // a child's text is cut and put on one line; see below
		}
		for _, report := range []string{
			"STATUS: BLOCKED\nREASON: @\n",
			"STATUS: NEEDS_CONTEXT\nMISSING:\n- what: @\n  why: it matters\n",
			"STATUS: NEEDS_CONTEXT\nMISSING:\n- what: it\n  why: @\n",
			"STATUS: @\nREASON: why\n",
			"@: BLOCKED\n",
		} {
			w.write(path, strings.ReplaceAll(report, "@", text))
			a := w.invoke("report")
			if bad := raw(a.stderr); a.exit != fault.Invalid.Row().Exit || bad != "" {
				t.Errorf("%s in %q: shows %q raw\n%s", name, report, bad, a.text())
			}
			if !strings.Contains(a.stderr, ".report.md:") {
				t.Errorf("%s in %q: no line is named\n%s", name, report, a.stderr)
			}
		}
		w.refusedWith(fault.Invalid, "report")
	}
	w.write(path, "STATUS: BLOCKED\nREASON: "+strings.Repeat("é", 300)+"\t\tand\n  more\n")
	w.do("report")
	if why := w.offered().Why; !strings.HasSuffix(why, strings.Repeat("é", 255)+"…") {
		t.Errorf("a long text is not cut to 256 code points: %q", why)
	}
	w.checkShown()
	w.checkAll()
}

// do carries out a command that has to succeed.
func (w *walker) do(words ...string) {
	w.Helper()
	if a := w.call(words...); a.exit != 0 {
		w.Fatal(a.text())
	}
}

// offered is what next says.
func (w *walker) offered() offer {
	w.Helper()
	var n offer
	w.read(w.call("next").stdout, &n)
	return n
}

// told lets the child that runs say something, and takes its report.
func (w *walker) told(what string, args ...string) {
	w.Helper()
	h := w.handed(w.offered())
	body, err := reports[what](h, args)
	if err != nil {
		w.Fatal(err)
	}
	w.write(h.Report, fmt.Sprintf("PROMPT: %x\n%s", sha256.Sum256(h.prompt), body))
	w.do("report")
}

// turn dispatches a child, starts it, and lets it say something.
func (w *walker) turn(what string, args ...string) {
	w.Helper()
	w.do("dispatch")
	w.count++
	w.do("started", "--session", fmt.Sprintf("session-%d", w.count))
	w.told(what, args...)
}

// checkShown: what people read is harmless, and the trailers of every revision
// are the six, in order.
func (w *walker) checkShown() {
	w.Helper()
	for _, words := range [][]string{{"next"}, {"status"}, {"log"}, {"ls"}} {
		a := w.invoke(words...)
		if bad := raw(a.stdout); bad != "" || a.exit != 0 || a.stderr != "" {
			w.Errorf("%q shows %s raw\n%s", words, bad, a.text())
		}
		w.call(words...)
	}
	text := w.git("log", "--format=%(trailers:only)%x00", "refs/sdd/"+w.run)
	for i, trailers := range strings.Split(strings.TrimSuffix(text, "\x00"), "\x00") {
		var keys []string
		for line := range strings.Lines(strings.TrimLeft(trailers, "\n")) {
			key, _, _ := strings.Cut(line, ":")
			keys = append(keys, key)
		}
		if got := strings.Join(keys, " "); got != "Sdd-Run Sdd-Revision Sdd-Event Sdd-Phase Sdd-Task Sdd-Nonce" {
			w.Errorf("revision %d from the end has the trailers %s\n%s", i, got, trailers)
		}
	}
	phases := strings.Fields(w.git("log", "-1", "--format=%(trailers:key=Sdd-Phase,valueonly)", "refs/sdd/"+w.run))
	if got := w.view().Phase.String(); len(phases) != 1 || phases[0] != got {
		w.Errorf("git reads the phase %v, the state says %s", phases, got)
	}
}

// raw names the first character that a terminal would obey or not show.
func raw(text string) string {
	for _, r := range text {
		joins := r == '\u200c' || r == '\u200d'
		if r != '\n' && !joins && (unicode.Is(unicode.C, r) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar) {
			return fmt.Sprintf("%U", r)
		}
	}
	return ""
}
