package plan

import (
	"fmt"
	"strings"
)

// body returns the lines of the span without the tier line, blank lines at its
// ends removed, indentation kept, line ends LF.
func (s *source) bodyText(span Span, tierLine int) string {
	if tierLine == 0 {
		return s.join(span)
	}
	before, okBefore := s.trim(Span{span.Line, tierLine - 1})
	after, okAfter := s.trim(Span{tierLine + 1, span.EndLine})
	switch {
	case !okBefore && !okAfter:
		return ""
	case !okBefore:
		return s.join(after)
	case !okAfter:
		return s.join(before)
	}
	return s.join(Span{before.Line, tierLine - 1}) + "\n" + s.join(Span{tierLine + 1, after.EndLine})
}

// join returns the lines of the span as they are, without a final line end.
func (s *source) join(span Span) string {
	if span.EndLine < span.Line {
		return ""
	}
	end := len(s.text)
	if span.EndLine < s.count() {
		end = s.starts[span.EndLine]
	}
	return strings.TrimSuffix(s.text[s.starts[span.Line-1]:end], "\n")
}

// text returns the lines of the span without blank lines at its ends.
func (s *source) trimmedText(span Span) string {
	span, _ = s.trim(span)
	return s.join(span)
}

// frame is a brief without its body: what stands before it.
func frame(constrained bool, constraints, heading string) string {
	var b strings.Builder
	if constrained {
		b.WriteString(exactConstraints + "\n\n")
		if constraints != "" {
			b.WriteString(constraints + "\n\n")
		}
	}
	b.WriteString(heading + "\n")
	return b.String()
}

// Brief returns the brief of task n: Global Constraints, the heading of the
// task and its body, with LF line ends and exactly one at the end. It returns
// nil where the plan has no such task.
func (p *Plan) Brief(n int) []byte {
	if n < 1 || n > len(p.tasks) {
		return nil
	}
	s := p.sections[n-1]
	head := frame(p.constrained, p.constraints, s.words.canonical())
	body := p.src.bodyText(s.body, p.tierLines[n-1])
	if body == "" {
		return []byte(head)
	}
	return []byte(head + "\n" + body + "\n")
}

// BriefBytes returns the size of the brief of task n in bytes, 0 where the plan
// has no such task.
func (p *Plan) BriefBytes(n int) int {
	if n < 1 || n > len(p.tasks) {
		return 0
	}
	s := p.sections[n-1]
	return briefBytes(p.constrained, p.constraints, s.words.canonical(), p.src.bodyText(s.body, p.tierLines[n-1]))
}

// briefBytes is the length of a brief, without putting it together: large
// constraints would be copied for every task.
func briefBytes(constrained bool, constraints, heading, body string) int {
	size := len(frame(constrained, "", heading))
	if constrained && constraints != "" {
		size += len(constraints) + len("\n\n")
	}
	if body != "" {
		size += len("\n") + len(body) + len("\n")
	}
	return size
}

// constraintsText returns the text of the section of constraints.
func (r *reading) constraintsText() (text string, ok bool) {
	for _, s := range r.sections {
		if s.kind == constraints {
			return r.src.trimmedText(s.body), true
		}
	}
	return "", false
}

// checkBriefs refuses a task whose brief would be too large.
func (r *reading) checkBriefs() {
	text, constrained := r.constraintsText()
	for _, t := range r.tasks {
		size := briefBytes(constrained, text, t.words.canonical(), r.src.bodyText(t.body, t.tierLine))
		if size > MaxBrief {
			r.refuse(t.line, "brief-too-large", "split the task, or move long listings into files that the plan names",
				"the brief of %s has %d bytes (%d of them Global Constraints), %d are allowed", t.name(), size, len(text), MaxBrief)
		}
	}
}

// plan makes the accepted plan of a reading without defects.
func (r *reading) plan() *Plan {
	p := &Plan{src: r.src}
	p.constraints, p.constrained = r.constraintsText()
	for i, t := range r.tasks {
		whole, _ := r.src.trim(Span{t.line, t.body.EndLine})
		p.tasks = append(p.tasks, Task{Number: i + 1, Title: t.words.title, Tier: t.tier, Line: t.line, EndLine: whole.EndLine})
		p.sections = append(p.sections, t.section)
		p.tierLines = append(p.tierLines, t.tierLine)
	}
	p.unread = r.unread()
	p.warnings = r.warnings(p)
	return p
}

// unread returns the text that reaches no brief, a span for each section.
func (r *reading) unread() []Span {
	var list []Span
	if span, ok := r.src.trim(Span{1, r.src.front}); ok {
		list = append(list, span)
	}
	for _, s := range r.sections {
		if s.kind != other {
			continue
		}
		from := s.body.Line
		if s.line != 0 {
			from = s.line
		}
		if span, ok := r.src.trim(Span{from, s.body.EndLine}); ok {
			list = append(list, span)
		}
	}
	return list
}

// String returns the span as people write it: "line 3", "lines 3 to 9".
func (s Span) String() string {
	if s.Line == s.EndLine {
		return fmt.Sprintf("line %d", s.Line)
	}
	return fmt.Sprintf("lines %d to %d", s.Line, s.EndLine)
}
