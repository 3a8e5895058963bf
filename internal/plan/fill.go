package plan

import "strings"

// Fill puts the path of a plan into a repair of a [Defect] or into a command of
// [Suggest], for PLAN. It comes quoted for a shell where it has to be. Text of the
// plan stays as it is: it stands in double quotes, or behind the PLAN of its
// command.
func Fill(repair, path string) string {
	at := outsideQuotes(repair, "PLAN")
	if at < 0 {
		return repair
	}
	return repair[:at] + path + repair[at+len("PLAN"):]
}

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
