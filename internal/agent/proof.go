package agent

import "os"

// A Standing is what is known of a session.
type Standing int

const (
	// Unproven: nothing shows whether the child runs.
	Unproven Standing = iota
	// NeverStarted: its record says so, and no process can start it any more.
	NeverStarted
	// Running: its process is there.
	Running
	// Ended: its record says how, or its process is gone for certain.
	Ended
)

var standings = [...]string{Unproven: "unproven", NeverStarted: "never-started", Running: "running", Ended: "ended"}

// String returns the word that answers use.
func (s Standing) String() string { return standings[s] }

// Stands says what a record proves now, and by what. A record without an end is
// held against the system: another boot of the same host ended every process;
// within a boot a process id counts with its start time only.
func (r Record) Stands() (Standing, string) {
	switch {
	case r.End != nil && r.End.Cause == NotStarted:
		return NeverStarted, "its record says that it was not started: " + r.End.Detail
	case r.End != nil:
		return Ended, "its record has its end"
	case r.Host != hostName():
		return Unproven, "it runs on host " + r.Host + ", and this is " + hostName()
	case r.BootID != bootID():
		return Ended, "the host was started anew since"
	case sameProcess(r.PID, r.StartTime):
		return Running, "its process is there"
	case groupAlive(r.PID):
		return Running, "processes of its group are there"
	case sameProcess(r.KeeperPID, r.KeeperStart):
		return Running, "its keeper is about to record its end"
	}
	return Ended, "its process and its keeper are gone, and nobody recorded how it ended"
}

// Stop ends a session's group whose keeper is gone, at once. It does nothing
// where the process is not the recorded one.
func (r Record) Stop() {
	if s, _ := r.Stands(); s == Running && r.End == nil {
		signalGroup(r.PID, os.Kill)
	}
}

// Kept reports whether the session's keeper is there to record its end.
func (r Record) Kept() bool {
	return r.Host == hostName() && r.BootID == bootID() && sameProcess(r.KeeperPID, r.KeeperStart)
}

// sameProcess reports whether the process that was recorded still is: a start
// time that cannot be read leaves the id alone to tell.
func sameProcess(pid int, start string) bool {
	if pid <= 0 || !processAlive(pid) {
		return false
	}
	now := startTime(pid)
	return now == start || now == "" || start == ""
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}
