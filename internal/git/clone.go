package git

import (
	"os"
	"strings"
)

// Clone copies the repository into a directory that does not exist yet, with the
// commit that is checked out and no other work tree, index or hook of it. Objects
// are shared, not copied, so the copy is good only as long as this repository is
// there. Settings are "key=value" pairs in the copy's own configuration.
func (r *Repo) Clone(dir string, settings ...string) error {
	from := r.WorkTree()
	if from == "" {
		from = r.GitDir()
	}
	args := []string{"clone", "--quiet", "--shared", "--no-tags", "--template="}
	for _, s := range settings {
		args = append(args, "--config", s)
	}
	env := without(os.Environ(), localVars)
	env = append(env, copying...)
	_, err := execute(r.ctx, r.core.home(), env, call{args: append(args, "--", from, dir)})
	return err
}

// copying is what a clone gets beside the user's environment: English, nobody
// asked, nothing fetched by a filter of large files.
var copying = []string{"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ADVICE=0", "GIT_LFS_SKIP_SMUDGE=1", "GIT_NO_LAZY_FETCH=1"}

// CommitFiles commits the files as they are in the work tree, and nothing else,
// ignored or not, and returns the new commit. It is for work trees that are ours:
// whatever was staged before is committed too.
func (r *Repo) CommitFiles(message string, files ...string) (string, error) {
	if _, err := r.Output(append([]string{"add", "--force", "--"}, files...)...); err != nil {
		return "", err
	}
	if _, err := r.Output("commit", "--quiet", "--allow-empty", "--no-verify", "--message", message); err != nil {
		return "", err
	}
	head, err := r.Output("rev-parse", "--verify", "HEAD^{commit}")
	return strings.TrimSpace(string(head)), err
}
