package ledger

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func validMessage() Message {
	return Message{
		Subject: "task 2: re-review approved (r31)", Reason: "it was read twice", Run: idOf(0xab), Revision: 31,
		Event: "rereview-approved", Phase: "TASK_COMPLETE", Task: "2", Nonce: strings.Repeat("0f", 16),
	}
}

const validText = `task 2: re-review approved (r31)

it was read twice

Sdd-Run: abababababababababababababababababababababababababababababababab
Sdd-Revision: 31
Sdd-Event: rereview-approved
Sdd-Phase: TASK_COMPLETE
Sdd-Task: 2
Sdd-Nonce: 0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f
`

func TestMessage(t *testing.T) {
	m := validMessage()
	if got := m.String(); got != validText {
		t.Errorf("%q, want %q", got, validText)
	}
	if got, err := ParseMessage(validText); err != nil || got != m {
		t.Errorf("%+v, %v", got, err)
	}
	m.Reason = ""
	without := strings.Replace(validText, "it was read twice\n\n", "", 1)
	if got, err := ParseMessage(without); err != nil || got != m || m.String() != without {
		t.Errorf("%+v, %v", got, err)
	}
}

// Each of these is refused when it is written and when it is read.
func TestMessageRefused(t *testing.T) {
	for name, spoil := range map[string]func(*Message){
		"no subject":             func(m *Message) { m.Subject = "" },
		"nothing but a revision": func(m *Message) { m.Subject = " (r31)" },
		"subject of two lines":   func(m *Message) { m.Subject = "a\nb" },
		"subject of two parts":   func(m *Message) { m.Subject = "a\n\nb" },
		"subject is a trailer":   func(m *Message) { m.Subject = "Sdd-Run: x" },
		"subject is an end":      func(m *Message) { m.Subject = "--- a" },
		"reason is a trailer":    func(m *Message) { m.Reason = "Sdd-Phase: COMPLETE" },
		"reason is an end":       func(m *Message) { m.Reason = "---" },
		"reason of two lines":    func(m *Message) { m.Reason = "a\nSdd-Run: x" },
		"reason with a return":   func(m *Message) { m.Reason = "a\rb" },
		"reason with an escape":  func(m *Message) { m.Reason = "a\x1b[2J" },
		"reason with C1":         func(m *Message) { m.Reason = "a\u009bb" },
		"reason with a line sep": func(m *Message) { m.Reason = "a\u2028b" },
		"reason with a mark":     func(m *Message) { m.Reason = "a <!-- sdd-transition: x" },
		"reason not UTF-8":       func(m *Message) { m.Reason = "a\xff" },
		"reason too long":        func(m *Message) { m.Reason = strings.Repeat("ä", maxText+1) },
		"subject too long":       func(m *Message) { m.Subject = strings.Repeat("ä", maxText+1) + " (r31)" },
		"no run":                 func(m *Message) { m.Run = RunID{} },
		"negative revision":      func(m *Message) { m.Revision = -1 },
		"event with a line":      func(m *Message) { m.Event = "a\nSdd-Phase: COMPLETE" },
		"no event":               func(m *Message) { m.Event = "" },
		"phase with blanks":      func(m *Message) { m.Phase = "A B" },
		"task 0":                 func(m *Message) { m.Task = "0" },
		"task final2":            func(m *Message) { m.Task = "final2" },
		"short nonce":            func(m *Message) { m.Nonce = "0f" },
		"nonce in capitals":      func(m *Message) { m.Nonce = strings.Repeat("0F", 16) },
	} {
		m := validMessage()
		spoil(&m)
		if err := m.check(); err == nil {
			t.Errorf("%s: it was taken", name)
		}
		if got, err := ParseMessage(m.String()); err == nil && got == m {
			t.Errorf("%s: it was read back", name)
		}
	}
	at := validMessage()
	at.Subject, at.Reason = strings.Repeat("ä", maxText)+" (r31)", strings.Repeat("ä", maxText)
	if err := at.check(); err != nil {
		t.Errorf("at the bound: %v", err)
	}
}

