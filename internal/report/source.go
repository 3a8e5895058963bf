package report

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// sourceLines checks the bytes of a report and cuts them into lines without
// their ends and trailing blanks. It returns no lines where the bytes are no
// text: nothing below can be trusted to stand where it seems to.
func sourceLines(data []byte, d *defects) []string {
	if len(data) > MaxBytes {
		d.add(1, "size", "shorten the report; long output belongs in a file of the work", "the report has more than %d bytes, and no more are read", MaxBytes)
		return nil
	}
	if len(bytes.TrimSpace(data)) == 0 {
		d.add(1, "empty", "write the report to the path that the prompt names", "the report is empty")
		return nil
	}
	lines := strings.Split(string(data), "\n")
	found := len(*d)
	for i, text := range lines {
		text = strings.TrimSuffix(text, "\r")
		checkBytes(i+1, text, d)
		lines[i] = strings.TrimRight(text, " \t")
	}
	if len(*d) > found {
		return nil
	}
	return lines
}

// checkBytes reports what no line of text may hold.
func checkBytes(n int, text string, d *defects) {
	if !utf8.ValidString(text) {
		d.add(n, "encoding", "write the report as UTF-8", "the line is not valid UTF-8")
	}
	if strings.ContainsRune(text, 0) {
		d.add(n, "control-character", "remove the character", "the line holds a NUL byte")
	}
	if strings.ContainsRune(text, '\r') {
		d.add(n, "line-ending", "end lines with LF or CRLF", "a carriage return stands within the line")
	}
}
