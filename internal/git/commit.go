package git

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// An Ident is who made a commit, and when.
type Ident struct {
	Name, Email string
	When        time.Time // stored in whole seconds, +0000
}

// A CommitSpec is a commit to be written.
type CommitSpec struct {
	Tree              string
	Parents           []string
	Author, Committer Ident
	Message           string // stored as it is; ends in a newline
}

// A Commit is a commit as read.
type Commit struct {
	ID                      string
	Tree                    string
	Parents                 []string
	AuthorName, AuthorEmail string
	AuthorTime              time.Time // in the author's own offset
	CommitTime              time.Time
	Message                 string // without any header
	Subject, Body           string // the first paragraph on one line, and what follows it
}

// Encode returns the commit's bytes in the given object format: what a reader of
// a stored commit compares with to see that nothing else stands in it.
func (c CommitSpec) Encode(format string) ([]byte, error) { return encodeCommit(format, c) }

func encodeCommit(format string, c CommitSpec) ([]byte, error) {
	for _, id := range append([]string{c.Tree}, c.Parents...) {
		if !IsID(format, id) {
			return nil, fmt.Errorf("%q is not an object id", id)
		}
	}
	if strings.Contains(c.Message, "\x00") || !strings.HasSuffix(c.Message, "\n") {
		return nil, errors.New("a commit message holds no NUL and ends in a newline")
	}
	author, err := encodeIdent(c.Author)
	if err != nil {
		return nil, err
	}
	committer, err := encodeIdent(c.Committer)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "tree %s\n", c.Tree)
	for _, parent := range c.Parents {
		fmt.Fprintf(&out, "parent %s\n", parent)
	}
	fmt.Fprintf(&out, "author %s\ncommitter %s\n\n%s", author, committer, c.Message)
	return out.Bytes(), nil
}

func encodeIdent(i Ident) (string, error) {
	if i.Name == "" || i.Email == "" || i.Name != clean(i.Name) || i.Email != clean(i.Email) {
		return "", fmt.Errorf("%q <%q> cannot stand in a commit", i.Name, i.Email)
	}
	if i.When.Unix() < 0 || i.When.IsZero() {
		return "", fmt.Errorf("%s cannot be the date of a commit", i.When)
	}
	return fmt.Sprintf("%s <%s> %d +0000", i.Name, i.Email, i.When.Unix()), nil
}

// ParseCommit reads a commit's bytes. Headers that it does not know, such as a
// signature, are passed over.
func ParseCommit(id string, data []byte) (Commit, error) {
	head, message, found := strings.Cut(string(data), "\n\n")
	if !found {
		head = strings.TrimSuffix(head, "\n") // a commit without a message
	}
	c := Commit{ID: id, Message: message}
	for line := range strings.SplitSeq(head, "\n") {
		if err := c.header(line); err != nil {
			return Commit{}, fmt.Errorf("commit %s: %w", id, err)
		}
	}
	if !isHex(c.Tree) || c.CommitTime.IsZero() {
		return Commit{}, fmt.Errorf("commit %s lacks a tree or a committer", id)
	}
	c.Subject, c.Body = splitMessage(message)
	return c, nil
}

func (c *Commit) header(line string) error {
	key, rest, _ := strings.Cut(line, " ")
	var err error
	switch key {
	case "tree":
		c.Tree = rest
	case "parent":
		if !isHex(rest) { // what is asked for by it next must be an object, not a name
			return fmt.Errorf("%q is no parent", rest)
		}
		c.Parents = append(c.Parents, rest)
	case "author":
		c.AuthorName, c.AuthorEmail, c.AuthorTime, err = parseIdent(rest)
	case "committer":
		_, _, c.CommitTime, err = parseIdent(rest)
	}
	return err
}

// parseIdent reads "Name <email> seconds offset". The name may be empty, and
// what stands between the brackets is taken as it is.
func parseIdent(s string) (name, email string, when time.Time, err error) {
	open, end := strings.IndexByte(s, '<'), strings.LastIndexByte(s, '>')
	if open < 0 || end < open {
		return "", "", time.Time{}, fmt.Errorf("no address in %q", s)
	}
	seconds, offset, _ := strings.Cut(strings.TrimSpace(s[end+1:]), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return "", "", time.Time{}, fmt.Errorf("no date in %q", s)
	}
	return strings.TrimSpace(s[:open]), s[open+1 : end], time.Unix(unix, 0).In(zone(offset)), nil
}

// zone reads "+0130". One that cannot be read is UTC: the instant is right
// without it.
func zone(offset string) *time.Location {
	number, err := strconv.Atoi(offset)
	if err != nil || len(offset) != 5 || number == 0 {
		return time.UTC
	}
	return time.FixedZone(offset, (number/100*60+number%100)*60)
}

// splitMessage separates the first paragraph, folded to one line as git shows
// it, from what follows.
func splitMessage(message string) (subject, body string) {
	first, rest, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n\n")
	return strings.Join(strings.Fields(first), " "), strings.TrimLeft(rest, "\n")
}
