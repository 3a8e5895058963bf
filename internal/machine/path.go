package machine

import (
	"fmt"
	"path"
	"strings"
)

// checkPath holds a path against what may be recorded: absolute, normalized, at
// most [MaxPath] bytes, without control characters. The rule does not ask the
// system it runs on, so that a run replays everywhere: a drive letter with
// forward slashes, which is how git prints paths on Windows, is absolute too.
func checkPath(name, p string) error {
	if err := checkPathText(name, p); err != nil {
		return err
	}
	if !isAbsolute(p) {
		return fmt.Errorf("%s %q is not absolute", name, clip(p))
	}
	return nil
}

// checkTreePath holds a path against what names a file of a repository:
// relative, normalized, and within it.
func checkTreePath(name, p string) error {
	if err := checkPathText(name, p); err != nil {
		return err
	}
	if isAbsolute(p) || p == "." || p == ".." || strings.HasPrefix(p, "../") {
		return fmt.Errorf("%s %q does not lie within the repository", name, clip(p))
	}
	return nil
}

// CanRecord reports whether a path of a repository can stand in a record.
func CanRecord(p string) bool { return checkTreePath("path", p) == nil }

func checkPathText(name, p string) error {
	if len(p) > MaxPath {
		return fmt.Errorf("%s has %d bytes, at most %d are recorded", name, len(p), MaxPath)
	}
	if err := checkLine(name, p); err != nil {
		return err
	}
	if path.Clean(p) != p {
		return fmt.Errorf("%s %q is not normalized, that would be %q", name, clip(p), clip(path.Clean(p)))
	}
	return nil
}

func isAbsolute(p string) bool {
	drive := len(p) >= 3 && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z' && p[1] == ':' && p[2] == '/'
	return p[0] == '/' || drive
}

// checkBeneath is [checkPath] for a path that lies beneath a root.
func checkBeneath(name, p, root string) error {
	if err := checkPath(name, p); err != nil {
		return err
	}
	if !beneath(root, p) {
		return fmt.Errorf("%s %q does not lie beneath the run root %q", name, clip(p), clip(root))
	}
	return nil
}

func beneath(root, p string) bool {
	return strings.HasPrefix(p, strings.TrimSuffix(root, "/")+"/") && p != root
}

// moved returns where a path beneath one root stands after the root moved; a
// path elsewhere stays where it is.
func moved(p, from, to string) string {
	if !beneath(from, p) {
		return p
	}
	return strings.TrimSuffix(to, "/") + "/" + p[len(strings.TrimSuffix(from, "/"))+1:]
}
