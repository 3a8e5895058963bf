package machine

import (
	"fmt"
	"strings"
)

// checkID holds a string against ^[A-Za-z0-9._:-]+$ and a bound in bytes, the
// grammar that finding ids and dispatch keys share.
func checkID(name, s string, bound int) error {
	if len(s) == 0 || len(s) > bound {
		return fmt.Errorf("%s has %d bytes, 1 to %d are allowed", name, len(s), bound)
	}
	for i := range len(s) {
		if !isIDByte(s[i]) {
			return fmt.Errorf("%s %q has a character outside A-Z a-z 0-9 . _ : -", name, s)
		}
	}
	return nil
}

func isIDByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._:-", c) >= 0
}

// checkDigest holds a string against the form of a SHA-256.
func checkDigest(name, s string) error {
	if len(s) != 64 || !isHex(s) {
		return fmt.Errorf("%s %q is not a SHA-256 in 64 lowercase hex digits", name, clip(s))
	}
	return nil
}

// checkObject holds a string against the form of an object name, in either of
// git's two formats.
func checkObject(name, s string) error {
	if len(s) != 40 && len(s) != 64 || !isHex(s) {
		return fmt.Errorf("%s %q is not an object name in 40 or 64 lowercase hex digits", name, clip(s))
	}
	return nil
}

func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
