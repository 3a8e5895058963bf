// Package machine is the reducer of a run: phases, events and guards, and the
// exact bytes in which events and states are stored (contract: state machine).
//
// A run is a [State]. [New] makes its first one, [Apply] turns a state and an
// [Event] into the next or refuses the event, and [DecodeState] reads one back;
// nothing else makes a state, so that every rule of the machine holds for each.
// All of it is pure: no clock, file, Git or chance. What varies arrives in the
// [Input], and replaying the stored events of a run gives its states again, byte
// for byte.
//
// Which event a phase takes and where it leads is one table, in table.go. What
// an event must bring and what it changes is its handler, by topic: gates.go,
// dispatch.go, work.go, review.go, resolve.go and ruling.go. [Markdown] prints
// the table as phases.md.
package machine
