package plan

import "strings"

// Fill puts the path of a plan, as a [Word], for PLAN into a repair of a [Defect]
// or a command of [Suggest]. Text of the plan stays as it is: it stands in double
// quotes, or behind the PLAN of its command.
func Fill(repair, path string) string {
	at := outsideQuotes(repair, "PLAN")
	if at < 0 {
		return repair
	}
	return repair[:at] + Word(path) + repair[at+len("PLAN"):]
}

// Word writes a path as a word of a command to paste: quoted where a shell would
// read more into it, and never read as a flag. "-" is standard input.
func Word(path string) string {
	if len(path) > 1 && path[0] == '-' {
		path = "./" + path
	}
	if path != "" && strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@=,+%^") == "" {
		return path
	}
	return shellQuoted(path)
}

// shellQuoted writes a text as one word that a POSIX shell takes as it is, and
// runs nothing of.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// outsideQuotes returns where the word first stands outside of double quotes,
// with no letter on either side, or -1.
func outsideQuotes(text, word string) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quoted:
			i++
		case text[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(text[i:], word) && !letterAt(text, i-1) && !letterAt(text, i+len(word)):
			return i
		}
	}
	return -1
}

func letterAt(text string, i int) bool {
	return i >= 0 && i < len(text) && (text[i] == '_' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z')
}
