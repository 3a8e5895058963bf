package plan

import (
	"fmt"
	"sort"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// warnings returns what is worth a look in an accepted plan, in line order.
func (r *reading) warnings(p *Plan) []Warning {
	var list []Warning
	warn := func(line int, code, format string, args ...any) {
		list = append(list, Warning{Line: line, Code: code, Message: fmt.Sprintf(format, args...)})
	}
	for _, span := range p.unread {
		if text := r.unreadText(span); text != "" {
			warn(span.Line, "unread", "%s (%q) reach no brief", span, text)
		}
	}
	for i, t := range r.tasks {
		if p.src.bodyText(t.body, t.tierLine) == "" {
			warn(t.line, "body-empty", "%s has no body", t.name())
		}
		if t.tier == tier.Frontier {
			warn(p.tierLines[i], "tier-frontier", "%s is given Frontier by hand: the final review always runs there, implementers seldom need it", t.name())
		}
	}
	if !p.constrained {
		warn(1, "constraints-missing", "the plan has no section %q: children see their own task only, and nothing that holds for all", exactConstraints)
	}
	for _, t := range r.out.texts {
		if isDerivedTier(t.text) {
			warn(t.line, "tier-derived", "%q has no effect: the tiers of reviewers and fixers follow from the implementer's", brief(t.text))
		}
	}
	for _, i := range r.inert() {
		warn(i.line, "task-inert", "%q looks like the heading of a task, but stands in %s and is content", brief(strings.TrimSpace(r.src.line(i.line))), i.place)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Line < list[j].Line })
	return list
}

// unreadText returns the first line of the span for a warning, or "" where the
// span is a heading alone: a plan's title is meant for its reader.
func (r *reading) unreadText(span Span) string {
	for _, h := range r.out.headings {
		if h.line == span.Line && h.end >= span.EndLine {
			return ""
		}
	}
	return brief(strings.TrimSpace(r.src.line(span.Line)))
}

// An inertTask is a line that looks like a task heading and is content.
type inertTask struct {
	line  int
	place string // what holds it
}

// inert returns the lines that look like task headings and are content by a
// slip: an indentation that keeps them in a list item, an HTML block, or a
// comment that never ends. Quotes, code and whole comments are deliberate.
func (r *reading) inert() []inertTask {
	var list []inertTask
	for _, n := range r.out.inner {
		if strings.HasPrefix(strings.TrimLeft(r.src.line(n), " \t"), "#") && r.looksLikeTask(n) {
			list = append(list, inertTask{n, "a list item, by its indentation"})
		}
	}
	for _, b := range r.out.html {
		place := fmt.Sprintf("the HTML block of line %d, which only a blank line ends", b.line)
		if b.comment {
			place = fmt.Sprintf("the comment of line %d, which never ends", b.line)
		}
		for n := b.line; n <= b.end && !(b.comment && b.closed); n++ {
			if r.looksLikeTask(n) {
				list = append(list, inertTask{n, place})
			}
		}
	}
	return list
}

func (r *reading) looksLikeTask(n int) bool {
	trimmed := strings.TrimLeft(r.src.line(n), " \t")
	rest := strings.TrimLeft(trimmed, "#")
	if rest == trimmed {
		return false
	}
	_, ok := readTaskWords(rest)
	return ok
}
