package cli

import (
	"context"
	"strings"

	"github.com/git-sdd/git-sdd/internal/git"
)

// A palette says which colour each slot has; an empty one paints nothing.
type palette map[string]string

// defaults are the colours of git's own kind: what waits or is wrong stands out,
// what is done is calm.
var defaults = palette{
	"active":   "\x1b[1m",
	"complete": "\x1b[32m",
	"blocked":  "\x1b[31m",
	"open":     "\x1b[31m",
	"fixed":    "\x1b[32m",
	"alert":    "\x1b[33m",
}

const reset = "\x1b[m"

// paint colours a text by its slot.
func (p palette) paint(slot, text string) string {
	colour := p[slot]
	if colour == "" || text == "" {
		return text
	}
	return colour + text + reset
}

// palette returns the colours to use here: none for a program, with NO_COLOR,
// or where git's settings say so. Git itself ignores NO_COLOR.
func (con *console) palette(ctx context.Context) palette {
	paged := con.env("GIT_PAGER_IN_USE") != "" // git -p: git's pager shows colours
	if con.env("NO_COLOR") != "" || con.env("TERM") == "dumb" || !(con.terminal || paged) {
		return nil
	}
	repo, err := git.Open(ctx, "")
	if err != nil {
		return nil
	}
	defer repo.Close()
	config, err := repo.Config()
	if err != nil {
		return nil
	}
	for _, key := range []string{"color.sdd", "color.ui"} {
		if value, set := config.Get(key); set {
			return painting(value)
		}
	}
	return defaults
}

// painting reads a value of color.sdd or color.ui as git does. Whatever is none
// of git's words for "no" leaves the colours on, at a terminal.
func painting(value string) palette {
	switch strings.ToLower(value) {
	case "never", "false", "no", "off", "0":
		return nil
	}
	return defaults
}
