package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sdd/git-sdd/internal/git"
)

// rulingPrefix is where rulings are kept that belong to no revision of a run: a
// run's own ref never moves after its end (contract: stored documents).
const rulingPrefix = "refs/sdd-rulings/"

const (
	rulingFile   = "ruling.json"
	rulingSchema = "git-sdd/ruling/1"
)

// The kinds of rulings beside a run.
var rulingKinds = []string{"relink", "waiver", "reconcile"}

// A Ruling is what somebody ruled on a run after its end. Its document is
// ruling.json of one commit; the commits are a chain by their first parents.
type Ruling struct {
	Schema string          `json:"schema"`
	Number int             `json:"number"` // from 0
	At     string          `json:"at"`     // as [Instant] writes it
	By     RulingBy        `json:"by"`
	Kind   string          `json:"kind"` // relink, waiver or reconcile
	Run    string          `json:"run"`
	Reason string          `json:"reason"`
	Data   json.RawMessage `json:"data"` // an object
}

// RulingBy is who ruled, and by what way.
type RulingBy struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	Via   string `json:"via"`
}

// RulingRef returns the full name of the ref that holds the run's rulings.
func (id RunID) RulingRef() string { return rulingPrefix + id.hex }

// canonicalRuling returns the document's bytes: members in order, as canonical
// JSON has them (RFC 8785).
func canonicalRuling(r Ruling) ([]byte, error) {
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	d := json.NewDecoder(&plain)
	d.UseNumber()
	var members map[string]any
	if err := d.Decode(&members); err != nil {
		return nil, err
	}
	var sorted bytes.Buffer
	e = json.NewEncoder(&sorted)
	e.SetEscapeHTML(false)
	err := e.Encode(members)
	return bytes.TrimSuffix(sorted.Bytes(), []byte("\n")), err
}

func (r Ruling) check(id RunID) error {
	at, err := ParseInstant(r.At)
	switch {
	case err != nil:
		return err
	case at.Unix() < 0:
		return fmt.Errorf("%s cannot be the date of a commit", r.At)
	case r.Schema != rulingSchema:
		return fmt.Errorf("the schema is %q", r.Schema)
	case r.Run != id.hex:
		return fmt.Errorf("it belongs to run %q", r.Run)
	case !slices.Contains(rulingKinds, r.Kind):
		return fmt.Errorf("%q is no kind of ruling", r.Kind)
	}
	return checkText("reason", r.Reason)
}

// AppendRuling stores a ruling after those that the run has, and returns its
// commit. It writes as [Append] does: objects first, durable, then the ref by a
// compare-and-swap, with a signature where sign is more than 0. Number and schema are its own to set. Who lost a race gets a
// [*git.ErrMoved] and changed nothing.
func AppendRuling(ctx context.Context, repo *git.Repo, id RunID, r Ruling, sign time.Duration) (string, error) {
	repo = repo.WithContext(ctx)
	before, last, err := readRulings(repo, id)
	if err != nil {
		return "", err
	}
	r.Schema, r.Run, r.Number = rulingSchema, id.hex, len(before)
	if n := len(before); n > 0 {
		r.At = max(r.At, before[n-1].At)
	}
	if err := r.check(id); err != nil {
		return "", fmt.Errorf("%w: a ruling: %w", ErrInvalid, err)
	}
	w, err := repo.Writer()
	if err != nil {
		return "", err
	}
	commit, err := writeRuling(w, r, last, sign)
	if err != nil {
		return "", err
	}
	if err := errors.Join(w.Place(), w.Flush()); err != nil {
		return "", err
	}
	if err := repo.Transaction([]git.RefUpdate{{Ref: id.RulingRef(), New: commit, Old: last}}); err != nil {
		return "", err
	}
	return commit, w.Verify()
}

func writeRuling(w *git.Writer, r Ruling, last string, sign time.Duration) (string, error) {
	data, err := canonicalRuling(r)
	if err == nil && len(data) > maxRuling {
		err = fmt.Errorf("%w: a ruling has %d bytes, at most %d are stored", ErrInvalid, len(data), maxRuling)
	}
	if err != nil {
		return "", err
	}
	blob, err := w.WriteBlob(data)
	if err != nil {
		return "", err
	}
	tree, err := w.WriteTree([]git.TreeEntry{{Mode: git.ModeFile, Name: rulingFile, ID: blob}})
	if err != nil {
		return "", err
	}
	spec, err := r.commit(tree, last, newNonce())
	if err != nil {
		return "", err
	}
	return writeCommit(w, spec, sign)
}

