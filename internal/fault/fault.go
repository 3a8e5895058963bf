// Package fault is what a user sees when git-sdd refuses something: the fact in
// one line, the place it stands, the repair as a command to paste, and the exit
// status that programs branch on.
//
// Low packages return plain errors; the package that knows the repair makes the
// fault. An error that nobody made a fault of is [Internal]: our bug, never the
// user's.
package fault

import (
	"errors"
	"fmt"
)

// A Kind says which sort of refusal a fault is. Its zero value is Internal, so
// that an error nobody classified never looks like a user's mistake.
type Kind uint8

// The kinds, in the order of their exit status. Numbers are never reused.
const (
	Internal Kind = iota
	Invalid
	Contended
	Identity
	Waiting
	Agent
	Unknown
	Refused
	Interrupted
	numKinds
)

// A Row is one line of the table of exit statuses.
type Row struct {
	Name    string // the JSON name
	Exit    int    // the exit status
	Meaning string // one sentence for help and README
}

var kinds = [numKinds]Row{
	Internal:    {"internal", 1, "a bug in git-sdd, or an outside failure that nobody classified"},
	Invalid:     {"invalid", 2, "the command line, plan, report, settings or event is wrong, or there is nothing to do for this command; correct it and call again"},
	Contended:   {"contended", 3, "another process moved the run first, or the expected revision is stale; nothing changed, read again"},
	Identity:    {"identity", 4, "the plan, branch, worktree or history is not the one the run is pinned to, or a check of integrity failed; never retry blindly"},
	Waiting:     {"waiting", 5, "a human must rule before anything else can happen"},
	Agent:       {"agent", 6, "an agent failed: no report, a timeout, a command that cannot be started"},
	Unknown:     {"unknown", 7, "no such run, or one that this program cannot read: written by a newer git-sdd, or objects are missing"},
	Refused:     {"refused", 8, "a check that was asked for did not pass: a missing rung, a gate that failed or could not run, uncovered commits"},
	Interrupted: {"interrupted", 130, "stopped by a signal; the run is as it was or one whole step further"},
}

// Row returns the kind's line in the table of exit statuses.
func (k Kind) Row() Row { return kinds[k] }

// Table returns every kind in the order of its exit status. The exit code, the
// help, the README and the JSON names all come from it.
func Table() []Row { return append([]Row(nil), kinds[:]...) }

// A Defect is one of several things found wrong at once.
type Defect struct {
	Code     string // stable identifier, such as "tier-missing"; may be empty
	Location string // "plan.md:41"; may be empty
	Message  string // the fact, one line
	Repair   string // a command to paste or one edit; may be empty
}

// An Error is a refusal as the user sees it. It is made by [New] and completed
// by the With methods; none of its parts changes afterwards.
type Error struct {
	kind     Kind
	message  string
	repair   string
	code     string
	location string
	phase    string
	defects  []Defect
	cause    error
}

// New makes a fault of the given kind. The repair is a parameter, so that a
// fault without one does not exist; the format follows [fmt.Errorf], %w included.
func New(kind Kind, repair, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{kind: kind, message: err.Error(), repair: repair, cause: err}
}

// FromDefects makes a fault of everything found wrong in one input. The first
// defect is also the error's own message, code and location.
func FromDefects(kind Kind, repair string, defects []Defect) *Error {
	first := defects[0]
	if first.Repair != "" {
		repair = first.Repair
	}
	return &Error{
		kind: kind, message: first.Message, repair: repair,
		code: first.Code, location: first.Location,
		defects: append([]Defect(nil), defects...),
	}
}

// WithCode returns a copy that carries a stable identifier of the defect.
func (e *Error) WithCode(code string) *Error { c := *e; c.code = code; return &c }

// WithLocation returns a copy that names a place as "file:line".
func (e *Error) WithLocation(location string) *Error { c := *e; c.location = location; return &c }

// WithPhase returns a copy that names the terminal phase this refusal stands for.
func (e *Error) WithPhase(phase string) *Error { c := *e; c.phase = phase; return &c }

// WithRepair returns a copy with another repair.
func (e *Error) WithRepair(repair string) *Error { c := *e; c.repair = repair; return &c }

// Error returns the fact in one line, led by its location where there is one.
func (e *Error) Error() string {
	if e.location == "" {
		return e.message
	}
	return e.location + ": " + e.message
}

// Unwrap returns what the fault was made of, for [errors.Is] and [errors.As].
func (e *Error) Unwrap() error { return e.cause }

// Kind returns the sort of refusal.
func (e *Error) Kind() Kind { return e.kind }

// Message returns the fact without its location.
func (e *Error) Message() string { return e.message }

// Repair returns the command to paste, or the one edit to make.
func (e *Error) Repair() string { return e.repair }

// Code returns the stable identifier of the defect, or "".
func (e *Error) Code() string { return e.code }

// Location returns "file:line", or "".
func (e *Error) Location() string { return e.location }

// Phase returns the terminal phase that the refusal stands for, or "".
func (e *Error) Phase() string { return e.phase }

// Defects returns everything that was found wrong; empty where it was one thing.
func (e *Error) Defects() []Defect { return append([]Defect(nil), e.defects...) }

// Of returns the fault within err. An error that holds none is a bug of ours
// and comes back as an Internal fault with the same text.
func Of(err error) *Error {
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return New(Internal, "git sdd doctor", "%w", err)
}
