package judge

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// Decided is what only facts decide of a review: verdicts on findings
// that facts made, and new ones (architecture: facts, findings that facts make).
type Decided struct {
	Verdicts []machine.Verdict
	Findings []machine.Finding
}

// Severities of findings that facts make.
const (
	critical  = "Critical"
	important = "Important"

	resolved     = "RESOLVED"
	stillPresent = "STILL_PRESENT"
)

// nowhere is the location of what is in no file.
const nowhere = "none"

// Gates judges the gates that ran at the dispatch of a review, given the state in
// which its report is taken. A gate that failed is a Critical finding whatever
// the reviewer says; its verdict comes from the gate's own run on the new head.
func Gates(v machine.View, role tier.Role, gates []machine.GateFact) Decided {
	var out Decided
	ran := map[string]machine.GateFact{}
	open := map[string]bool{}
	for _, g := range gates {
		ran[g.Name] = g
	}
	for _, f := range openOf(v, role) {
		name, ok := gateOf(f.ID)
		if !ok {
			continue
		}
		open[name] = true
		verdict := machine.Verdict{ID: f.ID, Verdict: stillPresent, Location: nowhere, Evidence: fmt.Sprintf("gate %q did not run", name)}
		if g, ok := ran[name]; ok {
			verdict.Evidence = gateText(g)
			if g.Outcome != "failed" {
				verdict.Verdict = resolved
			}
		}
		out.Verdicts = append(out.Verdicts, verdict)
	}
	for _, g := range gates {
		if g.Outcome == "failed" && !open[g.Name] {
			scope, kind := Scope(v, role), "GATE-"+g.Name
			out.Findings = append(out.Findings, machine.Finding{
				ID: scope + ":" + kind + "-" + strconv.Itoa(NextNumber(v, scope, kind)), Severity: critical, Summary: gateText(g), Location: nowhere,
			})
		}
	}
	return out
}

// openOf returns the open findings that a review judges again; a task review is
// the first to look, and judges none.
func openOf(v machine.View, role tier.Role) []machine.Recorded {
	if role == tier.TaskReviewer {
		return nil
	}
	return machine.OpenInScope(v)
}

// gateOf is the gate that a finding is about.
func gateOf(id string) (name string, ok bool) {
	_, local, _ := strings.Cut(id, ":")
	rest, ok := strings.CutPrefix(local, "GATE-")
	i := strings.LastIndexByte(rest, '-')
	if !ok || i < 0 {
		return "", false
	}
	return rest[:i], true
}

// IsGate reports whether a finding says that a gate failed.
func IsGate(id string) bool {
	_, local, _ := strings.Cut(id, ":")
	return strings.HasPrefix(local, "GATE-")
}

// OfGate reports whether a finding says that this gate failed.
func OfGate(id, gate string) bool {
	name, ok := gateOf(id)
	return ok && name == gate
}

// gateText says in one line what was seen of a gate.
func gateText(g machine.GateFact) string {
	how := "a signal ended it"
	if g.Exit != nil {
		how = fmt.Sprintf("exit %d", *g.Exit)
	}
	times := "once"
	if g.Runs > 1 {
		times = fmt.Sprintf("run %d times", g.Runs)
	}
	return fmt.Sprintf("gate %q %s: %s, %s, on commit %s with tree %s", g.Name, g.Outcome, how, times, g.Commit, g.Tree)
}
