package evidence

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/agent"
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
	runs, tail, ok := readGateRuns(rest)
	var took int64
	for _, r := range runs {
		took += r.ms
	}
	switch {
	case !ok:
		return "its output is not in the form in which it is written"
	case len(runs) != said.Runs:
		return fmt.Sprintf("its output tells of %d runs, %d are stated", len(runs), said.Runs)
	case !sameExit(runs[len(runs)-1].exit, said.Exit):
		return "its output tells of another end"
	case took > said.DurationMS || said.DurationMS >= took+int64(len(runs)): // each is cut to milliseconds
		return fmt.Sprintf("its runs took %d ms, %d are stated", took, said.DurationMS)
	case outcomeOf(runs) != said.Outcome:
		return fmt.Sprintf("its runs do not make %q", said.Outcome)
	}
	return tailDiffers(telling(runs), tail)
}

// A saidRun is one run of a gate as its line has it.
type saidRun struct {
	exit       *int // nil where it did not run to its end
	ms, output int64
	sha256     string
}

func (r saidRun) passed() bool { return r.exit != nil && *r.exit == 0 }

func sameExit(a, b *int) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// outcomeOf is what runs make, "" where no gate runs like that.
func outcomeOf(runs []saidRun) string {
	switch {
	case len(runs) == 1 && runs[0].passed():
		return GatePassed
	case len(runs) == maxRuns && !runs[0].passed() && runs[1].passed():
		return GateFlaky
	case len(runs) == maxRuns && !runs[0].passed():
		return GateFailed
	}
	return ""
}

// telling is the run whose output is stored: see [GateResult.Telling].
func telling(runs []saidRun) saidRun {
	for i := len(runs) - 1; i >= 0; i-- {
		if !runs[i].passed() {
			return runs[i]
		}
	}
	return runs[len(runs)-1]
}

// tailDiffers holds the stored end of the output to what is said of all of it.
func tailDiffers(r saidRun, tail string) string {
	all := int64(len(tail)) == r.output
	switch {
	case !all && (int64(len(tail)) > r.output || len(tail) != agent.TailBytes):
		return fmt.Sprintf("%d bytes of its output are stored, of %d", len(tail), r.output)
	case all && fmt.Sprintf("%x", sha256.Sum256([]byte(tail))) != r.sha256:
		return "its output is not what it wrote"
	}
	return ""
}

// readGateRuns reads the lines of the runs, at least one, and the end of the
// output behind them.
func readGateRuns(text string) (runs []saidRun, tail string, ok bool) {
	for {
		line, rest, found := strings.Cut(text, "\n")
		if !found {
			return nil, "", false
		}
		text = rest
		if size, ok := strings.CutPrefix(line, "output, the last "); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(size, " bytes:"))
			tail, ok := strings.CutPrefix(rest, "\n")
			return runs, tail, ok && err == nil && len(runs) > 0 && n == len(tail) && line == fmt.Sprintf("output, the last %d bytes:", n)
		}
		if r, ok := readGateRun(line, len(runs)+1); ok {
			runs = append(runs, r)
		} else if !tellsOfRun(line, len(runs)) {
			return nil, "", false
		}
	}
}

// tellsOfRun reports whether a line is a remark on one of the runs, which are for
// people to read.
func tellsOfRun(line string, runs int) bool {
	for n := 1; n <= runs; n++ {
		if strings.HasPrefix(line, fmt.Sprintf("run %d left ", n)) {
			return true
		}
	}
	return false
}

// readGateRun reads one line "run 1: exit 0, 12 ms, 3 bytes of output, sha256 …".
func readGateRun(line string, number int) (r saidRun, ok bool) {
	rest, ok := strings.CutPrefix(line, fmt.Sprintf("run %d: ", number))
	parts := strings.Split(rest, ", ")
	if !ok || len(parts) != 4 {
		return r, false
	}
	var errs [3]error
	r.ms, errs[0] = strconv.ParseInt(strings.TrimSuffix(parts[1], " ms"), 10, 64)
	r.output, errs[1] = strconv.ParseInt(strings.TrimSuffix(parts[2], " bytes of output"), 10, 64)
	r.sha256 = strings.TrimPrefix(parts[3], "sha256 ")
	if code, exited := strings.CutPrefix(parts[0], "exit "); exited {
		var n int
		n, errs[2] = strconv.Atoi(code)
		r.exit = &n
	}
	return r, errors.Join(errs[:]...) == nil
}
