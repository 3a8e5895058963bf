//go:build !unix

package git

import "os/exec"

// ownGroup leaves the child as it is: there are no process groups here.
func ownGroup(*exec.Cmd) {}

// killGroup ends the child alone.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}
