//go:build !linux

package agent

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// bootID is not known here: a restart of the host is seen by its processes.
func bootID() string { return "" }

// startTime is when a process started, as ps tells it.
func startTime(pid int) string {
	if runtime.GOOS == "windows" {
		return ""
	}
	cmd := exec.Command("ps", "-o", "lstart=", "-p", strconv.Itoa(pid))
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// onlyEnded is not known here: whoever ended is collected by the system.
func onlyEnded(int) bool { return false }

// syncFolder syncs the folder where the system can.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
