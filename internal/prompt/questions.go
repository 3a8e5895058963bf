package prompt

import "fmt"

// A Question is one thing that a child reported missing, and why the work
// depends on it.
type Question struct{ What, Why string }

// An Exchange is what one child asked, all at once, and the answer it was given.
type Exchange struct {
	Questions []Question
	Answer    string // as the human wrote it, any number of lines
}

// QuestionsContext returns the context file of an implementer that follows one
// which asked: every exchange so far, oldest first, because the next child
// remembers none of them. An enrichment is not a fix round (contract: reports).
func QuestionsContext(exchanges []Exchange) []byte {
	var d document
	d.heading(1, "Questions and answers")
	d.line("Earlier implementers of this task asked what follows. The answers belong to the brief; where they differ from it, the later one counts.")
	d.exchanges(2, exchanges)
	return d.Bytes()
}

// exchanges writes each exchange below a heading of the given level.
func (d *document) exchanges(level int, exchanges []Exchange) {
	for i, e := range exchanges {
		d.heading(level, "Exchange %d of %d", i+1, len(exchanges))
		for _, q := range e.Questions {
			fmt.Fprintf(d, "- asked: %s\n", oneLine(q.What))
			if why := oneLine(q.Why); why != "" {
				fmt.Fprintf(d, "  because: %s\n", why)
			}
		}
		d.WriteString("\nAnswer:\n\n")
		d.block("text", e.Answer)
	}
}
