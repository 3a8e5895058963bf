package report

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// MaxLocation is the most bytes that a recorded location may have (contract:
// payload rules).
const MaxLocation = 1024

// noLocation is the word for a finding that stands in no file.
const noLocation = "none"

var (
	lineSuffix = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(.+):([1-9][0-9]{0,8})$`)
	})
	drive = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[A-Za-z]:[\\/]`)
	})
)

// location reads where something stands: "<file>:<line>", "<file>" or "none".
// The file has to be in the judged head or its base; where both readings of a
// name that ends in a number are files, the number is a line. It returns the
// location as it was written, and its file, "" for none; both are "" after a
// defect.
func (r *reviewReader) location(v value) (where, file string) {
	if len(v.parts) == 0 {
		return "", ""
	}
	// Blanks are not collapsed: they may belong to the file's name.
	where = v.parts[0].text
	if where == "" || where == noLocation {
		return where, ""
	}
	readings := []string{where}
	if m := lineSuffix().FindStringSubmatch(where); m != nil {
		readings = []string{m[1], where}
	}
	for _, rule := range locationRules {
		if rule.broken(where, readings[0]) {
			r.add(v.line, rule.code, rule.repair, rule.message, quote(where))
			return "", ""
		}
	}
	for _, file := range readings {
		if r.exists(file) {
			return where, file
		}
	}
	r.add(v.line, "location-missing", "write <file>:<line>, <file> or none, of a file that is there", "%s is neither in the judged head nor in its base", quote(where))
	return "", ""
}

// exists asks the caller for a file, once a file: the answer may cost a process.
func (r *reviewReader) exists(file string) bool {
	known, asked := r.files[file]
	if !asked {
		known = r.ctx.FileExists != nil && r.ctx.FileExists(file)
		r.files[file] = known
	}
	return known
}

// locationRules are asked in this order, before anybody looks for the file; the
// first that is broken is reported.
var locationRules = []struct {
	code, repair, message string
	broken                func(where, file string) bool
}{
	{"location-long", "name the file alone, or none", "the location %s is longer than 1,024 bytes",
		func(where, _ string) bool { return len(where) > MaxLocation }},
	{"location-form", "write <file>:<line>, <file> or none, without characters that no record may hold", "the location %s cannot be recorded",
		func(where, _ string) bool { return recordable(where) != nil }},
	{"location-absolute", "write the path from the top of the repository", "the location %s is absolute",
		func(_, file string) bool {
			return strings.HasPrefix(file, "/") || strings.HasPrefix(file, `\`) || drive().MatchString(file)
		}},
	{"location-escapes", "write the path from the top of the repository, without ..", "the location %s leads out of a folder by ..",
		func(_, file string) bool { return escapes(file) }},
	{"location-form", "write the path from the top of the repository, without ./, doubled or trailing slashes", "the location %s is not in its shortest form",
		func(_, file string) bool { return path.Clean(file) != file }},
}

// escapes reports whether a path has a ".." element, whichever slash it uses.
func escapes(file string) bool {
	for _, element := range strings.FieldsFunc(file, func(c rune) bool { return c == '/' || c == '\\' }) {
		if element == ".." {
			return true
		}
	}
	return false
}
