package config

import "strings"

// nearest returns the name that a word was probably meant to be: the same in
// another letter case, else the one with the fewest slips where these are at
// most a third of the word, else "".
func nearest(word string, names []string) string {
	if len(word) > 64 {
		return "" // longer than any name, and not worth the comparison
	}
	best, found := max(1, len(word)/3)+1, ""
	for _, name := range names {
		if strings.EqualFold(word, name) {
			return name
		}
		if d := distance(word, name); d < best {
			best, found = d, name
		}
	}
	return found
}

// distance is the number of letters to insert, delete, replace or swap with
// their neighbour to get from a to b (optimal string alignment).
func distance(a, b string) int {
	var above2, above, row []int
	row = make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		above2, above, row = above, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], above2[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
