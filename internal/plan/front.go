package plan

import (
	"strings"
)

// yamlKey is a line that opens a YAML mapping.
var yamlKey = pattern(`^["']?[\pL_][\pL\pN_ .-]*["']?:(\s|$)`)

// frontMatter returns the number of lines of YAML front matter at the top of
// the plan, fences included, or 0. A plan that merely opens with a separator
// has none: what stands there must be a mapping and must hold nothing that a
// plan is made of, for all of it is skipped.
func frontMatter(src *source) int {
	if src.line(1) != "---" {
		return 0
	}
	mapping := false
	for n := 2; n <= src.count(); n++ {
		line := src.line(n)
		switch {
		case line == "---" || line == "...":
			if !mapping {
				return 0
			}
			return n
		case planLine(line):
			return 0
		case !mapping && !isBlank(line) && !strings.HasPrefix(line, "#"):
			if !yamlKey().MatchString(line) {
				return 0
			}
			mapping = true
		}
	}
	return 0
}

// planLine reports whether a line is something a plan is made of.
func planLine(line string) bool {
	trimmed := strings.TrimLeft(line, " \t")
	if startsCheckbox(strings.TrimLeft(trimmed, "-*+ ")) || isTierField(line) {
		return true
	}
	hashes := strings.TrimLeft(trimmed, "#")
	if hashes == trimmed {
		return false
	}
	if _, ok := readTaskWords(hashes); ok {
		return true
	}
	return readConstraintsWords(hashes, 2) != notConstraints
}
