// Package nearest finds the name that somebody meant.
package nearest

import "strings"

// MaxWord is the length, in bytes, above which a word is like no name.
const MaxWord = 64

// Name returns the name that a word was probably meant to be: the same in another
// letter case, else the one with the fewest slips where these are at most a third
// of the word, else "". Of two that are equally near the first is returned.
func Name(word string, names []string) string {
	if len(word) > MaxWord {
		return ""
	}
	best, found := max(1, len(word)/3)+1, ""
	for _, name := range names {
		if strings.EqualFold(word, name) {
			return name
		}
		if d := slips(word, name); d < best {
			best, found = d, name
		}
	}
	return found
}

// slips counts the letters to insert, delete, replace or swap with their
// neighbour to get from a to b (optimal string alignment).
func slips(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
