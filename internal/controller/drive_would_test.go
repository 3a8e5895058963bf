package controller

import (
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/judge"
)

// What a child is told to write around its report is what is looked for.
func TestOnOutputNamesTheMarks(t *testing.T) {
	for _, mark := range []string{agent.ReportBegin, agent.ReportEnd} {
		if strings.Count(judge.OnOutput, "a line that is "+mark) != 1 {
			t.Errorf("%q does not name the mark %q once", judge.OnOutput, mark)
		}
	}
}
