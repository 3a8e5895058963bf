package cli

import (
	"testing"

	"github.com/git-sdd/git-sdd/internal/controller"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// A line for each transition that there is fits a terminal, in the longest runs
// too.
func TestTransitionLinesFit(t *testing.T) {
	p := &progress{con: &console{}}
	lines := 0
	for _, from := range machine.Phases() {
		for _, kind := range machine.Legal(from) {
			for _, to := range machine.Targets(from, kind) {
				e := controller.Progress{Kind: controller.ProgressTransition, Task: 256, Tasks: 256}
				e.Transition.Revision, e.Transition.Event, e.Transition.Phase = 9999, kind.String(), to.String()
				if line := p.line(e); columns(line) > lineWidth {
					t.Errorf("%d columns: %s", columns(line), line)
				}
				lines++
			}
		}
	}
	if lines < 50 {
		t.Errorf("only %d transitions", lines)
	}
}
