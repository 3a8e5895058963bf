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
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	// The second field is the program's name in parentheses and may hold any
	// byte; the fields behind it are state (3) to start time (22).
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	if state := fields[0]; state == "Z" || state == "X" {
		return "ended"
	}
	return fields[19]
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
