//go:build unix

package agent

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// terminate is the polite way to end a process.
const terminate = syscall.SIGTERM

// ownGroup puts the child in a process group of its own, so that a terminal's
// Ctrl-C does not reach it by itself and its descendants end with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// ownSession takes the process out of the terminal's session as well: it
// outlives the shell that started it.
func ownSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func signalGroup(group int, s os.Signal) {
	if sig, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(-group, sig)
	}
}

// groupAlive reports whether any process is left in the group that has not ended.
// One that may not be signalled is there.
func groupAlive(group int) bool {
	return !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) && !onlyEnded(group)
}

func processAlive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func signalOf(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}

func closeOnExec(fd int) { syscall.CloseOnExec(fd) }

// become replaces this process by the command: its id and start time stay.
func become(argv, env []string) error {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	return syscall.Exec(path, argv, env)
}
