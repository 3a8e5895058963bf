package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrNotSigned is returned where the user's signing program made no signature.
var ErrNotSigned = errors.New("no signature was made")

// WriteSignedCommit is [Writer.WriteCommit] with a signature of the user's, made
// by git with the user's own setup. A program that does not answer within the
// limit is ended with all it started. What the signature covers is compared with
// what was to be signed.
func (w *Writer) WriteSignedCommit(c CommitSpec, limit time.Duration) (string, error) {
	want, err := encodeCommit(w.repo.ObjectFormat(), c)
	if err != nil {
		return "", err
	}
	if err := w.Place(); err != nil { // git looks for the tree
		return "", err
	}
	id, err := w.repo.signed(c, limit)
	if err != nil {
		return "", err
	}
	o, err := w.repo.Object(id)
	if err != nil {
		return "", err
	}
	if bytes.Equal(o.Data, want) || !bytes.Equal(Unsigned(o.Data), want) {
		return "", fmt.Errorf("%w: git signed another commit than it was given", ErrNotSigned)
	}
	return w.put("commit", o.Data)
}

func (r *Repo) signed(c CommitSpec, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeoutCause(r.ctx, limit, fmt.Errorf("%w: the signing program did not answer within %s", ErrNotSigned, limit))
	defer cancel()
	args := []string{"-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S", "-F", "-"}
	for _, p := range c.Parents {
		args = append(args, "-p", p)
	}
	env := []string{}
	for who, i := range map[string]Ident{"AUTHOR": c.Author, "COMMITTER": c.Committer} {
		env = append(env, "GIT_"+who+"_NAME="+i.Name, "GIT_"+who+"_EMAIL="+i.Email, fmt.Sprintf("GIT_%s_DATE=%d +0000", who, i.When.Unix()))
	}
	res, err := r.WithContext(ctx).run(call{args: append(args, c.Tree), stdin: strings.NewReader(c.Message), env: env})
	var failed *CmdError
	switch {
	case err == nil:
		return strings.TrimSpace(string(res.stdout)), nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.As(err, &failed):
		return "", fmt.Errorf("%w: %s", ErrNotSigned, complaint(failed.Stderr))
	}
	return "", err
}

// Unsigned returns a commit's bytes without its signature.
func Unsigned(data []byte) []byte {
	head, message, found := bytes.Cut(data, []byte("\n\n"))
	var kept [][]byte
	signature := false
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		word, _, _ := bytes.Cut(line, []byte(" "))
		signature = string(word) == "gpgsig" || string(word) == "gpgsig-sha256" || signature && len(word) == 0
		if !signature {
			kept = append(kept, line)
		}
	}
	out := bytes.Join(kept, []byte("\n"))
	if found {
		out = append(append(out, "\n\n"...), message...)
	}
	return out
}

// A Signature is what git says of the signature of one commit.
type Signature struct {
	Commit string
	Status byte   // as %G? of git log: G good, B bad, U good of an unknown key, N none, E cannot be checked, X Y R expired or revoked
	Signer string // the principal of an SSH key, the user id of another
	Email  string // of the committer
}

// Signatures asks git about every commit of a chain, newest first.
func (r *Repo) Signatures(tip string) ([]Signature, error) {
	if err := checkSpecs(tip); err != nil {
		return nil, err
	}
	out, err := r.Output("-c", "log.showSignature=false", "log", "--first-parent", "-z", "--format=%H%x01%G?%x01%GS%x01%ce", tip, "--")
	if err != nil {
		return nil, err
	}
	var all []Signature
	for _, record := range zeroTerminated(out) {
		fields := strings.Split(record, "\x01")
		if len(fields) != 4 || len(fields[1]) != 1 {
			return nil, fmt.Errorf("git log answered %q", record)
		}
		all = append(all, Signature{fields[0], fields[1][0], fields[2], fields[3]})
	}
	return all, nil
}
