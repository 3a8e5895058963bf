package config

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxGlob is the bound on a glob, in bytes.
const MaxGlob = 1024

// Match reports whether a glob names a path of the repository, written with
// slashes from its top. The whole path must match:
//
//   - any number of characters of one segment, also none
//     ?      one character of a segment
//     [a-z]  one of the characters; [!a-z] or [^a-z] one of the others
//     **     as a whole segment: any number of segments, also none
//     \x     x itself, where x is one of * ? [ ] { } ! ^ - \
//
// A glob without a slash names a file at the top and nowhere else; **/Makefile
// names it everywhere. docs/** also names docs itself: who replaces a folder by a
// file has changed what was below it. Case counts. An invalid glob matches
// nothing. The effort is at most the product of the two lengths.
func Match(glob, path string) bool {
	if _, err := checkGlob(glob); err != nil || path == "" {
		return false
	}
	return matchSegments(strings.Split(glob, "/"), strings.Split(path, "/"))
}

// MatchAny reports whether one of the globs names the path.
func MatchAny(globs []string, path string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool { return Match(glob, path) })
}

// matchSegments gives each ** the fewest segments that let the rest go on. Only
// the last ** is ever reconsidered: what an earlier one could take instead, the
// later one can take as well.
func matchSegments(glob, path []string) bool {
	g, p, star, resume := 0, 0, -1, 0
	for p < len(path) {
		switch {
		case g < len(glob) && glob[g] == "**":
			star, resume, g = g, p, g+1
		case g < len(glob) && matchSegment(glob[g], path[p]):
			g, p = g+1, p+1
		case star >= 0:
			resume++
			g, p = star+1, resume
		default:
			return false
		}
	}
	for g < len(glob) && glob[g] == "**" {
		g++
	}
	return g == len(glob)
}

// matchSegment does within a segment what [matchSegments] does among segments.
func matchSegment(glob, name string) bool {
	g, n, star, resume := 0, 0, -1, 0
	for n < len(name) {
		if g < len(glob) && glob[g] == '*' {
			star, resume, g = g, n, g+1
			continue
		}
		if used, took, ok := matchOne(glob[g:], name[n:]); ok {
			g, n = g+used, n+took
			continue
		}
		if star < 0 {
			return false
		}
		_, width := utf8.DecodeRuneInString(name[resume:])
		resume += width
		g, n = star+1, resume
	}
	return strings.Trim(glob[g:], "*") == ""
}

// matchOne matches one character by what the glob begins with, and returns how
// many bytes of both that took.
func matchOne(glob, name string) (used, took int, ok bool) {
	if glob == "" {
		return 0, 0, false
	}
	r, took := utf8.DecodeRuneInString(name)
	switch glob[0] {
	case '?':
		return 1, took, true
	case '[':
		c, used, err := readClass(glob)
		return used, took, err == nil && c.holds(r, took)
	case '\\':
		glob, used = glob[1:], 1
	}
	want, width := utf8.DecodeRuneInString(glob)
	return used + width, took, r == want && took == width // a broken byte is no U+FFFD
}

// Errors of globs, each with one edit that repairs it.
var globErrors = []struct {
	err    error
	repair string
}{
	{errEmptyGlob, "name a path, or ** for all"},
	{errLongGlob, "shorten it"},
	{errGlobBytes, "write printable UTF-8"},
	{errNegated, "list what is meant, or write \\! for a name that begins with !"},
	{errSegment, "write the path from the top of the repository, without a slash at either end"},
	{errFolder, "write folder/** for all that is below a folder"},
	{errStars, "write ** between slashes, or * for one segment"},
	{errBrace, "write one glob for each alternative, or \\{ for the character"},
	{errClass, "close it with ], or write \\[ for the character"},
	{errEscape, "write / between segments, or \\\\ for the character"},
}

var (
	errEmptyGlob = errors.New("a glob is not empty")
	errLongGlob  = errors.New("a glob has at most 1024 bytes")
	errGlobBytes = errors.New("a glob holds no control character and nothing but UTF-8")
	errNegated   = errors.New("a glob does not begin with !: there are no exceptions")
	errSegment   = errors.New("a glob has no empty segment, and none that is . or .. alone")
	errFolder    = errors.New("a glob names files and does not end with a slash")
	errStars     = errors.New("** stands for whole segments and beside nothing else")
	errBrace     = errors.New("braces are not alternatives")
	errClass     = errors.New("a [ begins a class of characters: one or more, ranges ascending, then ]")
	errEscape    = errors.New("a backslash stands before none but * ? [ ] { } ! ^ - and \\ itself")
)

// CheckGlob returns what is wrong with a glob, nil for one that [Match] takes.
func CheckGlob(glob string) error {
	_, err := checkGlob(glob)
	return err
}

// checkGlob returns what is wrong with a glob, and the edit that repairs it.
func checkGlob(glob string) (repair string, err error) {
	if err = globError(glob); err == nil {
		return "", nil
	}
	for _, known := range globErrors {
		if errors.Is(err, known.err) {
			return known.repair, err
		}
	}
	panic("config: a glob's error without a repair: " + err.Error())
}

func globError(glob string) error {
	switch {
	case glob == "":
		return errEmptyGlob
	case len(glob) > MaxGlob:
		return errLongGlob
	case !utf8.ValidString(glob) || strings.ContainsFunc(glob, acts):
		return errGlobBytes
	case glob[0] == '!':
		return errNegated
	case glob != "/" && strings.HasSuffix(glob, "/"):
		return errFolder
	}
	for segment := range strings.SplitSeq(glob, "/") {
		if err := segmentError(segment); err != nil {
			return err
		}
	}
	return nil
}

func segmentError(segment string) error {
	switch segment {
	case "", ".", "..":
		return errSegment
	case "**":
		return nil
	}
	for i := 0; i < len(segment); {
		switch c := segment[i]; {
		case strings.HasPrefix(segment[i:], "**"):
			return errStars
		case c == '{' || c == '}':
			return errBrace
		case c == '[':
			_, used, err := readClass(segment[i:])
			if err != nil {
				return err
			}
			i += used
			continue
		case c == '\\':
			if i+1 == len(segment) || !strings.ContainsRune(escapable, rune(segment[i+1])) {
				return errEscape
			}
			i++
		}
		i++
	}
	return nil
}
