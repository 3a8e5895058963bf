package judge

import (
	"fmt"

	"github.com/git-sdd/git-sdd/internal/machine"
)

// Prove says whether a gate can tell good from bad, from what it said of the head
// and of its negative control, each nil where it did not run, and why. The
// control is a commit as it is or, with tests, the merge base under that many
// test files of the head. Only a gate that passes the one and fails the other
// tells them apart; whatever is less than that shows nothing.
func Prove(head, control *machine.GateFact, base string, tests int) (outcome, why string) {
	against := "commit " + shortID(base)
	if tests > 0 && head != nil {
		against = fmt.Sprintf("the merge base with %s of %s", files(tests), shortID(head.Commit))
	}
	switch {
	case head == nil && control == nil:
		return machine.CannotTell, "no test file changed between the merge base and the head: the control would be the merge base itself"
	case head == nil || head.Outcome != "passed":
		return machine.CannotTell, onHead(head)
	case control == nil:
		return machine.CannotTell, "the control did not run"
	}
	switch control.Outcome {
	case "failed":
		return machine.Discriminates, "red on " + against
	case "passed":
		return machine.Blind, "green on " + against
	case "flaky":
		return machine.CannotTell, "flaky on " + against
	}
	return machine.CannotTell, "it could not run on " + against
}

// ProofNote is the note that records a proof.
func ProofNote(p machine.Proof) machine.RecoveryRulingRecorded {
	return machine.RecoveryRulingRecorded{Reason: "gate prove " + p.Name + ": " + p.Outcome, Receipt: p.Why}
}

// onHead says why a head shows nothing. A flaky gate has passed at last, and
// would pass and fail a control as it pleases.
func onHead(g *machine.GateFact) string {
	switch {
	case g == nil:
		return "the gate did not run on the head"
	case g.Outcome == "failed":
		return "red on the head itself"
	case g.Outcome == "flaky":
		return "flaky on the head itself"
	}
	return "it could not run on the head"
}

func files(n int) string {
	if n == 1 {
		return "1 test file"
	}
	return fmt.Sprintf("%d test files", n)
}

// shortID is an object name as people read it.
func shortID(id string) string { return id[:min(len(id), 10)] }
