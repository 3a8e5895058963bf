//go:build linux

package agent

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Processes that have ended count as gone although nobody has waited for them: in
// a container whose first process waits for nobody, a drive would wait for ever.
func TestEndedGroupIsGone(t *testing.T) {
	start := func(group int, words ...string) *exec.Cmd {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	leader := start(0, "true")
	group := leader.Process.Pid
	defer leader.Wait() // at the end: until then its process is there, and ended
	for end := time.Now().Add(10 * time.Second); startTime(group) != "ended"; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("true does not end")
		}
	}
	rec := Record{Schema: RecordSchema, Host: hostName(), BootID: bootID(), PID: group, StartTime: "1"}
	if got, proof := rec.Stands(); groupAlive(group) || got != Ended {
		t.Errorf("a group of ended processes is alive: %s, %s", got, proof)
	}
	member := start(group, "sleep", "100")
	if got, _ := rec.Stands(); !groupAlive(group) || got != Running {
		t.Errorf("a group with one that runs is gone: %s", got)
	}
	signalGroup(group, os.Kill)
	if err := member.Wait(); err == nil {
		t.Error("the group was not killed")
	}
}
