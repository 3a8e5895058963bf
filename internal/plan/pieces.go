package plan

import (
	"strings"
	"sync"
)

// pieceBytes is the size from which on a plan is read in pieces, side by side:
// below it, starting one takes longer than it saves.
const pieceBytes = 128 << 10

// cuts returns the first lines of pieces of about size bytes, and behind them the
// line after the last. A piece begins at the heading of a task at the left margin
// behind a blank line. Where no fence and no block of HTML is open, such a line
// closes whatever is (CommonMark 0.31: container blocks, leaf blocks), so that what
// stands before it has no say in what follows.
func cuts(src *source, begin, size int) []int {
	list := []int{begin}
	for at := src.offset(begin) + size; at < len(src.text); at += size {
		n := max(src.lineAt(at), list[len(list)-1]+1)
		for n <= src.count() && !(startsTask(src.line(n)) && src.blank(n-1)) {
			n++
		}
		if n > src.count() {
			break
		}
		list = append(list, n)
		at = src.offset(n)
	}
	return append(list, src.count()+1)
}

// startsTask reports whether a line is a heading of a task in a common form. It
// is a guess at where to cut, and no more.
func startsTask(line string) bool {
	rest := strings.TrimLeft(line, "#")
	hashes := len(line) - len(rest)
	return hashes > 0 && hashes <= 6 && strings.HasPrefix(rest, " Task ")
}

// pieces reads a plan in pieces and joins what they hold. It returns nil where
// there is one piece only, and where a piece leaves a block open that would have
// gone on into the next one: then the plan has to be read as a whole.
func (r reader) pieces(cuts []int) *outline {
	if len(cuts) < 3 {
		return nil
	}
	outs := make([]*outline, len(cuts)-1)
	var all sync.WaitGroup
	for i := range outs {
		all.Go(func() { outs[i] = r.piece(cuts[i], cuts[i+1]-1) })
	}
	all.Wait()
	whole := &outline{}
	for i, out := range outs {
		if out.leavesOpen(cuts[i+1] - 1) {
			return nil
		}
		whole.headings = append(whole.headings, out.headings...)
		whole.texts = append(whole.texts, out.texts...)
		whole.steps = append(whole.steps, out.steps...)
		whole.fences = append(whole.fences, out.fences...)
		whole.html = append(whole.html, out.html...)
		whole.inner = append(whole.inner, out.inner...)
	}
	return whole
}

// leavesOpen reports whether a fence has no closer, or a block of HTML goes on to
// the last line of the piece, which is blank.
func (o *outline) leavesOpen(last int) bool {
	for _, f := range o.fences {
		if f.close == 0 {
			return true
		}
	}
	return len(o.html) > 0 && o.html[len(o.html)-1].end >= last
}
