package machine

import (
	"fmt"
	"strings"
)

// Markdown returns the documentation of the machine, made from the table that
// [Apply] works by: the phases, and every transition with its payload and guard.
func Markdown() string {
	var b strings.Builder
	b.WriteString(markdownHead)
	for _, p := range Phases() {
		fmt.Fprintf(&b, "- `%s`%s\n", p, terminalMark(p))
	}
	b.WriteString(markdownTransitions)
	for _, k := range Kinds() {
		if set := table[noPhase][k]; set != 0 {
			writeRow(&b, "start", k, set)
		}
	}
	for _, k := range Kinds() {
		if always[k] != 0 {
			writeRow(&b, "any phase that is not terminal", k, always[k])
		}
	}
	for _, p := range Phases() {
		for _, k := range Kinds() {
			if set := table[p][k]; set != 0 {
				writeRow(&b, "`"+p.String()+"`", k, set)
			}
		}
	}
	return b.String()
}

const markdownHead = `# Phases and events

This page is written by the code that it describes. A run is in one phase at a time; an event moves it. Every
transition adds 1 to the revision, also one that leaves the phase as it is.

## Phases

`

const markdownTransitions = `
## Transitions

What is not listed is refused, and a terminal phase takes nothing. A *full intent* is ` + "`attempt`, `tier`, `dispatchKey`,\n`promptPath`, `reportPath`, `briefPath`, `expectedOutcome` and `renderedPrompt`" + `. A result or report is *pinned* once the
event that ends in ` + "`-finished`" + ` was recorded for the current dispatch.

| from | event | to | payload and guard |
| --- | --- | --- | --- |
`

func terminalMark(p Phase) string {
	if p.Terminal() {
		return " (terminal)"
	}
	return ""
}

func writeRow(b *strings.Builder, from string, k Kind, set targets) {
	fmt.Fprintf(b, "| %s | `%s` | %s | %s |\n", from, k, set, kinds[k].guard)
}

// String returns the phases of the set as the documentation names them.
func (set targets) String() string {
	if set == same {
		return "same"
	}
	var names []string
	for _, p := range Phases() {
		if set.has(p) {
			names = append(names, "`"+p.String()+"`")
		}
	}
	return strings.Join(names, ", ")
}
