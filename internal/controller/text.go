package controller

import "github.com/git-sdd/git-sdd/internal/judge"

func abbreviate(s string) string { return judge.Abbreviate(s) }

// counted is a number with its noun, as people write it.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}
