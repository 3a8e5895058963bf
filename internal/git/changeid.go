package git

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"
)

// ChangeIDs names what lies between the ends of each span, given by full object
// ids, in one process: the same name for the same change on another base, "" where
// the ends do not differ. It is a patch id that no white space is left out of: to
// git's own an indented line is the line that it was. It is never stored.
func (r *Repo) ChangeIDs(spans []Span) (map[Span]string, error) {
	ids, asked, err := r.toAsk(spans)
	if err != nil || len(asked) == 0 {
		return ids, err
	}
	differ, input, err := r.treePairs(asked)
	if err != nil {
		return nil, err
	}
	said, err := r.changes(input)
	if err != nil {
		return nil, err
	}
	for i, pair := range lines([]byte(input)) {
		ids[differ[i]] = said[pair]
	}
	return ids, nil
}

// changes reads the patch of each pair of trees and returns its name by the pair.
func (r *Repo) changes(input string) (map[string]string, error) {
	args := slices.Concat(neutral, asPatch, []string{"--stdin"})
	env, dir := r.bare()
	cmd := command(r.ctx, dir, env, args)
	var said tail
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &said
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, &CmdError{Args: args, Exit: -1, Err: err}
	}
	named, unread := readPatches(stdout, 2*len(r.ObjectID("tree", nil))+len(" \n"))
	_, _ = io.Copy(io.Discard, stdout)
	err = cmd.Wait()
	if r.ctx.Err() != nil {
		killGroup(cmd)
	}
	if err := verdict(r.ctx, call{args: args}, result{stderr: said.bytes(), exit: exitOf(cmd)}, err); err != nil {
		return nil, err
	}
	return named, unread
}

// readPatches reads the patches that follow each a line "<tree> <tree>" of the
// given length. What a file holds stands behind a space, a sign or a backslash:
// no content passes for a line of git's own.
func readPatches(from io.Reader, pairLength int) (map[string]string, error) {
	c := changes{named: map[string]string{}, pairLength: pairLength, hash: sha256.New()}
	in := bufio.NewReaderSize(from, 64<<10)
	for begins := true; ; {
		part, err := in.ReadSlice('\n')
		if len(part) > 0 {
			c.take(part, begins)
			begins = err == nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			c.end()
			return c.named, nil
		case err != nil:
			return nil, fmt.Errorf("reading what git diff-tree says: %w", err)
		}
	}
}

type changes struct {
	named      map[string]string
	pairLength int
	pair       string // whose patch is read
	hash       hash.Hash
	index      []byte // line of the file that is read
	skips      bool   // the line that is read says where the change stands
}

// take reads a line, or what is left of one that is long.
func (c *changes) take(part []byte, begins bool) {
	switch {
	case !begins && c.skips:
	case !begins:
		c.hash.Write(part)
	case len(part) == c.pairLength && isHex(string(part[:c.pairLength/2-1])):
		c.end()
		c.pair = string(bytes.TrimSuffix(part, []byte("\n")))
	case bytes.HasPrefix(part, []byte("index ")):
		c.index, c.skips = bytes.Clone(part), true // names what is around the change too
	case bytes.HasPrefix(part, []byte("@@ ")):
		c.skips = true
		c.hash.Write([]byte("@@\n"))
	default:
		if c.skips = false; bytes.HasPrefix(part, []byte("Binary files ")) {
			c.hash.Write(c.index) // all there is of it
		}
		c.hash.Write(part)
	}
}

func (c *changes) end() {
	if c.pair != "" {
		c.named[c.pair] = hex.EncodeToString(c.hash.Sum(nil))
	}
	c.pair, c.index = "", nil
	c.hash.Reset()
}
