package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// question is the one call that resolves a repository. The two answers that may
// fail stand last: the top of the work tree, which a bare repository does not
// have, and the name of HEAD, which needs a first commit.
var question = []string{
	"rev-parse", "--path-format=absolute",
	"--git-dir", "--git-common-dir", "--git-path", "objects",
	"--show-object-format", "--show-prefix",
	"--show-toplevel", "--symbolic-full-name", "HEAD", "--",
}

// The lines of the answer to question.
const (
	lineGitDir = iota
	lineCommonDir
	lineObjects
	lineFormat
	linePrefix
	lineTop
	lineHead
	lineEnd
)

// Open resolves the repository of a directory, as git sees it: GIT_DIR and its
// kin count, and so do linked worktrees, subdirectories and bare repositories.
// The process that answers reads starts beside the question, so that a command
// that only reads waits for one process start.
//
// The Repo is bound to the context: cancelling it ends every child. The error
// is a [*CmdError]; it wraps [ErrNotRepository] where there is no repository.
func Open(ctx context.Context, dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("finding the directory %q: %w", dir, err)
	}
	return open(ctx, dir, os.Environ())
}

// At opens the repository of another directory. Every variable that ties this
// process to its repository is cleared first.
func (r *Repo) At(dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("finding the directory %q: %w", dir, err)
	}
	return open(r.ctx, dir, WithoutLocal(os.Environ()))
}

func open(ctx context.Context, dir string, environ []string) (*Repo, error) {
	env := asked(environ, dir)
	reader := newBatch(ctx, dir, env)
	p, err := resolve(ctx, dir, env, reader.start)
	if err != nil {
		_ = reader.close()
		return nil, err
	}
	r := &Repo{ctx: ctx, core: &core{place: p, environ: pinned(env, p, dir), batch: reader}}
	reader.moveTo(p.home(), r.core.environ)
	r.core.config = sync.OnceValues(r.readConfig)
	return r, nil
}

// resolve asks git the question and, only where HEAD or the work tree is out of
// the ordinary, a second one. What is done meanwhile begins when the first runs.
func resolve(ctx context.Context, dir string, env []string, meanwhile func()) (place, error) {
	res, err := execute(ctx, dir, env, call{args: question, meanwhile: meanwhile})
	answer := lines(res.stdout)
	if err != nil && (len(answer) <= linePrefix || ctx.Err() != nil) {
		return place{}, meaning(err)
	}
	p, perr := placeOf(answer)
	if perr != nil {
		return place{}, perr
	}
	if len(answer) == lineEnd+1 && answer[lineEnd] == "--" {
		p.head = headRef(answer[lineHead])
		return p, nil
	}
	p.head, err = symbolicHead(ctx, dir, env)
	return p, err
}

// placeOf reads the answer as far as it goes. A path that holds a newline makes
// one line too many and is refused rather than misread.
func placeOf(answer []string) (place, error) {
	if len(answer) > lineEnd+1 {
		return place{}, fmt.Errorf("git's answer has %d lines, not %d: %w", len(answer), lineEnd+1, ErrNewline)
	}
	p := place{
		gitDir: filepath.FromSlash(answer[lineGitDir]), commonDir: filepath.FromSlash(answer[lineCommonDir]),
		objects: filepath.FromSlash(answer[lineObjects]), format: answer[lineFormat], prefix: answer[linePrefix],
	}
	if _, known := digits[p.format]; !known {
		return place{}, fmt.Errorf("object format %q is not known, sha1 and sha256 are", p.format)
	}
	if len(answer) > lineTop && answer[lineTop] != "--" {
		p.workTree = filepath.FromSlash(answer[lineTop])
	}
	return p, nil
}

// symbolicHead asks for what HEAD stands for: before the first commit, in a bare
// repository, and where a branch called HEAD makes the short question ambiguous.
func symbolicHead(ctx context.Context, dir string, env []string) (string, error) {
	res, err := execute(ctx, dir, env, call{args: []string{"symbolic-ref", "--quiet", "HEAD"}, fine: []int{1}})
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(string(res.stdout), "\n"), nil
}

// BranchNow is [Repo.Branch] as it is by now: another process may have switched
// since the repository was opened.
func (r *Repo) BranchNow() (string, error) {
	head, err := symbolicHead(r.ctx, r.core.home(), r.core.environ)
	return shortBranch(head), err
}

// headRef turns git's "HEAD", for a detached one, into nothing.
func headRef(name string) string {
	if name == "HEAD" {
		return ""
	}
	return name
}

func shortBranch(ref string) string {
	short, isBranch := strings.CutPrefix(ref, "refs/heads/")
	if !isBranch {
		return ""
	}
	return short
}

// meaning marks the failure of a directory that is in no repository. Git's only
// sign is its text, which LC_ALL=C keeps from being translated.
func meaning(err error) error {
	var failed *CmdError
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "not a git repository") {
		failed.Err = ErrNotRepository
	}
	return err
}