// commit is the commit that stores the ruling after another, "" for none.
func (r Ruling) commit(tree, last, nonce string) (git.CommitSpec, error) {
	at, err := ParseInstant(r.At)
	if err != nil {
		return git.CommitSpec{}, err
	}
	who := git.Ident{Name: r.By.Name, Email: r.By.Email, When: at.Truncate(time.Second)}
	spec := git.CommitSpec{Tree: tree, Author: who, Committer: who, Message: rulingMessage(r, nonce)}
	if last != "" {
		spec.Parents = []string{last}
	}
	return spec, nil
}

func rulingMessage(r Ruling, nonce string) string {
	return fmt.Sprintf("%s (ruling %d)\n\n%s\n\nSdd-Ruling: %d\nSdd-Run: %s\nSdd-Nonce: %s\n", r.Kind, r.Number, r.Reason, r.Number, r.Run, nonce)
}

// Rulings returns what was ruled beside a run, oldest first; none where nobody
// did. A chain that is not what [AppendRuling] writes is [ErrCorrupt].
func Rulings(ctx context.Context, repo *git.Repo, id RunID) ([]Ruling, error) {
	all, _, err := readRulings(repo.WithContext(ctx), id)
	return all, err
}

func readRulings(repo *git.Repo, id RunID) (all []Ruling, last string, err error) {
	last, err = repo.Resolve(id.RulingRef())
	if errors.Is(err, git.ErrMissing) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	chain, err := repo.RevList("--first-parent", "--reverse", last)
	if err != nil {
		return nil, "", err
	}
	if len(chain) == 0 {
		return nil, "", fmt.Errorf("run %s: %w: %s leads to no commit", id.Prefix12(), ErrCorrupt, id.RulingRef())
	}
	before, at := "", ""
	for i, commit := range chain {
		r, err := readRuling(repo, id, commit, before)
		switch {
		case err != nil:
		case r.Number != i:
			err = fmt.Errorf("it is number %d and says %d", i, r.Number)
		case r.At < at:
			err = fmt.Errorf("%s is earlier than the ruling before it", r.At)
		}
		if err != nil {
			return nil, "", fmt.Errorf("run %s: %w: ruling %s: %w", id.Prefix12(), ErrCorrupt, commit, err)
		}
		all, before, at = append(all, r), commit, r.At
	}
	return all, last, nil
}

// readRuling takes a commit that is, byte for byte, what [AppendRuling] writes for
// its document after the given one; only a signature may stand in it beside that.
func readRuling(repo *git.Repo, id RunID, commit, before string) (Ruling, error) {
	o, err := repo.Object(commit)
	if err != nil {
		return Ruling{}, err
	}
	if o.Type != "commit" || repo.ObjectID("commit", o.Data) != commit {
		return Ruling{}, errors.New("it is not the commit of that name")
	}
	data, err := readFile(repo, commit, rulingFile)
	if err != nil {
		return Ruling{}, err
	}
	r, err := decodeRuling(id, data)
	if err != nil {
		return Ruling{}, err
	}
	k, err := git.ParseCommit(commit, o.Data)
	if err != nil {
		return Ruling{}, err
	}
	_, nonce, _ := strings.Cut(strings.TrimSuffix(k.Message, "\n"), "\nSdd-Nonce: ")
	tree, err := git.EncodeTree(repo.ObjectFormat(), []git.TreeEntry{{Mode: git.ModeFile, Name: rulingFile, ID: repo.BlobID(data)}})
	if err != nil {
		return Ruling{}, err
	}
	spec, err := r.commit(repo.ObjectID("tree", tree), before, nonce)
	if err != nil {
		return Ruling{}, err
	}
	want, err := spec.Encode(repo.ObjectFormat())
	if err != nil || !isNonce(nonce) || !bytes.Equal(git.Unsigned(o.Data), want) {
		return Ruling{}, errors.New("the commit is not what is written for its document")
	}
	return r, nil
}

// maxRuling bounds the document of a ruling, in bytes: a relink names commits, one
// in a hundred bytes.
const maxRuling = 1 << 20

func decodeRuling(id RunID, data []byte) (Ruling, error) {
	if len(data) > maxRuling {
		return Ruling{}, fmt.Errorf("its document has %d bytes, at most %d are read", len(data), maxRuling)
	}
	var r Ruling
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return Ruling{}, err
	}
	if err := r.check(id); err != nil {
		return Ruling{}, err
	}
	if same, err := canonicalRuling(r); err != nil || !bytes.Equal(same, data) {
		return Ruling{}, errors.New("its document is not in the form in which it is written")
	}
	return r, nil
}
