package agent

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// bootID names this boot of the host.
func bootID() string {
	data, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// startTime is when a process started, in ticks since the boot. A process that
// ended and waits for its parent has none.
func startTime(pid int) string {
	s, ok := statOf(strconv.Itoa(pid))
	switch {
	case !ok:
		return ""
	case s.ended:
		return "ended"
	}
	return s.start
}

// onlyEnded reports whether every process of a group has ended and waits for a
// parent to notice. In a container whose first process waits for nobody they
// wait for ever. It looks twice: one may start another and end in between.
func onlyEnded(group int) bool {
	for range 2 {
		if !seenEnded(group) {
			return false
		}
	}
	return true
}

func seenEnded(group int) bool {
	dir, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return false
	}
	found := false
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		if s, ok := statOf(name); ok && s.group == strconv.Itoa(group) {
			if !s.ended {
				return false
			}
			found = true
		}
	}
	return found // of which nothing shows may be hidden from us
}

// A procStat is what the system tells of a process.
type procStat struct {
	group, start string
	ended        bool
}

func statOf(pid string) (procStat, bool) {
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return procStat{}, false
	}
	// The second field is the program's name in parentheses and may hold any
	// byte; the fields behind it are state (3) to start time (22).
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 20 {
		return procStat{}, false
	}
	// A first thread that ended before the others looks like the end of all.
	ended := fields[0] == "X" || fields[0] == "Z" && fields[17] == "1"
	return procStat{group: fields[2], start: fields[19], ended: ended}, true
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
