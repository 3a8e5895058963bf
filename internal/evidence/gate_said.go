package evidence

import (
	"fmt"
	"strconv"
	"strings"
)

// A GateSaid is what the facts of a dispatch say of a gate.
type GateSaid struct {
	Name         string
	Command      []string
	Commit, Tree string
	Outcome      string
	Exit         *int // of the last run; nil where it did not run to its end
	Runs         int
	DurationMS   int64 // of all runs
}

// GateDiffers says what the artifact of a gate, as [GateResult.Encode] writes it,
// says otherwise than the facts, or "". It also holds the facts against
// themselves: a gate passes with its first run, is flaky with its second, and has
// failed with two that did; one that could not run is never recorded.
func GateDiffers(artifact []byte, said GateSaid) string {
	head := fmt.Sprintf("gate %s: %s\ncommand %q\ncommit %s\ntree %s\n", said.Name, said.Outcome, said.Command, said.Commit, said.Tree)
	rest, ok := strings.CutPrefix(string(artifact), head)
	if !ok {
		return "its output is of another run"
	}
	var took int64
	runs := 0
	var exits []*int
	for line := range strings.SplitSeq(rest, "\n") {
		if left := fmt.Sprintf("run %d left processes behind; they were ended", runs); line == left {
			continue
		}
		exit, ms, ok := readGateRun(line, runs+1)
		if !ok {
			break
		}
		runs, took, exits = runs+1, took+ms, append(exits, exit)
	}
	switch {
	case runs != said.Runs || runs == 0:
		return fmt.Sprintf("its output tells of %d runs, %d are stated", runs, said.Runs)
	case !sameExit(exits[runs-1], said.Exit):
		return "its output tells of another end"
	case took > said.DurationMS || said.DurationMS > took+int64(runs): // each is cut to milliseconds
		return fmt.Sprintf("its runs took %d ms, %d are stated", took, said.DurationMS)
	case outcomeOf(exits) != said.Outcome:
		return fmt.Sprintf("its runs do not make %q", said.Outcome)
	}
	return ""
}

func sameExit(a, b *int) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// outcomeOf is what runs with these ends make, "" where no gate runs like that.
func outcomeOf(exits []*int) string {
	good := func(i int) bool { return exits[i] != nil && *exits[i] == 0 }
	switch {
	case len(exits) == 1 && good(0):
		return GatePassed
	case len(exits) == maxRuns && !good(0) && good(1):
		return GateFlaky
	case len(exits) == maxRuns && !good(0):
		return GateFailed
	}
	return ""
}

// readGateRun reads one line "run 1: exit 0, 12 ms, 3 bytes of output, sha256 …".
func readGateRun(line string, number int) (exit *int, ms int64, ok bool) {
	rest, ok := strings.CutPrefix(line, fmt.Sprintf("run %d: ", number))
	parts := strings.Split(rest, ", ")
	if !ok || len(parts) != 4 {
		return nil, 0, false
	}
	took, ok := strings.CutSuffix(parts[1], " ms")
	ms, err := strconv.ParseInt(took, 10, 64)
	if !ok || err != nil || ms < 0 || !strings.HasSuffix(parts[2], " bytes of output") || !strings.HasPrefix(parts[3], "sha256 ") {
		return nil, 0, false
	}
	if code, exited := strings.CutPrefix(parts[0], "exit "); exited {
		n, err := strconv.Atoi(code)
		return &n, ms, err == nil
	}
	return nil, ms, true
}
