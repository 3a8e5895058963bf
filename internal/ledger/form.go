package ledger

import "strings"

// The forms of what a revision's message and tree hold. They are read at every
// command, and are written out because compiling expressions for them would take
// longer than reading the run.

const (
	maxToken = 64  // bytes of an event's or a phase's name
	maxName  = 200 // bytes of a name in the tree
)

// isName reports a name that is safe on every file system and in every shell, so
// that a workspace can be made of it anywhere: letters, digits, dots, underscores
// and hyphens, of which a letter or a digit comes first.
func isName(s string, limit int) bool {
	if s == "" || len(s) > limit || !isAlphanumeric(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isAlphanumeric(s[i]) && strings.IndexByte("._-", s[i]) < 0 {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isTask reports "final", or a number of up to three digits that begins with no
// zero.
func isTask(s string) bool {
	if s == "final" {
		return true
	}
	if s == "" || len(s) > 3 || s[0] == '0' {
		return false
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// isNonce reports 32 lowercase hex digits.
func isNonce(s string) bool { return len(s) == 32 && isHex(s) }
