package git

import (
	"strings"
	"unicode"
)

// The identity of a run's commits where the user has none: nothing is asked, and
// nothing is guessed from the machine's name.
const (
	FallbackName  = "git-sdd"
	FallbackEmail = "git-sdd@localhost"
)

// Identity returns who the user says they are: GIT_AUTHOR_NAME and its kin,
// then author.*, then user.*, else the fallback. What cannot stand in a commit
// is left out, as git does.
func (r *Repo) Identity() (name, email string, err error) {
	config, err := r.Config()
	if err != nil {
		return "", "", err
	}
	setting := func(key string) string { v, _ := config.Get(key); return v }
	variable := func(key string) string { return value(r.core.environ, key) }
	name = firstOf(variable("GIT_AUTHOR_NAME"), setting("author.name"), setting("user.name"), FallbackName)
	email = firstOf(variable("GIT_AUTHOR_EMAIL"), setting("author.email"), setting("user.email"), variable("EMAIL"), FallbackEmail)
	return name, email, nil
}

// firstOf returns the first that leaves something when cleaned.
func firstOf(candidates ...string) string {
	for _, candidate := range candidates {
		if cleaned := clean(candidate); cleaned != "" {
			return cleaned
		}
	}
	return ""
}

// clean leaves out of a name what would end it early in a commit, and at both
// ends what git strips there.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '<' || r == '>' || unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r < ' ' || strings.ContainsRune(`.,:;"\'`, r) })
}
