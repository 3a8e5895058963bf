//go:build !unix

package agent

import (
	"os"
	"os/exec"
)

// terminate is the only way to end a process here.
var terminate = os.Kill

// ownGroup leaves the child as it is: there are no process groups here.
func ownGroup(*exec.Cmd) {}

func ownSession(*exec.Cmd) {}

func signalGroup(group int, _ os.Signal) {
	if p, err := os.FindProcess(group); err == nil {
		_ = p.Kill()
	}
}

func groupAlive(int) bool { return false }

// processAlive reports a process that can be opened.
func processAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}

func signalOf(*os.ProcessState) string { return "" }

func closeOnExec(int) {}

// become runs the command in this process's place: there is no way to turn into
// it here.
func become(argv, env []string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}