func TestMessageUnreadable(t *testing.T) {
	for name, text := range map[string]string{
		"empty":            "",
		"no trailers":      "subject\n",
		"another order":    strings.Replace(validText, "Sdd-Revision: 31\nSdd-Event: rereview-approved\n", "Sdd-Event: rereview-approved\nSdd-Revision: 31\n", 1),
		"one too few":      strings.Replace(validText, "Sdd-Task: 2\n", "", 1),
		"one too many":     validText + "Sdd-More: x\n",
		"one twice":        strings.Replace(validText, "Sdd-Task: 2\n", "Sdd-Task: 2\nSdd-Task: 2\n", 1),
		"after an end":     validText + "\n---\n",
		"four parts":       "more\n\n" + validText,
		"another revision": strings.Replace(validText, "Sdd-Revision: 31", "Sdd-Revision: 031", 1),
		"plus sign":        strings.Replace(validText, "Sdd-Revision: 31", "Sdd-Revision: +31", 1),
		"no final newline": strings.TrimSuffix(validText, "\n"),
		"two newlines":     validText + "\n",
		"CRLF":             strings.ReplaceAll(validText, "\n", "\r\n"),
		"short run":        strings.Replace(validText, "Sdd-Run: ab", "Sdd-Run: ", 1),
	} {
		if m, err := ParseMessage(text); err == nil {
			t.Errorf("%s was read as %+v", name, m)
		}
	}
}

// anyMessage draws messages that may be stored, the longest among them.
func anyMessage(rt *rapid.T) Message {
	text := rapid.StringOfN(rapid.Rune(), 1, maxText, -1).Filter(func(s string) bool { return checkText("text", s) == nil })
	m := Message{
		Run: idOf(rapid.Byte().Draw(rt, "run")), Revision: rapid.IntRange(0, 1_000_000).Draw(rt, "revision"),
		Event: rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._-]{0,63}`).Draw(rt, "event"),
		Phase: rapid.StringMatching(`[A-Z][A-Z_]{0,63}`).Draw(rt, "phase"),
		Task:  rapid.SampledFrom([]string{"1", "256", "final"}).Draw(rt, "task"),
		Nonce: newNonce(),
	}
	m.Subject = text.Draw(rt, "subject") + mark(m.Revision)
	if rapid.Bool().Draw(rt, "reasoned") {
		m.Reason = text.Draw(rt, "reason")
	}
	return m
}

func TestMessageRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := anyMessage(rt)
		if err := m.check(); err != nil {
			rt.Fatal(err)
		}
		text := m.String()
		if len(text) > 8<<10 {
			rt.Errorf("%d bytes are more than an audit line has", len(text))
		}
		if got, err := ParseMessage(text); err != nil || got != m {
			rt.Errorf("%+v came back as %+v, %v", m, got, err)
		}
	})
}

// Git reads the same trailers, whatever stands above them.
func TestMessageForGit(t *testing.T) {
	for _, reason := range []string{"", "plain", "Signed-off-by: someone", " --- ", "# not a comment", " ", "-- "} {
		m := validMessage()
		m.Reason = reason
		cmd := exec.Command("git", "interpret-trailers", "--parse")
		cmd.Stdin = strings.NewReader(m.String())
		out, err := cmd.Output()
		if want := validText[strings.Index(validText, "Sdd-Run"):]; err != nil || string(out) != want {
			t.Errorf("with the reason %q git reads %q, %v", reason, out, err)
		}
	}
}

func FuzzParseMessage(f *testing.F) {
	f.Add(validText)
	f.Add(strings.Replace(validText, "it was read twice\n\n", "", 1))
	f.Add("pin r1\n\nSdd-Run: x\nSdd-Revision: 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := ParseMessage(text); err == nil && m.String() != text {
			t.Errorf("%q was read as %q", text, m.String())
		}
	})
}

func TestRunID(t *testing.T) {
	long := strings.Repeat("0a", 32)
	id, err := ParseRunID(long)
	if err != nil || id.String() != long || id.Prefix12() != "0a0a0a0a0a0a" || id.Ref() != "refs/sdd/"+long || id.PinRef() != "refs/sdd-pins/"+long || id.IsZero() {
		t.Errorf("%+v, %v", id, err)
	}
	for _, s := range []string{"", long[:63], long + "a", strings.ToUpper(long), "../" + long[3:], long[:63] + "g"} {
		if _, err := ParseRunID(s); err == nil {
			t.Errorf("%q is a run id, it said", s)
		}
	}
	if zero := (RunID{}); !zero.IsZero() || zero.Prefix12() != "" {
		t.Error("the zero value names a run")
	}
}
