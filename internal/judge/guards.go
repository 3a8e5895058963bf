package judge

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// A GuardChange is a file that a gate relies on and that is not, at a judged
// head, as it was where the branch began.
type GuardChange struct {
	Path    string   // at the head; where the file is gone, where it was
	Was     string   // before a rename, else as Path
	Content string   // object name at the head, all zeros where the file is gone
	Mode    string   // "100755 -> 100644" where the kind of file changed, else ""
	Gates   []string // whose guard it is; none for the settings of the gates themselves
}

// Location is the path as a finding has it, "none" where no finding could.
func (c GuardChange) Location() string {
	if !utf8.ValidString(c.Path) || len(c.Path) > machine.MaxLocation || strings.ContainsFunc(c.Path, func(r rune) bool {
		return r < 0x20 || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029'
	}) {
		return nowhere
	}
	return c.Path
}

// summary says in one line what is wrong. Its last word is the content, by which
// the finding is known again.
func (c GuardChange) summary() string {
	what := "the settings of the gates changed within the run"
	if len(c.Gates) > 0 {
		what = "a file that a gate relies on differs from the merge base (gate " + strings.Join(c.Gates, ", ") + ")"
		if len(what) > 150 {
			what = fmt.Sprintf("a file that %d gates rely on differs from the merge base", len(c.Gates))
		}
	}
	if c.Mode != "" {
		what += ", mode " + c.Mode
	}
	return what + "; content " + c.Content
}

// contentOf is the content that a finding about a guard was made for.
func contentOf(f machine.Recorded) string {
	_, content, _ := strings.Cut(f.Summary, "; content ")
	return content
}

// isGuard reports whether a finding is about a guard.
func isGuard(id string) bool {
	_, local, _ := strings.Cut(id, ":")
	return strings.HasPrefix(local, "GUARD-")
}

// about reports whether a finding is about the same path.
func (c GuardChange) about(f machine.Recorded) bool {
	if !isGuard(f.ID) || string(f.Location) != c.Location() {
		return false
	}
	return c.Location() != nowhere || contentOf(f) == c.Content
}

// Accepted returns the ruling that accepts a change with exactly this content: of
// the path, or of a finding about it. ok is false where there is none.
func (c GuardChange) Accepted(v machine.View) (r machine.StoredRuling, ok bool) {
	for _, r := range v.Rulings {
		if r.Decision != machine.DecisionGuardOK {
			continue
		}
		for _, p := range r.Paths {
			if p == c.Path && string(r.Blob) == c.Content {
				return r, true
			}
		}
		for _, f := range v.Findings {
			if string(r.Finding) == f.ID && c.about(f) && (string(r.Blob) == c.Content || r.Blob == "" && contentOf(f) == c.Content) {
				return r, true
			}
		}
	}
	return r, false
}

// Finding returns the open finding about the change, if there is one.
func (c GuardChange) Finding(v machine.View) (f machine.Recorded, ok bool) {
	for _, f := range v.Findings {
		if f.Disposition == "open" && c.about(f) {
			return f, true
		}
	}
	return f, false
}

// Guards judges the files that gates rely on, as they are at the head that a
// review judges, given the state in which its report is taken. A change is
// allowed by a ruling, or an Important finding that only a ruling or the restored
// file clears.
func Guards(v machine.View, role tier.Role, changes []GuardChange) Decided {
	var out Decided
	for _, f := range openOf(v, role) {
		if isGuard(f.ID) {
			out.Verdicts = append(out.Verdicts, guardVerdict(v, f, changes))
		}
	}
	scope := Scope(v, role)
	next := NextNumber(v, scope, "GUARD")
	for _, c := range changes {
		_, accepted := c.Accepted(v)
		if _, open := c.Finding(v); accepted || open {
			continue
		}
		out.Findings = append(out.Findings, machine.Finding{
			ID: scope + ":GUARD-" + strconv.Itoa(next), Severity: important, Summary: c.summary(), Location: machine.Opt(c.Location()),
		})
		next++
	}
	return out
}

func guardVerdict(v machine.View, f machine.Recorded, changes []GuardChange) machine.Verdict {
	verdict := machine.Verdict{ID: f.ID, Verdict: resolved, Location: string(f.Location), Evidence: "at the judged head the file is as it was at the merge base"}
	for _, c := range changes {
		if !c.about(f) {
			continue
		}
		if r, ok := c.Accepted(v); ok {
			verdict.Evidence = fmt.Sprintf("accepted by the ruling of revision %d; content %s", r.Revision, c.Content)
			continue
		}
		verdict.Verdict, verdict.Evidence = stillPresent, "at the judged head it still differs from the merge base; content "+c.Content
		return verdict
	}
	return verdict
}
