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
	fields := statOf(strconv.Itoa(pid))
	if fields == nil {
		return ""
	}
	if hasEnded(fields) {
		return "ended"
	}
	return fields[19]
}

// statOf is what the system says of a process: state (field 3) to start time (22)
// and what follows. The second field is the program's name in parentheses and may
// hold any byte.
func statOf(pid string) []string {
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return nil
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 20 {
		return nil
	}
	return fields
}

func hasEnded(fields []string) bool { return fields[0] == "Z" || fields[0] == "X" }

// onlyEnded reports whether all that is left of a group are processes that ended
// and wait to be collected: in a container nobody may ever do that.
func onlyEnded(group int) bool {
	proc, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return false
	}
	want, found := strconv.Itoa(group), false
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		if fields := statOf(name); fields != nil && fields[2] == want {
			if !hasEnded(fields) {
				return false
			}
			found = true
		}
	}
	return found
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
