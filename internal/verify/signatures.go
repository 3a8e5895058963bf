package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// Demand says which revisions must be signed, by the name of their event.
type Demand func(event string) bool

// Signatures holds every signature of a run to its key and its committer, and
// demands those that must be there. Git checks them, with the keys that the user
// who verifies has named (gpg.ssh.allowedSignersFile for SSH).
func Signatures(ctx context.Context, repo *git.Repo, id ledger.RunID, res *Result, demand Demand) error {
	repo = repo.WithContext(ctx)
	if err := rulingSignatures(repo, id, res, demand(machine.KindRulingRecorded.String())); err != nil {
		return err
	}
	said, err := repo.Signatures(id.Ref())
	if err != nil {
		return err
	}
	unsigned := 0
	for i, s := range said {
		revision := len(said) - 1 - i
		has, event, err := carries(repo, s.Commit)
		if err != nil {
			return err
		}
		switch {
		case !has && demand(event):
			res.add(revision, "signature", "commit %s must be signed, and is not", s.Commit)
		case !has:
			unsigned++
		default:
			if what := wrong(s); what != "" {
				res.add(revision, "signature", "commit %s: %s", s.Commit, what)
			}
		}
	}
	if unsigned > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("%d of %d revisions are not signed", unsigned, len(said)))
	}
	return nil
}

// rulingSignatures does the same for what was ruled beside the run, whose form the
// ledger holds it to where it is read.
func rulingSignatures(repo *git.Repo, id ledger.RunID, res *Result, demanded bool) error {
	_, err := repo.Resolve(id.RulingRef())
	if errors.Is(err, git.ErrMissing) {
		return nil
	}
	if err != nil {
		return err
	}
	said, err := repo.Signatures(id.RulingRef())
	if err != nil {
		return err
	}
	for _, s := range said {
		o, err := repo.Object(s.Commit)
		if err != nil {
			return err
		}
		signed, what := !bytes.Equal(git.Unsigned(o.Data), o.Data), ""
		switch {
		case signed:
			what = wrong(s)
		case demanded:
			what = "must be signed, and is not"
		}
		if what != "" {
			res.add(-1, "signature", "commit %s of %s: %s", s.Commit, id.RulingRef(), what)
		}
	}
	return nil
}

// carries reports whether a commit has a signature, of whatever worth.
func carries(repo *git.Repo, commit string) (bool, string, error) {
	o, err := repo.Object(commit)
	if err != nil {
		return false, "", err
	}
	k, err := git.ParseCommit(commit, o.Data)
	if err != nil {
		return false, "", err
	}
	m, err := ledger.ParseMessage(k.Message)
	if err != nil {
		return false, "", errors.Join(ledger.ErrCorrupt, err)
	}
	return !bytes.Equal(git.Unsigned(o.Data), o.Data), m.Event, nil
}

// worth is what git's verdicts mean; a good one is not among them.
var worth = map[byte]string{
	'B': "the signature is bad",
	'U': "the key that signed is not one that is trusted here",
	'E': "the signature cannot be checked here; is gpg.ssh.allowedSignersFile set, and the key known?",
	'N': "the signature cannot be checked here; is gpg.ssh.allowedSignersFile set, and the key known?",
	'X': "the signature has expired",
	'Y': "the key that signed has expired",
	'R': "the key that signed was revoked",
}

// wrong says why a signature does not hold: by its own, or because somebody else
// made it than who is said to have recorded.
func wrong(s git.Signature) string {
	if s.Status != 'G' {
		if text, known := worth[s.Status]; known {
			return text
		}
		return fmt.Sprintf("git says %q of the signature", s.Status)
	}
	if s.Email != "" && (speaksFor(s.Signer, s.Email) || strings.HasSuffix(s.Signer, "<"+s.Email+">")) {
		return ""
	}
	return fmt.Sprintf("%q signed what %q is said to have recorded", s.Signer, s.Email)
}

// speaksFor matches a principal of the allowed signers, in which a * stands for
// anything (ssh-keygen: allowed signers). One that excludes speaks for nobody.
func speaksFor(principal, email string) bool {
	first, rest, starred := strings.Cut(principal, "*")
	email, begins := strings.CutPrefix(email, first)
	if !starred || !begins {
		return begins && email == ""
	}
	for from := 0; from <= len(email); from++ {
		if speaksFor(rest, email[from:]) {
			return true
		}
	}
	return false
}
