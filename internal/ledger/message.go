package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxText bounds a subject and a reason, in code points (contract: payload
// rules). With the forms of the trailers it keeps the whole message below the
// 8 KiB of an audit line (contract: bounds).
const maxText = 256

// A Message is the audit line of one revision.
type Message struct {
	Subject  string // for reading only; it ends in the revision
	Reason   string // what a human gave; may be empty
	Run      RunID
	Revision int
	Event    string
	Phase    string
	Task     string // a number, or "final"
	Nonce    string // 32 hex digits
}

// The trailers of a revision, always all of them, in this order.
var trailers = [...]string{"Sdd-Run", "Sdd-Revision", "Sdd-Event", "Sdd-Phase", "Sdd-Task", "Sdd-Nonce"}

// String returns the commit message.
func (m Message) String() string {
	var out strings.Builder
	out.WriteString(m.Subject + "\n")
	if m.Reason != "" {
		out.WriteString("\n" + m.Reason + "\n")
	}
	out.WriteString("\n")
	for i, value := range m.values() {
		fmt.Fprintf(&out, "%s: %s\n", trailers[i], value)
	}
	return out.String()
}

func (m Message) values() [len(trailers)]string {
	return [...]string{m.Run.String(), strconv.Itoa(m.Revision), m.Event, m.Phase, m.Task, m.Nonce}
}

// mark is what a subject ends in.
func mark(revision int) string { return fmt.Sprintf(" (r%d)", revision) }

// check refuses what could not be read back as it was written.
func (m Message) check() error {
	subject, _ := strings.CutSuffix(m.Subject, mark(m.Revision))
	if err := checkText("subject", subject); err != nil {
		return err
	}
	if m.Reason != "" {
		if err := checkText("reason", m.Reason); err != nil {
			return err
		}
	}
	switch {
	case m.Run.IsZero():
		return errors.New("no run")
	case m.Revision < 0:
		return fmt.Errorf("%d is not a revision", m.Revision)
	case !isName(m.Event, maxToken):
		return fmt.Errorf("%q is not an event's name", m.Event)
	case !isName(m.Phase, maxToken):
		return fmt.Errorf("%q is not a phase's name", m.Phase)
	case !isTask(m.Task):
		return fmt.Errorf("%q is neither a task's number nor final", m.Task)
	case !isNonce(m.Nonce):
		return fmt.Errorf("%q is not a nonce", m.Nonce)
	}
	return nil
}

// checkText refuses a line that would not stay one, or that a reader of the
// message could take for its trailers or its end (contract: payload rules).
func checkText(what, s string) error {
	switch {
	case !utf8.ValidString(s):
		return fmt.Errorf("the %s is not UTF-8: %q", what, s)
	case s == "":
		return fmt.Errorf("the %s is empty", what)
	case utf8.RuneCountInString(s) > maxText:
		return fmt.Errorf("the %s has %d characters, %d are allowed", what, utf8.RuneCountInString(s), maxText)
	case strings.ContainsFunc(s, isControl):
		return fmt.Errorf("the %s holds a control character: %q", what, s)
	case strings.HasPrefix(s, "Sdd-"), strings.HasPrefix(s, "---"):
		return fmt.Errorf("the %s would forge or hide a trailer: %q", what, s)
	case strings.Contains(s, "<!-- sdd-transition:"):
		return fmt.Errorf("the %s holds a mark that other programs take for a transition: %q", what, s)
	}
	return nil
}

// isControl reports the characters that no recorded line holds (contract:
// payload rules).
func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029
}

// ParseMessage reads a commit message back. Only what [Message.String] writes is
// taken: a message with a paragraph, a trailer or an order of its own is refused.
func ParseMessage(s string) (Message, error) {
	paragraphs := strings.Split(strings.TrimSuffix(s, "\n"), "\n\n")
	var m Message
	switch len(paragraphs) {
	case 2:
		m.Subject = paragraphs[0]
	case 3:
		m.Subject, m.Reason = paragraphs[0], paragraphs[1]
	default:
		return Message{}, fmt.Errorf("a message has 2 or 3 paragraphs, this one has %d", len(paragraphs))
	}
	if err := m.readTrailers(strings.Split(paragraphs[len(paragraphs)-1], "\n")); err != nil {
		return Message{}, err
	}
	if err := m.check(); err != nil {
		return Message{}, err
	}
	if m.String() != s {
		return Message{}, errors.New("the message is not in the form in which it is written")
	}
	return m, nil
}

func (m *Message) readTrailers(lines []string) error {
	if len(lines) != len(trailers) {
		return fmt.Errorf("a message has %d trailers, this one has %d", len(trailers), len(lines))
	}
	var values [len(trailers)]string
	for i, name := range trailers {
		value, found := strings.CutPrefix(lines[i], name+": ")
		if !found {
			return fmt.Errorf("trailer %d is not %s: %q", i+1, name, lines[i])
		}
		values[i] = value
	}
	var err error
	if m.Run, err = ParseRunID(values[0]); err != nil {
		return err
	}
	if m.Revision, err = parseRevision(values[1]); err != nil {
		return err
	}
	m.Event, m.Phase, m.Task, m.Nonce = values[2], values[3], values[4], values[5]
	return nil
}

func parseRevision(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || strconv.Itoa(n) != s {
		return 0, fmt.Errorf("%q is not a revision", s)
	}
	return n, nil
}
