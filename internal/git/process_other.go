//go:build !unix

package git

import (
	"os"
	"os/exec"
)

// ownGroup leaves the child as it is: there are no process groups here.
func ownGroup(*exec.Cmd) {}

// killGroup ends the child alone.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}

// alive reports whether a process can be opened.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
