//go:build unix && !linux

package sandbox

import (
	"os/exec"
	"syscall"
)

// attributes put the program in its own process group.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// wait waits for the end of the program, and kills its remaining processes.
func wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	killGroup(cmd.Process.Pid)
	return err
}

// killGroup kills the program and all processes that it started, except those that left its group.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // they may have ended already

// tooMuch returns "": the processes of a group cannot be counted here.
func tooMuch(int, int64, int64) string { return "" }
