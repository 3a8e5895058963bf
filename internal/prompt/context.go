package prompt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// A Context holds what a child is told about its own dispatch. A field at its
// zero value is left out of the prompt; Task is always there. Every value is
// data: one that holds a control character, a line separator or invalid UTF-8
// is refused, as are words that mark places in a prompt.
type Context struct {
	Worktree, RunRoot string // absolute paths

	Task  int // from 1; in the final loop the last task's number
	Round int // fix round from 1 to tier.MaxRounds

	BaseSHA, HeadSHA string // full object names, 40 or 64 lowercase hex digits

	// Absolute paths of files, one for each purpose.
	BriefPath, ContextPath, ReportPath, ReviewPackagePath, FindingPackagePath, LedgerPath string

	FindingIDs  []string // run ids, such as "T1:F-1"; for a reviewer those it must judge
	NextFinding string   // the next free local number, "F-3"
	RunTests    string   // what a reviewer may run; empty for nothing
	Decisions   []string // rulings that bind the child, one line each
}

// A field is one line of the dispatch context. What check refuses beyond the
// rules for all values is said by its error.
type field struct {
	key   string
	value func(Context) string
	check func(string) error
}

// fields is the order of the dispatch context (design: the loop). It never
// changes: golden prompts and the programs that read prompts depend on it.
var fields = [...]field{
	{"worktree", func(c Context) string { return c.Worktree }, nil},
	{"runRoot", func(c Context) string { return c.RunRoot }, nil},
	{"task", func(c Context) string { return number(c.Task) }, within(maxTasks)},
	{"round", func(c Context) string { return number(c.Round) }, within(tier.MaxRounds)},
	{"baseSha", func(c Context) string { return c.BaseSHA }, form(objectName, "a full object name")},
	{"headSha", func(c Context) string { return c.HeadSHA }, form(objectName, "a full object name")},
	{"briefPath", func(c Context) string { return c.BriefPath }, nil},
	{"contextPath", func(c Context) string { return c.ContextPath }, nil},
	{"reportPath", func(c Context) string { return c.ReportPath }, nil},
	{"reviewPackagePath", func(c Context) string { return c.ReviewPackagePath }, nil},
	{"findingPackagePath", func(c Context) string { return c.FindingPackagePath }, nil},
	{"ledgerPath", func(c Context) string { return c.LedgerPath }, nil},
	{"findingIds", func(c Context) string { return strings.Join(c.FindingIDs, ", ") }, form(findingIDs, "a list of finding ids")},
	{"nextFinding", func(c Context) string { return c.NextFinding }, form(localNumber, "a local number such as F-3")},
	{"runTests", func(c Context) string { return c.RunTests }, nil},
	{"decisions", func(c Context) string { return inert.Replace(strings.Join(c.Decisions, "; ")) }, nil},
}

// maxTasks bounds the number of a task (contract: payload rules).
const maxTasks = 256

var (
	objectName  = pattern(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	findingIDs  = pattern(`^[A-Za-z0-9._:-]{1,64}(, [A-Za-z0-9._:-]{1,64})*$`)
	localNumber = pattern(`^F-[1-9][0-9]*$`)
	// Findings that facts make; only the controller judges them.
	controlled = pattern(`^(T[1-9][0-9]*|FINAL):(GATE|GUARD|STALE)-`)
)

// The marks that readers of a prompt rely on: the heading that occurs once, and
// the axis that no prompt of a working role names (design: the loop).
const (
	contextMark = "Dispatch Context"
	axisMark    = "QUALITY:"
)

// inert rewrites the marks in decisions. They quote what children and humans
// wrote, so refusing them there would let a sentence in a report stop a run.
var inert = strings.NewReplacer(contextMark, strings.ToLower(contextMark), axisMark, strings.ToLower(axisMark))

// lines returns the dispatch context of a role, a line for each field that has
// a value. Each key in must has to have one.
func (c Context) lines(role tier.Role, must []string) (string, error) {
	if err := c.checkFindings(role); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, f := range fields {
		value := f.value(c)
		if value == "" {
			if slices.Contains(must, f.key) {
				return "", fmt.Errorf("%s is missing", f.key)
			}
			continue
		}
		if err := f.refuse(role, value); err != nil {
			return "", fmt.Errorf("%s: %w", f.key, err)
		}
		fmt.Fprintf(&b, "- %s: %s\n", f.key, value)
	}
	return b.String(), nil
}

// checkFindings refuses ids that a role could do nothing with: those without a
// file that describes them, and for a reviewer those it must not judge.
func (c Context) checkFindings(role tier.Role) error {
	if len(c.FindingIDs) > 0 && c.ContextPath+c.ReviewPackagePath+c.FindingPackagePath == "" {
		return fmt.Errorf("findingIds without a contextPath, reviewPackagePath or findingPackagePath that describes them")
	}
	for _, id := range c.FindingIDs {
		if !role.Works() && controlled().MatchString(id) {
			return fmt.Errorf("findingIds: %q is judged by the controller alone", id)
		}
	}
	return nil
}

func (f field) refuse(role tier.Role, value string) error {
	if !utf8.ValidString(value) {
		return fmt.Errorf("%q is not valid UTF-8", value)
	}
	if i := strings.IndexFunc(value, isControl); i >= 0 {
		r, _ := utf8.DecodeRuneInString(value[i:])
		return fmt.Errorf("%q holds the control character %U", value, r)
	}
	if strings.Contains(value, contextMark) || role.Works() && strings.Contains(value, axisMark) {
		return fmt.Errorf("%q holds words that mark a place in a prompt", value)
	}
	if f.check == nil {
		return nil
	}
	return f.check(value)
}

// isControl reports the code points that no recorded string may hold (contract:
// payload rules).
func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029'
}

// number returns n in decimal, and nothing for the zero that means absent.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func within(most int) func(string) error {
	return func(value string) error {
		if n, err := strconv.Atoi(value); err != nil || n < 1 || n > most {
			return fmt.Errorf("%s is outside 1 to %d", value, most)
		}
		return nil
	}
}

// pattern is a regular expression that is compiled when it is first asked: only
// a dispatch makes a prompt.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

func form(want func() *regexp.Regexp, name string) func(string) error {
	return func(value string) error {
		if !want().MatchString(value) {
			return fmt.Errorf("%q is not %s", value, name)
		}
		return nil
	}
}
