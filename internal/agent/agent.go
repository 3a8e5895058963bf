// Package agent runs one child command of the user's and keeps it within its
// limits: time, silence, output, and the processes that it leaves behind.
//
// It knows nothing of runs, roles or reports. It also keeps the records of
// sessions, by which a later process can tell whether a child never started,
// still runs, or ended; the absence of a record tells nothing.
package agent

import (
	"io"
	"os"
	"time"
)

// A Command is one child to run. Argv, Timeout and Idle must be set: no child
// runs without bounds.
type Command struct {
	Argv    []string
	Dir     string
	Env     []string // the whole environment
	Stdin   []byte   // nil: the child reads an empty input
	Word    *os.File // the child gets it as [wordFile], and Run closes it; nil for nothing
	Timeout time.Duration
	Idle    time.Duration // the longest silence on both outputs
	Grace   time.Duration // between asking the group to end and killing it; 0 is [DefaultGrace]

	Started func(Group) // is told once the child runs; nil for nobody

	Stdout io.Writer     // sees the standard output as well; nil for nothing
	Output io.Writer     // sees both outputs as well; nil for nothing
	Log    *Log          // takes both outputs; nil for nothing
	Signal <-chan Signal // what is asked of the child from outside; nil for nothing
}

// DefaultGrace is how long a group may take to end once it was asked to.
const DefaultGrace = 5 * time.Second

// A Signal is what a human asks of a running child.
type Signal int

const (
	// Interrupt asks the child to end; after the grace its group is killed.
	Interrupt Signal = iota
	// Kill ends the group at once.
	Kill
)

// A Cause says why a child is no longer there.
type Cause string

// The causes. A child that was killed by somebody else has ended like any other.
const (
	Exited      Cause = "exited"      // by itself
	TimedOut    Cause = "timeout"     // it ran for longer than it may
	WentIdle    Cause = "idle"        // it said nothing for longer than it may
	Interrupted Cause = "interrupted" // it was asked to end
	NotStarted  Cause = "not-started" // the system could not start it
	Vanished    Cause = "vanished"    // it is gone, and nobody saw how it ended
)

// A Result is what a child left.
type Result struct {
	Cause    Cause
	Exit     int    // exit status; -1 where a signal ended it or it never started
	Signal   string // the signal that ended it, "" for none
	Straggle bool   // processes of its group outlived it, and were killed
	Escaped  bool   // a process that left the group still held an output when it was cut off
	Output   int64  // bytes that it wrote to both outputs
	Tail     []byte // the last of them, at most [TailBytes]
	Took     time.Duration
}
