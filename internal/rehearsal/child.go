package rehearsal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/plan"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// headings name the role in a prompt (interfaces: the loop).
var headings = map[string]tier.Role{
	"# Implementer": tier.Implementer, "# Fixer": tier.Fixer, "# Task reviewer": tier.TaskReviewer, "# Re-reviewer": tier.ReReviewer,
	"# Final reviewer": tier.Final, "# Final fixer": tier.FinalFixer, "# Final re-reviewer": tier.FinalReReviewer,
}

// A Child is one dispatch as its prompt tells it.
type Child struct {
	Role    tier.Role
	Tier    string
	digest  string // of the prompt
	context map[string]string
}

// ReadPrompt finds role, tier and dispatch context in a prompt, as an agent does.
func ReadPrompt(prompt []byte) (Child, error) {
	sum := sha256.Sum256(prompt)
	c := Child{digest: hex.EncodeToString(sum[:]), context: map[string]string{}}
	lines := strings.Split(string(prompt), "\n")
	t, echoes := strings.CutPrefix(lines[0], "Model tier: ")
	if !echoes {
		return c, fmt.Errorf("the prompt does not begin with its tier but with %q", lines[0])
	}
	c.Tier = t
	inside := false
	for _, text := range lines {
		if role, known := headings[text]; known {
			if c.Role != 0 {
				return c, errors.New("the prompt names two roles")
			}
			c.Role = role
		}
		if strings.HasPrefix(text, "## ") {
			inside = text == "## Dispatch Context"
		}
		if key, value, ok := strings.Cut(strings.TrimPrefix(text, "- "), ": "); inside && ok {
			c.context[key] = value
		}
	}
	if c.Role == 0 || c.context["worktree"] == "" || c.context["reportPath"] == "" {
		return c, errors.New("the prompt lacks its role, its work tree or the path of its report")
	}
	return c, nil
}

// Says returns what the dispatch context says about a key, or "".
func (c Child) Says(key string) string { return c.context[key] }

// most is the number of files that a scripted worker touches.
const most = 8

// Files are what a worker changes, relative to the work tree: the files that the
// brief names for the task, else one of its own. Whatever could lead elsewhere, or
// belongs to Git or to the run, is left out, as is the plan.
func (c Child) Files(brief []byte, planName string) []string {
	var files []string
	for _, name := range plan.Files(brief) {
		if len(files) < most && writable(name) && name != planName && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	if len(files) == 0 {
		files = []string{c.OwnFile()}
	}
	return files
}

// OwnFile is a name that no plan and no repository has.
func (c Child) OwnFile() string {
	if c.Role.IsFinal() {
		return "git-sdd-rehearsal/final.md"
	}
	return "git-sdd-rehearsal/task-" + c.Says("task") + ".md"
}

// writable reports whether a name is a plain path within the work tree.
func writable(name string) bool {
	if strings.ContainsAny(name, "*?[]{}<>|:\"\\\x00") || strings.HasSuffix(name, "/") || strings.HasPrefix(name, "/") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." || strings.HasPrefix(strings.ToLower(part), ".git") {
			return false
		}
	}
	return true
}

// A Recorded is a finding as the files beside a prompt show it.
type Recorded struct {
	ID, Severity string
	Disposition  string // "" while it is open
}

// Findings reads the findings of the documents that a prompt names, each once.
// Those that only the controller judges are left out, as the contracts say.
func Findings(documents ...[]byte) []Recorded {
	var all []Recorded
	for _, document := range documents {
		for _, r := range findingsOf(document) {
			if !slices.ContainsFunc(all, func(a Recorded) bool { return a.ID == r.ID }) && !r.controlled() {
				all = append(all, r)
			}
		}
	}
	return all
}

func findingsOf(document []byte) []Recorded {
	var all []Recorded
	for text := range strings.SplitSeq(string(document), "\n") {
		if r, ok := findingHeading(text); ok {
			all = append(all, r)
		}
		if d, ok := strings.CutPrefix(text, "- disposition: "); ok && len(all) > 0 {
			all[len(all)-1].Disposition = d
		}
	}
	return all
}

// findingHeading reads "### T1:F-1 (Important)".
func findingHeading(text string) (Recorded, bool) {
	rest, ok := strings.CutPrefix(text, "### ")
	id, severity, cut := strings.Cut(rest, " (")
	severity, closed := strings.CutSuffix(severity, ")")
	known := slices.Contains(answers["finding"].choice, severity)
	return Recorded{ID: id, Severity: severity}, ok && cut && closed && known && strings.Contains(id, ":") && !strings.Contains(id, " ")
}

// controlled reports whether only the controller judges a finding.
func (r Recorded) controlled() bool {
	_, local, _ := strings.Cut(r.ID, ":")
	kind, _, _ := strings.Cut(local, "-")
	return kind == "GATE" || kind == "GUARD" || kind == "STALE"
}

// An Answer is what a child answers, before it knows its commit.
type Answer struct {
	Word string // done, concerns, context, blocked; approve, finding, still
	line line
}

// Answer returns what the scenario has for a child. In the final loop a task's
// number is the last task's.
func (s *Scenario) Answer(c Child) Answer {
	task := 0
	_, _ = fmt.Sscan(c.Says("task"), &task) // no number: only a line for each task fits
	if l, ok := s.take(c.Role.String(), task); ok {
		return Answer{l.answer, l}
	}
	if c.Role.Works() {
		return Answer{Word: "done"}
	}
	return Answer{Word: "approve"}
}

// Commits reports whether a worker that gives this answer has changed something.
func (a Answer) Commits() bool { return a.Word == "done" || a.Word == "concerns" }
