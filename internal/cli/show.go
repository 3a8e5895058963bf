package cli

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/urfave/cli/v2"
)

func showCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Category:  groupLook,
		Usage:     "print one revision, or one file of it byte for byte",
		ArgsUsage: "REV[:PATH]",
		Description: `REV is the number of a revision, or @ for the newest. Without PATH: its event as
indented JSON. With PATH: that file of the revision's tree, for example

  git sdd show @:plan.md
  git sdd show 3:artifacts/task-1/brief.md

At a terminal, what would move the cursor or cannot be seen is shown escaped.`,
		Flags: readingFlags(),
		Action: func(c *cli.Context) error {
			t, err := targetOf(c, "")
			if err != nil {
				return err
			}
			return runShow(c.Context, con, t, c.Args().First())
		},
	}
}

// A shown is the answer of `show REV:PATH --json`: bytes that may be no UTF-8.
type shown struct {
	Schema   string `json:"schema"`
	Spec     string `json:"spec"`
	Bytes    int    `json:"bytes"`
	SHA256   string `json:"sha256"`
	Encoding string `json:"encoding"` // utf-8 or base64
	Data     string `json:"data"`
}

func runShow(ctx context.Context, con *console, t target, spec string) error {
	c, err := con.open(ctx, t)
	if err != nil {
		return err
	}
	defer c.Close()
	data, err := c.Show(ctx, spec)
	if err != nil {
		return err
	}
	if strings.Contains(spec, ":") {
		return con.answerBytes(spec, data)
	}
	if con.json {
		con.printf("%s\n", strings.TrimRight(string(data), "\n"))
		return nil
	}
	event := jsontext.Value(data)
	if err := event.Indent(jsontext.WithIndent("  ")); err != nil {
		return err
	}
	con.bytes(append(event, '\n'))
	return nil
}

func (con *console) answerBytes(spec string, data []byte) error {
	if !con.json {
		con.bytes(data)
		return nil
	}
	sum := sha256.Sum256(data)
	s := shown{
		Schema: "git-sdd/show/1", Spec: spec, Bytes: len(data), SHA256: hex.EncodeToString(sum[:]),
		Encoding: "utf-8", Data: string(data),
	}
	if !utf8.Valid(data) {
		s.Encoding, s.Data = "base64", base64.StdEncoding.EncodeToString(data)
	}
	return con.document(s)
}
